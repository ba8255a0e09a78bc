package dev.eremite.tests.dap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Checkout;
import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import dev.eremite.tests.command.EremiteCommand;
import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.ObjectMapper;

/**
 * The client library of VS Code's makers drives recordings of programs in C, C++ and Rust, see {@code tests/dap}; every
 * message of both directions is checked against the protocol's types and against its JSON schema.
 */
@Tag("slow")
class EditorClientTest {
    private static final Path FOLDER = Checkout.root().resolve("tests/dap");
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final String SCHEMA_PACKAGE = "debugpy==1.8.22";

    private static final List<Sample> SAMPLES = List.of(
            new Sample("c", FOLDER.resolve("programs/shop.c"), "gcc -g -O0"),
            new Sample("cpp", FOLDER.resolve("programs/shop.cpp"), "g++ -g -O0"),
            new Sample("rust", FOLDER.resolve("programs/shop.rs"), "rustc -g --crate-name shop"),
            new Sample("threads", Checkout.root().resolve("vscode-sample/sample/bank.c"), "gcc -g -O0 -pthread"));

    /** A program that is recorded for the scenarios, which know it by its name. */
    private record Sample(String name, Path source, String compiler) {}

    @TestFactory
    Stream<DynamicTest> shouldServeARealClient() throws IOException {
        install();
        Path data = RecordReplay.newDataFolder("dap-client");
        Path configuration = data.resolveSibling(data.getFileName() + ".json");
        Path schema = Files.createDirectories(Checkout.output("dap-schema")).resolve("debugProtocol.json");
        String missing = downloadSchema(schema);
        Files.writeString(
                configuration,
                new ObjectMapper().writeValueAsString(configuration(data, missing.isEmpty() ? schema.toString() : "")));
        CommandResult result = new Command(List.of("node", "run.mjs", configuration.toString()))
                .in(FOLDER)
                .within(LIMIT)
                .run();
        List<String> lines = result.output()
                .lines()
                .filter(line -> line.startsWith("passed\t") || line.startsWith("failed\t"))
                .toList();
        assertThat(lines)
                .describedAs("%s%n%s", result.output(), result.errors())
                .hasSizeGreaterThan(1)
                .last()
                .asString()
                .contains(missing.isEmpty() ? "the protocol's schema\t" : "the protocol's types\t");
        boolean failed = lines.stream().anyMatch(line -> line.startsWith("failed\t"));
        assertThat(result.status())
                .describedAs("%s%n%s", result.output(), result.errors())
                .isEqualTo(failed ? 1 : 0);
        if (result.status() == 0) {
            Folders.delete(data);
            Files.delete(configuration);
        }
        Stream<DynamicTest> ran = lines.stream()
                .map(line -> line.split("\t", 3))
                .map(line -> DynamicTest.dynamicTest(line[1], () -> {
                    assertThat(line[0]).describedAs(line[2].replace('⏎', '\n')).isEqualTo("passed");
                }));
        Stream<DynamicTest> left = Stream.of(missing)
                .filter(reason -> !reason.isEmpty())
                .map(reason -> DynamicTest.dynamicTest(
                        "messages conform to the protocol's schema",
                        () -> Assumptions.abort("the schema cannot be downloaded: " + reason)));
        return Stream.concat(ran, left);
    }

    /** The packages of the lock file, if they are not there yet. */
    private static void install() throws IOException {
        Path installed = FOLDER.resolve("node_modules/.package-lock.json");
        Path wanted = FOLDER.resolve("package-lock.json");
        if (Files.exists(installed)
                && Files.getLastModifiedTime(installed).compareTo(Files.getLastModifiedTime(wanted)) >= 0) {
            return;
        }
        CommandResult result =
                new Command(List.of("npm", "ci")).in(FOLDER).within(LIMIT).run();
        assertThat(result.status()).describedAs(result.errors()).isZero();
    }

    /**
     * Gets the protocol's official schema. Its makers publish it as a page of their site only; a Python debugger ships the file,
     * so that it comes with a version and from where packages come from.
     *
     * @return why that is not possible; empty if it is there
     */
    private static String downloadSchema(Path schema) throws IOException {
        if (Files.exists(schema)) {
            return "";
        }
        Path folder = schema.getParent();
        String options = "-m pip download -q --no-deps --only-binary :all: --platform any --dest";
        List<String> command = new ArrayList<>(List.of("python3"));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(folder.toString(), SCHEMA_PACKAGE));
        CommandResult result = new Command(command).within(LIMIT).run();
        if (result.status() != 0) {
            return result.errors().strip().lines().reduce("", (_, line) -> line);
        }
        try (Stream<Path> files = Files.list(folder);
                ZipFile wheel = new ZipFile(files.filter(file -> file.toString().endsWith(".whl"))
                        .findFirst()
                        .orElseThrow()
                        .toFile())) {
            ZipEntry entry = wheel.stream()
                    .filter(each -> each.getName().endsWith("/" + schema.getFileName()))
                    .findFirst()
                    .orElseThrow();
            try (InputStream in = wheel.getInputStream(entry)) {
                Files.copy(in, schema);
            }
        }
        return "";
    }

    private static Map<String, Object> configuration(Path data, String schema) throws IOException {
        Map<String, Object> configuration = new LinkedHashMap<>();
        configuration.put("schema", schema);
        configuration.put("config", Map.of("launcher", EremiteCommand.launcher().toString(), "data", data.toString()));
        EremiteCommand eremite = new EremiteCommand(data);
        Path programs = Files.createDirectories(data.resolve("programs"));
        for (Sample each : SAMPLES) {
            Path program = programs.resolve(each.name());
            List<String> compile = new ArrayList<>(List.of(each.compiler().split(" ")));
            compile.addAll(List.of("-o", program.toString(), each.source().toString()));
            CommandResult compiled = new Command(compile).run();
            assertThat(compiled.status()).describedAs(compiled.errors()).isZero();
            Path report = programs.resolve(each.name() + ".json");
            eremite.command(List.of("record", "-q", "--json", report.toString(), "--", program.toString()))
                    .run();
            String id = new ObjectMapper()
                    .readTree(Files.readString(report, StandardCharsets.UTF_8))
                    .path("id")
                    .asString();
            configuration.put(
                    each.name(),
                    Map.of("recording", id, "source", each.source().toString(), "program", program.toString()));
        }
        return configuration;
    }
}
