/** The packets: for each a handler from its arguments to its reply, over the state of one client's session. */
package dev.eremite.gdb.packet;
