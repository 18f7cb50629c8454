package dev.muster.serialization;

/** Texts of strangers, made fit for a line in a log. */
final class Printable {

    private static final int LONGEST = 100;

    private Printable() {}

    /** Cut, and with everything escaped that is not a letter, digit or sign of ASCII: no line breaks, no colours. */
    static String of(String text) {
        StringBuilder printable = new StringBuilder();
        int end = Math.min(text.length(), LONGEST);
        for (int i = 0; i < end; i++) {
            char each = text.charAt(i);
            if (each >= ' ' && each <= '~') {
                printable.append(each);
            } else {
                printable.append(String.format("\\u%04x", (int) each));
            }
        }
        return end < text.length() ? printable.append("...").toString() : printable.toString();
    }
}
