package dev.eremite.tests.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The repository that the tests run in. */
final class SourceTree {
    static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private SourceTree() {}

    /** The files below a folder whose names end so, without what builds made. */
    static List<Path> files(Path folder, String... endings) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                    .filter(file -> Stream.of("target", ".build", ".git", "node_modules")
                            .noneMatch(made -> ROOT.relativize(file).startsWith(made)
                                    || ROOT.relativize(file).toString().contains("/" + made + "/")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
