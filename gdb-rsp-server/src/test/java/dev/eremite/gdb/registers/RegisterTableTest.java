package dev.eremite.gdb.registers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.replay.debug.ThreadRegisters;
import dev.eremite.replay.debug.ThreadRegisters.XsaveLayout;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class RegisterTableTest {
    private static final XsaveLayout ALL = new XsaveLayout(576, 1088, 1152, 1664, 2688);
    private static final XsaveLayout SSE_ONLY = new XsaveLayout(-1, -1, -1, -1, -1);

    private static Document parse(TargetDescription description, String file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        String text = description.file(file).orElseThrow();
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    private static List<Element> elements(Document document, String name) {
        NodeList nodes = document.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static ThreadRegisters state() {
        long[] general = new long[27];
        for (int i = 0; i < general.length; i++) {
            general[i] = 0x0102030405060700L + i;
        }
        return new ThreadRegisters(general, new byte[2696], ALL);
    }

    private static int number(RegisterTable table, String name) {
        for (int i = 0; i < table.count(); i++) {
            if (table.rows().get(i).name().equals(name)) {
                return i;
            }
        }
        throw new AssertionError("no register " + name);
    }

    @Test
    void shouldDescribeEveryRegisterOnceInOrder() throws Exception {
        RegisterTable table = new RegisterTable(ALL);
        TargetDescription description = new TargetDescription(table);
        List<Element> includes = elements(parse(description, "target.xml"), "xi:include");
        assertThat(includes).hasSize(Feature.values().length);
        int next = 0;
        for (Element include : includes) {
            for (Element reg : elements(parse(description, include.getAttribute("href")), "reg")) {
                assertThat(reg.getAttribute("regnum")).isEqualTo(String.valueOf(next));
                assertThat(reg.getAttribute("bitsize")).isEqualTo(String.valueOf(8 * table.bytes(next)));
                next++;
            }
        }
        assertThat(next).isEqualTo(table.count());
        assertThat(description.file("../secret")).isEmpty();
    }

    @Test
    void shouldLeaveOutWhatTheProcessorLacks() {
        TargetDescription description = new TargetDescription(new RegisterTable(SSE_ONLY));
        assertThat(description.file("target.xml").orElseThrow()).doesNotContain("avx", "pkeys");
        assertThat(description.file("64bit-avx.xml")).isEmpty();
    }

    @Test
    void shouldNumberAsGdbDoes() {
        RegisterTable table = new RegisterTable(ALL);
        assertThat(List.of(number(table, "rbp"), number(table, "rsp"), number(table, "rip")))
                .containsExactly(RegisterTable.RBP, RegisterTable.RSP, RegisterTable.RIP);
        assertThat(number(table, "st0")).isEqualTo(24);
        assertThat(number(table, "xmm0")).isEqualTo(40);
        assertThat(number(table, "orig_rax")).isEqualTo(57);
    }

    @Test
    void shouldReadBackEveryRegisterItWrites() {
        RegisterTable table = new RegisterTable(ALL);
        for (int number = 0; number < table.count(); number++) {
            String name = table.rows().get(number).name();
            byte[] value = new byte[table.bytes(number)];
            // Within the width that the hardware has for the narrowest of them.
            value[0] = 0x55;
            value[1] = name.equals("ftag") ? 0x55 : (byte) 0x12;
            ThreadRegisters changed = table.with(state(), number, value);
            if (name.equals("ftag")) {
                assertThat(changed.xsave()[4]).isEqualTo((byte) 0xFF);
            } else {
                assertThat(table.read(changed, number)).as(name).isEqualTo(value);
            }
        }
        assertThat(table.readAll(state())).hasSize(2 * table.totalBytes());
    }

    @Test
    void shouldMarkAWrittenComponentAsInUse() {
        RegisterTable table = new RegisterTable(ALL);
        ThreadRegisters changed = table.with(state(), number(table, "zmm31h"), new byte[32]);
        assertThat(changed.xsave()[512]).isEqualTo((byte) 0x80);
        changed = table.with(state(), number(table, "pkru"), new byte[4]);
        assertThat(changed.xsave()[513]).isEqualTo((byte) 0x02);
    }

    @Test
    void shouldExpandTheTagWord() {
        RegisterTable table = new RegisterTable(ALL);
        ThreadRegisters state = state();
        // Top of stack 6: physical register 6 is st0 and holds 1.0, 7 is st1 and holds zero.
        state.xsave()[3] = 6 << 3;
        state.xsave()[4] = (byte) 0xC0;
        state.xsave()[32 + 7] = (byte) 0x80;
        state.xsave()[32 + 8] = (byte) 0xFF;
        state.xsave()[32 + 9] = 0x3F;
        assertThat(table.read(state, number(table, "ftag"))).containsExactly(0xFF, 0x4F, 0, 0);
    }

    @Test
    void shouldShowMissingStateAsUnavailable() {
        RegisterTable table = new RegisterTable(SSE_ONLY);
        ThreadRegisters bare = new ThreadRegisters(new long[27], new byte[0], SSE_ONLY);
        assertThat(table.readAll(bare)).hasSize(2 * table.totalBytes()).contains("xxxx");
    }
}
