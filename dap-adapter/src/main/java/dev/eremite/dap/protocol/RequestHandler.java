package dev.eremite.dap.protocol;

/**
 * Fulfils the requests of one command.
 *
 * @param <A> their arguments
 */
@FunctionalInterface
public interface RequestHandler<A> {
    /**
     * Fulfils a request.
     *
     * @return the response's body; null for none
     * @throws RequestFailure when that cannot be done
     */
    Object handle(A arguments, Call call);
}
