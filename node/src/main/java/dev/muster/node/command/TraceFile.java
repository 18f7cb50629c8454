package dev.muster.node.command;

import java.io.PrintWriter;

/** Where the trace of one run goes, or nowhere. */
final class TraceFile implements AutoCloseable {

    private final PrintWriter writer;

    private TraceFile(PrintWriter writer) {
        this.writer = writer;
    }

    static TraceFile none() {
        return new TraceFile(null);
    }

    static TraceFile into(PrintWriter writer) {
        return new TraceFile(writer);
    }

    boolean isWanted() {
        return writer != null;
    }

    void line(String line) {
        if (writer != null) {
            // Not println: the same trace is the same bytes on every system.
            writer.print(line);
            writer.print('\n');
        }
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
