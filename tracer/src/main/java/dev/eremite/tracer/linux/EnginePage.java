package dev.eremite.tracer.linux;

/**
 * The engine's own memory in every guest: a page of code and some pages of data at a fixed low address. It is there in
 * recording and replay alike, so that both have the same address space.
 */
public final class EnginePage {
    /** The first address of the code page. */
    public static final long CODE = 0x7000_0000L;

    /** The first address of the data pages. */
    public static final long DATA = CODE + 0x1000;

    /** Bytes of data. */
    public static final int DATA_LENGTH = 0x10000;

    /** The last page of the data: scratch memory of probes that are patched into the guest's code in replay. */
    public static final long SCRATCH = DATA + DATA_LENGTH - 0x1000;

    /** The first address behind the engine's memory. */
    public static final long END = DATA + DATA_LENGTH;

    /** Where the recorder may map buffers for calls that wait, while it records. */
    public static final long BUFFERS = CODE + 0x20000;

    /** The first address behind the buffers. */
    public static final long BUFFERS_END = BUFFERS + 0x4000000;

    /** {@code syscall; int3}. */
    public static final long SYSCALL = CODE + 0x800;

    /** {@code cpuid; int3}. */
    public static final long CPUID = CODE + 0x810;

    /**
     * Asks CPUID r8 times and traps: rsi points to pairs of a leaf and a subleaf, of four bytes each, rdi to where eax,
     * ebx, ecx and edx of each go.
     */
    static final long CPUID_QUESTIONS = CODE + 0x830;

    /** The address behind the trap of {@link #CPUID_QUESTIONS}. */
    static final long CPUID_QUESTIONS_END = CPUID_QUESTIONS + 32;

    /** {@code jmp .}: where a parked task may stand. */
    public static final long PAUSE = CODE + 0x820;

    private static final int ENTRY = 0x100;
    private static final int OFFSET_PARENT = ENTRY + 25;
    private static final int OFFSET_SYSCALL = 0x800;
    private static final int OFFSET_CPUID = 0x810;
    private static final int OFFSET_CPUID_QUESTIONS = 0x830;
    private static final int OFFSET_PAUSE = 0x820;

    private EnginePage() {}

    /** Whether the address lies in the engine's memory. */
    public static boolean contains(long address) {
        return address >= CODE && address < END || address >= BUFFERS && address < BUFFERS_END;
    }

    /**
     * The code page's content, which is also a complete ELF executable: its entry asks to be killed when its parent
     * thread dies (prctl(2) PR_SET_PDEATHSIG) and then pauses for ever, until a tracer takes it over.
     */
    public static byte[] image() {
        return image(0);
    }

    /**
     * The same for a task that is to be started: where its parent has died before the prctl, and so is another one, it
     * exits.
     *
     * @param parent the process id of the parent; 0 stands for any
     */
    static byte[] image(int parent) {
        byte[] page = new byte[0x1000];
        java.nio.ByteBuffer b = java.nio.ByteBuffer.wrap(page).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        byte[] ident = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0};
        b.put(ident).putLong(0);
        b.putShort((short) 2)
                .putShort((short) 62)
                .putInt(1)
                .putLong(CODE + ENTRY)
                .putLong(64)
                .putLong(0);
        b.putInt(0)
                .putShort((short) 64)
                .putShort((short) 56)
                .putShort((short) 1)
                .putShort((short) 0)
                .putInt(0);
        int readExecute = 5;
        b.putInt(1).putInt(readExecute).putLong(0).putLong(CODE).putLong(CODE);
        b.putLong(0x1000).putLong(0x1000).putLong(0x1000);
        byte[] entry = {
            (byte) 0xb8,
            (byte) 157,
            0,
            0,
            0, // mov eax, prctl
            (byte) 0xbf,
            1,
            0,
            0,
            0, // mov edi, PR_SET_PDEATHSIG
            (byte) 0xbe,
            9,
            0,
            0,
            0, // mov esi, SIGKILL
            0x0f,
            0x05, // syscall
            (byte) 0xb8,
            110,
            0,
            0,
            0, // mov eax, getppid
            0x0f,
            0x05, // syscall
            (byte) 0xb9,
            0,
            0,
            0,
            0, // mov ecx, the parent
            (byte) 0xe3,
            4, // jrcxz to the pause
            0x39,
            (byte) 0xc8, // cmp eax, ecx
            0x75,
            9, // jne to the exit
            (byte) 0xb8,
            34,
            0,
            0,
            0, // mov eax, pause
            0x0f,
            0x05, // syscall
            (byte) 0xeb,
            (byte) 0xf7, // jmp back to the mov
            (byte) 0xb8,
            60,
            0,
            0,
            0, // mov eax, exit
            0x0f,
            0x05 // syscall
        };
        System.arraycopy(entry, 0, page, ENTRY, entry.length);
        b.putInt(OFFSET_PARENT, parent);
        byte[] syscall = {0x0f, 0x05, (byte) 0xcc};
        System.arraycopy(syscall, 0, page, OFFSET_SYSCALL, syscall.length);
        byte[] cpuid = {0x0f, (byte) 0xa2, (byte) 0xcc};
        System.arraycopy(cpuid, 0, page, OFFSET_CPUID, cpuid.length);
        byte[] questions = {
            (byte) 0x8b,
            0x06, // mov eax, [rsi]
            (byte) 0x8b,
            0x4e,
            4, // mov ecx, [rsi + 4]
            0x0f,
            (byte) 0xa2, // cpuid
            (byte) 0x89,
            0x07, // mov [rdi], eax
            (byte) 0x89,
            0x5f,
            4, // mov [rdi + 4], ebx
            (byte) 0x89,
            0x4f,
            8, // mov [rdi + 8], ecx
            (byte) 0x89,
            0x57,
            12, // mov [rdi + 12], edx
            0x48,
            (byte) 0x83,
            (byte) 0xc6,
            8, // add rsi, 8
            0x48,
            (byte) 0x83,
            (byte) 0xc7,
            16, // add rdi, 16
            0x49,
            (byte) 0xff,
            (byte) 0xc8, // dec r8
            0x75,
            (byte) 0xe1, // jnz to the first mov
            (byte) 0xcc // int3
        };
        System.arraycopy(questions, 0, page, OFFSET_CPUID_QUESTIONS, questions.length);
        byte[] pause = {(byte) 0xeb, (byte) 0xfe};
        System.arraycopy(pause, 0, page, OFFSET_PAUSE, pause.length);
        return page;
    }
}
