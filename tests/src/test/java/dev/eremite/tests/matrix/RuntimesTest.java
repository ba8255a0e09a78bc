package dev.eremite.tests.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Language runtimes, servers with clients, and builds: recorded once, replayed once, the same output and status. */
@Tag("slow")
@Timeout(value = 900, unit = TimeUnit.SECONDS)
class RuntimesTest {
    /**
     * A command.
     *
     * @param files resources of this test's folder that it needs in its own
     * @param setup for bash, run before without recording
     * @param line for bash; its output must contain the expected text
     */
    private record Program(String name, List<String> files, String setup, String line, String expected) {
        Program(String name, List<String> files, String line, String expected) {
            this(name, files, "", line, expected);
        }
    }

    private static final List<Program> PROGRAMS = List.of(
            new Program("node", List.of("work.js"), "exec node work.js", "sum 499999500000 from 2 workers"),
            new Program(
                    "javac",
                    List.of("Server.java"),
                    "javac Server.java && java Server",
                    "served 40 requests, 4 threads"),
            new Program("python-threads", List.of("threads.py"), "exec /usr/bin/python3 threads.py", "threads 28"),
            new Program(
                    "python-processes",
                    List.of("processes.py"),
                    "exec /usr/bin/python3 processes.py",
                    "[0, 1, 4, 9, 16]"),
            new Program(
                    "go",
                    List.of("main.go"),
                    "GO111MODULE=off GOCACHE=$PWD/cache go build -o main main.go",
                    "exec ./main",
                    "sum 4950 max 99"),
            new Program(
                    "rust", List.of("main.rs"), "rustc -O -o main main.rs", "exec ./main", "total 4950 in 4 threads"),
            new Program("ruby", List.of("work.rb"), "exec ruby work.rb", "threads [0, 1, 4, 9] child 3"),
            new Program(
                    "php",
                    List.of(),
                    "exec php -r 'echo array_sum(range(1, 100)), \" \", strlen(random_bytes(8)), \"\\n\";'",
                    "5050 8"),
            new Program(
                    "redis",
                    List.of(),
                    "redis-server --port 0 --unixsocket $PWD/s --save '' --daemonize no > log & "
                            + "for i in $(seq 100); do [ -S s ] && break; sleep 0.05; done; "
                            + "for i in 1 2 3; do redis-cli -s s incr n; done; redis-cli -s s shutdown nosave; wait; echo over",
                    "1\n2\n3\n"),
            new Program(
                    "nginx",
                    List.of("nginx.conf"),
                    "mkdir -p www logs; seq 5000 > www/f; nginx -p $PWD -c nginx.conf -e logs/error & "
                            + "for i in $(seq 100); do curl -s --unix-socket $PWD/s http://h/f -o /dev/null && break; sleep 0.05; done; "
                            + "curl -s --unix-socket $PWD/s http://h/f | md5sum; kill %1; wait; echo over",
                    "over"),
            new Program(
                    "make",
                    List.of("Makefile"),
                    "for i in 1 2 3 4 5 6; do echo \"int f$i(void) { return $i; }\" > f$i.c; done; make -j4 -s && ./main; echo $?",
                    "21"),
            new Program(
                    "cmake-ninja",
                    List.of("CMakeLists.txt"),
                    "echo 'int main(void) { return 9; }' > main.c; cmake -G Ninja -S . -B b > log && ninja -C b > log2 && b/main; echo $?",
                    "9"),
            new Program(
                    "git",
                    List.of(),
                    "export HOME=$PWD GIT_CONFIG_NOSYSTEM=1; git init -q . && git config user.email a@b && git config user.name n; "
                            + "for i in 1 2 3; do seq $i > f$i; git add . ; git commit -qm c$i; done; git gc -q; git fsck; "
                            + "git log --format=%s; git count-objects -v | grep in-pack",
                    "c3\nc2\nc1\nin-pack: 9"),
            new Program(
                    "ffmpeg",
                    List.of(),
                    "ffmpeg -v error -f lavfi -i testsrc=size=160x120:rate=10:duration=2 -threads 2 -c:v mpeg4 -f avi - | wc -c",
                    ""));

    @TestFactory
    Stream<DynamicTest> shouldReplay() {
        return PROGRAMS.stream().map(program -> DynamicTest.dynamicTest(program.name(), () -> check(program)));
    }

    private static void check(Program program) throws IOException {
        Path folder = Files.createTempDirectory("eremite-runtime-");
        try {
            for (String file : program.files()) {
                try (InputStream in = RuntimesTest.class.getResourceAsStream("runtimes/" + file)) {
                    Files.copy(in, folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            if (!program.setup().isEmpty()) {
                CommandResult prepared = new Command(List.of("bash", "-c", program.setup()))
                        .in(folder)
                        .within(Duration.ofSeconds(150))
                        .run();
                assertThat(prepared.status()).as(prepared.errors()).isZero();
            }
            RecordReplay.Outcome outcome = new RecordReplay(program.name())
                    .in(folder)
                    .within(Duration.ofSeconds(150))
                    .check(List.of("bash", "-c", program.line()));
            assertThat(outcome.recorded().output())
                    .as(
                            "status %d, %s",
                            outcome.recorded().status(), outcome.recorded().errors())
                    .contains(program.expected());
        } finally {
            Folders.delete(folder);
        }
    }
}
