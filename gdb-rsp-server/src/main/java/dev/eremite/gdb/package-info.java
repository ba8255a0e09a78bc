/**
 * A server of the GDB remote serial protocol over a {@link dev.eremite.replay.debug.DebugTarget}. The codec is pure
 * ({@code codec}), each packet is a small handler ({@code packet}), and this package joins both to a socket.
 *
 * @see <a href="https://sourceware.org/gdb/current/onlinedocs/gdb.html/Remote-Protocol.html">GDB Remote Protocol</a>
 */
package dev.eremite.gdb;
