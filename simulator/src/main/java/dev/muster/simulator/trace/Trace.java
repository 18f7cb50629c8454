package dev.muster.simulator.trace;

import java.util.Locale;

/**
 * What happened in a run: always as a running hash, and as readable lines when somebody reads along.
 *
 * <p>The hash goes over numbers only (times, process numbers, kinds, uids, versions), never over an identity hash or
 * the text of an object, so equal runs have equal hashes on every machine and JDK.
 *
 * <p>Legend of a line as {@link #format} writes it:
 *
 * <pre>
 *     12.345678901  n3#1   received Heartbeat from n0#0
 *     |             |      what happened there
 *     |             node in slot 3, its second process; "world" for faults
 *     seconds of true time
 * </pre>
 *
 * <p>Words: {@code received M from N} one message reached the core; {@code woken} the timer it had asked for;
 * {@code state ...} what it holds changed; {@code event ...} what it told its subscribers; {@code fault ...} and
 * {@code healed ...} what the schedule did; {@code started}, {@code crashed}, {@code paused}, {@code resumed},
 * {@code stopped itself} the process.
 */
public final class Trace {
    private static final long MULTIPLIER = 0x9fb21c651e98df25L;

    private final TraceSink sink;
    private long hash = 0xcbf29ce484222325L;
    private long mixed;

    /** A trace that is only hashed. */
    public Trace() {
        this(null);
    }

    /** A trace that is also told to a reader; none when null. */
    public Trace(TraceSink sink) {
        this.sink = sink;
    }

    public boolean isRead() {
        return sink != null;
    }

    public void mix(long value) {
        long z = (hash ^ value) * MULTIPLIER;
        hash = z ^ (z >>> 29) ^ Long.rotateLeft(value, 23);
        mixed++;
    }

    public void line(long worldNanos, String who, String what, boolean isNotable) {
        if (sink != null) {
            sink.line(worldNanos, who, what, isNotable);
        }
    }

    /** Sixteen hexadecimal digits. */
    public String hash() {
        long z = (hash ^ mixed) * MULTIPLIER;
        return String.format(Locale.ROOT, "%016x", z ^ (z >>> 32));
    }

    /** How a line is written to a file. */
    public static String format(long worldNanos, String who, String what) {
        return String.format(
                Locale.ROOT, "%6d.%09d  %-6s %s", worldNanos / 1_000_000_000, worldNanos % 1_000_000_000, who, what);
    }
}
