package dev.eremite.tests.guest;

import dev.eremite.tests.command.Checkout;
import dev.eremite.tests.command.Command;
import dev.eremite.tests.command.CommandResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Compiles guests on demand; the result is kept under a name made of the guest's and a hash of source and flags. */
public final class GuestBuilder {
    private GuestBuilder() {}

    /**
     * The compiled guest.
     *
     * @throws AssertionError when the compiler fails or warns
     */
    public static synchronized Path build(Guest guest) {
        Path source = Checkout.guests().resolve(guest.source());
        try {
            Path target = Checkout.output("guests").resolve(guest.name() + "-" + hash(guest, source));
            if (!Files.exists(target)) {
                compile(guest, source, target);
            }
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void compile(Guest guest, Path source, Path target) throws IOException {
        Path partial = Files.createTempFile(target.getParent(), guest.name(), ".partial");
        List<String> words = new ArrayList<>();
        words.add(guest.source().endsWith(".cpp") ? "g++" : "gcc");
        words.addAll(List.of("-Wall", "-Wextra", "-Werror", "-o", partial.toString(), source.toString()));
        words.addAll(guest.flags());
        CommandResult result = new Command(words).run();
        if (result.status() != 0) {
            Files.deleteIfExists(partial);
            throw new AssertionError(String.join(" ", words) + "\n" + result.errors());
        }
        Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String hash(Guest guest, Path source) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(String.join("\0", guest.flags()).getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(source));
            return HexFormat.of().formatHex(digest.digest(), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
