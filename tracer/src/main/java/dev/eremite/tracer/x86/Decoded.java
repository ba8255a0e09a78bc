package dev.eremite.tracer.x86;

/** The outcome of decoding. */
public sealed interface Decoded permits Instruction, Decoded.NotDecodable {
    /**
     * The bytes are no instruction that this decoder knows.
     *
     * @param reason why, for people
     */
    record NotDecodable(String reason) implements Decoded {}
}
