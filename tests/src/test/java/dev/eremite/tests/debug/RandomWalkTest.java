package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.guest.Guest;
import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiValue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Random walks, forwards and backwards, in several recordings: whenever a position is reached again, by whatever way, its
 * state is the one that was seen there before. The seed is in every message; {@code -Deremite.tests.seed=N} repeats it,
 * {@code -Deremite.tests.walks=N} sets the walks in each recording.
 */
@Tag("slow")
class RandomWalkTest {
    private static final int WALKS_PER_RECORDING = Integer.getInteger("eremite.tests.walks", 2);
    private static final int MOVES = 50;
    private static final List<String> MOVEMENTS = List.of(
            "-exec-step-instruction",
            "-exec-next-instruction",
            "-exec-step",
            "-exec-next",
            "-exec-finish",
            "-exec-continue");
    private static final Pattern EVENT = Pattern.compile("\\d+");
    private static final Pattern NAMED =
            Pattern.compile("^event (?<event>\\d+) \\d+ (\\([^)]*\\) )?(?<sp>0x[0-9a-f]+)");
    private static final Pattern CONTENTS = Pattern.compile("contents=Text\\[text=([0-9a-f]+)");
    private static final int MOST_VISITS = 1000;

    /** The registers that are not parts or views of others. */
    private static final Pattern REGISTER = Pattern.compile(
            "r\\w\\w?|eflags|[c-gs]s|[fg]s_base|st\\d|f(ctrl|stat|tag|op|ooff|oseg|ioff|iseg)|mxcsr|xmm\\d+|ymm\\d+h|k\\d");

    private final long seed = Long.getLong("eremite.tests.seed", System.nanoTime());

    /**
     * A recording to walk in.
     *
     * @param name the guest's name, or that of a program of the system
     * @param progress expressions that change as the guest's own code goes on
     * @param complete whether they tell all positions in that code apart, so that the registers need not
     * @param places where to put breakpoints
     */
    private record Terrain(String name, List<String> progress, boolean complete, List<String> places) {
        boolean isGuest() {
            return Guest.all().stream().anyMatch(guest -> guest.name().equals(name));
        }

        /** Whether nothing of the program's own tells positions apart. */
        boolean namedByRegisters() {
            return progress.isEmpty();
        }

        DebugSession open() {
            return isGuest()
                    ? DebugSession.open(Backend.REPLAY, name)
                    : DebugSession.openProgram(name, List.of("/usr/bin/python3", "-S", "-E", "-c", SCRIPT));
        }
    }

    private static final String SCRIPT =
            "print(sorted(hash(str(i)) % 7 for i in range(40)), sum(float(i) ** .5 for i in range(30)))";

    /** What is compared at each position. */
    private record State(String registers, String memory, String backtrace) {}

    private static final List<Terrain> TERRAINS = List.of(
            new Terrain(
                    "walk",
                    List.of("steps", "state", "inserted", "found"),
                    true,
                    List.of("random", "insert-new", "contains", "found", "report")),
            new Terrain(
                    "basics",
                    List.of("total", "progress"),
                    true,
                    List.of("square-body", "add-sum", "main-progress", "push-head", "depth-call", "main-print-keys")),
            new Terrain(
                    "threads4",
                    List.of("shared_sum", "turn", "joined"),
                    true,
                    List.of("shared-add", "tls-add", "work-end", "main-join", "main-print")),
            new Terrain("itimer", List.of("rounds", "ticks"), true, List.of("tick")),
            new Terrain(
                    "containers",
                    List.of("added", "rounds"),
                    false,
                    List.of("word", "sorted", "counter-add", "counter-print")),
            new Terrain(
                    "python", List.of(), false, List.of("PyFloat_FromDouble", "PyObject_Hash", "PyList_New", "write")));

    @TestFactory
    Stream<DynamicTest> shouldSeeTheSameStateAtTheSamePosition() {
        Pattern chosen = Pattern.compile(System.getProperty("eremite.tests.terrain", ".*"));
        return TERRAINS.stream()
                .filter(terrain -> chosen.matcher(terrain.name()).matches())
                .map(terrain -> DynamicTest.dynamicTest(terrain.name() + " seed " + seed, () -> explore(terrain)));
    }

    private void explore(Terrain terrain) {
        Map<String, List<State>> seen = new HashMap<>();
        int again = 0;
        int alike = 0;
        long started = System.nanoTime();
        try (DebugSession session = terrain.open()) {
            String numbers = registerNumbers(session);
            session.runTo(terrain.places().getFirst());
            for (int walk = 0; walk < WALKS_PER_RECORDING; walk++) {
                Random random = new Random(seed + walk);
                List<String> breakpoints = terrain.places().stream()
                        .filter(_ -> random.nextBoolean())
                        .toList();
                List<String> path = new ArrayList<>();
                breakpoints.forEach(place -> path.add("break " + place));
                session.deleteBreakpoints();
                breakpoints.forEach(session::breakAt);
                for (int move = 0; move < MOVES; move++) {
                    path.add(move(session, random));
                    List<String> frames = frames(session);
                    String registers = registers(session, numbers);
                    String position = position(session, terrain, frames, registers);
                    State state = new State(registers, memory(session, terrain), String.join(" ", frames));
                    List<State> known = seen.computeIfAbsent(position, _ -> new ArrayList<>());
                    if (known.contains(state)) {
                        again++;
                        continue;
                    }
                    State before = known.isEmpty() ? null : known.getFirst();
                    known.add(state);
                    if (before == null) {
                        continue;
                    }
                    if (!terrain.namedByRegisters()
                            || !occurs(session, terrain, position, before, state)
                            || !occurs(session, terrain, position, state, before)) {
                        throw new AssertionError("seed %d, %s, walk %d, move %d, at %s by %s: %s"
                                .formatted(
                                        seed, terrain.name(), walk, move, position, path, difference(before, state)));
                    }
                    // Two places of the program that only what is left on the stack tells apart; the walk is at its own
                    // again.
                    alike++;
                    session.deleteBreakpoints();
                    breakpoints.forEach(session::breakAt);
                }
            }
        }
        System.out.printf(
                "%d walks in %s: seed %d, %d positions, %d seen again, %d places that only the stack tells apart, %d ms%n",
                WALKS_PER_RECORDING,
                terrain.name(),
                seed,
                seen.size(),
                again,
                alike,
                (System.nanoTime() - started) / 1_000_000);
        assertThat(again).as("seed %d: positions seen again", seed).isPositive();
    }

    private static String move(DebugSession session, Random random) {
        String kind = MOVEMENTS.get(random.nextInt(MOVEMENTS.size()));
        boolean byLine = kind.equals("-exec-step") || kind.equals("-exec-next");
        if (byLine
                && session.gdb().command("-stack-info-frame").text("frame.line").isEmpty()) {
            // There GDB steps until the function ends; in the loader's first one that means each instruction of it.
            kind += "-instruction";
        }
        String movement = kind + (random.nextBoolean() ? " --reverse" : "");
        // A finish in the outermost frame is refused; that is a move to where we are.
        session.gdb().tryToResume(movement);
        return movement;
    }

    /**
     * What names the present position: event, thread, stack, and what tells the rounds of loops apart. Where nothing of the
     * guest's own does, as in libraries, the registers must.
     */
    private static String position(DebugSession session, Terrain terrain, List<String> frames, String registers) {
        Matcher event = EVENT.matcher(session.gdb().console("monitor when"));
        assertThat(event.find()).as("monitor when names an event").isTrue();
        StringBuilder position = new StringBuilder("event ").append(event.group());
        for (String expression : List.of("$_thread", "$sp", "$eflags")) {
            position.append(' ').append(session.evaluate(expression));
        }
        position.append(' ').append(frames);
        for (String expression : terrain.progress()) {
            position.append(' ').append(session.evaluate("'" + session.guest().source() + "'::" + expression));
        }
        boolean told = terrain.complete()
                && session.gdb()
                        .command("-stack-info-frame")
                        .text("frame.file")
                        .endsWith(session.guest().source());
        if (!told) {
            position.append(' ').append(hash(registers));
        }
        return position.toString();
    }

    /**
     * Whether a run forward through the segment before the position's event comes through a state, whatever way led to it
     * before. It stands there then.
     *
     * @param other one of the same position with another memory
     */
    private static boolean occurs(DebugSession session, Terrain terrain, String position, State state, State other) {
        Matcher named = NAMED.matcher(position);
        assertThat(named.find()).as(position).isTrue();
        String event = named.group("event");
        session.deleteBreakpoints();
        session.gdb().console("monitor seek " + event);
        session.gdb().console("maintenance flush register-cache");
        String condition = "$sp == " + named.group("sp") + stackWords(state, other);
        String pc = state.backtrace().split(" ")[0];
        session.gdb().command("-break-insert -c \"" + condition + "\" *" + pc);
        String numbers = registerNumbers(session);
        for (int visit = 0; visit < MOST_VISITS; visit++) {
            session.gdb().tryToResume("-exec-continue");
            Matcher now = EVENT.matcher(session.gdb().console("monitor when"));
            if (!now.find() || !now.group().equals(event)) {
                return false;
            }
            State there =
                    new State(registers(session, numbers), memory(session, terrain), String.join(" ", frames(session)));
            if (there.equals(state)) {
                return true;
            }
        }
        return false;
    }

    /** Conditions that the first words on the stack that differ are those of a state. */
    private static String stackWords(State state, State other) {
        ByteBuffer mine = stack(state);
        ByteBuffer others = stack(other);
        StringBuilder words = new StringBuilder();
        int left = 3;
        for (int at = 0; at < mine.limit() && left > 0; at += Long.BYTES) {
            if (mine.getLong(at) != others.getLong(at)) {
                words.append(" && *(unsigned long *) ($sp + %d) == 0x%x".formatted(at, mine.getLong(at)));
                left--;
            }
        }
        return words.toString();
    }

    private static ByteBuffer stack(State state) {
        String hex = "";
        Matcher contents = CONTENTS.matcher(state.memory());
        while (contents.find()) {
            hex = contents.group(1);
        }
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String memory(DebugSession session, Terrain terrain) {
        StringBuilder memory = new StringBuilder();
        for (String range : terrain.isGuest() ? List.of("&__data_start 256", "$sp 1024") : List.of("$sp 1024")) {
            int blank = range.indexOf(' ');
            memory.append(session.gdb()
                    .command("-data-read-memory-bytes \"" + range.substring(0, blank) + "\" "
                            + range.substring(blank + 1)));
        }
        return memory.toString();
    }

    /** The frames' addresses. Of functions that are inlined GDB shows, after a step, only those that were stepped into. */
    private static List<String> frames(DebugSession session) {
        List<String> frames = new ArrayList<>();
        for (MiValue frame : session.gdb().command("-stack-list-frames 0 40").list("stack")) {
            String address = frame.text("addr");
            if (frames.isEmpty() || !frames.getLast().equals(address)) {
                frames.add(address);
            }
        }
        return frames;
    }

    private static String registerNumbers(DebugSession session) {
        StringBuilder numbers = new StringBuilder();
        int number = 0;
        for (MiValue name : session.gdb().command("-data-list-register-names").list("register-names")) {
            if (name instanceof MiValue.Text(String text)
                    && REGISTER.matcher(text).matches()) {
                numbers.append(' ').append(number);
            }
            number++;
        }
        return numbers.toString();
    }

    private static String registers(DebugSession session, String numbers) {
        StringBuilder text = new StringBuilder();
        for (MiValue register :
                session.gdb().command("-data-list-register-values x" + numbers).list("register-values")) {
            text.append(register.text("number"))
                    .append('=')
                    .append(register.text("value"))
                    .append('\n');
        }
        return text.toString();
    }

    private static String difference(State before, State now) {
        List<String> differences = new ArrayList<>();
        String[] then = before.registers().split("\n");
        String[] nowLines = now.registers().split("\n");
        for (int i = 0; i < Math.min(then.length, nowLines.length); i++) {
            if (!then[i].equals(nowLines[i])) {
                differences.add("register " + then[i] + ", now " + nowLines[i]);
            }
        }
        if (!before.memory().equals(now.memory())) {
            differences.add("memory " + before.memory() + ", now " + now.memory());
        }
        if (!before.backtrace().equals(now.backtrace())) {
            differences.add("stack " + before.backtrace() + ", now " + now.backtrace());
        }
        return String.join("; ", differences);
    }

    private static String hash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
