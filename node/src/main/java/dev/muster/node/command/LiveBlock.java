package dev.muster.node.command;

import dev.muster.node.Terminal;
import java.util.List;

/**
 * A few lines at the end of the output that renew themselves on a terminal, with lines above them that stay. Elsewhere
 * only the lines that stay are printed. Safe for several threads.
 */
public final class LiveBlock {

    private static final String CLEAR_TO_END = "\u001b[J";

    private final Terminal terminal;
    private List<String> shown = List.of();

    public LiveBlock(Terminal terminal) {
        this.terminal = terminal;
    }

    /** A line that stays. */
    public synchronized void tell(String line) {
        erase();
        terminal.out().println(line);
        draw();
    }

    /** What the end of the output is from now on. */
    public synchronized void show(List<String> lines) {
        erase();
        shown = List.copyOf(lines);
        draw();
    }

    private void erase() {
        if (terminal.outIsWatched() && !shown.isEmpty()) {
            terminal.out().print("\u001b[" + shown.size() + "A\r" + CLEAR_TO_END);
        }
    }

    private void draw() {
        if (terminal.outIsWatched()) {
            shown.forEach(terminal.out()::println);
        }
        terminal.out().flush();
    }
}
