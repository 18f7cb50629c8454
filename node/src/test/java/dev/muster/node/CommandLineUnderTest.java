package dev.muster.node;

import dev.muster.node.command.SimulationRunner;
import java.io.PrintWriter;
import java.io.StringWriter;

/** The whole command line, with both streams caught. */
public final class CommandLineUnderTest {

    private final SimulationRunner simulation;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    public CommandLineUnderTest(SimulationRunner simulation) {
        this.simulation = simulation;
    }

    /** Runs one command line; what earlier ones printed is forgotten. */
    public int run(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.run(new Terminal(new PrintWriter(out), new PrintWriter(err), false, false), simulation, args);
    }

    public String out() {
        return out.toString();
    }

    public String err() {
        return err.toString();
    }
}
