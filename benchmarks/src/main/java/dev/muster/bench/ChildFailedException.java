package dev.muster.bench;

/** A side could not be measured. */
final class ChildFailedException extends RuntimeException {

    ChildFailedException(String message) {
        super(message);
    }
}
