package dev.muster.serialization;

import dev.muster.serialization.SerializationException.Reason;

/** One message on its way through the codecs: what they need besides the value, and how much of the limits is used. */
final class Trip {

    private final RefNames refs;
    private final SerializationLimits limits;
    private int depth;
    private int elements;

    Trip(RefNames refs, SerializationLimits limits) {
        this.refs = refs;
        this.limits = limits;
    }

    RefNames refs() {
        return refs;
    }

    /**
     * Before something is written that contains others. Without this a collection that contains itself would be written
     * until the stack ends. Reading needs no such care: Jackson counts there.
     */
    void enter(int contained) {
        if (++depth > limits.maxDepth()) {
            throw new SerializationException(
                    Reason.LIMIT_EXCEEDED,
                    "more than " + limits.maxDepth() + " levels deep, see max-depth; does it contain itself?");
        }
        elements += contained;
        if (elements > limits.maxElements() || elements < 0) {
            throw new SerializationException(
                    Reason.LIMIT_EXCEEDED, "more than " + limits.maxElements() + " elements, see max-elements");
        }
    }

    void leave() {
        depth--;
    }

    void checkLength(String text) {
        if (text.length() > limits.maxStringLength()) {
            throw new SerializationException(
                    Reason.LIMIT_EXCEEDED,
                    "a text of " + text.length() + " characters, longer than max-string-length allows");
        }
    }
}
