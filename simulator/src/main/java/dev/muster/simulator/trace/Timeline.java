package dev.muster.simulator.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps the notable lines of a run: short enough to read, and enough to see who did what when. */
public final class Timeline implements TraceSink {
    private final int mostLines;
    private final List<String> lines = new ArrayList<>();

    public Timeline(int mostLines) {
        this.mostLines = mostLines;
    }

    @Override
    public void line(long worldNanos, String who, String what, boolean isNotable) {
        if (!isNotable) {
            return;
        }
        if (lines.size() < mostLines) {
            lines.add(Trace.format(worldNanos, who, what));
        } else if (lines.size() == mostLines) {
            lines.add("... and more");
        }
    }

    public List<String> lines() {
        return Collections.unmodifiableList(lines);
    }
}
