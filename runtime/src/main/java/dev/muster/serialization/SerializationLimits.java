package dev.muster.serialization;

import java.util.ArrayList;
import java.util.List;

/**
 * How large a message may get, so that a few bytes from a stranger cannot take much memory or stack.
 *
 * <p>They hold for records and other Jackson messages, when writing as well as when reading: a sender hears of a
 * message that nobody would take. How many bytes a message may have is a matter of the wire.
 *
 * @param maxDepth how many records and collections may be inside each other
 * @param maxStringLength how many characters a text may have
 * @param maxElements how many names and values a message may have
 * @param maxInflatedBytes to how many bytes a compressed message of another system may grow
 */
public record SerializationLimits(int maxDepth, int maxStringLength, int maxElements, int maxInflatedBytes) {

    public SerializationLimits {
        List<String> problems = new ArrayList<>();
        // A stack of the usual size holds several thousand levels.
        check("max-depth", maxDepth, 1_000, problems);
        check("max-string-length", maxStringLength, Integer.MAX_VALUE, problems);
        check("max-elements", maxElements, Integer.MAX_VALUE, problems);
        check("max-inflated-bytes", maxInflatedBytes, Integer.MAX_VALUE - 8, problems);
        if (!problems.isEmpty()) {
            throw new SerializationSetupException(problems);
        }
    }

    /** Depth 100, texts of 8 Mi characters, 500,000 elements, 8 MiB when inflated. */
    public static SerializationLimits defaults() {
        return new SerializationLimits(100, 8 * 1024 * 1024, 500_000, 8 * 1024 * 1024);
    }

    /** As much as memory and stack can take: for what comes from this program's own members. */
    public static SerializationLimits none() {
        return new SerializationLimits(1_000, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 8);
    }

    private static void check(String key, int value, int maximum, List<String> problems) {
        if (value < 1 || value > maximum) {
            problems.add(key + " must be between 1 and " + maximum + ", was " + value);
        }
    }
}
