package dev.muster.actor.engine;

/** The names of actors: which are allowed, and how one is made up. */
final class Names {

    private static final char MADE_UP = '$';
    private static final int RADIX = 36;
    private static final String ALLOWED_SIGNS = "-_.*+:@&=,!~';";

    private Names() {}

    static String madeUp(long id) {
        return MADE_UP + Long.toString(id, RADIX);
    }

    /** The id behind a made-up name; -1 if it is none. */
    static long idOf(String name) {
        if (name.length() < 2 || name.charAt(0) != MADE_UP) {
            return -1;
        }
        try {
            long id = Long.parseLong(name, 1, name.length(), RADIX);
            return madeUp(id).equals(name) ? id : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Refuses what could not be written in a path, or could be mistaken for a made-up name. */
    static void requireAllowed(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an actor's name must not be empty");
        }
        if (name.charAt(0) == MADE_UP) {
            throw new IllegalArgumentException("an actor's name must not begin with $, was " + name);
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!isPlain && ALLOWED_SIGNS.indexOf(c) < 0) {
                throw new IllegalArgumentException("an actor's name is made of ASCII letters, digits and "
                        + ALLOWED_SIGNS + ", but character " + (i + 1) + " of " + shown(name) + " is none of them");
            }
        }
    }

    private static String shown(String name) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < Math.min(name.length(), 80); i++) {
            char c = name.charAt(i);
            text.append(c >= ' ' && c <= '~' ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return text.append(name.length() > 80 ? "...\"" : "\"").toString();
    }
}
