/** A debugging session: the replay, its server, the GDB that is connected to it, and what moves just now. */
package dev.eremite.dap.session;
