/** GDB's agent expressions: the byte code in which GDB hands a breakpoint's condition to the server. */
package dev.eremite.gdb.agent;
