package dev.eremite.replay.record;

import dev.eremite.detcore.syscall.CallView;

/** Hears of system calls while they are recorded, with the task stopped and its memory there to be read. */
public interface CallListener {
    /** Hears nothing. */
    CallListener NONE = new CallListener() {
        @Override
        public void entered(int task, CallView call) {}

        @Override
        public void ended(int task, CallView call) {}
    };

    /** A task is about to make the call. */
    void entered(int task, CallView call);

    /** The call has its result; of one that ends its task, none. */
    void ended(int task, CallView call);
}
