package dev.eremite.detcore.syscall;

/** The symbolic names of the common flag sets and enumerations. */
final class SymbolSets {
    static final Symbols OPEN = Symbols.valueAndFlags(
            3,
            "O_RDONLY=0 O_WRONLY=1 O_RDWR=2 O_ACCMODE=3",
            """
            O_CREAT=0100 O_EXCL=0200 O_NOCTTY=0400 O_TRUNC=01000 O_APPEND=02000 O_NONBLOCK=04000 O_SYNC=04010000
            O_DSYNC=010000 O_ASYNC=020000 O_DIRECT=040000 O_LARGEFILE=0100000 O_NOFOLLOW=0400000 O_NOATIME=01000000
            O_CLOEXEC=02000000 O_PATH=010000000 O_TMPFILE=020200000 O_DIRECTORY=0200000""");
    static final Symbols FD_FLAGS =
            Symbols.flags("0", "O_CLOEXEC=02000000 O_NONBLOCK=04000 O_DIRECT=040000 O_NOTIFICATION_PIPE=0200");
    static final Symbols PROT = Symbols.flags(
            "PROT_NONE", "PROT_READ=1 PROT_WRITE=2 PROT_EXEC=4 PROT_GROWSDOWN=0x1000000 PROT_GROWSUP=0x2000000");
    static final Symbols MAP = Symbols.valueAndFlags(
            0xf,
            "MAP_FILE=0 MAP_SHARED=1 MAP_PRIVATE=2 MAP_SHARED_VALIDATE=3 MAP_DROPPABLE=8",
            """
            MAP_FIXED=0x10 MAP_ANONYMOUS=0x20 MAP_32BIT=0x40 MAP_GROWSDOWN=0x100 MAP_DENYWRITE=0x800
            MAP_EXECUTABLE=0x1000 MAP_LOCKED=0x2000 MAP_NORESERVE=0x4000 MAP_POPULATE=0x8000 MAP_NONBLOCK=0x10000
            MAP_STACK=0x20000 MAP_HUGETLB=0x40000 MAP_SYNC=0x80000 MAP_FIXED_NOREPLACE=0x100000""");
    static final Symbols MREMAP = Symbols.flags("0", "MREMAP_MAYMOVE=1 MREMAP_FIXED=2 MREMAP_DONTUNMAP=4");
    static final Symbols MSYNC = Symbols.flags("0", "MS_ASYNC=1 MS_INVALIDATE=2 MS_SYNC=4");
    static final Symbols MADVISE = Symbols.values(
            """
            MADV_NORMAL=0 MADV_RANDOM=1 MADV_SEQUENTIAL=2 MADV_WILLNEED=3 MADV_DONTNEED=4 MADV_FREE=8 MADV_REMOVE=9
            MADV_DONTFORK=10 MADV_DOFORK=11 MADV_MERGEABLE=12 MADV_UNMERGEABLE=13 MADV_HUGEPAGE=14
            MADV_NOHUGEPAGE=15 MADV_DONTDUMP=16 MADV_DODUMP=17 MADV_WIPEONFORK=18 MADV_KEEPONFORK=19 MADV_COLD=20
            MADV_PAGEOUT=21 MADV_POPULATE_READ=22 MADV_POPULATE_WRITE=23 MADV_DONTNEED_LOCKED=24 MADV_COLLAPSE=25
            MADV_GUARD_INSTALL=102 MADV_GUARD_REMOVE=103""");
    static final Symbols CLONE_BITS = Symbols.flags(
            "0",
            """
            CLONE_VM=0x100 CLONE_FS=0x200 CLONE_FILES=0x400 CLONE_SIGHAND=0x800 CLONE_PIDFD=0x1000
            CLONE_PTRACE=0x2000 CLONE_VFORK=0x4000 CLONE_PARENT=0x8000 CLONE_THREAD=0x10000 CLONE_NEWNS=0x20000
            CLONE_SYSVSEM=0x40000 CLONE_SETTLS=0x80000 CLONE_PARENT_SETTID=0x100000 CLONE_CHILD_CLEARTID=0x200000
            CLONE_DETACHED=0x400000 CLONE_UNTRACED=0x800000 CLONE_CHILD_SETTID=0x1000000 CLONE_NEWCGROUP=0x2000000
            CLONE_NEWUTS=0x4000000 CLONE_NEWIPC=0x8000000 CLONE_NEWUSER=0x10000000 CLONE_NEWPID=0x20000000
            CLONE_NEWNET=0x40000000 CLONE_IO=0x80000000""");
    static final Symbols CLONE = SymbolSets::cloneFlags;
    static final Symbols FUTEX = SymbolSets::futexOperation;
    static final Symbols AT = Symbols.flags(
            "0",
            """
            AT_SYMLINK_NOFOLLOW=0x100 AT_REMOVEDIR=0x200 AT_SYMLINK_FOLLOW=0x400 AT_NO_AUTOMOUNT=0x800
            AT_EMPTY_PATH=0x1000 AT_STATX_FORCE_SYNC=0x2000 AT_STATX_DONT_SYNC=0x4000 AT_RECURSIVE=0x8000""");
    static final Symbols EACCESS = Symbols.flags("0", "AT_SYMLINK_NOFOLLOW=0x100 AT_EACCESS=0x200 AT_EMPTY_PATH=0x1000");
    static final Symbols STATX = Symbols.flags(
            "0",
            """
            STATX_ALL=0xfff STATX_BASIC_STATS=0x7ff STATX_TYPE=0x1 STATX_MODE=0x2 STATX_NLINK=0x4 STATX_UID=0x8
            STATX_GID=0x10 STATX_ATIME=0x20 STATX_MTIME=0x40 STATX_CTIME=0x80 STATX_INO=0x100 STATX_SIZE=0x200
            STATX_BLOCKS=0x400 STATX_BTIME=0x800 STATX_MNT_ID=0x1000 STATX_DIOALIGN=0x2000""");
    static final Symbols ACCESS = Symbols.flags("F_OK", "R_OK=4 W_OK=2 X_OK=1");
    static final Symbols SEEK = Symbols.values("SEEK_SET=0 SEEK_CUR=1 SEEK_END=2 SEEK_DATA=3 SEEK_HOLE=4");
    static final Symbols RENAME = Symbols.flags("0", "RENAME_NOREPLACE=1 RENAME_EXCHANGE=2 RENAME_WHITEOUT=4");
    static final Symbols FCNTL = Symbols.values(
            """
            F_DUPFD=0 F_GETFD=1 F_SETFD=2 F_GETFL=3 F_SETFL=4 F_GETLK=5 F_SETLK=6 F_SETLKW=7 F_SETOWN=8 F_GETOWN=9
            F_SETSIG=10 F_GETSIG=11 F_SETOWN_EX=15 F_GETOWN_EX=16 F_GETOWNER_UIDS=17 F_OFD_GETLK=36 F_OFD_SETLK=37
            F_OFD_SETLKW=38 F_SETLEASE=1024 F_GETLEASE=1025 F_NOTIFY=1026 F_DUPFD_QUERY=1027 F_CREATED_QUERY=1028
            F_DUPFD_CLOEXEC=1030 F_SETPIPE_SZ=1031 F_GETPIPE_SZ=1032 F_ADD_SEALS=1033 F_GET_SEALS=1034
            F_GET_RW_HINT=1035 F_SET_RW_HINT=1036 F_GET_FILE_RW_HINT=1037 F_SET_FILE_RW_HINT=1038""");
    static final Symbols FLOCK = Symbols.flags("0", "LOCK_SH=1 LOCK_EX=2 LOCK_NB=4 LOCK_UN=8");
    static final Symbols FADVISE = Symbols.values(
            "POSIX_FADV_NORMAL=0 POSIX_FADV_RANDOM=1 POSIX_FADV_SEQUENTIAL=2 POSIX_FADV_WILLNEED=3 "
                    + "POSIX_FADV_DONTNEED=4 POSIX_FADV_NOREUSE=5");
    static final Symbols DOMAIN = Symbols.values(
            """
            AF_UNSPEC=0 AF_UNIX=1 AF_INET=2 AF_AX25=3 AF_IPX=4 AF_APPLETALK=5 AF_INET6=10 AF_KEY=15 AF_NETLINK=16
            AF_PACKET=17 AF_CAN=29 AF_TIPC=30 AF_BLUETOOTH=31 AF_ALG=38 AF_VSOCK=40 AF_XDP=44""");
    static final Symbols SOCKET_TYPE = Symbols.valueAndFlags(
            0xf,
            "SOCK_STREAM=1 SOCK_DGRAM=2 SOCK_RAW=3 SOCK_RDM=4 SOCK_SEQPACKET=5 SOCK_DCCP=6 SOCK_PACKET=10",
            "SOCK_CLOEXEC=02000000 SOCK_NONBLOCK=04000");
    static final Symbols SOCKET_FLAGS = Symbols.flags("0", "SOCK_CLOEXEC=02000000 SOCK_NONBLOCK=04000");
    static final Symbols SHUTDOWN = Symbols.values("SHUT_RD=0 SHUT_WR=1 SHUT_RDWR=2");
    static final Symbols MSG = Symbols.flags(
            "0",
            """
            MSG_OOB=0x1 MSG_PEEK=0x2 MSG_DONTROUTE=0x4 MSG_CTRUNC=0x8 MSG_PROXY=0x10 MSG_TRUNC=0x20
            MSG_DONTWAIT=0x40 MSG_EOR=0x80 MSG_WAITALL=0x100 MSG_FIN=0x200 MSG_SYN=0x400 MSG_CONFIRM=0x800
            MSG_RST=0x1000 MSG_ERRQUEUE=0x2000 MSG_NOSIGNAL=0x4000 MSG_MORE=0x8000 MSG_WAITFORONE=0x10000
            MSG_BATCH=0x40000 MSG_ZEROCOPY=0x4000000 MSG_FASTOPEN=0x20000000 MSG_CMSG_CLOEXEC=0x40000000""");
    static final Symbols SOL = Symbols.values(
            "SOL_IP=0 SOL_SOCKET=1 SOL_TCP=6 SOL_UDP=17 SOL_IPV6=41 SOL_ICMPV6=58 SOL_RAW=255 SOL_PACKET=263 "
                    + "SOL_NETLINK=270");
    static final Symbols CLOCK = Symbols.values(
            """
            CLOCK_REALTIME=0 CLOCK_MONOTONIC=1 CLOCK_PROCESS_CPUTIME_ID=2 CLOCK_THREAD_CPUTIME_ID=3
            CLOCK_MONOTONIC_RAW=4 CLOCK_REALTIME_COARSE=5 CLOCK_MONOTONIC_COARSE=6 CLOCK_BOOTTIME=7
            CLOCK_REALTIME_ALARM=8 CLOCK_BOOTTIME_ALARM=9 CLOCK_TAI=11""");
    static final Symbols TIMER = Symbols.flags("0", "TIMER_ABSTIME=1");
    static final Symbols TIMERFD = Symbols.flags("0", "TFD_CLOEXEC=02000000 TFD_NONBLOCK=04000");
    static final Symbols TIMERFD_SET = Symbols.flags("0", "TFD_TIMER_ABSTIME=1 TFD_TIMER_CANCEL_ON_SET=2");
    static final Symbols ITIMER = Symbols.values("ITIMER_REAL=0 ITIMER_VIRTUAL=1 ITIMER_PROF=2");
    static final Symbols WAIT = Symbols.flags(
            "0",
            "WNOHANG=1 WSTOPPED=2 WEXITED=4 WCONTINUED=8 WNOWAIT=0x1000000 __WNOTHREAD=0x20000000 "
                    + "__WALL=0x40000000 __WCLONE=0x80000000");
    static final Symbols ID_TYPE = Symbols.values("P_ALL=0 P_PID=1 P_PGID=2 P_PIDFD=3");
    static final Symbols EPOLL_CTL = Symbols.values("EPOLL_CTL_ADD=1 EPOLL_CTL_DEL=2 EPOLL_CTL_MOD=3");
    static final Symbols EPOLL = Symbols.flags("0", "EPOLL_CLOEXEC=02000000");
    static final Symbols EVENTFD = Symbols.flags("0", "EFD_CLOEXEC=02000000 EFD_NONBLOCK=04000 EFD_SEMAPHORE=1");
    static final Symbols SIGNALFD = Symbols.flags("0", "SFD_CLOEXEC=02000000 SFD_NONBLOCK=04000");
    static final Symbols INOTIFY = Symbols.flags("0", "IN_CLOEXEC=02000000 IN_NONBLOCK=04000");
    static final Symbols SIGMASK_HOW = Symbols.values("SIG_BLOCK=0 SIG_UNBLOCK=1 SIG_SETMASK=2");
    static final Symbols GRND = Symbols.flags("0", "GRND_NONBLOCK=1 GRND_RANDOM=2 GRND_INSECURE=4");
    static final Symbols MEMFD = Symbols.flags(
            "0", "MFD_CLOEXEC=1 MFD_ALLOW_SEALING=2 MFD_HUGETLB=4 MFD_NOEXEC_SEAL=8 MFD_EXEC=0x10");
    static final Symbols RLIMIT = Symbols.values(
            """
            RLIMIT_CPU=0 RLIMIT_FSIZE=1 RLIMIT_DATA=2 RLIMIT_STACK=3 RLIMIT_CORE=4 RLIMIT_RSS=5 RLIMIT_NPROC=6
            RLIMIT_NOFILE=7 RLIMIT_MEMLOCK=8 RLIMIT_AS=9 RLIMIT_LOCKS=10 RLIMIT_SIGPENDING=11 RLIMIT_MSGQUEUE=12
            RLIMIT_NICE=13 RLIMIT_RTPRIO=14 RLIMIT_RTTIME=15""");
    static final Symbols RUSAGE = Symbols.values("RUSAGE_SELF=0 RUSAGE_THREAD=1 RUSAGE_CHILDREN=0xffffffff");
    static final Symbols ARCH_PRCTL = Symbols.values(
            """
            ARCH_SET_GS=0x1001 ARCH_SET_FS=0x1002 ARCH_GET_FS=0x1003 ARCH_GET_GS=0x1004 ARCH_GET_CPUID=0x1011
            ARCH_SET_CPUID=0x1012 ARCH_GET_XCOMP_SUPP=0x1021 ARCH_GET_XCOMP_PERM=0x1022 ARCH_REQ_XCOMP_PERM=0x1023
            ARCH_GET_XCOMP_GUEST_PERM=0x1024 ARCH_REQ_XCOMP_GUEST_PERM=0x1025 ARCH_SHSTK_ENABLE=0x5001
            ARCH_SHSTK_DISABLE=0x5002 ARCH_SHSTK_LOCK=0x5003 ARCH_SHSTK_UNLOCK=0x5004 ARCH_SHSTK_STATUS=0x5005""");
    static final Symbols IPC_GET = Symbols.flags("0", "IPC_CREAT=01000 IPC_EXCL=02000");
    static final Symbols IPC_FLAGS = Symbols.flags("0", "IPC_NOWAIT=04000 MSG_NOERROR=010000 MSG_EXCEPT=020000");
    static final Symbols SPLICE =
            Symbols.flags("0", "SPLICE_F_MOVE=1 SPLICE_F_NONBLOCK=2 SPLICE_F_MORE=4 SPLICE_F_GIFT=8");
    static final Symbols SCHEDULER = Symbols.valueAndFlags(
            0xfff_ffff,
            "SCHED_OTHER=0 SCHED_FIFO=1 SCHED_RR=2 SCHED_BATCH=3 SCHED_IDLE=5 SCHED_DEADLINE=6 SCHED_EXT=7",
            "SCHED_RESET_ON_FORK=0x40000000");
    static final Symbols PRIORITY = Symbols.values("PRIO_PROCESS=0 PRIO_PGRP=1 PRIO_USER=2");
    static final Symbols IOCTL = command -> IoctlOutputs.name((int) command);
    static final Symbols PRCTL = PrctlOutputs::name;

    private static final Symbols FUTEX_COMMANDS = Symbols.values(
            """
            FUTEX_WAIT=0 FUTEX_WAKE=1 FUTEX_FD=2 FUTEX_REQUEUE=3 FUTEX_CMP_REQUEUE=4 FUTEX_WAKE_OP=5
            FUTEX_LOCK_PI=6 FUTEX_UNLOCK_PI=7 FUTEX_TRYLOCK_PI=8 FUTEX_WAIT_BITSET=9 FUTEX_WAKE_BITSET=10
            FUTEX_WAIT_REQUEUE_PI=11 FUTEX_CMP_REQUEUE_PI=12 FUTEX_LOCK_PI2=13""");

    private SymbolSets() {}

    private static String futexOperation(long value) {
        String name = FUTEX_COMMANDS.format(value & 0x7f);
        return name + ((value & 0x80) != 0 ? "_PRIVATE" : "") + ((value & 0x100) != 0 ? "|FUTEX_CLOCK_REALTIME" : "");
    }

    /** The low byte of clone's flags is the signal that the child's death sends. */
    private static String cloneFlags(long value) {
        String bits = CLONE_BITS.format(value & 0xffff_ff00L);
        int signal = (int) (value & 0xff);
        if (signal == 0) {
            return bits;
        }
        return (bits.equals("0") ? "" : bits + "|") + SignalNames.name(signal);
    }
}
