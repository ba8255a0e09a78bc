package dev.eremite.tests.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher on a copy of the sources in a folder whose name has a space. The tests go on from each other. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LauncherTest {
    private static final Path ORIGINAL = Path.of("").toAbsolutePath().getParent();
    private static final List<String> NEEDED = List.of("eremite", "scripts", "pom.xml");
    private static final String BUILDING = "eremite: building (";

    @TempDir
    private static Path folder;

    private static Path copy;

    /** What a command printed. */
    private record Ended(int status, String out, String err) {}

    @BeforeAll
    static void copySources() throws IOException {
        copy = folder.resolve("with a space/eremite");
        for (String name : NEEDED) {
            copy(ORIGINAL.resolve(name));
        }
        try (Stream<Path> modules = Files.list(ORIGINAL)) {
            for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml")))
                    .toList()) {
                copy(module.resolve("pom.xml"));
                if (Files.exists(module.resolve("src/main"))) {
                    copy(module.resolve("src/main"));
                }
            }
        }
    }

    @Test
    @Order(1)
    void shouldBuildOnceWhenTwoStartAtOnce() throws Exception {
        Started first = start(folder, copy.resolve("eremite").toString(), "--version");
        Started second = start(folder, copy.resolve("eremite").toString(), "--version");
        Ended one = first.end();
        Ended two = second.end();
        assertThat(List.of(one, two)).allSatisfy(each -> {
            assertThat(each.status()).describedAs(each.err()).isZero();
            assertThat(each.out()).startsWith("eremite ");
        });
        assertThat(one.err() + two.err()).containsOnlyOnce(BUILDING).hasLineCount(1);
    }

    @Test
    @Order(2)
    void shouldStartThroughSymbolicLinksFromAnywhere() throws Exception {
        Path absolute = Files.createSymbolicLink(folder.resolve("absolute"), copy.resolve("eremite"));
        Files.createDirectory(folder.resolve("bin"));
        Path relative = Files.createSymbolicLink(folder.resolve("bin/relative"), Path.of("../absolute"));
        for (Path name : List.of(absolute, relative, Path.of("bin/relative"), Path.of("./absolute"))) {
            assertThat(start(folder, name.toString(), "--version").end())
                    .satisfies(ended -> assertThat(ended.err()).isEmpty())
                    .satisfies(ended -> assertThat(ended.out()).startsWith("eremite "));
        }
        assertThat(start(copy, "bash", "eremite", "--version").end().status()).isZero();
    }

    @Test
    @Order(3)
    void shouldBuildAgainAfterAChangeAndAfterADeletion() throws Exception {
        Path added = copy.resolve("cli/src/main/java/dev/eremite/cli/Added.java");
        Files.writeString(added, "package dev.eremite.cli;\n\nfinal class Added {}\n");
        assertThat(version().err()).startsWith(BUILDING);
        assertThat(version().err()).isEmpty();
        Files.delete(added);
        assertThat(version().err()).startsWith(BUILDING);
        assertThat(version().err()).isEmpty();
    }

    @Test
    @Order(4)
    void shouldSayWhatIsWrongWhenTheBuildFails() throws Exception {
        Path broken = copy.resolve("cli/src/main/java/dev/eremite/cli/Broken.java");
        Files.writeString(broken, "class Broken {");
        Ended ended = version();
        assertThat(ended.status()).isEqualTo(125);
        assertThat(ended.err()).contains("eremite: the build failed (E005)").contains("build.log");
        assertThat(ended.out()).isEmpty();
        Files.delete(broken);
        assertThat(version().status()).isZero();
    }

    @Test
    @Order(5)
    void shouldRefuseAJavaHomeThatIsNone() throws Exception {
        ProcessBuilder builder = builder(folder, copy.resolve("eremite").toString(), "--version");
        builder.environment().put("EREMITE_JAVA_HOME", folder.toString());
        Ended ended = new Started(builder, folder).end();
        assertThat(ended.status()).isEqualTo(125);
        assertThat(ended.err()).contains("(E002)");
    }

    private static Ended version() throws Exception {
        return start(folder, copy.resolve("eremite").toString(), "--version").end();
    }

    private static Started start(Path workdir, String... command) throws IOException {
        return new Started(builder(workdir, command), folder);
    }

    private static ProcessBuilder builder(Path workdir, String... command) {
        return new ProcessBuilder(command)
                .directory(workdir.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
    }

    /** A running command; its output goes to files, so that it never waits for this test to read. */
    private static final class Started {
        private final Process process;
        private final Path out;
        private final Path err;

        Started(ProcessBuilder builder, Path folder) throws IOException {
            out = Files.createTempFile(folder, "out", "");
            err = Files.createTempFile(folder, "err", "");
            process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
        }

        Ended end() throws IOException, InterruptedException {
            try {
                assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
        }
    }

    private static void copy(Path source) throws IOException {
        try (Stream<Path> all = Files.walk(source)) {
            for (Path each : all.toList()) {
                Path target = copy.resolve(ORIGINAL.relativize(each).toString());
                if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.getParent());
                    Files.copy(each, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }
}
