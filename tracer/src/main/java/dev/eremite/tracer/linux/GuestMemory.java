package dev.eremite.tracer.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The memory of a traced task, by process_vm_readv(2) and, for pages that it may not write itself, /proc/PID/mem. */
public final class GuestMemory {
    private static final int ESRCH = 3;

    private final Tracer tracer;
    private final int tid;
    private RandomAccessFile forced;

    GuestMemory(Tracer tracer, int tid) {
        this.tracer = tracer;
        this.tid = tid;
    }

    /** Reads up to length bytes; the result is shorter, possibly empty, where memory is not readable. */
    public byte[] read(long address, int length) {
        byte[] bytes = new byte[length];
        int done = read(address, bytes, 0, length);
        return done == length ? bytes : Arrays.copyOf(bytes, done);
    }

    /** Reads into an array; returns how many bytes could be read. */
    public int read(long address, byte[] into, int offset, int length) {
        int done = 0;
        while (done < length) {
            int part = Math.min(length - done, Tracer.TRANSFER);
            int got = readPart(address + done, part);
            MemorySegment.copy(tracer.transfer, JAVA_BYTE, 0, into, offset + done, got);
            done += got;
            if (got < part) {
                break;
            }
        }
        return done;
    }

    private int readPart(long address, int length) {
        long got = vm(false, address, length);
        if (got == length) {
            return length;
        }
        // The kernel stops at the first bad page, but a range that begins in one page and ends in a bad one may fail
        // whole.
        int done = (int) Math.max(got, 0);
        while (done < length) {
            int part = Math.min(length - done, (int) (4096 - ((address + done) & 4095)));
            MemorySegment kept = tracer.transfer.asSlice(done);
            long more = vmAt(false, kept, address + done, part);
            if (more <= 0) {
                break;
            }
            done += (int) more;
        }
        return done;
    }

    /** Reads exactly length bytes. Throws TracerException (EFAULT) when some cannot be read. */
    public byte[] readFully(long address, int length) {
        byte[] bytes = read(address, length);
        if (bytes.length != length) {
            throw new TracerException("read of guest memory at 0x" + Long.toHexString(address), 14);
        }
        return bytes;
    }

    /** Reads an 8-byte word, 0 where not mapped. */
    public long readLong(long address) {
        return vm(false, address, 8) == 8 ? tracer.transfer.get(JAVA_LONG_UNALIGNED, 0) : 0;
    }

    /** Reads a 4-byte word, 0 where not mapped. */
    public int readInt(long address) {
        return vm(false, address, 4) == 4 ? tracer.transfer.get(JAVA_INT_UNALIGNED, 0) : 0;
    }

    /** Reads a string that ends with NUL, of at most limit bytes. */
    public byte[] readString(long address, int limit) {
        int length = 0;
        byte[] all = new byte[0];
        while (length < limit) {
            int part = (int) Math.min(4096 - ((address + length) & 4095), limit - length);
            byte[] more = read(address + length, part);
            for (int i = 0; i < more.length; i++) {
                if (more[i] == 0) {
                    byte[] result = Arrays.copyOf(all, length + i);
                    System.arraycopy(more, 0, result, length, i);
                    return result;
                }
            }
            all = Arrays.copyOf(all, length + more.length);
            System.arraycopy(more, 0, all, length, more.length);
            length += more.length;
            if (more.length < part) {
                break;
            }
        }
        return all;
    }

    /** Writes bytes, also to memory that the guest itself may not write. Throws TracerException when not mapped. */
    public void write(long address, byte[] bytes) {
        write(address, bytes, 0, bytes.length);
    }

    /** Writes part of an array. */
    public void write(long address, byte[] bytes, int offset, int length) {
        int done = 0;
        while (done < length) {
            int part = Math.min(length - done, Tracer.TRANSFER);
            MemorySegment.copy(bytes, offset + done, tracer.transfer, JAVA_BYTE, 0, part);
            if (vm(true, address + done, part) != part) {
                force(address + done, bytes, offset + done, part);
            }
            done += part;
        }
    }

    /** Writes an 8-byte word. */
    public void writeLong(long address, long value) {
        byte[] bytes = new byte[8];
        java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN).putLong(value);
        write(address, bytes);
    }

    private long vm(boolean write, long address, long length) {
        return vmAt(write, tracer.transfer, address, length);
    }

    private long vmAt(boolean write, MemorySegment buffer, long address, long length) {
        MemorySegment v = tracer.iovecs;
        v.set(JAVA_LONG, 0, buffer.address());
        v.set(JAVA_LONG, 8, length);
        v.set(JAVA_LONG, 16, address);
        v.set(JAVA_LONG, 24, length);
        long result = write
                ? Libc.processVmWritev(tracer.capture, tid, v.address(), v.address() + 16)
                : Libc.processVmReadv(tracer.capture, tid, v.address(), v.address() + 16);
        if (result < 0 && tracer.errno() == ESRCH) {
            throw new TaskGoneException(tid);
        }
        return result;
    }

    private void force(long address, byte[] bytes, int offset, int length) {
        try {
            if (forced == null) {
                forced = new RandomAccessFile("/proc/" + tid + "/mem", "rw");
            }
            forced.seek(address);
            forced.write(bytes, offset, length);
        } catch (IOException e) {
            throw new TracerException("write of guest memory at 0x" + Long.toHexString(address), 14);
        }
    }

    /** Forgets what belongs to the old address space; to be called after execve. */
    public void close() {
        if (forced != null) {
            try {
                forced.close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            forced = null;
        }
    }
}
