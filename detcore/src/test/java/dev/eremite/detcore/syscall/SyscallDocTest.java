package dev.eremite.detcore.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SyscallDocTest {
    @Test
    void shouldEqualCommittedPage() throws IOException {
        Path page = Path.of("..", "docs", "syscalls.md");
        if (Boolean.getBoolean("eremite.docs.write")) {
            Files.createDirectories(page.getParent());
            SyscallDoc.main(new String[] {page.toString()});
        }
        assertThat(page).content().isEqualTo(SyscallDoc.markdown());
    }
}
