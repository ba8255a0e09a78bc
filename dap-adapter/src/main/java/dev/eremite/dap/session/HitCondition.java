package dev.eremite.dap.session;

import dev.eremite.dap.protocol.RequestFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which hits of a breakpoint stop. A hit is a visit while the program moves over it, in either direction, with its
 * condition true; they are counted from when the breakpoint was set.
 */
public final class HitCondition {
    private static final Pattern FORM = Pattern.compile("\\s*(?<sign>>=|==|=|>|<=|<|%)?\\s*(?<number>\\d{1,9})\\s*");

    private final String sign;
    private final long number;
    private long hits;

    private HitCondition(String sign, long number) {
        this.sign = sign;
        this.number = number;
    }

    /** Every hit stops. */
    public static HitCondition always() {
        return new HitCondition(">=", 0);
    }

    /**
     * Reads {@code N} (from the Nth on), {@code >= N}, {@code > N}, {@code == N}, {@code < N}, {@code <= N}, or {@code % N}
     * (each Nth); null and empty text mean every hit.
     *
     * @throws RequestFailure when it is none of these
     */
    public static HitCondition parse(String text) {
        if (text == null || text.isBlank()) {
            return always();
        }
        Matcher form = FORM.matcher(text);
        if (!form.matches() || "%".equals(form.group("sign")) && Long.parseLong(form.group("number")) == 0) {
            throw new RequestFailure("a hit condition is N, > N, >= N, == N, < N, <= N or % N, not " + text);
        }
        String sign = form.group("sign") == null ? ">=" : form.group("sign");
        return new HitCondition(sign, Long.parseLong(form.group("number")));
    }

    /** Counts a hit; whether it stops. */
    public boolean hit() {
        hits++;
        return switch (sign) {
            case ">=" -> hits >= number;
            case ">" -> hits > number;
            case "<" -> hits < number;
            case "<=" -> hits <= number;
            case "%" -> hits % number == 0;
            default -> hits == number;
        };
    }
}
