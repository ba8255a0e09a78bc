package dev.eremite.detcore.syscall;

/**
 * What quotactl(2) and quotactl_fd(2) write, by command; always to argument 3.
 *
 * @param commandArg which argument holds the command
 */
record QuotaOutput(int commandArg) implements Output {
    private static final int SUBCOMMAND_SHIFT = 8;
    private static final int ADDRESS = 3;

    @Override
    public void collect(CallView call, Sink sink) {
        if (!call.failed()) {
            sink.range(call.arg(ADDRESS), size((int) call.arg(commandArg) >>> SUBCOMMAND_SHIFT));
        }
    }

    private static long size(int subcommand) {
        return switch (subcommand) {
            case 0x800004 -> Outputs.INT; // Q_GETFMT
            case 0x800005 -> 24; // Q_GETINFO: struct if_dqinfo
            case 0x800007, 0x800009 -> 72; // Q_GETQUOTA, Q_GETNEXTQUOTA: struct if_dqblk, if_nextdqblk
            case 0x5803, 0x5809 -> 112; // Q_XGETQUOTA, Q_XGETNEXTQUOTA: struct fs_disk_quota
            case 0x5805 -> 80; // Q_XGETQSTAT: struct fs_quota_stat
            case 0x5808 -> 160; // Q_XGETQSTATV: struct fs_quota_statv
            default -> 0;
        };
    }
}
