// Installs filters for its own system calls (seccomp(2)), with every verdict, and the strict mode.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void trapped(int signal, siginfo_t *info, void *context) {
    (void) context;
    char text[80];
    int length = snprintf(text, sizeof text, "signal %d, call %d, code %d, data %d\n", signal, info->si_syscall,
            info->si_code, info->si_errno);
    write(1, text, length);
}

// A verdict for getppid, and for any getpgid of an argument above 1000.
static int install(unsigned verdict, unsigned flags) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 1000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, verdict),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

static void *other(void *pipe_end) {
    char byte;
    read(*(int *) pipe_end, &byte, 1);
    long parent = syscall(SYS_getppid);
    printf("the other thread %s\n", parent < 0 && errno == EPERM ? "is filtered" : "is not filtered");
    return NULL;
}

static void child(unsigned verdict) {
    printf("installed %d\n", install(verdict, 0));
    fflush(stdout);
    long parent = syscall(SYS_getppid);
    long group = syscall(SYS_getpgid, 70000);
    printf("getppid %s, getpgid %s, mode %d\n", parent > 0 ? "works" : "fails", group == -1 ? "fails" : "works",
            prctl(PR_GET_SECCOMP));
    fflush(stdout);
    if (verdict == (SECCOMP_RET_ERRNO | EPERM)) {
        execl("/bin/sh", "sh", "-c", "echo the filter stays", NULL);
    }
    _exit(3);
}

int main(void) {
    struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO};
    sigaction(SIGSYS, &action, NULL);
    unsigned verdicts[] = {SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_TRAP | 5, SECCOMP_RET_KILL_PROCESS,
            SECCOMP_RET_TRACE, SECCOMP_RET_LOG};
    int status;
    for (int i = 0; i < 5; i++) {
        fflush(stdout);
        if (fork() == 0) {
            child(verdicts[i]);
        }
        wait(&status);
        printf("status %x\n", status & ~0x80);
    }
    fflush(stdout);
    if (fork() == 0) {
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
        write(1, "strict\n", 7);
        syscall(SYS_getpid);
        _exit(4);
    }
    wait(&status);
    printf("status %x\n", status);
    printf("unknown flag %d\n", install(SECCOMP_RET_ALLOW, 1 << 30));
    long nothing = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL);
    printf("no program %ld %d\n", nothing, errno == EFAULT);
    int ends[2];
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, other, &ends[0]);
    printf("for all threads %d\n", install(SECCOMP_RET_ERRNO | EPERM, SECCOMP_FILTER_FLAG_TSYNC));
    fflush(stdout);
    write(ends[1], "x", 1);
    pthread_join(thread, NULL);
    long unknown = syscall(400);
    printf("unknown call %ld, %d\n", unknown, errno == ENOSYS);
    return 0;
}
