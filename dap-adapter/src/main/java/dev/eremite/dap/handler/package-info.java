/** The requests of the protocol, one class for each family. */
package dev.eremite.dap.handler;
