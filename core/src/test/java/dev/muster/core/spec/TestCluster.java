package dev.muster.core.spec;

import dev.muster.core.ClusterSettings;
import dev.muster.core.Nodes;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A handful of whole cores on a network in memory, driven by hand: virtual time, one millisecond per message, and
 * nothing happens unless a test lets time pass. Cores keep talking whoever is quarantined. Downing is off unless a test
 * wants it, so that nobody goes by himself.
 *
 * <p>The first name is the first seed; the others have it as their only seed.
 */
public final class TestCluster {
    static final long MILLI = 1_000_000L;
    private static final long PATIENCE = 60_000 * MILLI;

    private record Delivery(long atNanos, long order, NodeAddress to, NodeId from, CoreMessage message) {}

    final Map<String, TestNode> nodes = new LinkedHashMap<>();
    private final List<TestNode> past = new ArrayList<>();
    private final PriorityQueue<Delivery> wire =
            new PriorityQueue<>(Comparator.comparingLong(Delivery::atNanos).thenComparingLong(Delivery::order));
    private final Set<String> cuts = new HashSet<>();
    private final SplittableRandom random = new SplittableRandom(4711);
    private final Set<String> foreign = new HashSet<>();
    private Predicate<CoreMessage> lost = message -> false;
    private boolean movesEnd = true;
    private ClusterSettings settings;
    private long nowNanos;
    private long sent;
    private int births;

    private TestCluster(ClusterSettings settings) {
        this.settings = settings;
    }

    /** Nodes that exist but have not been told to join. */
    public static TestCluster aCluster(String... names) {
        ClusterSettings defaults = ClusterSettings.defaults();
        TestCluster cluster =
                new TestCluster(defaults.withDowning(defaults.downing().withStrategy(new DowningStrategy.Manual()))
                        .withJoin(defaults.join().withSeedNodes(List.of(Nodes.address(names[0])))));
        for (String name : names) {
            cluster.nodes.put(name, cluster.process(name));
        }
        return cluster;
    }

    /** Changes the settings of all nodes; before anything happens. */
    public TestCluster with(UnaryOperator<ClusterSettings> change) {
        settings = change.apply(settings);
        nodes.replaceAll((name, old) -> process(name));
        return this;
    }

    /** Changes the settings of one node; before it has done anything. */
    public TestCluster with(String name, UnaryOperator<ClusterSettings> change) {
        nodes.put(name, new TestNode(this, name, newId(name), change.apply(settings), random.split()));
        return this;
    }

    /** A member that knows nothing of partitions, as one that is not Muster; not the one that forms the cluster. */
    public TestCluster withForeign(String name) {
        foreign.add(name);
        return this;
    }

    private TestNode process(String name) {
        return new TestNode(this, name, newId(name), settings, random.split());
    }

    private NodeId newId(String name) {
        return Nodes.node(name, ++births);
    }

    /** All nodes join by their seeds, and are up and converged. */
    public TestCluster allUp() {
        nodes.values().forEach(TestNode::joinSeeds);
        runUntil(() -> nodes.values().stream()
                .allMatch(n -> nodes.values().stream()
                        .allMatch(other -> n.status(other.name()) == MemberStatus.UP && n.hasConverged())));
        return this;
    }

    /** One more node, which has not been told to join. */
    public TestNode add(String name) {
        return nodes.compute(name, (key, old) -> process(key));
    }

    public TestNode node(String name) {
        return nodes.get(name);
    }

    // ---- Faults.

    /** Cuts these nodes off from all the others; among themselves they can talk. */
    public void split(String... side) {
        List<String> inside = Arrays.asList(side);
        for (String one : nodes.keySet()) {
            for (String other : nodes.keySet()) {
                if (inside.contains(one) != inside.contains(other)) {
                    cuts.add(one + ">" + other);
                }
            }
        }
    }

    /** From one to the other nothing gets through; the other way it does. */
    public void cutOneWay(String from, String to) {
        cuts.add(from + ">" + to);
    }

    public void cut(String one, String other) {
        cutOneWay(one, other);
        cutOneWay(other, one);
    }

    public void heal() {
        cuts.clear();
    }

    /** Messages like these are lost from now on. */
    public void lose(Predicate<CoreMessage> which) {
        lost = which;
    }

    /** Instances that are to move never do. */
    public void movesNeverEnd() {
        movesEnd = false;
    }

    boolean movesEnd() {
        return movesEnd;
    }

    /** The process ends without a word. */
    public void crash(String name) {
        node(name).end();
    }

    /** A new process at the same address, with a new uid; not yet told to join. */
    public TestNode restart(String name) {
        TestNode old = node(name);
        old.end();
        past.add(old);
        return add(name);
    }

    // ---- Time.

    public long now() {
        return nowNanos;
    }

    public void runFor(Duration time) {
        long end = nowNanos + time.toNanos();
        while (step(end)) {
            // one event after the other
        }
        nowNanos = end;
    }

    /** Runs until it holds, or fails after a simulated minute. */
    public void runUntil(java.util.function.BooleanSupplier condition) {
        long end = nowNanos + PATIENCE;
        while (!condition.getAsBoolean()) {
            if (!step(end)) {
                throw new AssertionError("did not come about within a minute:\n" + this);
            }
        }
    }

    public void runUntilConverged() {
        runUntil(() -> running().stream().allMatch(TestNode::hasConverged)
                && running().stream().map(n -> n.state().version()).distinct().count() == 1);
    }

    private List<TestNode> running() {
        return nodes.values().stream().filter(TestNode::isRunning).toList();
    }

    private boolean step(long endNanos) {
        Delivery next = wire.peek();
        TestNode sleeper = null;
        for (TestNode node : nodes.values()) {
            if (node.wakesAtNanos() < (sleeper == null ? Long.MAX_VALUE : sleeper.wakesAtNanos())) {
                sleeper = node;
            }
        }
        long wakeUp = sleeper == null ? Long.MAX_VALUE : Math.max(nowNanos, sleeper.wakesAtNanos());
        if (next != null && next.atNanos() <= wakeUp) {
            if (next.atNanos() > endNanos) {
                return false;
            }
            nowNanos = next.atNanos();
            wire.poll();
            deliver(next);
            return true;
        }
        if (wakeUp > endNanos) {
            return false;
        }
        nowNanos = wakeUp;
        sleeper.handle(new Input.TimePassed());
        return true;
    }

    private void deliver(Delivery delivery) {
        TestNode receiver = at(delivery.to());
        if (receiver != null && receiver.isRunning()) {
            receiver.handle(new Input.MessageReceived(delivery.from(), delivery.message(), nowNanos));
        }
    }

    void send(TestNode from, NodeAddress to, CoreMessage message) {
        TestNode receiver = at(to);
        if (receiver != null && canTalk(from.name(), receiver.name()) && !lost.test(message)) {
            wire.add(new Delivery(nowNanos + MILLI, sent++, to, from.id(), asSentBy(from, message)));
        }
    }

    private CoreMessage asSentBy(TestNode from, CoreMessage message) {
        return message instanceof JoinMessage.Join join && foreign.contains(from.name())
                ? new JoinMessage.Join(
                        join.roles().stream()
                                .filter(role -> !role.equals(Member.MUSTER_ROLE))
                                .toList(),
                        join.appVersion(),
                        join.configuration())
                : message;
    }

    boolean lives(NodeId id, TestNode asker) {
        TestNode there = at(id.address());
        return there != null && there.isRunning() && there.id().equals(id) && canTalk(asker.name(), there.name());
    }

    private boolean canTalk(String from, String to) {
        return !cuts.contains(from + ">" + to);
    }

    private TestNode at(NodeAddress address) {
        return nodes.values().stream()
                .filter(n -> n.id().address().equals(address))
                .findFirst()
                .orElse(null);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        nodes.values().forEach(node -> text.append(node).append('\n'));
        return text.toString();
    }
}
