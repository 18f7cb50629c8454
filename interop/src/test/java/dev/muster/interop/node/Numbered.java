package dev.muster.interop.node;

/** Counts numbered texts as they come back, and says whether all did, in order. */
final class Numbered {
    private static final String PREFIX = "number ";

    private int expected;
    private int next;
    private int wrong;

    static String text(int number) {
        return PREFIX + number;
    }

    void expect(int count) {
        expected = count;
        next = 0;
        wrong = 0;
    }

    /** Whether it was one of them. */
    boolean hears(String text) {
        if (!text.startsWith(PREFIX)) {
            return false;
        }
        if (Integer.parseInt(text.substring(PREFIX.length())) != next) {
            wrong++;
        }
        next++;
        if (next == expected) {
            Program.say("flooded " + next + " wrong " + wrong);
        }
        return true;
    }
}
