package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Errno.EACCES;
import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

import dev.eremite.detcore.syscall.SyscallRow.Kind;

/** Calls that name files: open, create, rename, permissions, times, extended attributes, mounts. */
final class PathCalls {
    /** XATTR_SIZE_MAX and XATTR_LIST_MAX. */
    private static final long MAX_XATTR = 65536;

    private PathCalls() {}

    static void register(TableBuilder table) {
        opening(table);
        naming(table);
        permissions(table);
        times(table);
        attributes(table);
        attributesAt(table);
        mounts(table);
    }

    private static void opening(TableBuilder table) {
        table.record(OPEN, "open")
                .path("pathname")
                .flags("flags", SymbolSets.OPEN)
                .createMode("mode")
                .mayBlock(Blocking.openFlags(1))
                .refuseWhen(call -> ProcessMemory.opens(call, call.arg(0), call.arg(1)), EACCES, ProcessMemory.REASON);
        table.record(OPENAT, "openat")
                .dirfd("dirfd")
                .path("pathname")
                .flags("flags", SymbolSets.OPEN)
                .createMode("mode")
                .mayBlock(Blocking.openFlags(2))
                .refuseWhen(call -> ProcessMemory.opens(call, call.arg(1), call.arg(2)), EACCES, ProcessMemory.REASON);
        table.record(OPENAT2, "openat2")
                .dirfd("dirfd")
                .path("pathname")
                .pointer("how")
                .size("size")
                .mayBlock()
                .refuseWhen(
                        call -> ProcessMemory.opens(call, call.arg(1), call.readLong(call.arg(2))),
                        EACCES,
                        ProcessMemory.REASON);
        table.record(CREAT, "creat").path("pathname").mode("mode").mayBlock();
        table.record(NAME_TO_HANDLE_AT, "name_to_handle_at")
                .dirfd("dirfd")
                .path("pathname")
                .pointer("handle")
                .pointer("mount_id")
                .hex("flags")
                .out(PathCalls::fileHandle);
        table.record(OPEN_BY_HANDLE_AT, "open_by_handle_at")
                .fd("mount_fd")
                .pointer("handle")
                .flags("flags", SymbolSets.OPEN)
                .mayBlock(Blocking.openFlags(2));
    }

    /** With EOVERFLOW the header says which size would do; the mount id is written all the same. */
    private static void fileHandle(CallView call, Output.Sink sink) {
        boolean tooSmall = failedWith(call, Errno.EOVERFLOW);
        if (call.failed() && !tooSmall) {
            return;
        }
        long handle = call.arg(2);
        int header = 8;
        int maxHandle = 128;
        sink.range(handle, header + (tooSmall ? 0 : unsignedMin(call.readInt(handle), maxHandle)));
        int uniqueMountId = 1;
        sink.range(call.arg(3), (call.arg(4) & uniqueMountId) != 0 ? LONG : INT);
    }

    private static void naming(TableBuilder table) {
        table.record(RENAME, "rename").path("oldpath").path("newpath");
        table.record(RENAMEAT, "renameat")
                .dirfd("olddirfd")
                .path("oldpath")
                .dirfd("newdirfd")
                .path("newpath");
        table.record(RENAMEAT2, "renameat2")
                .dirfd("olddirfd")
                .path("oldpath")
                .dirfd("newdirfd")
                .path("newpath")
                .flags("flags", SymbolSets.RENAME);
        table.record(MKDIR, "mkdir").path("pathname").mode("mode");
        table.record(MKDIRAT, "mkdirat").dirfd("dirfd").path("pathname").mode("mode");
        table.record(RMDIR, "rmdir").path("pathname");
        table.record(LINK, "link").path("oldpath").path("newpath");
        table.record(LINKAT, "linkat")
                .dirfd("olddirfd")
                .path("oldpath")
                .dirfd("newdirfd")
                .path("newpath")
                .flags("flags", SymbolSets.AT);
        table.record(UNLINK, "unlink").path("pathname");
        table.record(UNLINKAT, "unlinkat").dirfd("dirfd").path("pathname").flags("flags", SymbolSets.AT);
        table.record(SYMLINK, "symlink").path("target").path("linkpath");
        table.record(SYMLINKAT, "symlinkat").path("target").dirfd("newdirfd").path("linkpath");
        table.record(MKNOD, "mknod").path("pathname").fileMode("mode").hex("dev");
        table.record(MKNODAT, "mknodat")
                .dirfd("dirfd")
                .path("pathname")
                .fileMode("mode")
                .hex("dev");
        table.record(CHDIR, "chdir").path("path");
        table.record(FCHDIR, "fchdir").fd("fd");
        table.record(CHROOT, "chroot").path("path");
    }

    private static void permissions(TableBuilder table) {
        table.record(ACCESS, "access").path("pathname").flags("mode", SymbolSets.ACCESS);
        table.record(FACCESSAT, "faccessat").dirfd("dirfd").path("pathname").flags("mode", SymbolSets.ACCESS);
        table.record(FACCESSAT2, "faccessat2")
                .dirfd("dirfd")
                .path("pathname")
                .flags("mode", SymbolSets.ACCESS)
                .flags("flags", SymbolSets.EACCESS);
        table.record(CHMOD, "chmod").path("pathname").mode("mode");
        table.record(FCHMOD, "fchmod").fd("fd").mode("mode");
        table.record(FCHMODAT, "fchmodat").dirfd("dirfd").path("pathname").mode("mode");
        table.record(FCHMODAT2, "fchmodat2")
                .dirfd("dirfd")
                .path("pathname")
                .mode("mode")
                .flags("flags", SymbolSets.AT);
        table.record(CHOWN, "chown").path("pathname").integer("owner").integer("group");
        table.record(FCHOWN, "fchown").fd("fd").integer("owner").integer("group");
        table.record(LCHOWN, "lchown").path("pathname").integer("owner").integer("group");
        table.record(FCHOWNAT, "fchownat")
                .dirfd("dirfd")
                .path("pathname")
                .integer("owner")
                .integer("group")
                .flags("flags", SymbolSets.AT);
        table.record(UMASK, "umask").mode("mask").returns(Kind.OCTAL);
    }

    private static void times(TableBuilder table) {
        table.record(UTIME, "utime").path("filename").pointer("times");
        table.record(UTIMES, "utimes").path("filename").pointer("times");
        table.record(FUTIMESAT, "futimesat").dirfd("dirfd").path("pathname").pointer("times");
        table.record(UTIMENSAT, "utimensat")
                .dirfd("dirfd")
                .path("pathname")
                .pointer("times")
                .flags("flags", SymbolSets.AT);
        table.record(INOTIFY_INIT, "inotify_init");
        table.record(INOTIFY_INIT1, "inotify_init1").flags("flags", SymbolSets.INOTIFY);
        table.record(INOTIFY_ADD_WATCH, "inotify_add_watch")
                .fd("fd")
                .path("pathname")
                .hex("mask");
        table.record(INOTIFY_RM_WATCH, "inotify_rm_watch").fd("fd").integer("wd");
    }

    private static void attributes(TableBuilder table) {
        table.record(SETXATTR, "setxattr")
                .path("path")
                .path("name")
                .bufferIn("value")
                .size("size")
                .hex("flags");
        table.record(LSETXATTR, "lsetxattr")
                .path("path")
                .path("name")
                .bufferIn("value")
                .size("size")
                .hex("flags");
        table.record(FSETXATTR, "fsetxattr")
                .fd("fd")
                .path("name")
                .bufferIn("value")
                .size("size")
                .hex("flags");
        table.record(GETXATTR, "getxattr")
                .path("path")
                .path("name")
                .bufferOut("value")
                .size("size")
                .out(bytesFromResult(2, 3));
        table.record(LGETXATTR, "lgetxattr")
                .path("path")
                .path("name")
                .bufferOut("value")
                .size("size")
                .out(bytesFromResult(2, 3));
        table.record(FGETXATTR, "fgetxattr")
                .fd("fd")
                .path("name")
                .bufferOut("value")
                .size("size")
                .out(bytesFromResult(2, 3));
        table.record(LISTXATTR, "listxattr")
                .path("path")
                .bufferOut("list")
                .size("size")
                .out(bytesFromResult(1, 2));
        table.record(LLISTXATTR, "llistxattr")
                .path("path")
                .bufferOut("list")
                .size("size")
                .out(bytesFromResult(1, 2));
        table.record(FLISTXATTR, "flistxattr")
                .fd("fd")
                .bufferOut("list")
                .size("size")
                .out(bytesFromResult(1, 2));
        table.record(REMOVEXATTR, "removexattr").path("path").path("name");
        table.record(LREMOVEXATTR, "lremovexattr").path("path").path("name");
        table.record(FREMOVEXATTR, "fremovexattr").fd("fd").path("name");
    }

    private static void attributesAt(TableBuilder table) {
        table.record(SETXATTRAT, "setxattrat")
                .dirfd("dirfd")
                .path("pathname")
                .flags("flags", SymbolSets.AT)
                .path("name")
                .pointer("args")
                .size("size");
        table.record(GETXATTRAT, "getxattrat")
                .dirfd("dirfd")
                .path("pathname")
                .flags("flags", SymbolSets.AT)
                .path("name")
                .pointer("args")
                .size("size")
                .out(PathCalls::attributeValue);
        table.record(LISTXATTRAT, "listxattrat")
                .dirfd("dirfd")
                .path("pathname")
                .flags("flags", SymbolSets.AT)
                .bufferOut("list")
                .size("size")
                .out(bytesFromResult(3, 4));
        table.record(REMOVEXATTRAT, "removexattrat")
                .dirfd("dirfd")
                .path("pathname")
                .flags("flags", SymbolSets.AT)
                .path("name");
    }

    /** struct xattr_args: the buffer's address, its size as a 32-bit word, flags. */
    private static void attributeValue(CallView call, Output.Sink sink) {
        if (!call.failed()) {
            long args = call.arg(4);
            long capacity = unsignedMin(Integer.toUnsignedLong(call.readInt(args + LONG)), MAX_XATTR);
            sink.range(call.readLong(args), Math.min(call.result(), capacity));
        }
    }

    private static void mounts(TableBuilder table) {
        table.record(MOUNT, "mount")
                .path("source")
                .path("target")
                .path("filesystemtype")
                .hex("mountflags")
                .pointer("data");
        table.record(UMOUNT2, "umount2").path("target").hex("flags");
        table.record(PIVOT_ROOT, "pivot_root").path("new_root").path("put_old");
        table.record(OPEN_TREE, "open_tree").dirfd("dirfd").path("pathname").hex("flags");
        table.record(OPEN_TREE_ATTR, "open_tree_attr")
                .dirfd("dirfd")
                .path("pathname")
                .hex("flags")
                .pointer("attr")
                .size("size");
        table.record(MOVE_MOUNT, "move_mount")
                .dirfd("from_dirfd")
                .path("from_pathname")
                .dirfd("to_dirfd")
                .path("to_pathname")
                .hex("flags");
        table.record(FSOPEN, "fsopen").path("fsname").hex("flags");
        table.record(FSCONFIG, "fsconfig")
                .fd("fs_fd")
                .integer("cmd")
                .path("key")
                .pointer("value")
                .integer("aux");
        table.record(FSMOUNT, "fsmount").fd("fs_fd").hex("flags").hex("attr_flags");
        table.record(FSPICK, "fspick").dirfd("dirfd").path("pathname").hex("flags");
        table.record(MOUNT_SETATTR, "mount_setattr")
                .dirfd("dirfd")
                .path("pathname")
                .hex("flags")
                .pointer("attr")
                .size("size");
        table.record(STATMOUNT, "statmount")
                .pointer("req")
                .pointer("buf")
                .size("bufsize")
                .hex("flags")
                .out(PathCalls::mountStatus);
        table.record(LISTMOUNT, "listmount")
                .pointer("req")
                .pointer("mnt_ids")
                .size("nr_mnt_ids")
                .hex("flags")
                .out(elementsFromResult(1, LONG));
        table.record(QUOTACTL, "quotactl")
                .hex("cmd")
                .path("special")
                .integer("id")
                .pointer("addr")
                .out(new QuotaOutput(0));
        table.record(QUOTACTL_FD, "quotactl_fd")
                .fd("fd")
                .hex("cmd")
                .integer("id")
                .pointer("addr")
                .out(new QuotaOutput(1));
    }

    /** struct statmount begins with the size of itself and the strings behind it. */
    private static void mountStatus(CallView call, Output.Sink sink) {
        if (!call.failed()) {
            long size = Integer.toUnsignedLong(call.readInt(call.arg(1)));
            sink.range(call.arg(1), unsignedMin(size, call.arg(2)));
        }
    }
}
