/**
 * Debug Adapter Protocol. The engine answers what it knows best (positions, output, the ends of history); a GDB child
 * that is connected to Eremite's own server in this process answers what needs symbols.
 */
package dev.eremite.dap;
