package dev.eremite.dap.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderedJsonTest {
    @Test
    void shouldPutInFrontWhatTellsTheMessage() {
        assertThat(OrderedJson.ordered("{\"arguments\":{\"b\":1,\"a\":[null,2.50]},\"command\":\"next\",\"seq\":7}"))
                .isEqualTo("{\"seq\":7,\"command\":\"next\",\"arguments\":{\"b\":1,\"a\":[null,2.50]}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1]", "{\"seq\":", "", "nonsense {", "{\"seq\":1}}"})
    void shouldLeaveWhatIsNoMessage(String text) {
        assertThat(OrderedJson.ordered(text)).isEqualTo(text);
    }
}
