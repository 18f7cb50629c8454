package dev.muster.node;

/** Starts nodes of the real runtime. */
public final class RuntimeNodeLauncher implements NodeLauncher {

    @Override
    public RunningNode start(NodeOptions options) {
        // ActorSystem.create(options.system(), options.config()) and Cluster.get(system), once the runtime has them.
        throw new UnsupportedOperationException("this build has no runtime that can form a cluster yet");
    }
}
