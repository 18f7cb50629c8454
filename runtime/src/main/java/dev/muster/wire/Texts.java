package dev.muster.wire;

import java.util.HexFormat;

/** Foreign texts, made harmless: nothing that breaks a log line, colours a terminal or turns the writing around. */
public final class Texts {
    private static final int MOST_SHOWN = 100;
    private static final HexFormat HEX = HexFormat.of();

    private Texts() {}

    /** The text with everything unprintable escaped, cut to 100 characters. */
    public static String shown(String text) {
        return shown(text, MOST_SHOWN);
    }

    static String shown(String text, int most) {
        StringBuilder shown = new StringBuilder(Math.min(text.length(), most) + 16);
        for (int i = 0; i < text.length(); i++) {
            if (shown.length() >= most) {
                return shown.append("...").toString();
            }
            char c = text.charAt(i);
            if (isHarmless(c)) {
                shown.append(c);
            } else {
                shown.append("\\u").append(HEX.toHexDigits(c));
            }
        }
        return shown.toString();
    }

    /** True when the text may be used as it is, as a name or in a log line. */
    static boolean isHarmless(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isHarmless(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHarmless(char c) {
        if (c < 127) {
            return c >= ' ';
        }
        return switch (Character.getType(c)) {
            // FORMAT holds the marks that change the direction of writing.
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> c != '\ufffd';
        };
    }
}
