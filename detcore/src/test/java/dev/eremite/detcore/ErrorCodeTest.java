package dev.eremite.detcore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void shouldGiveEachFailureItsOwnCode() {
        assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::code)).doesNotHaveDuplicates();
        assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::code)).allMatch(code -> code.matches("E\\d{3}"));
    }

    @Test
    void shouldListEachCodeInTheDocumentation() throws IOException {
        Path page = ROOT.resolve("docs/errors.md");
        String expected = page();
        if (Boolean.getBoolean("eremite.update")) {
            Files.writeString(page, expected);
        }
        assertThat(page)
                .describedAs("run mvn -pl detcore test -Dtest=ErrorCodeTest -Deremite.update=true to renew it")
                .hasContent(expected);
    }

    @Test
    void shouldKnowTheCodesThatTheScriptsPrint() throws IOException {
        String scripts = Files.readString(ROOT.resolve("eremite"))
                + Files.readString(ROOT.resolve("scripts/jdk.sh"))
                + Files.readString(ROOT.resolve("scripts/build.sh"));
        List<String> known =
                Arrays.stream(ErrorCode.values()).map(ErrorCode::code).toList();
        // Some failures are the launcher's alone; others it notices before there is a JVM.
        assertThat(Pattern.compile("\\bfail (E\\d{3})")
                        .matcher(scripts)
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .collect(Collectors.toSet()))
                .isSubsetOf(known)
                .containsAll(
                        known.stream().filter(code -> code.startsWith("E0")).toList());
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Errors

                Eremite reports a failure as `eremite: <message> (<code>)` with what to do about it on the next line.
                The codes stay the same from version to version. This page is made from `ErrorCode`; a test compares them.

                | Code | Exit status | What happened | What to do |
                |---|---|---|---|
                """);
        for (ErrorCode error : ErrorCode.values()) {
            page.append("| %s | %d | %s | %s |\n"
                    .formatted(error.code(), error.exitStatus(), error.meaning(), error.cure()));
        }
        return page.toString();
    }
}
