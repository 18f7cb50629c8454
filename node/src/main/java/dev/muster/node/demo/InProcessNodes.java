package dev.muster.node.demo;

import dev.muster.node.NodeConfig;
import dev.muster.node.NodeLauncher;
import dev.muster.node.ServedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** All nodes in this process: quicker to start, and nothing to kill. */
public final class InProcessNodes implements DemoNodes {

    private final DemoPlan plan;
    private final NodeLauncher launcher;
    private final List<ServedNode> nodes = new ArrayList<>();
    private final List<ServedNode> mourned = new ArrayList<>();
    private boolean isClosed;

    public InProcessNodes(DemoPlan plan, NodeLauncher launcher) {
        this.plan = plan;
        this.launcher = launcher;
    }

    /** @throws ServedNode.NotStartedException if one could not be started; then none runs */
    @Override
    public synchronized void start() {
        try {
            for (int i = 0; i < plan.nodes(); i++) {
                nodes.add(ServedNode.start(
                        launcher, NodeConfig.local(plan.settings(), plan.port(i), plan.http(i), plan.port(0))));
            }
        } catch (RuntimeException problem) {
            close();
            throw problem;
        }
    }

    @Override
    public OptionalLong pid(int index) {
        return OptionalLong.empty();
    }

    @Override
    public synchronized boolean isAlive(int index) {
        return index < nodes.size() && !hasStopped(nodes.get(index));
    }

    @Override
    public synchronized List<String> obituaries() {
        List<String> sentences = new ArrayList<>();
        for (int i = 0; i < nodes.size() && !isClosed; i++) {
            if (hasStopped(nodes.get(i)) && !mourned.contains(nodes.get(i))) {
                mourned.add(nodes.get(i));
                nodes.get(i).leaveAndStop();
                sentences.add(plan.name(i) + " has stopped");
            }
        }
        return sentences;
    }

    private static boolean hasStopped(ServedNode node) {
        return node.whenStopped().toCompletableFuture().isDone();
    }

    @Override
    public String logPlace() {
        return "";
    }

    /** All at once: each waits for the others to notice that it leaves. */
    @Override
    public synchronized void close() {
        isClosed = true;
        CompletableFuture.allOf(nodes.stream()
                        .map(node -> CompletableFuture.runAsync(
                                node::leaveAndStop, work -> new Thread(work, "leave").start()))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }
}
