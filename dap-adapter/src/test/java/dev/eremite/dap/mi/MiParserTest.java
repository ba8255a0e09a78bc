package dev.eremite.dap.mi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MiParserTest {
    private static MiRecord parse(String line) {
        return MiParser.parse(line).orElseThrow();
    }

    @Test
    void shouldReadResultsWithTokens() {
        MiRecord record = parse("12^done,bkpt={number=\"1\",addr=\"0x401000\",line=\"7\",fullname=\"/a b/c.c\"}");
        assertThat(record.kind()).isEqualTo(MiRecord.Kind.RESULT);
        assertThat(record.token()).isEqualTo(12);
        assertThat(record.name()).isEqualTo("done");
        MiBreakpoint breakpoint = MiBreakpoint.of(record.value().at("bkpt"));
        assertThat(breakpoint).isEqualTo(new MiBreakpoint(1, false, 0x401000, "/a b/c.c", 7));
    }

    @Test
    void shouldReadListsOfResultsAndOfValues() {
        MiValue value = parse("^done,stack=[frame={level=\"0\"},frame={level=\"1\"}],names=[\"a\",\"\",\"b\"]")
                .value();
        assertThat(value.list("stack")).hasSize(2);
        assertThat(value.list("stack").get(1).number("level", -1)).isEqualTo(1);
        assertThat(value.list("names"))
                .containsExactly(new MiValue.Text("a"), new MiValue.Text(""), new MiValue.Text("b"));
        assertThat(value.list("none")).isEmpty();
    }

    @Test
    void shouldReadEscapes() {
        assertThat(parse("~\"a\\tb\\n\\\"c\\\\ \\303\\244 ü\"").text()).isEqualTo("a\tb\n\"c\\ ä ü");
    }

    @Test
    void shouldReadTheCommandsOfABreakpointWithoutNames() {
        MiValue value = parse("3^done,bkpt={number=\"2\",script={\"silent\",\"printf\"},times=\"0\"}")
                .value()
                .at("bkpt");
        assertThat(value.text("number")).isEqualTo("2");
        assertThat(value.text("times")).isEqualTo("0");
    }

    @Test
    void shouldTellWaitersOfAnswersThatCannotBeRead() {
        MiRecord record = parse("5^done,a={b=\"");
        assertThat(record.name()).isEqualTo("error");
        assertThat(record.token()).isEqualTo(5);
        assertThat(record.value().text("msg")).contains("could not be read");
    }

    @Test
    void shouldPassOverWhatIsNoRecord() {
        assertThat(MiParser.parse("")).isEmpty();
        assertThat(MiParser.parse("warning: something")).isEmpty();
        assertThat(MiParser.parse("1234")).isEmpty();
        assertThat(parse("(gdb) ").kind()).isEqualTo(MiRecord.Kind.PROMPT);
    }

    @Test
    void shouldReadStops() {
        MiStop stop = MiStop.of(parse("*stopped,reason=\"watchpoint-trigger\",wpt={number=\"4\",exp=\"*(int *)0x10\"},"
                        + "value={old=\"5\",new=\"2\"},thread-id=\"3\"")
                .value());
        assertThat(stop.breakpoint()).isEqualTo(4);
        assertThat(stop.thread()).isEqualTo(3);
        assertThat(stop.oldValue()).isEqualTo("5");
        assertThat(stop.newValue()).isEqualTo("2");
    }
}
