package dev.muster.node;

import dev.muster.node.command.SimulationRunner;
import dev.muster.node.command.WorldSimulation;
import java.io.PrintWriter;
import java.io.StringWriter;

/** The whole command line, with both streams caught. */
public final class CommandLineUnderTest {

    private final SimulationRunner simulation;
    private final NodeLauncher launcher;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    public CommandLineUnderTest(SimulationRunner simulation) {
        this(simulation, options -> {
            throw new UnsupportedOperationException("no node is started in this test");
        });
    }

    public CommandLineUnderTest(NodeLauncher launcher) {
        this(new WorldSimulation(), launcher);
    }

    private CommandLineUnderTest(SimulationRunner simulation, NodeLauncher launcher) {
        this.simulation = simulation;
        this.launcher = launcher;
    }

    /** Runs one command line; what earlier ones printed is forgotten. */
    public int run(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false);
        return Main.run(terminal, simulation, launcher, Main.class, args);
    }

    public String out() {
        return out.toString();
    }

    public String err() {
        return err.toString();
    }
}
