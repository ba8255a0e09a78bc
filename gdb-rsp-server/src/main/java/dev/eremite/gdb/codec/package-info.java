/** Bytes to packets and packets to bytes, without I/O. */
package dev.eremite.gdb.codec;
