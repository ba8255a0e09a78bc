package dev.eremite.detcore.syscall;

/** What the control calls of System V objects and keys write, by command. */
final class IpcOutputs {
    private static final int IPC_STAT = 2;
    private static final int IPC_INFO = 3;
    private static final int MSG_STAT = 11;
    private static final int MSG_INFO = 12;
    private static final int MSG_STAT_ANY = 13;
    private static final int SHM_STAT = 13;
    private static final int SHM_INFO = 14;
    private static final int SHM_STAT_ANY = 15;
    private static final int SEM_GETALL = 13;
    private static final int SEM_STAT = 18;
    private static final int SEM_INFO = 19;
    private static final int SEM_STAT_ANY = 20;

    /** SEMMSL, the most semaphores in a set, times an unsigned short; the call does not say how many there are. */
    private static final long MAX_SEMAPHORE_VALUES = 2 * 32000;

    private static final int IPC_64 = 0x100;
    private static final long MAX_CAPABILITIES = 256;

    private IpcOutputs() {}

    static void messageControl(CallView call, Output.Sink sink) {
        long size = switch (command(call, 1)) {
            case IPC_STAT, MSG_STAT, MSG_STAT_ANY -> 120; // struct msqid_ds
            case IPC_INFO, MSG_INFO -> 32; // struct msginfo
            default -> 0;
        };
        report(call, 2, size, sink);
    }

    static void sharedMemoryControl(CallView call, Output.Sink sink) {
        long size = switch (command(call, 1)) {
            case IPC_STAT, SHM_STAT, SHM_STAT_ANY -> 112; // struct shmid_ds
            case IPC_INFO -> 72; // struct shminfo64
            case SHM_INFO -> 48; // struct shm_info
            default -> 0;
        };
        report(call, 2, size, sink);
    }

    static void semaphoreControl(CallView call, Output.Sink sink) {
        long size = switch (command(call, 2)) {
            case IPC_STAT, SEM_STAT, SEM_STAT_ANY -> 104; // struct semid_ds
            case IPC_INFO, SEM_INFO -> 40; // struct seminfo
            case SEM_GETALL -> MAX_SEMAPHORE_VALUES;
            default -> 0;
        };
        report(call, 3, size, sink);
    }

    /** keyctl(2): arguments are numbered as in the system call, where 0 is the operation. */
    static void keyControl(CallView call, Output.Sink sink) {
        if (call.failed()) {
            return;
        }
        switch ((int) call.arg(0)) {
            // KEYCTL_DESCRIBE, READ, GET_SECURITY, DH_COMPUTE: the result may exceed the buffer, which then is not
            // written.
            case 6, 11, 17, 23 -> sink.range(call.arg(2), Outputs.unsignedMin(call.result(), call.arg(3)));
            case 24 -> sink.range(call.arg(4), 56); // KEYCTL_PKEY_QUERY: struct keyctl_pkey_query
            case 25, 26, 27 -> sink.range(call.arg(4), call.result()); // KEYCTL_PKEY_ENCRYPT, DECRYPT, SIGN
            case 31 -> sink.range(call.arg(1), Outputs.unsignedMin(call.arg(2), MAX_CAPABILITIES)); // CAPABILITIES
            default -> {
                // The other operations answer by their result.
            }
        }
    }

    /** IPC_64 is accepted and ignored on x86-64. */
    private static int command(CallView call, int arg) {
        return (int) call.arg(arg) & ~IPC_64;
    }

    private static void report(CallView call, int arg, long size, Output.Sink sink) {
        if (!call.failed()) {
            sink.range(call.arg(arg), size);
        }
    }
}
