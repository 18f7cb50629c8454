package dev.muster.node.client;

/** No node answered. The message names all that were asked, why each did not, and what to do. */
public final class NotReachableException extends RuntimeException {

    NotReachableException(String message) {
        super(message);
    }
}
