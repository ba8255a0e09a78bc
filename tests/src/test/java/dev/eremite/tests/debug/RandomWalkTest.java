package dev.eremite.tests.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.guest.Guest;
import dev.eremite.tests.mi.DebugSession;
import dev.eremite.tests.mi.DebugSession.Backend;
import dev.eremite.tests.mi.MiValue;
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
 * Random walks, forwards and backwards, over four recordings: whenever a position is reached again, by whatever way, its
 * state is the one that was seen there before. The seed is in every message; {@code -Deremite.tests.seed=N} repeats it.
 */
@Tag("slow")
class RandomWalkTest {
    private static final int WALKS_PER_RECORDING = 50;
    private static final int MOVES = 50;
    private static final List<String> MOVEMENTS = List.of(
            "-exec-step-instruction",
            "-exec-next-instruction",
            "-exec-step",
            "-exec-next",
            "-exec-finish",
            "-exec-continue");
    private static final Pattern EVENT = Pattern.compile("\\d+");

    private final long seed = Long.getLong("eremite.tests.seed", System.nanoTime());

    /**
     * A recording to walk in.
     *
     * @param guest the guest's name
     * @param progress expressions that change as the guest's own code goes on, so that they tell its positions apart
     * @param marks lines to put breakpoints on
     */
    private record Terrain(String guest, List<String> progress, List<String> marks) {}

    /** What is compared at each position. */
    private record State(String registers, String memory, String backtrace) {}

    private static final List<Terrain> TERRAINS = List.of(
            new Terrain(
                    "walk",
                    List.of("steps", "state", "inserted", "found"),
                    List.of("random", "insert-new", "contains", "found", "report")),
            new Terrain(
                    "basics",
                    List.of("total", "progress"),
                    List.of("square-body", "add-sum", "main-progress", "push-head", "depth-call", "main-print-keys")),
            new Terrain(
                    "threads4",
                    List.of("shared_sum", "turn"),
                    List.of("shared-add", "tls-add", "work-end", "main-join", "main-print")),
            new Terrain("itimer", List.of("rounds", "ticks"), List.of("tick")));

    @TestFactory
    Stream<DynamicTest> shouldSeeTheSameStateAtTheSamePosition() {
        return TERRAINS.stream()
                .map(terrain -> DynamicTest.dynamicTest(terrain.guest() + " seed " + seed, () -> explore(terrain)));
    }

    private void explore(Terrain terrain) {
        Map<String, State> seen = new HashMap<>();
        int again = 0;
        try (DebugSession session = DebugSession.open(Backend.REPLAY, terrain.guest())) {
            session.runTo(terrain.marks().getFirst());
            for (int walk = 0; walk < WALKS_PER_RECORDING; walk++) {
                Random random = new Random(seed + walk);
                session.deleteBreakpoints();
                List<String> path = new ArrayList<>();
                for (String mark : terrain.marks()) {
                    if (random.nextBoolean()) {
                        session.breakAt(mark);
                        path.add("break " + mark);
                    }
                }
                for (int move = 0; move < MOVES; move++) {
                    path.add(move(session, random));
                    String position = position(session, terrain);
                    State state = state(session);
                    State before = seen.putIfAbsent(position, state);
                    again += before == null ? 0 : 1;
                    assertThat(state)
                            .as(
                                    "seed %d, %s, walk %d, move %d, at %s by %s",
                                    seed, terrain.guest(), walk, move, position, path)
                            .isEqualTo(before == null ? state : before);
                }
            }
        }
        System.out.printf(
                "walks in %s: seed %d, %d positions, %d seen again%n", terrain.guest(), seed, seen.size(), again);
        assertThat(again).as("seed %d: positions seen again", seed).isPositive();
    }

    private static String move(DebugSession session, Random random) {
        String movement = MOVEMENTS.get(random.nextInt(MOVEMENTS.size())) + (random.nextBoolean() ? " --reverse" : "");
        // A finish in the outermost frame is refused; that is a move to where we are.
        session.gdb().tryToResume(movement);
        return movement;
    }

    private static String position(DebugSession session, Terrain terrain) {
        Matcher event = EVENT.matcher(session.gdb().console("monitor when"));
        assertThat(event.find()).as("monitor when names an event").isTrue();
        StringBuilder position = new StringBuilder("event ").append(event.group());
        for (String expression : List.of("$_thread", "$pc", "$sp", "$eflags")) {
            position.append(' ').append(session.evaluate("(long) " + expression));
        }
        for (String expression : terrain.progress()) {
            position.append(' ')
                    .append(session.evaluate("'" + Guest.named(terrain.guest()).source() + "'::" + expression));
        }
        MiValue frame = session.gdb().command("-stack-info-frame");
        if (!frame.text("frame.file").endsWith(Guest.named(terrain.guest()).source())) {
            // In a library's loops nothing of the guest's tells two rounds apart; the registers do.
            position.append(' ').append(hash(registers(session)));
        }
        return position.toString();
    }

    private static State state(DebugSession session) {
        StringBuilder memory = new StringBuilder();
        for (String range : List.of("&__data_start 256", "$sp 1024")) {
            int blank = range.indexOf(' ');
            memory.append(session.gdb()
                    .command("-data-read-memory-bytes \"" + range.substring(0, blank) + "\" "
                            + range.substring(blank + 1)));
        }
        StringBuilder backtrace = new StringBuilder();
        for (MiValue frame : session.gdb().command("-stack-list-frames").list("stack")) {
            backtrace
                    .append(frame.text("func"))
                    .append('@')
                    .append(frame.text("addr"))
                    .append(' ');
        }
        return new State(registers(session), hash(memory.toString()), backtrace.toString());
    }

    private static String registers(DebugSession session) {
        StringBuilder text = new StringBuilder();
        for (MiValue register :
                session.gdb().command("-data-list-register-values x").list("register-values")) {
            text.append(register.text("number"))
                    .append('=')
                    .append(register.text("value"))
                    .append(' ');
        }
        return text.toString();
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
