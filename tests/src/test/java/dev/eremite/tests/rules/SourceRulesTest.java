package dev.eremite.tests.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules that concern files rather than classes. */
class SourceRulesTest {
    private static final int LONGEST = 500;
    private static final Pattern BOUND =
            Pattern.compile("(?:\\bbind|\\bsymbol|\\bfind|\\bfindOrThrow|\\baddressOf)\\(\\s*\"(\\w+)\"");

    @Test
    void shouldKeepFilesShort() {
        List<Path> sources = SourceTree.files(SourceTree.ROOT, ".java", ".py", ".sh", ".ts");
        assertThat(sources).isNotEmpty();
        assertThat(sources)
                .allSatisfy(file -> assertThat(SourceTree.text(file).lines().count())
                        .describedAs("lines of %s", SourceTree.ROOT.relativize(file))
                        .isLessThanOrEqualTo(LONGEST));
    }

    @Test
    void shouldListEveryLibcSymbolThatTheTracerBinds() {
        TreeSet<String> bound = new TreeSet<>();
        for (Path file : SourceTree.files(SourceTree.ROOT.resolve("tracer/src/main"), ".java")) {
            if (file.getParent().endsWith("dev/eremite/tracer/linux")) {
                Matcher matcher = BOUND.matcher(SourceTree.text(file));
                while (matcher.find()) {
                    bound.add(matcher.group(1));
                }
            }
        }
        assertThat(SourceTree.text(SourceTree.ROOT.resolve("tracer/libc-symbols.txt"))
                        .lines())
                .describedAs("tracer/libc-symbols.txt")
                .containsExactlyElementsOf(bound);
    }
}
