package dev.eremite.replay.probe;

/**
 * The code around a place to be probed.
 *
 * @param window original code bytes; at least 64 from pc on, and better 256 on both sides, so that branches into the
 *     patch are seen
 * @param windowAddress guest address of the first of them
 * @param pc the place, inside the window
 * @param knownTargets addresses that control may enter from elsewhere, for example
 *     {@link dev.eremite.tracer.x86.BranchTargets#between} for the whole text, and the rip of every other task and
 *     interrupted signal frame
 */
public record ProbeSite(byte[] window, long windowAddress, long pc, long... knownTargets) {
    int offset(long address) {
        return (int) (address - windowAddress);
    }
}
