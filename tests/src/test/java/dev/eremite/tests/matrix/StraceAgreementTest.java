package dev.eremite.tests.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** {@code eremite strace} against the system's strace: every call's name, number of arguments and result. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class StraceAgreementTest {
    /** Commands that make the same calls in nearly every run. */
    private static final Map<String, String> PROGRAMS = new TreeMap<>(Map.ofEntries(
            Map.entry("true", "exec true"),
            Map.entry("ls", "exec ls -la /usr/bin"),
            // Of two writes a reader may get one or both.
            Map.entry("cat", "cat /etc/services /nonexistent 2>/dev/null | wc"),
            Map.entry("sed", "exec sed -n 's/a/b/gp' /etc/services"),
            Map.entry("awk", "exec awk '{ n += NF } END { print n }' /etc/services"),
            Map.entry("sort", "exec sort -r --parallel=1 /etc/services"),
            Map.entry("grep", "exec grep -rn root /etc/pam.d"),
            Map.entry("find", "exec find /usr/share/perl5 -name 'c*' -size +1k"),
            Map.entry("tar", "exec tar cf a.tar /etc/pam.d /etc/security"),
            Map.entry("gzip", "exec gzip -9c /bin/ls"),
            Map.entry("dd", "exec dd if=/bin/ls of=copy bs=1000 status=none"),
            Map.entry("cp", "exec cp -a /etc/pam.d copies"),
            Map.entry(
                    "sqlite3",
                    "exec sqlite3 d.db 'create table t(a);insert into t values(1),(2);select sum(a) from t'"),
            Map.entry("perl", "exec perl -e 'print join(\",\", sort map { $_ * 2 } 1..5), \"\\n\"'"),
            Map.entry(
                    "python3",
                    "exec env PYTHONHASHSEED=0 /usr/bin/python3 -c 'import json; print(json.dumps({\"a\": [1]}))'"),
            Map.entry("bash", "/bin/true; /bin/false; test -e /etc/passwd && /bin/echo one two; exit 3"),
            // With -c it would make temporary names, of as many random numbers as chance wants.
            Map.entry("gcc", "echo 'int main(void) { return 0; }' > a.c; gcc -S a.c")));

    private static final int ATTEMPTS = 3;
    private static final int FURTHER_RUNS = 4;

    /** Without the vDSO these are real calls in Eremite. */
    private static final Set<String> IN_VDSO = Set.of("clock_gettime", "gettimeofday", "time", "getcpu");

    private static final Set<String> ADDRESSES = Set.of("brk", "mmap", "mremap", "shmat");

    /** What Eremite answers on purpose in another way. */
    private static final Set<String> REFUSED = Set.of("rseq");

    private static final Pattern CALL = Pattern.compile("(\\w+)\\((.*)\\)\\s+= (.*)");
    private static final Pattern BIRTH = Pattern.compile("(?:clone3?|v?fork)\\(.* = (\\d+)");
    private static final Pattern OWN_LINE = Pattern.compile("\\[(\\d+)\\] (.*)");

    private record Call(String name, int arguments, String result) {}

    @TestFactory
    Stream<DynamicTest> shouldAgree() {
        return PROGRAMS.entrySet().stream()
                .map(program -> DynamicTest.dynamicTest(program.getKey(), () -> agree(program.getValue())));
    }

    /**
     * What a program does depends a little on chance: when a child's end interrupts its parent. Only where runs under the
     * system's strace differ from each other, too, may a difference be chance.
     */
    private static void agree(String line) throws IOException {
        Path folder = Files.createTempDirectory("eremite-strace-");
        try {
            for (int attempt = 1; !agrees(folder.resolve("try" + attempt), line, attempt == ATTEMPTS); attempt++) {
                System.out.println("attempt " + attempt + " of " + ATTEMPTS + " has failed: " + line);
            }
        } finally {
            Folders.delete(folder);
        }
    }

    private static boolean agrees(Path folder, String line, boolean last) throws IOException {
        List<List<Call>> expected = calls(system(folder.resolve("run0"), line));
        assertThat(expected.getFirst()).hasSizeGreaterThan(20);
        try {
            assertAgreement(calls(own(folder.resolve("runE"), line)), expected);
            return true;
        } catch (AssertionError difference) {
            String chance = last ? "" : chance(folder, line, expected);
            if (chance.isEmpty()) {
                throw difference;
            }
            System.out.println(
                    difference.getMessage() + "\nTwo runs under the system's strace differ, too:\n" + chance);
            return false;
        }
    }

    /** How a further run under the system's strace differs from the first; empty when none of a few does. */
    private static String chance(Path folder, String line, List<List<Call>> expected) throws IOException {
        for (int run = 1; run <= FURTHER_RUNS; run++) {
            List<List<Call>> further = calls(system(folder.resolve("run" + run), line));
            try {
                assertAgreement(further, expected);
            } catch (AssertionError e) {
                return e.getMessage();
            }
        }
        return "";
    }

    private static void assertAgreement(List<List<Call>> actual, List<List<Call>> expected) {
        assertThat(actual).as("processes").hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertSame("process " + i, withoutAllocations(actual.get(i)), withoutAllocations(expected.get(i)));
            // The loader allocates for the vDSO at another moment.
            assertThat(allocations(actual.get(i))).isCloseTo(allocations(expected.get(i)), within(1));
        }
    }

    /** Shows the first difference with what comes before it, not two lists of hundreds. */
    private static void assertSame(String process, List<Call> actual, List<Call> expected) {
        int at = 0;
        while (at < Math.min(actual.size(), expected.size()) && actual.get(at).equals(expected.get(at))) {
            at++;
        }
        int from = Math.max(0, at - 5);
        assertThat(actual.subList(from, Math.min(actual.size(), at + 3)))
                .as("%s, call %d of %d", process, at, expected.size())
                .isEqualTo(expected.subList(from, Math.min(expected.size(), at + 3)));
        assertThat(actual).hasSameSizeAs(expected);
    }

    private static org.assertj.core.data.Offset<Long> within(long calls) {
        return org.assertj.core.data.Offset.offset(calls);
    }

    private static List<Call> withoutAllocations(List<Call> calls) {
        return calls.stream().filter(call -> !isAllocation(call)).toList();
    }

    private static long allocations(List<Call> calls) {
        return calls.stream().filter(StraceAgreementTest::isAllocation).count();
    }

    /** When the heap grows depends on the lengths of strings such as process ids. */
    private static boolean isAllocation(Call call) {
        return call.result.equals("allocated") || call.name.equals("brk");
    }

    private static Map<Integer, List<String>> system(Path run, String line) throws IOException {
        Path folder = Files.createDirectories(run.resolve("work"));
        Path output = Files.createDirectory(run.resolve("output"));
        List<String> words = List.of(
                "setarch",
                "-R",
                "strace",
                "-ff",
                "-o",
                output.resolve("o").toString(),
                "bash",
                "-c",
                "exec 2>/dev/null; " + line);
        CommandResult result =
                new Command(words).in(folder).within(Duration.ofSeconds(60)).run();
        assertThat(result.errors()).isEmpty();
        Map<Integer, List<String>> lines = new TreeMap<>();
        try (Stream<Path> files = Files.list(output)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                int pid = Integer.parseInt(file.getFileName().toString().substring(2));
                lines.put(pid, Files.readAllLines(file, StandardCharsets.ISO_8859_1));
            }
        }
        return lines;
    }

    private static Map<Integer, List<String>> own(Path run, String line) throws IOException {
        CommandResult result = new EremiteCommand(run.resolve("data"))
                .in(Files.createDirectories(run.resolve("work")))
                .within(Duration.ofSeconds(60))
                .run("strace", "--", "bash", "-c", "exec 2>/dev/null; " + line);
        Map<Integer, List<String>> lines = new TreeMap<>();
        result.errors().lines().forEach(text -> {
            Matcher own = OWN_LINE.matcher(text);
            if (own.matches()) {
                lines.computeIfAbsent(Integer.parseInt(own.group(1)), _ -> new ArrayList<>())
                        .add(own.group(2));
            }
        });
        return lines;
    }

    /** The calls of each process, in the order of their ids; ids among the results are numbered in that order. */
    private static List<List<Call>> calls(Map<Integer, List<String>> lines) {
        List<Integer> order = births(lines);
        Map<String, String> ids = new HashMap<>();
        order.forEach(pid -> ids.put(Integer.toString(pid), "process " + ids.size()));
        List<List<Call>> all = new ArrayList<>();
        for (List<String> process : order.stream().map(lines::get).toList()) {
            List<Call> calls = new ArrayList<>();
            String maps = "none";
            for (String line : process) {
                Matcher matcher = CALL.matcher(line);
                if (matcher.matches() && !IN_VDSO.contains(matcher.group(1))) {
                    String name = matcher.group(1);
                    // How much the kernel gives of the list of mappings depends on their number.
                    maps = name.equals("openat") && line.contains("/proc/self/maps") ? matcher.group(3) : maps;
                    boolean readsMaps = name.equals("read") && matcher.group(2).startsWith(maps + ",");
                    maps = name.equals("close") && matcher.group(2).equals(maps) ? "none" : maps;
                    if (!readsMaps) {
                        calls.add(call(name, matcher.group(2), matcher.group(3), ids));
                    }
                }
            }
            all.add(calls);
        }
        return all;
    }

    /** The processes, each behind its parent, in the order in which the parent made them. Ids may begin anew meanwhile. */
    private static List<Integer> births(Map<Integer, List<String>> lines) {
        Map<Integer, List<Integer>> children = new TreeMap<>();
        Set<Integer> born = new TreeSet<>();
        lines.forEach((pid, calls) -> {
            for (String line : calls) {
                Matcher birth = BIRTH.matcher(line);
                if (birth.matches() && lines.containsKey(Integer.parseInt(birth.group(1)))) {
                    int child = Integer.parseInt(birth.group(1));
                    children.computeIfAbsent(pid, _ -> new ArrayList<>()).add(child);
                    born.add(child);
                }
            }
        });
        List<Integer> order = new ArrayList<>(
                lines.keySet().stream().filter(pid -> !born.contains(pid)).toList());
        for (int i = 0; i < order.size(); i++) {
            order.addAll(children.getOrDefault(order.get(i), List.of()));
        }
        return order;
    }

    private static Call call(String name, String arguments, String result, Map<String, String> ids) {
        // rt_sigreturn has no arguments; strace shows what it finds on the stack.
        int count = name.equals("rt_sigreturn") ? 0 : count(arguments);
        if (REFUSED.contains(name)) {
            return new Call(name, count, "");
        }
        if (ADDRESSES.contains(name) && result.startsWith("0x")) {
            boolean allocation = name.equals("mmap") && arguments.startsWith("NULL") && arguments.contains("ANON");
            return new Call(name, count, allocation ? "allocated" : "an address");
        }
        // Behind the number or the name of an error: explanations.
        Matcher words = Pattern.compile("(-1 E\\w+|\\S+).*").matcher(result);
        String value = words.matches() ? words.group(1) : result;
        value = value.startsWith("0x") ? Long.decode(value).toString() : value;
        // The first process's parent is another one in each run.
        String unknown = name.equals("getppid") ? "a parent" : value;
        return new Call(name, count, ids.getOrDefault(value, unknown));
    }

    /** The number of arguments: commas outside of strings, brackets and comments separate them. */
    private static int count(String arguments) {
        if (arguments.isBlank()) {
            return 0;
        }
        int count = 1;
        int depth = 0;
        boolean quoted = false;
        for (int i = 0; i < arguments.length(); i++) {
            char c = arguments.charAt(i);
            if (quoted) {
                if (c == '\\') {
                    i++;
                } else if (c == '"') {
                    quoted = false;
                }
            } else if (c == '"') {
                quoted = true;
            } else if ("([{".indexOf(c) >= 0) {
                depth++;
            } else if (")]}".indexOf(c) >= 0) {
                depth--;
            } else if (c == ',' && depth == 0) {
                count++;
            }
        }
        return count;
    }
}
