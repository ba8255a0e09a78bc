package dev.eremite.gdb.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PacketCodecTest {
    private final PacketDecoder decoder = new PacketDecoder();

    private List<Incoming> feed(String bytes) {
        return decoder.feed(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(Incoming incoming) {
        return new String(((Incoming.Command) incoming).payload(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void shouldCutPacketsOutOfTheStreamInAnyPieces() {
        assertThat(feed("+$qS")).containsExactly(new Incoming.Acknowledged());
        assertThat(feed("upported#3")).isEmpty();
        List<Incoming> complete = feed("7$?#3f-\3");
        assertThat(text(complete.get(0))).isEqualTo("qSupported");
        assertThat(text(complete.get(1))).isEqualTo("?");
        assertThat(complete.subList(2, 4)).containsExactly(new Incoming.NotAcknowledged(), new Incoming.Interrupt());
    }

    @Test
    void shouldTakeAnInterruptByteInsideAPacketAsData() {
        assertThat(text(feed("$a\3b#c6").getFirst())).isEqualTo("a\3b");
    }

    @Test
    void shouldReportWrongChecksumsAndGoOn() {
        assertThat(feed("$?#00")).containsExactly(new Incoming.BadChecksum());
        assertThat(feed("$?#zz")).containsExactly(new Incoming.BadChecksum());
        assertThat(feed("$?#3$?#3f")).hasSize(2).first().isEqualTo(new Incoming.BadChecksum());
    }

    @Test
    void shouldSkipGarbageAndStartAgainAtADollar() {
        assertThat(feed("GET / HTTP/1.1\r\n\r\n")).isEmpty();
        assertThat(text(feed("$cut$?#3f").getFirst())).isEqualTo("?");
    }

    @Test
    void shouldRefusePacketsThatAreTooLong() {
        List<Incoming> complete = feed("$" + "a".repeat(PacketDecoder.MAX_PAYLOAD + 1) + "#61");
        assertThat(complete).containsExactly(new Incoming.TooLong());
        assertThat(text(feed("$?#3f").getFirst())).isEqualTo("?");
    }

    @Test
    void shouldDecodeWhatItEncodes() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        byte[] framed = PacketEncoder.encode(all);
        assertThat(new String(framed, StandardCharsets.ISO_8859_1).substring(1, framed.length - 3))
                .doesNotContain("$", "#", "*");
        Incoming.Command back = (Incoming.Command) decoder.feed(framed).getFirst();
        assertThat(back.payload()).isEqualTo(all);
    }

    @Test
    void shouldSurviveTwentyThousandMutatedPackets() {
        long seed = 20_260_101;
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            byte[] payload = new byte[random.nextInt(60)];
            random.nextBytes(payload);
            byte[] framed = PacketEncoder.encode(payload);
            int mutations = random.nextInt(4);
            for (int i = 0; i < mutations; i++) {
                framed[random.nextInt(framed.length)] = (byte) random.nextInt(256);
            }
            List<Incoming> complete = new ArrayList<>(decoder.feed(framed));
            if (mutations == 0) {
                Incoming.Command last = (Incoming.Command) complete.getLast();
                assertThat(last.payload()).as("seed %d round %d", seed, round).isEqualTo(payload);
            }
        }
        feed("#00");
        assertThat(text(feed("$?#3f").getLast())).isEqualTo("?");
    }
}
