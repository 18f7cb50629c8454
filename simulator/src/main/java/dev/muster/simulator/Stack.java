package dev.muster.simulator;

/** The part of a stack trace that tells where to look. */
final class Stack {
    private static final int LINES = 6;

    private Stack() {}

    static String top(Throwable thrown) {
        StringBuilder text = new StringBuilder(thrown.toString());
        StackTraceElement[] trace = thrown.getStackTrace();
        for (int i = 0; i < Math.min(LINES, trace.length); i++) {
            text.append(i == 0 ? " at " : " < ").append(trace[i]);
        }
        return text.toString();
    }
}
