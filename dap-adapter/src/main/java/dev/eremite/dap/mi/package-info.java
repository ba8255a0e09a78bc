/** GDB/MI, version 3: a child process, its records, and what they mean. */
package dev.eremite.dap.mi;
