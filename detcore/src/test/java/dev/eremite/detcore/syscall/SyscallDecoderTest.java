package dev.eremite.detcore.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SyscallDecoderTest {
    private static final long TEXT = 0x1000;
    private static final long MORE = 0x2000;

    private final SyscallDecoder decoder = SyscallDecoder.linux();

    @Test
    void shouldPrintOpenWithoutModeUnlessItCreates() {
        FakeCall open = new FakeCall(SyscallNumbers.OPENAT, -100, TEXT, 02000000).putString(TEXT, "/etc/passwd");
        assertThat(decoder.complete(open.returning(3)))
                .isEqualTo("openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY|O_CLOEXEC) = 3");
        FakeCall create = new FakeCall(SyscallNumbers.OPENAT, -100, TEXT, 01101, 0644).putString(TEXT, "x");
        assertThat(decoder.entry(create)).isEqualTo("openat(AT_FDCWD, \"x\", O_WRONLY|O_CREAT|O_TRUNC, 0644)");
    }

    @Test
    void shouldNameErrno() {
        FakeCall call = new FakeCall(SyscallNumbers.OPEN, TEXT, 0)
                .putString(TEXT, "nothing")
                .failing(Errno.ENOENT);
        assertThat(decoder.complete(call))
                .isEqualTo("open(\"nothing\", O_RDONLY)               = -1 ENOENT (No such file or directory)");
        FakeCall pause = new FakeCall(SyscallNumbers.PAUSE).failing(Errno.ERESTARTNOHAND);
        assertThat(decoder.result(pause)).isEqualTo("? ERESTARTNOHAND (To be restarted if no handler)");
    }

    @Test
    void shouldEscapeAndCutBuffers() {
        FakeCall write = new FakeCall(SyscallNumbers.WRITE, 1, TEXT, 7)
                .put(TEXT, "a\"\n\0001\001z".getBytes(StandardCharsets.US_ASCII));
        assertThat(decoder.entry(write)).isEqualTo("write(1, \"a\\\"\\n\\0001\\1z\", 7)");
        FakeCall read = new FakeCall(SyscallNumbers.READ, 0, TEXT, 100)
                .putString(TEXT, "x".repeat(40))
                .returning(40);
        assertThat(decoder.entry(read)).isEqualTo("read(0, 0x1000, 100)");
        assertThat(decoder.complete(read)).isEqualTo("read(0, \"" + "x".repeat(32) + "\"..., 100) = 40");
    }

    @Test
    void shouldPrintMemoryCalls() {
        FakeCall map = new FakeCall(SyscallNumbers.MMAP, 0, 8192, 3, 0x22, -1, 0).returning(0x7f0000000000L);
        assertThat(decoder.complete(map))
                .isEqualTo("mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f0000000000");
        assertThat(decoder.complete(new FakeCall(SyscallNumbers.BRK, 0).returning(0x555000)))
                .isEqualTo("brk(NULL)                               = 0x555000");
    }

    @Test
    void shouldPrintFutexWithItsOperationsArguments() {
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.FUTEX, TEXT, 0x81, 1, 9, 9, 9)))
                .isEqualTo("futex(0x1000, FUTEX_WAKE_PRIVATE, 1)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.FUTEX, TEXT, 0x189, 0, 0, 0, -1)))
                .isEqualTo("futex(0x1000, FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME, 0, NULL, 0xffffffff)");
    }

    @Test
    void shouldPrintChildrenAndSignals() {
        FakeCall wait = new FakeCall(SyscallNumbers.WAIT4, -1, TEXT, 1, 0)
                .putInt(TEXT, 9)
                .returning(7);
        assertThat(decoder.complete(wait))
                .isEqualTo("wait4(-1, [{WIFSIGNALED(s) && WTERMSIG(s) == SIGKILL}], WNOHANG, NULL) = 7");
        FakeCall exited = new FakeCall(SyscallNumbers.WAIT4, -1, TEXT, 0, 0)
                .putInt(TEXT, 0x300)
                .returning(7);
        assertThat(decoder.complete(exited))
                .isEqualTo("wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], 0, NULL) = 7");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.KILL, 5, 33))).isEqualTo("kill(5, SIGRT_1)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.CLONE, 0x1200011, 0, 0, 0x7f00)))
                .isEqualTo("clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, "
                        + "child_tidptr=0x7f00)");
    }

    @Test
    void shouldPrintVectorsPairsAndTimes() {
        FakeCall exec = new FakeCall(SyscallNumbers.EXECVE, TEXT, MORE, 0x3000)
                .putString(TEXT, "/bin/ls")
                .putLong(MORE, TEXT)
                .putLong(0x3000, TEXT)
                .putLong(0x3008, TEXT);
        assertThat(decoder.entry(exec)).isEqualTo("execve(\"/bin/ls\", [\"/bin/ls\"], 0x3000 /* 2 vars */)");
        FakeCall pipe = new FakeCall(SyscallNumbers.PIPE2, TEXT, 02000000)
                .putInt(TEXT, 3)
                .putInt(TEXT + 4, 4);
        assertThat(decoder.complete(pipe))
                .startsWith("pipe2([3, 4], O_CLOEXEC) ")
                .endsWith(" = 0");
        FakeCall sleep = new FakeCall(SyscallNumbers.CLOCK_NANOSLEEP, 0, 0, TEXT, MORE).putLong(TEXT + 8, 500);
        assertThat(decoder.entry(sleep))
                .isEqualTo("clock_nanosleep(CLOCK_REALTIME, 0, {tv_sec=0, tv_nsec=500}, 0x2000)");
    }

    @Test
    void shouldPrintCommandsByName() {
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.IOCTL, 0, 0x5401, TEXT)))
                .isEqualTo("ioctl(0, TCGETS, 0x1000)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.IOCTL, 0, 0xc0106401L, TEXT)))
                .isEqualTo("ioctl(0, _IOC(_IOC_READ|_IOC_WRITE, 0x64, 0x1, 0x10), 0x1000)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.FCNTL, 3, 1, 99))).isEqualTo("fcntl(3, F_GETFD)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.UMASK, 022))).isEqualTo("umask(022)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.SOCKET, 1, 02000001, 0)))
                .isEqualTo("socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC, 0)");
    }

    @Test
    void shouldPrintOnlyArgumentsThatACommandUses() {
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.IOCTL, 3, 0x5451, 9)))
                .isEqualTo("ioctl(3, FIOCLEX)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.FCNTL, 3, 2, 1)))
                .isEqualTo("fcntl(3, F_SETFD, FD_CLOEXEC)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.FCNTL, 3, 4, 04000)))
                .isEqualTo("fcntl(3, F_SETFL, O_RDONLY|O_NONBLOCK)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.PRCTL, 15, TEXT).putString(TEXT, "name")))
                .isEqualTo("prctl(PR_SET_NAME, \"name\")");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.PRCTL, 38, 1)))
                .isEqualTo("prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.FUTEX, TEXT, 6, 1, MORE).putLong(MORE + 8, 5)))
                .isEqualTo("futex(0x1000, FUTEX_LOCK_PI, {tv_sec=0, tv_nsec=5})");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.MKNOD, TEXT, 0020644, 0x103).putString(TEXT, "n")))
                .isEqualTo("mknod(\"n\", S_IFCHR|0644, 0x103)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.GETSOCKOPT, 3, 1, 4, TEXT, MORE)))
                .isEqualTo("getsockopt(3, SOL_SOCKET, SO_ERROR, 0x1000, 0x2000)");
        assertThat(decoder.entry(new FakeCall(SyscallNumbers.PREADV2, 3, 0, 0, -1, 9, 0)))
                .isEqualTo("preadv2(3, NULL, 0, -1, 0)");
        FakeCall random = new FakeCall(SyscallNumbers.GETRANDOM, TEXT, 2, 1).put(TEXT, (byte) 0x99, (byte) 'a');
        assertThat(decoder.complete(random.returning(2))).startsWith("getrandom(\"\\x99\\x61\", 2, GRND_NONBLOCK)");
    }

    @Test
    void shouldKeepWhatTheCallReadBeforeItWasOverwritten() {
        FakeCall poll = new FakeCall(SyscallNumbers.PPOLL, 0, 0, TEXT, 0, 8).putLong(TEXT, 3);
        SyscallDecoder.Begun begun = decoder.begin(poll);
        poll.putLong(TEXT, 1);
        assertThat(decoder.complete(poll, begun)).isEqualTo("ppoll(NULL, 0, {tv_sec=3, tv_nsec=0}, NULL, 8) = 0");
        FakeCall read = new FakeCall(SyscallNumbers.READ, 0, TEXT, 9);
        SyscallDecoder.Begun empty = decoder.begin(read);
        read.putString(TEXT, "new").returning(3);
        assertThat(decoder.complete(read, empty)).startsWith("read(0, \"new\", 9)");
    }

    @Test
    void shouldPrintUnknownNumber() {
        assertThat(decoder.entry(new FakeCall(400, 1, 2))).isEqualTo("syscall_0x190(0x1, 0x2, 0, 0, 0, 0)");
        assertThat(decoder.unfinished(new FakeCall(SyscallNumbers.EXIT_GROUP, 3)))
                .isEqualTo("exit_group(3)                           = ?");
    }

    @Test
    void shouldFormatEveryRow() {
        for (SyscallRow row : SyscallTable.linux().rows()) {
            FakeCall call = new FakeCall(row.number(), 1, 2, 3, 4, 5, 6);
            assertThat(decoder.entry(call)).startsWith(row.name() + "(");
            assertThat(decoder.complete(call)).contains(" = ");
        }
    }
}
