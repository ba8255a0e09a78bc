package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/**
 * Finds a module's thread-local block as glibc's libthread_db does ({@code nptl_db/td_thr_tlsbase.c}), from the
 * descriptors that the C library carries for debuggers: three 32-bit words, the field's size in bits, its number of
 * elements and its offset.
 */
final class ThreadLocalStorage {
    private static final int FS_BASE = 21;
    private static final long MAIN_MODULE = 1;
    private static final long NO_STATIC_OFFSET = 0;
    private static final long DYNAMIC_ONLY = -1;
    private static final long NOT_ALLOCATED = -1;
    // The amd64 ABI fixes where the thread control block points to the vector; glibc has always had pairs of words.
    private static final Field DEFAULT_DTV = new Field(64, 8);
    private static final Field DEFAULT_ENTRY = new Field(128, 0);
    private static final Field DEFAULT_POINTER = new Field(64, 0);

    private record Field(int bits, int offset) {}

    private final DebugSession session;

    ThreadLocalStorage(DebugSession session) {
        this.session = session;
    }

    /**
     * The address of a module's block in a thread.
     *
     * @param linkMap the module's struct link_map; 0 for a program without a dynamic linker
     */
    long base(int thread, long linkMap) {
        long threadPointer = session.registers(thread).general()[FS_BASE];
        if (threadPointer == 0) {
            throw absent("the thread has no thread-local storage yet");
        }
        if (linkMap != 0) {
            OptionalLong offset = staticOffset(linkMap);
            if (offset.isPresent()) {
                return threadPointer - offset.getAsLong();
            }
        }
        return fromVector(threadPointer, linkMap == 0 ? MAIN_MODULE : module(linkMap));
    }

    /** How far below the thread pointer the module's block lies, for modules loaded at start. */
    private OptionalLong staticOffset(long linkMap) {
        OptionalLong descriptor = session.symbols().address(SymbolRequests.LINK_MAP_OFFSET);
        if (descriptor.isEmpty()) {
            return OptionalLong.empty();
        }
        long offset = word(linkMap + field(descriptor.getAsLong()).offset());
        return offset == NO_STATIC_OFFSET || offset == DYNAMIC_ONLY ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    private long module(long linkMap) {
        long descriptor = session.symbols()
                .address(SymbolRequests.LINK_MAP_MODULE)
                .orElseThrow(() -> absent("the C library's symbols for debuggers are not loaded"));
        long module = word(linkMap + field(descriptor).offset());
        if (module == 0) {
            throw absent("the module has no thread-local storage");
        }
        return module;
    }

    private long fromVector(long threadPointer, long module) {
        Field dtv = field(SymbolRequests.THREAD_DTV, DEFAULT_DTV);
        Field entry = field(SymbolRequests.DTV_ENTRY, DEFAULT_ENTRY);
        Field pointer = field(SymbolRequests.DTV_POINTER, DEFAULT_POINTER);
        long vector = word(threadPointer + dtv.offset());
        long slot = vector + entry.offset() + module * (entry.bits() / 8);
        long block = word(slot + pointer.offset());
        if (block == NOT_ALLOCATED || block == 0) {
            throw absent("the thread has not used the module's thread-local storage yet");
        }
        return block;
    }

    private Field field(String symbol, Field otherwise) {
        OptionalLong descriptor = session.symbols().address(symbol);
        return descriptor.isPresent() ? field(descriptor.getAsLong()) : otherwise;
    }

    private Field field(long descriptor) {
        ByteBuffer words = read(descriptor, 3 * Integer.BYTES);
        return new Field(words.getInt(0), words.getInt(2 * Integer.BYTES));
    }

    private long word(long address) {
        return read(address, Long.BYTES).getLong();
    }

    private ByteBuffer read(long address, int length) {
        byte[] bytes = session.target().readMemory(session.dataProcess(), address, length);
        if (bytes.length < length) {
            throw absent("the C library's thread structures are not mapped");
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static PacketException absent(String message) {
        return new PacketException(PacketException.ABSENT, message);
    }
}
