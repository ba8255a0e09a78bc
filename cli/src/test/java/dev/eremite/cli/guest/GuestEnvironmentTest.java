package dev.eremite.cli.guest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eremite.detcore.UsageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GuestEnvironmentTest {
    @Test
    void shouldKeepOrderAndBytes() {
        GuestEnvironment environment = of("B=1", "A=\u00ff\u00fe", "C=");
        assertThat(environment.bytes()).containsExactly(bytes("B=1"), bytes("A=\u00ff\u00fe"), bytes("C="));
    }

    @Test
    void shouldGiveBackWhatTheLauncherHidFromTheJvm() {
        assertThat(of("X=1", "EREMITE_KEPT_JAVA_TOOL_OPTIONS=-Da=b").bytes())
                .containsExactly(bytes("X=1"), bytes("JAVA_TOOL_OPTIONS=-Da=b"));
    }

    @Test
    void shouldPreferWhatTheLauncherKept() {
        for (List<String> entries : List.of(
                List.of("LC_ALL=C.UTF-8", "EREMITE_KEPT_LC_ALL=C"),
                List.of("EREMITE_KEPT_LC_ALL=C", "LC_ALL=C.UTF-8"))) {
            List<byte[]> raw = entries.stream().map(GuestEnvironmentTest::bytes).toList();
            assertThat(GuestEnvironment.ofCaller(raw, "/bin/ls", List.of("LC_ALL"))
                            .bytes())
                    .containsExactly(bytes("LC_ALL=C"));
        }
    }

    @Test
    void shouldRestoreTheEnvironmentForOtherPrograms() {
        Map<String, String> environment =
                new HashMap<>(Map.of("LC_ALL", "C.UTF-8", "EREMITE_KEPT_LC_ALL", "C", "A", "1", "SHLVL", "2"));
        GuestEnvironment.restore(environment, List.of("A", "LC_ALL"));
        assertThat(environment).isEqualTo(Map.of("A", "1", "LC_ALL", "C"));
    }

    @Test
    void shouldSetUnderscoreAsAShellDoes() {
        List<byte[]> raw = List.of(bytes("_=/usr/bin/java"));
        assertThat(GuestEnvironment.ofCaller(raw, "/bin/ls", null).bytes()).containsExactly(bytes("_=/bin/ls"));
        assertThat(GuestEnvironment.ofCaller(List.of(), "/bin/ls", List.of("_")).bytes())
                .containsExactly(bytes("_=/bin/ls"));
        assertThat(GuestEnvironment.ofCaller(raw, "/bin/ls", List.of()).bytes()).isEmpty();
    }

    @Test
    void shouldKeepTheCallersOrderAndLeaveOutWhatTheLaunchersShellAdded() {
        List<byte[]> raw = List.of(bytes("B=2"), bytes("PWD=/"), bytes("A=1"));
        assertThat(GuestEnvironment.ofCaller(raw, "/bin/ls", List.of("A", "B", "LOST"))
                        .bytes())
                .containsExactly(bytes("A=1"), bytes("B=2"));
    }

    @Test
    void shouldChangeVariables() {
        GuestEnvironment environment = of("A=1", "B=2");
        environment.change("A=ä=");
        environment.change("B");
        environment.change("C=3");
        environment.change("D");
        assertThat(environment.bytes()).containsExactly("A=ä=".getBytes(UTF_8), bytes("C=3"));
        assertThat(environment.get("A")).isEqualTo("ä=");
        assertThat(environment.get("B")).isNull();
        assertThatThrownBy(() -> environment.change("=x")).isInstanceOf(UsageException.class);
    }

    @Test
    void shouldSplitAtZeroBytes() {
        assertThat(RawArguments.split(new byte[] {'a', 0, 0, 'b', 'c', 0}))
                .containsExactly(bytes("a"), bytes(""), bytes("bc"));
    }

    private static GuestEnvironment of(String... entries) {
        return GuestEnvironment.ofCaller(
                Stream.of(entries).map(GuestEnvironmentTest::bytes).toList(),
                "/bin/true",
                Stream.of(entries)
                        .map(entry -> entry.replaceAll("=.*|EREMITE_KEPT_", ""))
                        .toList());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
