package dev.muster.node.demo;

import java.util.List;
import java.util.OptionalLong;

/** The nodes of a demo, wherever they run. */
public interface DemoNodes extends AutoCloseable {

    /** Starts all of them, and does not wait for them to be up. */
    void start();

    /** The process of a node that has one of its own and lives. */
    OptionalLong pid(int index);

    boolean isAlive(int index);

    /** Those that have ended since this was last asked, each in a sentence. */
    List<String> obituaries();

    /** Where to read what the nodes have to say; empty if that is here. */
    String logPlace();

    /** Lets all of them leave, and ends them in any case. */
    @Override
    void close();
}
