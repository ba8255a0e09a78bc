package dev.eremite.replay.timeline;

import dev.eremite.detcore.syscall.SyscallDecoder;
import dev.eremite.replay.event.EventRange;
import dev.eremite.replay.event.EventSummary;
import dev.eremite.replay.session.RecordingSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The engine's own commands, which debuggers pass on: GDB's {@code monitor}. */
final class MonitorCommands {
    private static final String HELP = """
            when                  the number of the next event
            seek EVENT|START|END  go there; +N and -N count from here
            events [A..B]         what was recorded, around here or from A to B
            checkpoint [NAME]     remember this place
            checkpoints           list the places that are remembered
            restart NUMBER|NAME   go to such a place
            delete NUMBER|NAME    forget it
            output PATTERN        go to the last write before here whose text matches a regular expression,
                                  or else to the first one behind
            processes             list the processes; eremite replay -p PID shows another one
            last-write ADDR LEN   go back to where those bytes of memory were written last
            gdb does not notice that a command has gone somewhere: use the commands that eremite gdbinit prints,
            or say "maintenance flush register-cache" and "maintenance flush dcache".
            """;

    private static final int AROUND = 5;
    private static final int MOST_LISTED = 1000;
    private static final int WATCH_LIMIT = 1 << 20;
    /** The end of a process's address space, which the kernel keeps a page below 2^47. */
    private static final long USER_END = (1L << 47) - 4096;

    private final Timeline timeline;
    private final RecordingSource source;
    private final Travel travel;

    MonitorCommands(Timeline timeline, RecordingSource source, Travel travel) {
        this.timeline = timeline;
        this.source = source;
        this.travel = travel;
    }

    /** Runs a command; the text to show, lines ended by newline. */
    String run(String line) {
        List<String> words = Arrays.asList(line.strip().split("\\s+"));
        String rest = words.size() > 1
                ? line.strip().substring(words.getFirst().length()).strip()
                : "";
        return switch (words.getFirst()) {
            case "", "help" -> HELP;
            case "when" -> when();
            case "seek" -> words.size() == 2 ? seek(words.get(1)) : usage("seek EVENT|START|END");
            case "events" -> events(rest);
            case "checkpoint" -> checkpoint(rest);
            case "checkpoints" -> list();
            case "restart" -> rest.isEmpty() ? usage("restart NUMBER|NAME") : restart(rest);
            case "delete" -> rest.isEmpty() ? usage("delete NUMBER|NAME") : delete(rest);
            case "output" -> rest.isEmpty() ? usage("output PATTERN") : output(rest);
            case "processes" -> processes();
            case "last-write" -> words.size() == 3 ? lastWrite(words) : usage("last-write ADDR LEN");
            default -> "unknown command: " + words.getFirst() + "; try: monitor help\n";
        };
    }

    private static String usage(String form) {
        return "usage: monitor " + form + "\n";
    }

    private String when() {
        return "event " + timeline.position() + " of " + source.size() + "\n";
    }

    private String seek(String where) {
        long event;
        String word = where.toLowerCase(Locale.ROOT);
        if (word.equals("start") || word.equals("end")) {
            event = word.equals("start") ? 0 : source.size();
        } else {
            OptionalLong number = number(where);
            if (number.isEmpty()) {
                return "not the number of an event: " + where + "\n";
            }
            boolean relative = where.startsWith("+") || where.startsWith("-");
            event = relative ? timeline.position() + number.getAsLong() : number.getAsLong();
        }
        if (event < 0 || event > source.size()) {
            String last = "to " + (source.size() - 1) + ", and " + source.size() + " is the end";
            return "there is no event " + event + ": they are numbered from 0 " + last + "\n";
        }
        return arrived(travel.seek(event));
    }

    private String arrived(boolean there) {
        return there ? when() : "interrupted: " + when();
    }

    private static OptionalLong number(String text) {
        try {
            boolean hex = text.startsWith("0x") || text.startsWith("0X");
            return OptionalLong.of(hex ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private String events(String text) {
        long here = timeline.position();
        Optional<EventRange> range = text.isEmpty()
                ? Optional.of(new EventRange(Math.max(0, here - AROUND), here + AROUND))
                : EventRange.parse(text);
        return range.map(this::listing).orElseGet(() -> usage("events [A..B]"));
    }

    private String listing(EventRange range) {
        long from = range.first();
        long to = Math.min(range.last(), source.size() - 1);
        EventSummary summary = new EventSummary(SyscallDecoder.linux());
        StringBuilder text = new StringBuilder();
        for (long n = from; n <= to && n < from + MOST_LISTED; n++) {
            String mark = n == timeline.position() ? "=> " : "   ";
            text.append(mark)
                    .append(n)
                    .append(' ')
                    .append(summary.line(source.event(n)))
                    .append('\n');
        }
        if (to - from >= MOST_LISTED) {
            text.append("   … and ").append(to - from - MOST_LISTED + 1).append(" more\n");
        }
        return text.isEmpty() ? "no such events; they are numbered from 0 to " + (source.size() - 1) + "\n" : "" + text;
    }

    private String checkpoint(String name) {
        int number = travel.mark(name).number();
        return "checkpoint " + number + (name.isEmpty() ? "" : " " + name) + " at " + when();
    }

    private String list() {
        StringBuilder text = new StringBuilder();
        travel.marks()
                .forEach(mark -> text.append(mark.number())
                        .append(": event ")
                        .append(mark.event())
                        .append(mark.name().isEmpty() ? "" : " " + mark.name())
                        .append('\n'));
        return text.isEmpty() ? "no checkpoints\n" : text.toString();
    }

    private Optional<Integer> find(String which) {
        OptionalLong number = number(which);
        List<Integer> found = new ArrayList<>();
        travel.marks().forEach(mark -> {
            if (mark.name().equals(which) || number.isPresent() && number.getAsLong() == mark.number()) {
                found.add(mark.number());
            }
        });
        return found.isEmpty() ? Optional.empty() : Optional.of(found.getLast());
    }

    private String restart(String which) {
        return find(which).map(key -> arrived(travel.seekMark(key))).orElse("no checkpoint " + which + "\n");
    }

    private String delete(String which) {
        Optional<Integer> key = find(which);
        key.ifPresent(travel::forget);
        return key.isPresent() ? "" : "no checkpoint " + which + "\n";
    }

    private String processes() {
        StringBuilder text = new StringBuilder();
        for (ProcessTable.Entry entry : ProcessTable.of(source).entries()) {
            text.append(entry.pid()).append(" from event ").append(entry.start());
            text.append(entry.parent() == 0 ? "" : ", child of " + entry.parent());
            text.append(": ").append(entry.program()).append('\n');
        }
        return text.toString();
    }

    private String output(String text) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            return "not a regular expression: " + e.getDescription() + "\n";
        }
        if (travel.printed().isEmpty()) {
            return "interrupted\n";
        }
        OptionalLong event = travel.findPrinted(pattern);
        return event.isEmpty() ? "the program prints no such text\n" : arrived(travel.seekArrival(event.getAsLong()));
    }

    private String lastWrite(List<String> words) {
        OptionalLong address = number(words.get(1));
        OptionalLong length = number(words.get(2));
        boolean good = address.isPresent()
                && length.isPresent()
                && length.getAsLong() > 0
                && length.getAsLong() <= WATCH_LIMIT;
        if (!good) {
            return usage("last-write ADDR LEN (in decimal, or hexadecimal after 0x)");
        }
        if (address.getAsLong() < 0 || address.getAsLong() > USER_END - length.getAsLong()) {
            return "a program has no memory to write to at " + words.get(1) + "\n";
        }
        return switch (timeline.backToWrite(address.getAsLong(), length.getAsLong())) {
            case HIT -> when();
            case INTERRUPTED -> "interrupted: " + when();
            default -> "not written before here\n";
        };
    }
}
