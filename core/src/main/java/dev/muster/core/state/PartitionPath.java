package dev.muster.core.state;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;

/**
 * The address of a partition: names with slashes between them, such as {@code billing/invoices} or {@code Counter/17}.
 *
 * <p>Paths are ordered as a tree is walked: a path comes directly before all that lie below it. There are no partitions
 * inside partitions, so whoever adds a path first asks {@link #overlapsAmong}.
 *
 * <p>Specification: "partition path".
 */
public record PartitionPath(String text) implements Comparable<PartitionPath> {
    public static final int LONGEST = 256;
    public static final int DEEPEST = 16;

    private static final String ALLOWED_SIGNS = "-_.*+:@&=,!~';";
    private static final int LONGEST_SHOWN = 80;

    public PartitionPath {
        Objects.requireNonNull(text, "text");
        if (text.length() > LONGEST) {
            throw refused(text, "has " + text.length() + " characters; shorten it to " + LONGEST);
        }
        int segments = 1;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == '/') {
                requireName(text, start, i);
                segments += i == text.length() ? 0 : 1;
                start = i + 1;
            }
        }
        if (segments > DEEPEST) {
            throw refused(text, "has " + segments + " names; use " + DEEPEST + " at most");
        }
    }

    private static void requireName(String text, int start, int end) {
        if (start == end) {
            throw refused(text, "has an empty name; write names with one slash between them, as in billing/invoices");
        }
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!isPlain && ALLOWED_SIGNS.indexOf(c) < 0) {
                throw refused(
                        text,
                        "has at place " + (i + 1) + " a character that no name may hold; use ASCII letters, digits and "
                                + ALLOWED_SIGNS);
            }
        }
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException("partition path " + shown(text) + " " + why);
    }

    /** A text that may come from anywhere, cut and made harmless. */
    private static String shown(String text) {
        StringBuilder harmless = new StringBuilder("'");
        for (int i = 0; i < Math.min(text.length(), LONGEST_SHOWN); i++) {
            char c = text.charAt(i);
            harmless.append(c >= ' ' && c <= '~' ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return harmless.append(text.length() > LONGEST_SHOWN ? "...'" : "'").toString();
    }

    public List<String> segments() {
        return List.of(text.split("/"));
    }

    /** True when the other path lies below this one. None lies below itself. */
    public boolean isPrefixOf(PartitionPath other) {
        return other.text.length() > text.length()
                && other.text.charAt(text.length()) == '/'
                && other.text.startsWith(text);
    }

    /** The others that lie above this path, and then those that lie below it; partitions do not contain each other. */
    public List<PartitionPath> overlapsAmong(NavigableSet<PartitionPath> others) {
        List<PartitionPath> overlaps = new ArrayList<>();
        for (int slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', slash + 1)) {
            PartitionPath above = new PartitionPath(text.substring(0, slash));
            if (others.contains(above)) {
                overlaps.add(above);
            }
        }
        for (PartitionPath below : others.tailSet(this, false)) {
            if (!isPrefixOf(below)) {
                break; // whatever lies below a path comes directly after it
            }
            overlaps.add(below);
        }
        return overlaps;
    }

    @Override
    public int compareTo(PartitionPath other) {
        int common = Math.min(text.length(), other.text.length());
        for (int i = 0; i < common; i++) {
            char mine = text.charAt(i);
            char theirs = other.text.charAt(i);
            if (mine != theirs) {
                // The slash sorts before every other character, which keeps a path and those below it together.
                return mine == '/' ? -1 : theirs == '/' ? 1 : Character.compare(mine, theirs);
            }
        }
        return Integer.compare(text.length(), other.text.length());
    }

    @Override
    public String toString() {
        return text;
    }
}
