package dev.eremite.gdb.packet;

import dev.eremite.gdb.codec.PacketException;
import dev.eremite.replay.debug.DebugTarget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The list of shared libraries that a process's dynamic linker keeps (struct r_debug and struct link_map in link.h), as
 * {@code qXfer:libraries-svr4:read} tells it. It is found as debuggers find it: by the program's dynamic section.
 */
final class LibraryList {
    private static final int AT_PHDR = 3;
    private static final int AT_PHNUM = 5;
    private static final int PT_PHDR = 6;
    private static final int PT_DYNAMIC = 2;
    private static final int DT_DEBUG = 21;
    private static final int HEADER_BYTES = 56;
    private static final int MAX_HEADERS = 128;
    private static final int MAX_DYNAMIC = 256;
    private static final int MAX_LIBRARIES = 4096;
    private static final int PATH_MAX = 4096;

    private final DebugTarget target;
    private final int process;

    private LibraryList(DebugTarget target, int process) {
        this.target = target;
        this.process = process;
    }

    /**
     * The list of a process as XML; empty where there is none (yet).
     *
     * @throws PacketException ABSENT when the process does not exist here
     */
    static String of(DebugTarget target, int process) {
        return new LibraryList(target, process).xml();
    }

    private String xml() {
        OptionalLong debug = debugStructure();
        OptionalLong first = debug.isEmpty() ? debug : firstMap(debug.getAsLong());
        if (first.isEmpty()) {
            return "<library-list-svr4 version=\"1.0\"/>";
        }
        StringBuilder xml = new StringBuilder("<library-list-svr4 version=\"1.0\" main-lm=\"");
        xml.append(hex(first.getAsLong())).append("\">\n");
        Set<Long> seen = new HashSet<>();
        long map = first.getAsLong();
        while (map != 0 && seen.add(map) && seen.size() <= MAX_LIBRARIES) {
            ByteBuffer link = words(map, 5);
            if (link.remaining() < 40) {
                break;
            }
            String name = text(link.getLong(8));
            // The first is the program itself.
            if (seen.size() > 1 && !name.isEmpty()) {
                xml.append("<library name=\"");
                Xml.append(xml, name);
                xml.append("\" lm=\"").append(hex(map));
                xml.append("\" l_addr=\"").append(hex(link.getLong(0)));
                xml.append("\" l_ld=\"").append(hex(link.getLong(16)));
                // Of the namespaces of dlmopen(3), the one that this list belongs to.
                xml.append("\" lmid=\"").append(hex(debug.getAsLong())).append("\"/>\n");
            }
            map = link.getLong(24);
        }
        return xml.append("</library-list-svr4>\n").toString();
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    private OptionalLong firstMap(long debug) {
        ByteBuffer structure = words(debug, 2);
        return structure.remaining() < 16 || structure.getLong(8) == 0
                ? OptionalLong.empty()
                : OptionalLong.of(structure.getLong(8));
    }

    /** The address of struct r_debug, which the dynamic linker puts into the program's dynamic section. */
    private OptionalLong debugStructure() {
        ByteBuffer auxv = ByteBuffer.wrap(target.auxv(process)).order(ByteOrder.LITTLE_ENDIAN);
        long headers = 0;
        long count = 0;
        while (auxv.remaining() >= 16) {
            long type = auxv.getLong();
            long value = auxv.getLong();
            headers = type == AT_PHDR ? value : headers;
            count = type == AT_PHNUM ? value : count;
        }
        if (headers == 0 || count <= 0 || count > MAX_HEADERS) {
            return OptionalLong.empty();
        }
        ByteBuffer table = read(headers, (int) count * HEADER_BYTES);
        long moved = 0;
        long dynamic = 0;
        while (table.remaining() >= HEADER_BYTES) {
            int type = table.getInt(table.position());
            long address = table.getLong(table.position() + 16);
            moved = type == PT_PHDR ? headers - address : moved;
            dynamic = type == PT_DYNAMIC ? address : dynamic;
            table.position(table.position() + HEADER_BYTES);
        }
        return dynamic == 0 ? OptionalLong.empty() : debugEntry(dynamic + moved);
    }

    private OptionalLong debugEntry(long dynamic) {
        ByteBuffer entries = words(dynamic, 2 * MAX_DYNAMIC);
        while (entries.remaining() >= 16) {
            long tag = entries.getLong();
            long value = entries.getLong();
            if (tag == DT_DEBUG && value != 0) {
                return OptionalLong.of(value);
            }
            if (tag == 0) {
                break;
            }
        }
        return OptionalLong.empty();
    }

    private String text(long address) {
        byte[] bytes = target.readMemory(process, address, PATH_MAX);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private ByteBuffer words(long address, int count) {
        return read(address, count * Long.BYTES);
    }

    private ByteBuffer read(long address, int length) {
        return ByteBuffer.wrap(target.readMemory(process, address, length)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
