package dev.eremite.detcore.syscall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SyscallTableTest {
    private static final Path HEADER = Path.of("/usr/include/x86_64-linux-gnu/asm/unistd_64.h");
    private static final Pattern DEFINE = Pattern.compile("#define __NR_(\\w+) (\\d+)");
    private static final int LAST_OLD = 334;
    private static final int FIRST_NEW = 424;

    private final SyscallTable table = SyscallTable.linux();

    @Test
    void shouldHaveOneRowForEveryNumber() {
        for (int number = 0; number <= SyscallNumbers.NEWEST; number++) {
            boolean assigned = number <= LAST_OLD || number >= FIRST_NEW || number == 335 || number == 336;
            SyscallRow row = table.find(number);
            assertThat(row != null).as("row %d", number).isEqualTo(assigned);
            if (row != null) {
                assertThat(row.number()).isEqualTo(number);
            }
        }
        assertThat(table.find(SyscallNumbers.NEWEST + 1)).isNull();
        assertThat(table.find(-1)).isNull();
        assertThat(table.limit()).isEqualTo(SyscallNumbers.NEWEST + 1);
    }

    @Test
    void shouldNotNameTwoRowsAlike() {
        assertThat(table.rows()).extracting(SyscallRow::name).doesNotHaveDuplicates();
    }

    @Test
    void shouldRejectSecondRow() {
        TableBuilder builder = new TableBuilder(2);
        builder.record(1, "write");
        assertThatThrownBy(() -> builder.record(1, "again")).hasMessageContaining("two rows for system call 1");
    }

    @Test
    void shouldAgreeWithKernelHeader() throws IOException {
        assumeTrue(Files.exists(HEADER), "no kernel headers on this machine");
        for (String line : Files.readAllLines(HEADER)) {
            Matcher define = DEFINE.matcher(line);
            if (define.matches() && Integer.parseInt(define.group(2)) <= SyscallNumbers.NEWEST) {
                assertThat(table.find(Integer.parseInt(define.group(2))).name()).isEqualTo(define.group(1));
            }
        }
    }

    @Test
    void shouldAgreeWithStraceOnNamesAndArgumentCounts() throws IOException {
        Map<Integer, Integer> counts = new TreeMap<>();
        for (String line : strace()) {
            String[] columns = line.split("\t");
            SyscallRow row = table.find(Integer.parseInt(columns[0]));
            assertThat(row.name()).isEqualTo(columns[1]);
            if (row.parameters().size() != Integer.parseInt(columns[2])) {
                counts.put(row.number(), row.parameters().size());
            }
        }
        assertThat(counts).isEmpty();
    }

    private static List<String> strace() throws IOException {
        try (InputStream stream = SyscallTableTest.class.getResourceAsStream("/strace-6.1.tsv")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    @Test
    void shouldNameEveryNumberInConstants() throws IllegalAccessException {
        Set<Integer> numbers = new HashSet<>();
        for (Field field : SyscallNumbers.class.getFields()) {
            if (!field.getName().equals("NEWEST")) {
                assertThat(numbers.add(field.getInt(null))).as(field.getName()).isTrue();
                String name = table.find(field.getInt(null)).name();
                assertThat(name.replaceFirst("^_", "")).isEqualToIgnoringCase(field.getName());
            }
        }
        assertThat(numbers).hasSize(table.rows().size());
    }

    @Test
    void shouldGiveReasonForEveryRefusal() {
        for (SyscallRow row : table.rows()) {
            boolean refused = row.handling() == Handling.REFUSE;
            assertThat(row.errno() > 0).as(row.name()).isEqualTo(refused);
            assertThat(row.reason().isEmpty()).as(row.name()).isEqualTo(!refused);
            if (refused) {
                assertThat(row.outputs()).as(row.name()).isEmpty();
                assertThat(row.canBlock()).as(row.name()).isFalse();
                assertThat(row.refusal(new FakeCall(row.number())).orElseThrow().errno())
                        .isEqualTo(row.errno());
            }
        }
    }

    @Test
    void shouldRefuseVariantsWhoseOutputsAreNotKnown() {
        assertThat(refused(new FakeCall(SyscallNumbers.PRCTL, 26, 2))).isEqualTo(Errno.EINVAL);
        assertThat(refused(new FakeCall(SyscallNumbers.PRCTL, 15))).isNull();
        assertThat(refused(new FakeCall(SyscallNumbers.IOCTL, 1, 0x5401))).isNull();
        assertThat(refused(new FakeCall(SyscallNumbers.IOCTL, 1, 0x54ff))).isEqualTo(Errno.ENOTTY);
        assertThat(refused(new FakeCall(SyscallNumbers.FCNTL, 1, 99))).isEqualTo(Errno.EINVAL);
        assertThat(refused(new FakeCall(SyscallNumbers.FCNTL, 1, 3))).isNull();
        assertThat(refused(new FakeCall(SyscallNumbers.GETSOCKOPT, 1, 6, 35))).isEqualTo(Errno.ENOPROTOOPT);
    }

    @Test
    void shouldRefuseWhatWouldChangeMemoryUnseen() {
        int name = 0x1000;
        for (String memory :
                List.of("/proc/self/mem", "/proc/12/mem", "/proc/12/task/13/mem", "/proc/thread-self/mem")) {
            assertThat(refused(opening(memory, 1))).as(memory).isEqualTo(Errno.EACCES);
            assertThat(refused(opening(memory, 2))).as(memory).isEqualTo(Errno.EACCES);
            assertThat(refused(opening(memory, 0))).as(memory).isNull();
        }
        assertThat(refused(opening("/proc/self/maps", 2))).isNull();
        assertThat(refused(opening("/proc/self/memory", 2))).isNull();
        assertThat(refused(opening("mem", 2))).isNull();
        FakeCall how = new FakeCall(SyscallNumbers.OPENAT2, -100, name, 0x2000, 24);
        assertThat(refused(text(how, name, "/proc/self/mem").putLong(0x2000, 2)))
                .isEqualTo(Errno.EACCES);
        assertThat(refused(new FakeCall(SyscallNumbers.MADVISE, 0, 4096, 10))).isEqualTo(Errno.EINVAL);
        assertThat(refused(new FakeCall(SyscallNumbers.MADVISE, 0, 4096, 4))).isNull();
        assertThat(refused(new FakeCall(SyscallNumbers.PERSONALITY, 0x400000))).isEqualTo(Errno.EINVAL);
        assertThat(refused(new FakeCall(SyscallNumbers.PERSONALITY, 0xffffffffL)))
                .isNull();
        assertThat(refused(new FakeCall(SyscallNumbers.PERSONALITY, 0x40000))).isNull();
    }

    private static FakeCall opening(String path, int flags) {
        int name = 0x1000;
        return text(new FakeCall(SyscallNumbers.OPENAT, -100, name, flags), name, path);
    }

    private static FakeCall text(FakeCall call, long address, String text) {
        return call.put(address, (text + "\0").getBytes(StandardCharsets.US_ASCII));
    }

    private Errno refused(FakeCall call) {
        return table.find(call.number())
                .refusal(call)
                .map(refusal -> Errno.of(refusal.errno()))
                .orElse(null);
    }

    @Test
    void shouldReportNothingForCallThatFailedWithBadAddress() {
        for (SyscallRow row : table.rows()) {
            FakeCall call = new FakeCall(row.number(), 64, 64, 64, 64, 64, 64).failing(Errno.EFAULT);
            assertThat(call.outputs()).as(row.name()).isEmpty();
        }
    }
}
