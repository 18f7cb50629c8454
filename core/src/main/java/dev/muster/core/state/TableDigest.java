package dev.muster.core.state;

/**
 * What tells one table from another in 16 bytes: the sum of the digests of its rows, so that a change of one row does
 * not need a look at all others.
 */
public record TableDigest(long high, long low) implements Comparable<TableDigest> {
    public static final TableDigest NONE = new TableDigest(0, 0);

    static TableDigest ofText(String text) {
        String hex = NodeId.hexDigest("SHA-256", text);
        return new TableDigest(Long.parseUnsignedLong(hex, 0, 16, 16), Long.parseUnsignedLong(hex, 16, 32, 16));
    }

    TableDigest plus(TableDigest other) {
        return new TableDigest(high + other.high, low + other.low);
    }

    TableDigest minus(TableDigest other) {
        return new TableDigest(high - other.high, low - other.low);
    }

    @Override
    public int compareTo(TableDigest other) {
        int byHigh = Long.compare(high, other.high);
        return byHigh != 0 ? byHigh : Long.compare(low, other.low);
    }

    @Override
    public String toString() {
        return String.format("%016x", high);
    }
}
