package dev.eremite.dap.handler;

import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.Movement.Kind;
import dev.eremite.dap.session.Session;
import dev.eremite.replay.debug.TimeTravel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Eremite's own requests, about positions of the recording; see docs/dap.md. */
public final class TimeTravelRequests {
    private static final int MOST_EVENTS = 100_000;
    private static final int USUAL_EVENTS = 1000;

    private final Session session;

    /** Requests of a session. */
    public TimeTravelRequests(Session session) {
        this.session = session;
    }

    /** Arguments of {@code eremite/seek}: one of the three. */
    static final class SeekArguments {
        Long event;
        String to;
        Integer checkpoint;
    }

    /** Arguments of {@code eremite/events}. */
    static final class EventsArguments {
        Long start;
        Integer count;
    }

    /** Arguments of {@code eremite/checkpoints}: what to do, or nothing to list them. */
    static final class CheckpointArguments {
        String add;
        Integer delete;
    }

    /** Arguments of {@code eremite/seekToOutput}: one of the two. */
    static final class OutputArguments {
        Long event;
        String pattern;
    }

    /** No arguments. */
    static final class NoArguments {}

    record PositionResponse(String recording, boolean complete, long event, long events, boolean inside) {}

    record EventsResponse(List<TimeTravel.EventInfo> events, long total) {}

    record Printed(long event, int stream, String text) {}

    record OutputResponse(List<Printed> output) {}

    record CheckpointsResponse(List<TimeTravel.Mark> checkpoints) {}

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("eremite/position", NoArguments.class, Lane.VIEW, (arguments, call) -> position())
                .on("eremite/events", EventsArguments.class, Lane.VIEW, (arguments, call) -> events(arguments))
                .on(
                        "eremite/checkpoints",
                        CheckpointArguments.class,
                        Lane.VIEW,
                        (arguments, call) -> checkpoints(arguments))
                .on("eremite/output", NoArguments.class, (arguments, call) -> output())
                .on("eremite/seek", SeekArguments.class, this::seek)
                .on("eremite/seekToOutput", OutputArguments.class, this::seekToOutput);
    }

    private Object position() {
        session.stoppedMi();
        TimeTravel.Position position = session.replay().ask(TimeTravel::position);
        return new PositionResponse(
                session.replay().id(),
                session.replay().complete(),
                position.event(),
                position.events(),
                position.inside());
    }

    private Object events(EventsArguments arguments) {
        session.stoppedMi();
        long start = arguments.start == null ? 0 : Math.max(0, arguments.start);
        int count = arguments.count == null ? USUAL_EVENTS : Math.clamp(arguments.count, 0, MOST_EVENTS);
        return session.replay()
                .ask(travel -> new EventsResponse(
                        travel.events(start, start + count - 1),
                        travel.position().events()));
    }

    private Object output() {
        session.stoppedMi();
        List<TimeTravel.Printed> printed = session.replay()
                .ask(TimeTravel::printed)
                .orElseThrow(() -> new RequestFailure("interrupted while the output was looked for"));
        return new OutputResponse(printed.stream()
                .map(each -> new Printed(each.event(), each.stream(), new String(each.bytes(), StandardCharsets.UTF_8)))
                .toList());
    }

    private Object checkpoints(CheckpointArguments arguments) {
        session.stoppedMi();
        return session.replay().ask(travel -> {
            if (arguments.add != null) {
                travel.mark(arguments.add);
            }
            if (arguments.delete != null && !travel.forget(arguments.delete)) {
                throw new RequestFailure("there is no checkpoint " + arguments.delete);
            }
            return new CheckpointsResponse(travel.marks());
        });
    }

    private Object seek(SeekArguments arguments, Call call) {
        session.stoppedMi();
        if (arguments.checkpoint != null) {
            int number = arguments.checkpoint;
            boolean known =
                    session.replay().ask(travel -> travel.marks().stream().anyMatch(mark -> mark.number() == number));
            if (!known) {
                throw new RequestFailure("there is no checkpoint " + number);
            }
            return go("to checkpoint " + number, travel -> travel.seekMark(number), call);
        }
        long event = event(arguments);
        return go("to event " + event, travel -> travel.seek(event), call);
    }

    /** Clients do not know that these requests move. */
    private Object go(String title, Predicate<TimeTravel> way, Call call) {
        session.execution().seek(Kind.GOTO, title, way, call.sequence());
        call.afterwards(session.execution()::tellResumed);
        return null;
    }

    private long event(SeekArguments arguments) {
        long events = session.replay().ask(TimeTravel::position).events();
        String word = arguments.to == null ? "" : arguments.to.toLowerCase(Locale.ROOT);
        if (word.equals("start") || word.equals("end")) {
            return word.equals("start") ? 0 : events;
        }
        if (arguments.event == null) {
            throw new RequestFailure("eremite/seek needs an event, a checkpoint, or to: start or end");
        }
        if (arguments.event < 0 || arguments.event > events) {
            String last = "to " + (events - 1) + ", and " + events + " is the end";
            throw new RequestFailure("there is no event " + arguments.event + ": they are numbered from 0 " + last);
        }
        return arguments.event;
    }

    private Object seekToOutput(OutputArguments arguments, Call call) {
        session.stoppedMi();
        long event;
        if (arguments.event != null) {
            event = arguments.event;
        } else if (arguments.pattern != null) {
            event = find(arguments.pattern);
        } else {
            throw new RequestFailure("eremite/seekToOutput needs an event, or a pattern");
        }
        return go("to output", travel -> travel.seekArrival(event), call);
    }

    private long find(String text) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new RequestFailure("not a regular expression: " + e.getDescription(), e);
        }
        OptionalLong found = session.replay().ask(travel -> travel.findPrinted(pattern));
        return found.orElseThrow(() -> new RequestFailure("the program prints no such text"));
    }
}
