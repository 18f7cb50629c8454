package dev.muster.bench.partitions;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The nodes of one cluster: several processes, and one node in this process, by which everything is watched. */
final class Fleet implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long LOOK_AGAIN_MILLIS = 20;
    private static final long ASK_AGAIN_MILLIS = 50;
    private static final long SETTLING_MILLIS = 1_000;

    private final NodePlan plan;
    private final List<NodeProcess> processes = new ArrayList<>();
    private final Mailbox mailbox = new Mailbox();
    private PartitionNode own;

    private Fleet(NodePlan plan) {
        this.plan = plan;
    }

    /**
     * Starts a cluster, and waits until it has formed, all partitions answer, and every process hosts some.
     *
     * @param plan of those with processes of their own
     * @param own of the node in this process
     */
    static Fleet start(NodePlan plan, int processes, NodePlan own) throws IOException, InterruptedException {
        Fleet fleet = new Fleet(plan);
        try {
            for (int i = 0; i < processes; i++) {
                fleet.add();
            }
            fleet.own = PartitionNode.start(own.with(fleet.addresses()), fleet.mailbox);
            fleet.awaitUp();
            fleet.awaitAnswers();
            fleet.spread();
        } catch (IOException | InterruptedException | RuntimeException failure) {
            fleet.close();
            throw failure;
        }
        return fleet;
    }

    /** Starts one more process. */
    void add() throws IOException {
        NodeProcess process = NodeProcess.start(plan.with(addresses()));
        processes.add(process);
        String unused = process.address();
    }

    private List<String> addresses() throws IOException {
        List<String> addresses = new ArrayList<>();
        for (NodeProcess process : processes) {
            addresses.add(process.address());
        }
        return addresses;
    }

    List<NodeProcess> processes() {
        return processes;
    }

    /** Lets a node leave in good order, and a new one join; returns when all others know of both. */
    void replace(NodeProcess leaving) throws IOException, InterruptedException {
        processes.remove(leaving);
        leaving.leave();
        add();
        awaitUp();
    }

    PartitionNode own() {
        return own;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    private void awaitUp() throws InterruptedException {
        await(processes.size() + 1 + " nodes of " + plan.side().title() + " up", () -> own.sees(processes.size() + 1));
    }

    private void awaitAnswers() throws InterruptedException {
        for (Map<Integer, Long> hosts = hosts(); hosts.size() < plan.partitions(); hosts = hosts()) {
            for (int i = 0; i < plan.partitions(); i++) {
                if (!hosts.containsKey(i)) {
                    own.ask(new Question(i, 0));
                }
            }
            Thread.sleep(ASK_AGAIN_MILLIS);
        }
    }

    /** All that was asked for while there was one node may be on that one. */
    private void spread() throws InterruptedException {
        own.rebalance();
        await("every process of " + plan.side().title() + " hosts something", () -> {
            for (int i = 0; i < plan.partitions(); i++) {
                own.ask(new Question(i, 0));
            }
            Collection<Long> hosts = hosts().values();
            return processes.stream().allMatch(it -> hosts.contains(it.pid()));
        });
        Thread.sleep(SETTLING_MILLIS);
    }

    /** Which process answered last for each partition, as far as any has answered. */
    Map<Integer, Long> hosts() {
        Map<Integer, Long> hosts = new HashMap<>();
        mailbox.answers()
                .forEach(it -> hosts.put(it.answer().partition(), it.answer().host()));
        return hosts;
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not within " + PATIENCE + ": " + what);
            }
            Thread.sleep(LOOK_AGAIN_MILLIS);
        }
    }

    /** Ends the processes; the node in this one ends with it. */
    @Override
    public void close() {
        processes.forEach(NodeProcess::kill);
    }
}
