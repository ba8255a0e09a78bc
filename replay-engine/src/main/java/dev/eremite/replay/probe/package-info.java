/**
 * Probes: patches of guest code that count or compare inside the guest and trap only where they should, and the choice
 * of landmarks that they look for. Everything here computes bytes and states; installing them is the caller's part.
 */
package dev.eremite.replay.probe;
