/** The registers of amd64 GNU/Linux in GDB's numbering, and the target description that announces it. */
package dev.eremite.gdb.registers;
