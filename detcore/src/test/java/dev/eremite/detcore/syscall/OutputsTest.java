package dev.eremite.detcore.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutputsTest {
    private static final long A = 0x1000;
    private static final long B = 0x2000;
    private static final long C = 0x3000;

    @Test
    void shouldReportBytesOfResult() {
        assertThat(new FakeCall(SyscallNumbers.READ, 0, A, 100).returning(7).outputs())
                .containsExactly("0x1000+7");
        assertThat(new FakeCall(SyscallNumbers.READ, 0, A, 100).returning(0).outputs())
                .isEmpty();
        assertThat(new FakeCall(SyscallNumbers.READ, 0, A, 100)
                        .failing(Errno.EINTR)
                        .outputs())
                .isEmpty();
        assertThat(new FakeCall(SyscallNumbers.GETXATTR, 1, 1, A, 0)
                        .returning(12)
                        .outputs())
                .isEmpty();
        assertThat(new FakeCall(SyscallNumbers.RECVFROM, 3, A, 10, 0x20)
                        .returning(50)
                        .outputs())
                .containsExactly("0x1000+10");
    }

    @Test
    void shouldSpreadResultOverVector() {
        FakeCall call = new FakeCall(SyscallNumbers.READV, 3, A, 3)
                .putLong(A, B)
                .putLong(A + 8, 4)
                .putLong(A + 16, C)
                .putLong(A + 24, 100)
                .putLong(A + 32, 0x4000)
                .putLong(A + 40, 100);
        assertThat(call.returning(10).outputs()).containsExactly("0x2000+4", "0x3000+6");
        assertThat(call.returning(2).outputs()).containsExactly("0x2000+2");
    }

    @Test
    void shouldReportWholeMessage() {
        FakeCall call = new FakeCall(SyscallNumbers.RECVMSG, 3, A, 0).returning(5);
        header(call, A);
        assertThat(call.outputs()).containsExactly("0x2000+16", "0x1008+4", "0x4000+5", "0x5000+24", "0x1028+12");
    }

    @Test
    void shouldReportEachOfSeveralMessages() {
        FakeCall call = new FakeCall(SyscallNumbers.RECVMMSG, 3, A, 2, 0, 0x9000).returning(1);
        header(call, A);
        call.putInt(A + 56, 9);
        assertThat(call.outputs())
                .containsExactly(
                        "0x1038+4", "0x2000+16", "0x1008+4", "0x4000+9", "0x5000+24", "0x1028+12", "0x9000+16");
        FakeCall sent = new FakeCall(SyscallNumbers.SENDMMSG, 3, A, 3, 0).returning(2);
        assertThat(sent.outputs()).containsExactly("0x1038+4", "0x1078+4");
    }

    private static void header(FakeCall call, long at) {
        call.putLong(at, B)
                .putInt(at + 8, 16)
                .putLong(at + 16, C)
                .putLong(at + 24, 1)
                .putLong(C, 0x4000)
                .putLong(C + 8, 64)
                .putLong(at + 32, 0x5000)
                .putLong(at + 40, 24);
    }

    @Test
    void shouldReportAddressByItsLength() {
        FakeCall call =
                new FakeCall(SyscallNumbers.ACCEPT, 3, A, B).putInt(B, 16).returning(4);
        assertThat(call.outputs()).containsExactly("0x2000+4", "0x1000+16");
        assertThat(call.failing(Errno.EAGAIN).outputs()).isEmpty();
        assertThat(new FakeCall(SyscallNumbers.ACCEPT, 3, 0, 0).returning(4).outputs())
                .isEmpty();
        FakeCall option = new FakeCall(SyscallNumbers.GETSOCKOPT, 3, 1, 4, A, B).putInt(B, 4);
        assertThat(option.outputs()).containsExactly("0x2000+4", "0x1000+4");
        FakeCall filter = new FakeCall(SyscallNumbers.GETSOCKOPT, 3, 1, 26, A, B).putInt(B, 4);
        assertThat(filter.outputs()).containsExactly("0x2000+4", "0x1000+32");
        assertThat(option.failing(Errno.ERANGE).outputs()).containsExactly("0x2000+4");
    }

    @Test
    void shouldReportPollAfterInterruption() {
        FakeCall poll = new FakeCall(SyscallNumbers.PPOLL, A, 3, B, 0, 8).failing(Errno.ERESTARTNOHAND);
        assertThat(poll.outputs()).containsExactly("0x1000+24", "0x2000+16");
        FakeCall select = new FakeCall(SyscallNumbers.SELECT, 65, A, 0, B, C).returning(1);
        assertThat(select.outputs()).containsExactly("0x1000+16", "0x2000+16", "0x3000+16");
        assertThat(select.failing(Errno.EINTR).outputs()).containsExactly("0x3000+16");
        assertThat(new FakeCall(SyscallNumbers.EPOLL_WAIT, 3, A, 10, -1)
                        .returning(2)
                        .outputs())
                .containsExactly("0x1000+24");
    }

    @Test
    void shouldReportRemainingSleepOnlyAfterInterruption() {
        FakeCall sleep = new FakeCall(SyscallNumbers.NANOSLEEP, A, B);
        assertThat(sleep.returning(0).outputs()).isEmpty();
        assertThat(sleep.failing(Errno.EINTR).outputs()).containsExactly("0x2000+16");
        assertThat(sleep.failing(Errno.ERESTART_RESTARTBLOCK).outputs()).containsExactly("0x2000+16");
        FakeCall absolute = new FakeCall(SyscallNumbers.CLOCK_NANOSLEEP, 1, 1, A, B).failing(Errno.EINTR);
        assertThat(absolute.outputs()).isEmpty();
    }

    @Test
    void shouldReportWaitsAsTheKernelWritesThem() {
        FakeCall wait = new FakeCall(SyscallNumbers.WAIT4, -1, A, 1, B);
        assertThat(wait.returning(12).outputs()).containsExactly("0x1000+4", "0x2000+144");
        assertThat(wait.returning(0).outputs()).isEmpty();
        FakeCall waitid = new FakeCall(SyscallNumbers.WAITID, 0, 0, A, 4, 0).failing(Errno.ECHILD);
        assertThat(waitid.outputs()).containsExactly("0x1000+12", "0x1010+12");
    }

    @Test
    void shouldReportWordsOfClone() {
        FakeCall clone = new FakeCall(SyscallNumbers.CLONE, 0x3d0f00, A, B, C, 0).returning(99);
        assertThat(clone.outputs()).containsExactly("0x2000+4");
        FakeCall clone3 = new FakeCall(SyscallNumbers.CLONE3, A, 88)
                .putLong(A, 0x101000)
                .putLong(A + 8, B)
                .putLong(A + 24, C)
                .returning(99);
        assertThat(clone3.outputs()).containsExactly("0x2000+4", "0x3000+4");
    }

    @Test
    void shouldReportFutexWordsThatTheKernelWrites() {
        assertThat(new FakeCall(SyscallNumbers.FUTEX, A, 0x80).outputs()).isEmpty();
        assertThat(new FakeCall(SyscallNumbers.FUTEX, A, 0x86).outputs()).containsExactly("0x1000+4");
        assertThat(new FakeCall(SyscallNumbers.FUTEX, A, 5, 1, 1, B).outputs()).containsExactly("0x2000+4");
        assertThat(new FakeCall(SyscallNumbers.FUTEX, A, 0x8c, 1, 1, B).outputs())
                .containsExactly("0x1000+4", "0x2000+4");
    }

    @Test
    void shouldReportControlCallsByCommand() {
        assertThat(new FakeCall(SyscallNumbers.FCNTL, 3, 5, A).outputs()).containsExactly("0x1000+32");
        assertThat(new FakeCall(SyscallNumbers.FCNTL, 3, 6, A).outputs()).isEmpty();
        assertThat(new FakeCall(SyscallNumbers.PRCTL, 16, A).outputs()).containsExactly("0x1000+16");
        assertThat(new FakeCall(SyscallNumbers.PRCTL, 15, A).outputs()).isEmpty();
        assertThat(new FakeCall(SyscallNumbers.SEMCTL, 1, 0, 2, A).outputs()).containsExactly("0x1000+104");
        assertThat(new FakeCall(SyscallNumbers.ARCH_PRCTL, 0x1003, A).outputs()).containsExactly("0x1000+8");
        assertThat(new FakeCall(SyscallNumbers.QUOTACTL, 0x80000700L, 0, 0, A).outputs())
                .containsExactly("0x1000+72");
        assertThat(new FakeCall(SyscallNumbers.MSGRCV, 1, A, 100).returning(3).outputs())
                .containsExactly("0x1000+11");
    }

    @Test
    void shouldReportIoctlsBySizeAndByName() {
        assertThat(ioctl(0x5401).outputs()).containsExactly("0x1000+36");
        assertThat(ioctl(0x5402).outputs()).isEmpty();
        assertThat(ioctl(0x80086601L).outputs()).containsExactly("0x1000+4");
        assertThat(ioctl(0x80045430L).outputs()).containsExactly("0x1000+4");
        assertThat(ioctl(0x80404506L).outputs()).containsExactly("0x1000+64");
        assertThat(ioctl(0x5401).failing(Errno.ENOTTY).outputs()).isEmpty();
        FakeCall interfaces = ioctl(0x8912).putInt(A, 80).putLong(A + 8, B);
        assertThat(interfaces.outputs()).containsExactly("0x1000+16", "0x2000+80");
        FakeCall extents = ioctl(0xc020660bL).putInt(A + 20, 3).putInt(A + 24, 2);
        assertThat(extents.outputs()).containsExactly("0x1000+32", "0x1020+112");
        assertThat(IoctlOutputs.known(0xc0106401)).isFalse();
        assertThat(IoctlOutputs.known(0xc0686611)).isFalse();
        assertThat(IoctlOutputs.name(0x5413)).isEqualTo("TIOCGWINSZ");
    }

    private static FakeCall ioctl(long request) {
        return new FakeCall(SyscallNumbers.IOCTL, 0, request, A);
    }

    @Test
    void shouldReportStructsOfQueries() {
        assertThat(new FakeCall(SyscallNumbers.STATX, -100, 1, 0, 0, A).outputs())
                .containsExactly("0x1000+256");
        assertThat(new FakeCall(SyscallNumbers.UNAME, A).outputs()).containsExactly("0x1000+390");
        assertThat(new FakeCall(SyscallNumbers.PRLIMIT64, 0, 7, A, 0).outputs()).isEmpty();
        assertThat(new FakeCall(SyscallNumbers.SCHED_GETAFFINITY, 0, 128, A)
                        .returning(8)
                        .outputs())
                .containsExactly("0x1000+8");
        assertThat(new FakeCall(SyscallNumbers.SOCKETPAIR, 99, 1, 0, A)
                        .failing(Errno.EAFNOSUPPORT)
                        .outputs())
                .containsExactly("0x1000+8");
        assertThat(new FakeCall(SyscallNumbers.NAME_TO_HANDLE_AT, -100, 1, A, B, 0)
                        .putInt(A, 12)
                        .failing(Errno.EOVERFLOW)
                        .outputs())
                .containsExactly("0x1000+8", "0x2000+4");
        assertThat(new FakeCall(SyscallNumbers.MINCORE, 0x7000, 4097, A).outputs())
                .containsExactly("0x1000+2");
    }

    @Test
    void shouldTellWhichCallsMayBlock() {
        assertThat(new FakeCall(SyscallNumbers.READ).mayBlock()).isTrue();
        assertThat(new FakeCall(SyscallNumbers.PREAD64).mayBlock()).isFalse();
        assertThat(new FakeCall(SyscallNumbers.FUTEX, A, 0x80).mayBlock()).isTrue();
        assertThat(new FakeCall(SyscallNumbers.FUTEX, A, 0x81).mayBlock()).isFalse();
        assertThat(new FakeCall(SyscallNumbers.POLL, A, 1, 0).mayBlock()).isFalse();
        assertThat(new FakeCall(SyscallNumbers.POLL, A, 1, -1).mayBlock()).isTrue();
        assertThat(new FakeCall(SyscallNumbers.PPOLL, A, 1, 0).mayBlock()).isTrue();
        assertThat(new FakeCall(SyscallNumbers.PPOLL, A, 1, B).mayBlock()).isFalse();
        assertThat(new FakeCall(SyscallNumbers.WAIT4, -1, 0, 1).mayBlock()).isFalse();
        assertThat(new FakeCall(SyscallNumbers.FLOCK, 3, 6).mayBlock()).isFalse();
        assertThat(new FakeCall(SyscallNumbers.FCNTL, 3, 7).mayBlock()).isTrue();
        assertThat(new FakeCall(SyscallNumbers.IOCTL, 3, 0x5403).mayBlock()).isTrue();
        assertThat(new FakeCall(SyscallNumbers.RECVMSG, 3, A, 0x40).mayBlock()).isFalse();
    }
}
