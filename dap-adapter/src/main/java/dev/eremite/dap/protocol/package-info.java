/** The Debug Adapter Protocol's messages: reading, dispatching, answering, in order. */
package dev.eremite.dap.protocol;
