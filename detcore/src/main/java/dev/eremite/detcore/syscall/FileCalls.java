package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

/** Transfer of data, and what a program learns of open files. */
final class FileCalls {
    private FileCalls() {}

    static void register(TableBuilder table) {
        transfers(table);
        copies(table);
        status(table);
        sizes(table);
    }

    private static void transfers(TableBuilder table) {
        table.record(READ, "read")
                .fd("fd")
                .bufferOut("buf")
                .size("count")
                .out(bytesFromResult(1))
                .mayBlock();
        table.record(WRITE, "write").fd("fd").bufferIn("buf").size("count").mayBlock();
        table.record(PREAD64, "pread64")
                .fd("fd")
                .bufferOut("buf")
                .size("count")
                .longInteger("offset")
                .out(bytesFromResult(1));
        table.record(PWRITE64, "pwrite64")
                .fd("fd")
                .bufferIn("buf")
                .size("count")
                .longInteger("offset");
        table.record(READV, "readv")
                .fd("fd")
                .pointer("iov")
                .integer("iovcnt")
                .out(vector(1, 2))
                .mayBlock();
        table.record(WRITEV, "writev").fd("fd").pointer("iov").integer("iovcnt").mayBlock();
        table.record(PREADV, "preadv")
                .fd("fd")
                .pointer("iov")
                .integer("iovcnt")
                .longInteger("offset")
                .out(vector(1, 2));
        table.record(PWRITEV, "pwritev")
                .fd("fd")
                .pointer("iov")
                .integer("iovcnt")
                .longInteger("offset");
        // With offset −1 these two act on the file position, like readv and writev, and so on pipes.
        table.record(PREADV2, "preadv2")
                .fd("fd")
                .pointer("iov")
                .integer("iovcnt")
                .longInteger("pos_l")
                .longInteger("pos_h")
                .hex("flags")
                .out(vector(1, 2))
                .mayBlock(call -> call.arg(3) == -1);
        table.record(PWRITEV2, "pwritev2")
                .fd("fd")
                .pointer("iov")
                .integer("iovcnt")
                .longInteger("pos_l")
                .longInteger("pos_h")
                .hex("flags")
                .mayBlock(call -> call.arg(3) == -1);
        table.record(LSEEK, "lseek").fd("fd").longInteger("offset").flags("whence", SymbolSets.SEEK);
        table.record(GETDENTS, "getdents")
                .fd("fd")
                .pointer("dirp")
                .size("count")
                .out(bytesFromResult(1));
        table.record(GETDENTS64, "getdents64")
                .fd("fd")
                .pointer("dirp")
                .size("count")
                .out(bytesFromResult(1));
    }

    private static void copies(TableBuilder table) {
        table.record(SENDFILE, "sendfile")
                .fd("out_fd")
                .fd("in_fd")
                .pointer("offset")
                .size("count")
                .out(evenOnFailure(2, LONG))
                .mayBlock();
        table.record(SPLICE, "splice")
                .fd("fd_in")
                .pointer("off_in")
                .fd("fd_out")
                .pointer("off_out")
                .size("size")
                .flags("flags", SymbolSets.SPLICE)
                .out(fixed(1, LONG))
                .out(fixed(3, LONG))
                .mayBlock(Blocking.spliceFlags(5));
        // What is read from the pipe is in the log, whatever the pipe's pages are shared with.
        table.record(VMSPLICE, "vmsplice")
                .fd("fd")
                .pointer("iov")
                .size("nr_segs")
                .flags("flags", SymbolSets.SPLICE)
                .out(vector(1, 2))
                .mayBlock(Blocking.spliceFlags(3));
        table.record(TEE, "tee")
                .fd("fd_in")
                .fd("fd_out")
                .size("size")
                .flags("flags", SymbolSets.SPLICE)
                .mayBlock(Blocking.spliceFlags(3));
        table.record(COPY_FILE_RANGE, "copy_file_range")
                .fd("fd_in")
                .pointer("off_in")
                .fd("fd_out")
                .pointer("off_out")
                .size("size")
                .hex("flags")
                .out(fixed(1, LONG))
                .out(fixed(3, LONG))
                .mayBlock();
        table.record(PROCESS_VM_READV, "process_vm_readv")
                .integer("pid")
                .pointer("local_iov")
                .size("liovcnt")
                .pointer("remote_iov")
                .size("riovcnt")
                .hex("flags")
                .out(vector(1, 2));
    }

    private static void status(TableBuilder table) {
        table.record(STAT, "stat").path("pathname").pointer("statbuf").out(fixed(1, STAT_SIZE));
        table.record(FSTAT, "fstat").fd("fd").pointer("statbuf").out(fixed(1, STAT_SIZE));
        table.record(LSTAT, "lstat").path("pathname").pointer("statbuf").out(fixed(1, STAT_SIZE));
        table.record(NEWFSTATAT, "newfstatat")
                .dirfd("dirfd")
                .path("pathname")
                .pointer("statbuf")
                .flags("flags", SymbolSets.AT)
                .out(fixed(2, STAT_SIZE));
        table.record(STATX, "statx")
                .dirfd("dirfd")
                .path("pathname")
                .flags("flags", SymbolSets.AT_STATX)
                .flags("mask", SymbolSets.STATX)
                .pointer("statxbuf")
                .out(fixed(4, STATX_SIZE));
        table.record(STATFS, "statfs").path("pathname").pointer("buf").out(fixed(1, STATFS_SIZE));
        table.record(FSTATFS, "fstatfs").fd("fd").pointer("buf").out(fixed(1, STATFS_SIZE));
        table.record(USTAT, "ustat").hex("dev").pointer("ubuf").out(fixed(1, 32));
        table.record(CACHESTAT, "cachestat")
                .fd("fd")
                .pointer("cstat_range")
                .pointer("cstat")
                .hex("flags")
                .out(fixed(2, 40));
        table.record(FILE_GETATTR, "file_getattr")
                .dirfd("dirfd")
                .path("pathname")
                .pointer("attr")
                .size("size")
                .flags("flags", SymbolSets.AT)
                .out(sizedByArgument(2, 3, 4096));
        table.record(FILE_SETATTR, "file_setattr")
                .dirfd("dirfd")
                .path("pathname")
                .pointer("attr")
                .size("size")
                .flags("flags", SymbolSets.AT);
        table.record(READLINK, "readlink")
                .path("pathname")
                .bufferOut("buf")
                .size("bufsiz")
                .out(bytesFromResult(1));
        table.record(READLINKAT, "readlinkat")
                .dirfd("dirfd")
                .path("pathname")
                .bufferOut("buf")
                .size("bufsiz")
                .out(bytesFromResult(2));
        table.record(GETCWD, "getcwd").stringOut("buf").size("size").out(bytesFromResult(0));
    }

    private static void sizes(TableBuilder table) {
        table.record(TRUNCATE, "truncate").path("path").longInteger("length");
        table.record(FTRUNCATE, "ftruncate").fd("fd").longInteger("length");
        table.record(FALLOCATE, "fallocate")
                .fd("fd")
                .hex("mode")
                .longInteger("offset")
                .longInteger("len");
        table.record(FADVISE64, "fadvise64")
                .fd("fd")
                .longInteger("offset")
                .size("len")
                .flags("advice", SymbolSets.FADVISE);
        table.record(READAHEAD, "readahead").fd("fd").longInteger("offset").size("count");
        table.record(FSYNC, "fsync").fd("fd");
        table.record(FDATASYNC, "fdatasync").fd("fd");
        table.record(SYNC, "sync");
        table.record(SYNCFS, "syncfs").fd("fd");
        table.record(SYNC_FILE_RANGE, "sync_file_range")
                .fd("fd")
                .longInteger("offset")
                .longInteger("nbytes")
                .hex("flags");
    }
}
