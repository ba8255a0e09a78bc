package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

/** System V and POSIX message queues, semaphores, shared memory; keys. */
final class IpcCalls {
    private static final long MQ_ATTR = 64;

    private IpcCalls() {}

    static void register(TableBuilder table) {
        messages(table);
        semaphores(table);
        posixQueues(table);
        keys(table);
    }

    private static void messages(TableBuilder table) {
        table.record(MSGGET, "msgget").hex("key").flags("msgflg", SymbolSets.IPC_GET);
        table.record(MSGSND, "msgsnd")
                .integer("msqid")
                .pointer("msgp")
                .size("msgsz")
                .flags("msgflg", SymbolSets.IPC_FLAGS)
                .mayBlock(Blocking.ipcFlags(3));
        table.record(MSGRCV, "msgrcv")
                .integer("msqid")
                .pointer("msgp")
                .size("msgsz")
                .longInteger("msgtyp")
                .flags("msgflg", SymbolSets.IPC_FLAGS)
                .out(IpcCalls::receivedMessage)
                .mayBlock(Blocking.ipcFlags(4));
        table.record(MSGCTL, "msgctl")
                .integer("msqid")
                .flags("cmd", SymbolSets.IPC_MESSAGE)
                .pointer("buf")
                .out(IpcOutputs::messageControl);
        table.record(SHMGET, "shmget").hex("key").size("size").flags("shmflg", SymbolSets.IPC_GET);
        table.record(SHMCTL, "shmctl")
                .integer("shmid")
                .flags("cmd", SymbolSets.IPC_MEMORY)
                .pointer("buf")
                .out(IpcOutputs::sharedMemoryControl);
    }

    /** The type, a long, and the text. */
    private static void receivedMessage(CallView call, Output.Sink sink) {
        if (!call.failed()) {
            sink.range(call.arg(1), LONG + call.result());
        }
    }

    private static void semaphores(TableBuilder table) {
        table.record(SEMGET, "semget").hex("key").integer("nsems").flags("semflg", SymbolSets.IPC_GET);
        // Each operation carries its own IPC_NOWAIT, so the arguments alone do not tell.
        table.record(SEMOP, "semop")
                .integer("semid")
                .pointer("sops")
                .size("nsops")
                .mayBlock();
        table.record(SEMTIMEDOP, "semtimedop")
                .integer("semid")
                .pointer("sops")
                .size("nsops")
                .timespec("timeout")
                .mayBlock();
        table.record(SEMCTL, "semctl")
                .integer("semid")
                .integer("semnum")
                .flags("cmd", SymbolSets.IPC_SEMAPHORE)
                .hex("arg")
                .out(IpcOutputs::semaphoreControl);
    }

    private static void posixQueues(TableBuilder table) {
        table.record(MQ_OPEN, "mq_open")
                .path("name")
                .flags("oflag", SymbolSets.OPEN)
                .createMode("mode")
                .pointer("attr");
        table.record(MQ_UNLINK, "mq_unlink").path("name");
        table.record(MQ_TIMEDSEND, "mq_timedsend")
                .fd("mqdes")
                .bufferIn("msg_ptr")
                .size("msg_len")
                .size("msg_prio")
                .timespec("abs_timeout")
                .mayBlock();
        table.record(MQ_TIMEDRECEIVE, "mq_timedreceive")
                .fd("mqdes")
                .bufferOut("msg_ptr")
                .size("msg_len")
                .pointer("msg_prio")
                .timespec("abs_timeout")
                .out(bytesFromResult(1))
                .out(fixed(3, INT))
                .mayBlock();
        table.record(MQ_NOTIFY, "mq_notify").fd("mqdes").pointer("sevp");
        table.record(MQ_GETSETATTR, "mq_getsetattr")
                .fd("mqdes")
                .pointer("newattr")
                .pointer("oldattr")
                .out(fixed(2, MQ_ATTR));
    }

    private static void keys(TableBuilder table) {
        table.record(ADD_KEY, "add_key")
                .path("type")
                .path("description")
                .bufferIn("payload")
                .size("plen")
                .integer("keyring");
        table.record(REQUEST_KEY, "request_key")
                .path("type")
                .path("description")
                .path("callout_info")
                .integer("dest_keyring")
                .mayBlock();
        table.record(KEYCTL, "keyctl")
                .integer("operation")
                .hex("arg2")
                .hex("arg3")
                .hex("arg4")
                .hex("arg5")
                .out(IpcOutputs::keyControl);
    }
}
