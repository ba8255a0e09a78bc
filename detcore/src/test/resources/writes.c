/* Makes system calls whose outputs the test compares with what the kernel really wrote. Buffers hold 0xaa before each. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <mqueue.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned char a[8192], b[8192], c[8192], d[8192];
static uint64_t w[64];

static long call(long n, long p, long q, long r, long s, long t, long u) { return syscall(n, p, q, r, s, t, u); }
#define CALL(n, p, q, r, s, t, u) (fill(), call(n, (long)(p), (long)(q), (long)(r), (long)(s), (long)(t), (long)(u)))
#define KEEP(n, p, q, r, s, t, u) call(n, (long)(p), (long)(q), (long)(r), (long)(s), (long)(t), (long)(u))

static void fill(void) {
    memset(a, 0xaa, sizeof a);
    memset(b, 0xaa, sizeof b);
    memset(c, 0xaa, sizeof c);
    memset(d, 0xaa, sizeof d);
}

static void files(void) {
    int fd = open("/etc/passwd", O_RDONLY), dir = open("/", O_RDONLY);
    CALL(SYS_read, fd, a, 100, 0, 0, 0);
    CALL(SYS_pread64, fd, a, 50, 3, 0, 0);
    struct iovec v[3] = {{a, 5}, {b, 0}, {c, 4000}};
    CALL(SYS_preadv, fd, v, 3, 1, 0, 0);
    CALL(SYS_preadv2, fd, v, 3, 1, 0, 0);
    CALL(SYS_readv, fd, v, 3, 0, 0, 0);
    CALL(SYS_getdents64, dir, a, 4096, 0, 0, 0);
    lseek(dir, 0, SEEK_SET);
    CALL(SYS_getdents, dir, a, 4096, 0, 0, 0);
    CALL(SYS_stat, "/", a, 0, 0, 0, 0);
    CALL(SYS_stat, "/nonexistent", a, 0, 0, 0, 0);
    CALL(SYS_fstat, fd, a, 0, 0, 0, 0);
    CALL(SYS_newfstatat, AT_FDCWD, "/", a, 0, 0, 0);
    CALL(SYS_statx, AT_FDCWD, "/", 0, 0xfff, a, 0);
    CALL(SYS_statfs, "/", a, 0, 0, 0, 0);
    CALL(SYS_fstatfs, fd, a, 0, 0, 0, 0);
    CALL(SYS_ustat, 0x1, a, 0, 0, 0, 0);
    CALL(SYS_readlink, "/proc/self/exe", a, 100, 0, 0, 0);
    CALL(SYS_readlinkat, AT_FDCWD, "/proc/self/cwd", a, 100, 0, 0);
    CALL(SYS_getcwd, a, 4096, 0, 0, 0, 0);
    CALL(SYS_getxattr, "/", "user.none", a, 100, 0, 0);
    CALL(SYS_listxattr, "/", a, 100, 0, 0, 0);
    fill();
    w[0] = 0;
    KEEP(SYS_name_to_handle_at, AT_FDCWD, "/", w, a, 0, 0);
    w[0] = 120;
    KEEP(SYS_name_to_handle_at, AT_FDCWD, "/", w, a, 0, 0);
    CALL(451, fd, w + 20, a, 0, 0, 0); /* cachestat */
    CALL(468, AT_FDCWD, "/", a, 24, 0, 0); /* file_getattr */
    CALL(SYS_sysfs, 2, 0, a, 0, 0, 0);
    int pipes[2];
    pipe(pipes);
    CALL(SYS_pipe2, a, 0, 0, 0, 0, 0);
    w[0] = 1;
    KEEP(SYS_sendfile, pipes[1], fd, w, 10, 0, 0);
    KEEP(SYS_splice, fd, w, pipes[1], 0, 10, 0);
    CALL(SYS_ioctl, pipes[0], FIONREAD, a, 0, 0, 0);
    CALL(SYS_ioctl, fd, FS_IOC_GETFLAGS, a, 0, 0, 0);
    CALL(SYS_ioctl, fd, FIGETBSZ, a, 0, 0, 0);
    CALL(SYS_ioctl, fd, FS_IOC_FSGETXATTR, a, 0, 0, 0);
    struct fiemap *map = (struct fiemap *)w;
    memset(w, 0, sizeof w);
    map->fm_length = ~0ull;
    map->fm_extent_count = 2;
    KEEP(SYS_ioctl, fd, FS_IOC_FIEMAP, map, 0, 0, 0);
    struct flock lock = {.l_type = F_WRLCK};
    KEEP(SYS_fcntl, fd, F_GETLK, &lock, 0, 0, 0);
    CALL(SYS_fcntl, fd, F_GETOWN_EX, a, 0, 0, 0);
    CALL(SYS_fcntl, fd, F_GET_RW_HINT, a, 0, 0, 0);
}

static void terminals(void) {
    int fd = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    unsigned long requests[] = {TCGETS, 0x802c542a, TIOCGWINSZ, 0x80045430, 0x80045432, 0x80045438, 0x80045439,
        0x80045440, FIONREAD, TIOCOUTQ, TIOCGETD, TIOCGSID, TIOCGPGRP, TIOCGLCKTRMIOS, TIOCMGET, TIOCGSOFTCAR, 0x5405};
    for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++) {
        CALL(SYS_ioctl, fd, requests[i], a, 0, 0, 0);
    }
}

static void sockets(void) {
    int s[2], one = 1;
    CALL(SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, a, 0, 0);
    CALL(SYS_socketpair, 99, SOCK_DGRAM, 0, a, 0, 0);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
    setsockopt(s[1], SOL_SOCKET, SO_PASSCRED, &one, sizeof one);
    socklen_t length;
    for (int i = 0; i < 6; i++) write(s[0], "hello, world", 12);
    length = 100;
    CALL(SYS_recvfrom, s[1], a, 5, 0, b, &length);
    struct iovec v[2] = {{a, 3}, {b, 100}};
    struct msghdr m = {c, 100, v, 2, d, 200, 0};
    CALL(SYS_recvmsg, s[1], &m, 0, 0, 0, 0);
    struct mmsghdr mm[3] = {{{0, 0, v, 1, 0, 0, 0}, 0}, {{c, 64, v + 1, 1, d, 100, 0}, 0}, {{0, 0, v, 1, 0, 0, 0}, 0}};
    struct timespec t = {1, 5};
    CALL(SYS_recvmmsg, s[1], mm, 3, MSG_DONTWAIT, &t, 0);
    CALL(SYS_sendmmsg, s[0], mm, 2, 0, 0, 0);
    int tcp = socket(AF_INET, SOCK_STREAM, 0), peer = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bind(tcp, (void *)&in, sizeof in);
    listen(tcp, 5);
    length = 200;
    CALL(SYS_getsockname, tcp, a, &length, 0, 0, 0);
    memcpy(&in, a, sizeof in);
    connect(peer, (void *)&in, sizeof in);
    length = 7;
    CALL(SYS_accept, tcp, a, &length, 0, 0, 0);
    length = 16;
    CALL(SYS_getpeername, peer, a, &length, 0, 0, 0);
    int options[] = {SO_TYPE, SO_ERROR, SO_LINGER, SO_PEERCRED, SO_RCVTIMEO, SO_PEERSEC, 26, SO_PEERGROUPS, SO_COOKIE};
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
        length = 64;
        CALL(SYS_getsockopt, i == 3 ? s[0] : peer, SOL_SOCKET, options[i], a, &length, 0);
    }
    length = 256;
    CALL(SYS_getsockopt, peer, IPPROTO_TCP, 11, a, &length, 0); /* TCP_INFO */
    struct ifconf list = {.ifc_len = 400, .ifc_buf = (char *)b};
    CALL(SYS_ioctl, tcp, SIOCGIFCONF, &list, 0, 0, 0);
    struct ifreq request = {.ifr_name = "lo"};
    CALL(SYS_ioctl, tcp, SIOCGIFFLAGS, &request, 0, 0, 0);
    CALL(SYS_ioctl, tcp, SIOCGIFINDEX, &request, 0, 0, 0);
}

static void polls(void) {
    int p[2];
    pipe(p);
    write(p[1], "x", 1);
    struct pollfd f[3] = {{p[0], POLLIN, 0x55}, {p[1], POLLOUT, 0x55}, {-1, 0, 0x55}};
    KEEP(SYS_poll, f, 3, 0, 0, 0, 0);
    struct timespec t = {0, 3000000};
    KEEP(SYS_ppoll, f, 3, &t, 0, 8, 0);
    f[0].fd = f[1].fd = -1;
    KEEP(SYS_ppoll, f, 3, &t, 0, 8, 0);
    memset(a, 0xff, sizeof a);
    memset(b, 0xff, sizeof b);
    FD_ZERO((fd_set *)a);
    FD_SET(p[0], (fd_set *)a);
    memset(b, 0, 8);
    b[p[1] / 8] |= 1 << p[1] % 8;
    struct timeval tv = {2, 7};
    KEEP(SYS_select, p[1] + 1, a, b, 0, &tv, 0);
    t.tv_sec = 2;
    KEEP(SYS_pselect6, p[1] + 1, a, b, 0, &t, 0);
    int e = epoll_create1(0);
    struct epoll_event event = {EPOLLIN, {.u64 = 0x1122334455667788}};
    epoll_ctl(e, EPOLL_CTL_ADD, p[0], &event);
    event.events = EPOLLOUT;
    epoll_ctl(e, EPOLL_CTL_ADD, p[1], &event);
    CALL(SYS_epoll_wait, e, a, 5, 0, 0, 0);
    CALL(SYS_epoll_pwait, e, a, 5, 0, 0, 0);
    CALL(SYS_epoll_pwait2, e, a, 5, 0, 0, 0);
    uint32_t *word = (uint32_t *)w;
    memset(w, 0, sizeof w);
    KEEP(SYS_futex, word, 6, 0, 0, 0, 0);
    KEEP(SYS_futex, word, 7, 0, 0, 0, 0);
    KEEP(SYS_futex, word, 8, 0, 0, 0, 0);
    KEEP(SYS_futex, word, 13, 0, 0, 0, 0);
    KEEP(SYS_futex, word, 5, 1, 1, word + 4, (1 << 28) | (5 << 12));
}

static void nothing(int signal) { (void)signal; }

static void times(void) {
    for (int clock = 0; clock < 12; clock++) {
        CALL(SYS_clock_gettime, clock, a, 0, 0, 0, 0);
        CALL(SYS_clock_getres, clock, a, 0, 0, 0, 0);
    }
    CALL(SYS_gettimeofday, a, b, 0, 0, 0, 0);
    CALL(SYS_time, a, 0, 0, 0, 0, 0);
    CALL(SYS_times, a, 0, 0, 0, 0, 0);
    memset(w, 0, sizeof w);
    KEEP(SYS_adjtimex, w, 0, 0, 0, 0, 0);
    KEEP(SYS_clock_adjtime, 0, w, 0, 0, 0, 0);
    CALL(SYS_getitimer, 0, a, 0, 0, 0, 0);
    CALL(SYS_timer_create, CLOCK_MONOTONIC, 0, a, 0, 0, 0);
    int id = *(int *)a;
    CALL(SYS_timer_create, (~999999u) << 3 | 2, 0, a, 0, 0, 0);
    struct itimerspec set = {{0, 0}, {100, 0}};
    CALL(SYS_timer_settime, id, 0, &set, a, 0, 0);
    CALL(SYS_timer_gettime, id, a, 0, 0, 0, 0);
    int fd = syscall(SYS_timerfd_create, CLOCK_MONOTONIC, 0);
    CALL(SYS_timerfd_settime, fd, 0, &set, a, 0, 0);
    CALL(SYS_timerfd_gettime, fd, a, 0, 0, 0, 0);
    struct sigaction action = {.sa_handler = nothing};
    sigaction(SIGALRM, &action, 0);
    struct itimerval soon = {{0, 0}, {0, 20000}};
    CALL(SYS_setitimer, 0, &soon, a, 0, 0, 0);
    struct timespec t = {10, 0};
    KEEP(SYS_nanosleep, &t, w, 0, 0, 0, 0);
    KEEP(SYS_setitimer, 0, &soon, 0, 0, 0, 0);
    KEEP(SYS_clock_nanosleep, 1, 0, &t, w, 0, 0);
    KEEP(SYS_setitimer, 0, &soon, 0, 0, 0, 0);
    KEEP(SYS_ppoll, 0, 0, &t, 0, 8, 0);
}

static void processes(void) {
    CALL(SYS_getrlimit, 3, a, 0, 0, 0, 0);
    CALL(SYS_prlimit64, 0, 7, 0, a, 0, 0);
    CALL(SYS_getrusage, 0, a, 0, 0, 0, 0);
    CALL(SYS_sysinfo, a, 0, 0, 0, 0, 0);
    CALL(SYS_uname, a, 0, 0, 0, 0, 0);
    CALL(SYS_getresuid, a, b, c, 0, 0, 0);
    CALL(SYS_getresgid, a, b, c, 0, 0, 0);
    CALL(SYS_getgroups, 64, a, 0, 0, 0, 0);
    w[0] = 0x20080522;
    CALL(SYS_capget, w, a, 0, 0, 0, 0);
    w[0] = 1;
    CALL(SYS_capget, w, a, 0, 0, 0, 0);
    CALL(SYS_sched_getaffinity, 0, 1024, a, 0, 0, 0);
    CALL(SYS_sched_getparam, 0, a, 0, 0, 0, 0);
    CALL(SYS_sched_getattr, 0, a, 200, 0, 0, 0);
    CALL(SYS_sched_rr_get_interval, 0, a, 0, 0, 0, 0);
    CALL(SYS_getcpu, a, b, 0, 0, 0, 0);
    CALL(SYS_getrandom, a, 77, 0, 0, 0, 0);
    CALL(SYS_get_robust_list, 0, a, b, 0, 0, 0);
    CALL(SYS_get_mempolicy, a, b, 1024, 0, 0, 0);
    CALL(SYS_mincore, (long)a & ~4095L, 8192, b, 0, 0, 0);
    int options[] = {2, 16, 37, 40, 25, 0x41555856};
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++) CALL(SYS_prctl, options[i], a, 1000, 0, 0, 0);
    CALL(SYS_arch_prctl, 0x1003, a, 0, 0, 0, 0);
    CALL(SYS_rt_sigaction, SIGINT, 0, a, 8, 0, 0);
    CALL(SYS_rt_sigprocmask, 0, 0, a, 8, 0, 0);
    CALL(SYS_rt_sigpending, a, 8, 0, 0, 0, 0);
    CALL(SYS_sigaltstack, 0, a, 0, 0, 0, 0);
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    sigprocmask(SIG_BLOCK, &mask, 0);
    kill(getpid(), SIGUSR1);
    CALL(SYS_rt_sigtimedwait, &mask, a, 0, 8, 0, 0);
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) _exit(i);
    }
    CALL(SYS_wait4, -1, a, 0, b, 0, 0);
    CALL(SYS_waitid, P_ALL, 0, a, WEXITED | WNOWAIT, b, 0);
    CALL(SYS_waitid, P_ALL, 0, a, WEXITED, 0, 0);
    CALL(SYS_wait4, -1, a, 0, 0, 0, 0);
    CALL(SYS_waitid, P_ALL, 0, a, WEXITED, b, 0);
    struct iovec local = {a, 100}, remote = {b, 100};
    fill();
    memset(b, 1, 100);
    KEEP(SYS_process_vm_readv, getpid(), &local, 1, &remote, 1, 0);
    CALL(459, 100, a, w, 0, 0, 0); /* lsm_get_self_attr */
    w[0] = 100;
    CALL(461, a, w, 0, 0, 0, 0); /* lsm_list_modules */
}

static void ipc(void) {
    int q = msgget(IPC_PRIVATE, 0600), m = shmget(IPC_PRIVATE, 4096, 0600), s = semget(IPC_PRIVATE, 3, 0600);
    w[0] = 5;
    msgsnd(q, w, 20, 0);
    CALL(SYS_msgrcv, q, a, 100, 0, 0, 0);
    for (int command = 2; command < 21; command++) {
        CALL(SYS_msgctl, command == IPC_STAT ? q : 0, command, a, 0, 0, 0);
        CALL(SYS_shmctl, command == IPC_STAT ? m : 0, command, a, 0, 0, 0);
        CALL(SYS_semctl, command < 16 ? s : 0, 0, command == 16 || command == 17 ? 12 : command, a, 0, 0);
    }
    msgctl(q, IPC_RMID, 0);
    shmctl(m, IPC_RMID, 0);
    semctl(s, 0, IPC_RMID);
    struct mq_attr attributes = {0, 4, 64, 0};
    int mq = syscall(SYS_mq_open, "eremite-writes", O_RDWR | O_CREAT, 0600, &attributes);
    syscall(SYS_mq_unlink, "eremite-writes");
    syscall(SYS_mq_timedsend, mq, "text", 4, 9, 0);
    CALL(SYS_mq_getsetattr, mq, 0, a, 0, 0, 0);
    CALL(SYS_mq_timedreceive, mq, a, 64, b, 0, 0);
}

int main(void) {
    files();
    terminals();
    sockets();
    polls();
    times();
    processes();
    ipc();
    return 0;
}
