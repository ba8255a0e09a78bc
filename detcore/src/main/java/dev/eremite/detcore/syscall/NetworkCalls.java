package dev.eremite.detcore.syscall;

import static dev.eremite.detcore.syscall.Outputs.*;
import static dev.eremite.detcore.syscall.SyscallNumbers.*;

/** Sockets. */
final class NetworkCalls {
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_ZEROCOPY_RECEIVE = 35;

    private NetworkCalls() {}

    static void register(TableBuilder table) {
        connections(table);
        options(table);
        messages(table);
    }

    private static void connections(TableBuilder table) {
        table.record(SOCKET, "socket")
                .flags("domain", SymbolSets.DOMAIN)
                .flags("type", SymbolSets.SOCKET_TYPE)
                .integer("protocol");
        // The two numbers are in memory before the sockets are made, so they stay there when that fails.
        table.record(SOCKETPAIR, "socketpair")
                .flags("domain", SymbolSets.DOMAIN)
                .flags("type", SymbolSets.SOCKET_TYPE)
                .integer("protocol")
                .fdPairOut("sv")
                .out(evenOnFailure(3, 2 * INT));
        table.record(BIND, "bind").fd("sockfd").pointer("addr").size("addrlen");
        table.record(LISTEN, "listen").fd("sockfd").integer("backlog");
        table.record(CONNECT, "connect")
                .fd("sockfd")
                .pointer("addr")
                .size("addrlen")
                .mayBlock();
        table.record(ACCEPT, "accept")
                .fd("sockfd")
                .pointer("addr")
                .pointer("addrlen")
                .out(SocketOutputs.address(1, 2))
                .mayBlock();
        table.record(ACCEPT4, "accept4")
                .fd("sockfd")
                .pointer("addr")
                .pointer("addrlen")
                .flags("flags", SymbolSets.SOCKET_FLAGS)
                .out(SocketOutputs.address(1, 2))
                .mayBlock();
        table.record(SHUTDOWN, "shutdown").fd("sockfd").flags("how", SymbolSets.SHUTDOWN);
    }

    private static void options(TableBuilder table) {
        table.record(GETSOCKNAME, "getsockname")
                .fd("sockfd")
                .pointer("addr")
                .pointer("addrlen")
                .out(SocketOutputs.address(1, 2));
        table.record(GETPEERNAME, "getpeername")
                .fd("sockfd")
                .pointer("addr")
                .pointer("addrlen")
                .out(SocketOutputs.address(1, 2));
        table.record(SETSOCKOPT, "setsockopt")
                .fd("sockfd")
                .flags("level", SymbolSets.SOL)
                .integer("optname")
                .pointer("optval")
                .size("optlen");
        table.record(GETSOCKOPT, "getsockopt")
                .fd("sockfd")
                .flags("level", SymbolSets.SOL)
                .integer("optname")
                .pointer("optval")
                .pointer("optlen")
                .out(SocketOutputs::option)
                .refuseWhen(
                        call -> (int) call.arg(1) == IPPROTO_TCP && (int) call.arg(2) == TCP_ZEROCOPY_RECEIVE,
                        Errno.ENOPROTOOPT,
                        "received pages would be mapped into the program");
    }

    private static void messages(TableBuilder table) {
        table.record(SENDTO, "sendto")
                .fd("sockfd")
                .bufferIn("buf")
                .size("len")
                .flags("flags", SymbolSets.MSG)
                .pointer("dest_addr")
                .size("addrlen")
                .mayBlock(Blocking.messageFlags(3));
        table.record(RECVFROM, "recvfrom")
                .fd("sockfd")
                .bufferOut("buf")
                .size("len")
                .flags("flags", SymbolSets.MSG)
                .pointer("src_addr")
                .pointer("addrlen")
                .out(bytesFromResult(1, 2))
                .out(SocketOutputs.address(4, 5))
                .mayBlock(Blocking.messageFlags(3));
        table.record(SENDMSG, "sendmsg")
                .fd("sockfd")
                .pointer("msg")
                .flags("flags", SymbolSets.MSG)
                .mayBlock(Blocking.messageFlags(2));
        table.record(RECVMSG, "recvmsg")
                .fd("sockfd")
                .pointer("msg")
                .flags("flags", SymbolSets.MSG)
                .out(SocketOutputs::message)
                .mayBlock(Blocking.messageFlags(2));
        table.record(SENDMMSG, "sendmmsg")
                .fd("sockfd")
                .pointer("msgvec")
                .size("vlen")
                .flags("flags", SymbolSets.MSG)
                .out(SocketOutputs::sentLengths)
                .mayBlock(Blocking.messageFlags(3));
        table.record(RECVMMSG, "recvmmsg")
                .fd("sockfd")
                .pointer("msgvec")
                .size("vlen")
                .flags("flags", SymbolSets.MSG)
                .pointer("timeout")
                .out(SocketOutputs::messages)
                .mayBlock(Blocking.messageFlags(3));
    }
}
