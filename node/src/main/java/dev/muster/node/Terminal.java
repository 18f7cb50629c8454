package dev.muster.node;

import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * Where a command writes, and whether a person is watching.
 *
 * <p>The answer goes to {@code out}, everything else to {@code err}, so that a script can read the answer alone.
 */
public record Terminal(PrintWriter out, PrintWriter err, boolean outIsWatched, boolean errIsWatched) {

    /**
     * The streams of this process. The launcher says which of them are terminals: Java 17 can only tell for both
     * together, and Java 22 and later answer yes in any case.
     */
    static Terminal ofThisProcess() {
        return new Terminal(
                utf8(System.out),
                utf8(System.err),
                Boolean.getBoolean("muster.out.is.terminal"),
                Boolean.getBoolean("muster.err.is.terminal"));
    }

    /** Colours are for people at a terminal who did not ask for none, see no-color.org. */
    public boolean hasColours() {
        String noColour = System.getenv("NO_COLOR");
        return outIsWatched && (noColour == null || noColour.isEmpty());
    }

    public void flush() {
        out.flush();
        err.flush();
    }

    private static PrintWriter utf8(PrintStream stream) {
        OutputStream bytes = stream;
        return new PrintWriter(bytes, true, StandardCharsets.UTF_8);
    }
}
