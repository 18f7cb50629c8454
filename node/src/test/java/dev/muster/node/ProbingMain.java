package dev.muster.node;

import dev.muster.node.command.WorldSimulation;
import dev.muster.node.demo.ProbingLauncher;

/** The whole command line, but with nodes that only seem to be a cluster. For processes that tests start. */
public final class ProbingMain {

    private ProbingMain() {}

    public static void main(String[] args) {
        System.exit(Main.run(
                Terminal.ofThisProcess(), new WorldSimulation(), new ProbingLauncher(), ProbingMain.class, args));
    }
}
