package dev.eremite.dap.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eremite.dap.protocol.RequestFailure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HitConditionTest {
    @ParameterizedTest
    @CsvSource({"3, 3 4 5 6", ">= 3, 3 4 5 6", "> 3, 4 5 6", "== 3, 3", "=3, 3", "< 3, 1 2", "<= 3, 1 2 3", "% 2, 2 4 6"
    })
    void shouldStopAtTheseHits(String text, String expected) {
        HitCondition condition = HitCondition.parse(text);
        List<String> stops = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            if (condition.hit()) {
                stops.add(String.valueOf(i));
            }
        }
        assertThat(String.join(" ", stops)).isEqualTo(expected);
    }

    @Test
    void shouldStopAlwaysWithoutACondition() {
        assertThat(HitCondition.parse(null).hit()).isTrue();
        assertThat(HitCondition.parse(" ").hit()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "% 0", "-1", "3 4", "9999999999"})
    void shouldRefuseOthers(String text) {
        assertThatThrownBy(() -> HitCondition.parse(text))
                .isInstanceOf(RequestFailure.class)
                .hasMessageContaining("hit condition");
    }
}
