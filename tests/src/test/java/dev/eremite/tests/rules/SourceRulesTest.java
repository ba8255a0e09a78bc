package dev.eremite.tests.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules that concern files rather than classes. */
class SourceRulesTest {
    private static final int LONGEST = 500;
    private static final int WIDEST_PROSE = 128;
    private static final Pattern LINK_TARGET = Pattern.compile("\\]\\([^)]*\\)");
    private static final Pattern THREAD =
            Pattern.compile("(?:ofPlatform\\(\\)[^;]*?\\.name|new DefaultThreadFactory)\\(\"([\\w-]+)\"");
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

    /** Tables and code have lines as long as they must be; where a link leads does not count. */
    @Test
    void shouldBreakLinesOfProse() {
        List<Path> pages = SourceTree.files(SourceTree.ROOT, ".md");
        assertThat(pages).hasSizeGreaterThan(5);
        List<String> wide = new ArrayList<>();
        for (Path page : pages) {
            boolean code = false;
            int number = 0;
            for (String line : SourceTree.text(page).lines().toList()) {
                number++;
                code ^= line.strip().startsWith("```");
                String prose = LINK_TARGET.matcher(line).replaceAll("]");
                if (!code && !line.startsWith("|") && prose.codePointCount(0, prose.length()) > WIDEST_PROSE) {
                    wide.add(SourceTree.ROOT.relativize(page) + ":" + number);
                }
            }
        }
        assertThat(wide)
                .as("lines of prose beyond " + WIDEST_PROSE + " columns")
                .isEmpty();
    }

    @Test
    void shouldTellOfEveryThreadWithName() {
        TreeSet<String> threads = new TreeSet<>();
        for (Path file : SourceTree.files(SourceTree.ROOT, ".java")) {
            if (file.toString().contains("/src/main/")) {
                Matcher matcher = THREAD.matcher(SourceTree.text(file));
                while (matcher.find()) {
                    threads.add(matcher.group(1));
                }
            }
        }
        assertThat(threads).contains("event-log", "gdb-server");
        assertThat(SourceTree.text(SourceTree.ROOT.resolve("docs/architecture.md")))
                .contains(threads.stream().map(name -> "| `" + name + "` |").toList());
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
