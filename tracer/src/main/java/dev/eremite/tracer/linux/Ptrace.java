package dev.eremite.tracer.linux;

/** Requests of ptrace(2). */
final class Ptrace {
    static final int PEEKUSER = 3;
    static final int POKEUSER = 6;
    static final int CONT = 7;
    static final int SINGLESTEP = 9;
    static final int GETREGS = 12;
    static final int SETREGS = 13;
    static final int SYSCALL = 24;
    static final int SYSEMU = 31;
    static final int SYSEMU_SINGLESTEP = 32;
    static final int GETEVENTMSG = 0x4201;
    static final int GETSIGINFO = 0x4202;
    static final int SETSIGINFO = 0x4203;
    static final int GETREGSET = 0x4204;
    static final int SETREGSET = 0x4205;
    static final int SEIZE = 0x4206;
    static final int INTERRUPT = 0x4207;
    static final int LISTEN = 0x4208;
    static final int PEEKSIGINFO = 0x4209;
    static final int GETSIGMASK = 0x420a;
    static final int SETSIGMASK = 0x420b;

    private Ptrace() {}
}
