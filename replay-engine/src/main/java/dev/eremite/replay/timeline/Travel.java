package dev.eremite.replay.timeline;

import dev.eremite.detcore.syscall.SyscallDecoder;
import dev.eremite.replay.debug.TimeTravel;
import dev.eremite.replay.event.Event;
import dev.eremite.replay.event.EventSummary;
import dev.eremite.replay.session.RecordingSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Positions of a recording: seeking, events, output, and places that are remembered. */
final class Travel implements TimeTravel {
    private final Timeline timeline;
    private final RecordingSource source;
    private final int process;
    private final Interruption interruption;
    private final TreeMap<Integer, Place> places = new TreeMap<>();
    private OutputIndex outputs;
    private int nextPlace = 1;

    private record Place(String name, Goal goal) {}

    Travel(Timeline timeline, RecordingSource source, int process, Interruption interruption) {
        this.timeline = timeline;
        this.source = source;
        this.process = process;
        this.interruption = interruption;
    }

    @Override
    public Position position() {
        return new Position(timeline.position(), source.size(), timeline.inside());
    }

    @Override
    public boolean seek(long event) {
        return seek(new Goal.Boundary(Math.clamp(event, 0, source.size())));
    }

    @Override
    public boolean seekArrival(long event) {
        return seek(new Goal.Arrival(Math.clamp(event, 0, source.size())));
    }

    private boolean seek(Goal goal) {
        return interruption.during(() -> timeline.seek(goal));
    }

    @Override
    public OptionalLong deadlySignal() {
        Lives lives = Lives.of(source);
        for (long n = source.size() - 1; n >= 0; n--) {
            boolean shown = source.event(n) instanceof Event.Signal signal
                    && signal.frame() == null
                    && lives.ofTask(signal.task(), n)
                            .filter(life -> life.process() == process)
                            .isPresent();
            if (shown) {
                return OptionalLong.of(n);
            }
        }
        return OptionalLong.empty();
    }

    @Override
    public List<EventInfo> events(long first, long last) {
        EventSummary summary = new EventSummary(SyscallDecoder.linux());
        List<EventInfo> events = new ArrayList<>();
        for (long n = Math.max(0, first); n <= Math.min(last, source.size() - 1); n++) {
            Event event = source.event(n);
            events.add(new EventInfo(n, event.task(), kind(event), stream(event), summary.line(event)));
        }
        return events;
    }

    private static String kind(Event event) {
        return switch (event) {
            case Event.Syscall _, Event.SyscallEnter _, Event.SyscallExit _ -> "syscall";
            case Event.Instruction _, Event.ClockTrap _ -> "instruction";
            case Event.Signal _ -> "signal";
            case Event.Preempt _ -> "preempt";
            case Event.TaskExit _ -> "exit";
        };
    }

    private static int stream(Event event) {
        return switch (event) {
            case Event.Syscall e -> e.stream();
            case Event.SyscallExit e -> e.stream();
            default -> 0;
        };
    }

    @Override
    public Optional<List<Printed>> printed() {
        return interruption.during(this::index).map(OutputIndex::writes);
    }

    @Override
    public OptionalLong findPrinted(Pattern pattern) {
        return interruption
                .during(this::index)
                .map(index -> index.find(pattern, timeline.position()))
                .orElse(OptionalLong.empty());
    }

    private Optional<OutputIndex> index() {
        if (outputs == null) {
            outputs = timeline.indexOutput().orElse(null);
        }
        return Optional.ofNullable(outputs);
    }

    @Override
    public Mark mark(String name) {
        int number = nextPlace++;
        Place place = new Place(name, timeline.place());
        places.put(number, place);
        return mark(number, place);
    }

    private Mark mark(int number, Place place) {
        return new Mark(number, place.name, Math.min(place.goal.event(), source.size()));
    }

    @Override
    public List<Mark> marks() {
        List<Mark> marks = new ArrayList<>();
        places.forEach((number, place) -> marks.add(mark(number, place)));
        return marks;
    }

    @Override
    public boolean seekMark(int number) {
        Place place = places.get(number);
        return place != null && seek(place.goal);
    }

    @Override
    public boolean forget(int number) {
        return places.remove(number) != null;
    }
}
