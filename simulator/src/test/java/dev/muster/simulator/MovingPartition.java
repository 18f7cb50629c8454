package dev.muster.simulator;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.Command;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.partition.TableMembers;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.Checkers;
import dev.muster.simulator.check.CrashCells;
import dev.muster.simulator.check.Letter;
import dev.muster.simulator.check.MoveSteps;
import dev.muster.simulator.check.Step;
import dev.muster.simulator.check.WorkStep;
import dev.muster.simulator.plan.LinkProfile;
import dev.muster.simulator.plan.RunPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * A small cluster with one partition that is about to move from a node N1 to a node N2, neither of which leads, while
 * every node sends to it. All checkers look on.
 */
final class MovingPartition {
    static final PartitionPath PATH = new PartitionPath("moving");
    private static final int NODES = 5;
    private static final long USUAL_WRITE_NANOS = 20_000_000L;

    final SimulatedCluster cluster;
    final MoveSteps steps = new MoveSteps();
    private final HandoffPolicy policy;
    private final Watch watch = new Watch();
    private final Set<Long> handled = new TreeSet<>();
    private final List<WorkStep.DeadLetter> dead = new ArrayList<>();
    private int sent;
    private int lost;
    private BooleanSupplier condition = () -> false;
    private Runnable reaction = () -> {};
    private boolean isWriting = true;
    private long writeNanos = USUAL_WRITE_NANOS;
    private int mostWaiting;
    private int nextWriter;
    SimulatedNode n1;
    SimulatedNode n2;
    SimulatedNode leader;
    SimulatedNode sender;

    MovingPartition(HandoffPolicy policy, HandoffSettings handoff) {
        this.policy = policy;
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        wanted.put(PATH, new PartitionSpec(1, "", policy));
        ClusterSettings defaults = ClusterSettings.defaults();
        ClusterSettings settings = defaults.withHandoff(handoff)
                .withJoin(defaults.join().withSeedNodes(List.of(RunPlan.addressOf(0))))
                .withDowning(defaults.downing().withStableAfter(Optional.of(Duration.ofSeconds(5))));
        List<Checker> checkers = new ArrayList<>(Checkers.all());
        checkers.addAll(Checkers.ofPartitions(wanted));
        checkers.addAll(Checkers.ofLetters(wanted));
        checkers.add(steps);
        checkers.add(watch);
        this.cluster =
                new SimulatedCluster(policy.toString().hashCode(), settings, LinkProfile.LAN, checkers, null, wanted);
    }

    /** Sees every step, after all checkers. */
    private final class Watch implements Checker {
        @Override
        public void onStep(Step step) {
            react();
        }

        @Override
        public void onWork(WorkStep step) {
            if (step.what() instanceof WorkStep.Processed processed) {
                handled.add(processed.letter().number());
            } else if (step.what() instanceof WorkStep.DeadLetter letter) {
                dead.add(letter);
            } else if (step.what() instanceof WorkStep.Sent) {
                sent++;
            } else if (step.what() instanceof WorkStep.Lost) {
                lost++;
            }
            if (step.node().gates().containsKey(PATH)) {
                mostWaiting =
                        Math.max(mostWaiting, step.node().gates().get(PATH).waitingCount());
            }
            react();
        }

        private void react() {
            if (condition.getAsBoolean()) {
                condition = () -> false;
                cluster.world().afterThisEvent(reaction);
            }
        }
    }

    /** Does something at the very moment, once, at the end of the event in which it comes. */
    void when(BooleanSupplier moment, Runnable what) {
        condition = moment;
        reaction = what;
    }

    boolean isAtStep(int step) {
        return steps.of(PATH).filter(it -> it.step() == step).isPresent();
    }

    // --- Before the move
    // ----------------------------------------------------------------------------------------------

    MovingPartition formed() {
        cluster.startInstancesIn(Duration.ofMillis(20));
        for (int slot = 0; slot < NODES; slot++) {
            cluster.start(slot);
        }
        runUntil("formed", 30, () -> row().isPresent() && areAllUp() && isAtRest());
        leader = TableMembers.leader(cluster.node(0).orElseThrow().state(), id(0))
                .flatMap(cluster::node)
                .orElseThrow();
        if (host().equals(leader)) {
            move(others(leader).get(0));
            runUntil("moved away from the leader", 30, () -> !host().equals(leader) && isAtRest());
        }
        n1 = host();
        n2 = others(leader, n1).get(0);
        sender = others(leader, n1, n2).get(0);
        write();
        cluster.runFor(Duration.ofSeconds(1));
        return this;
    }

    private NodeId id(int slot) {
        return cluster.node(slot).orElseThrow().id();
    }

    private boolean areAllUp() {
        return cluster.runningNodes().stream()
                .allMatch(node ->
                        node.state().members().size() == cluster.runningNodes().size()
                                && node.state().members().stream().allMatch(it -> it.status() == MemberStatus.UP));
    }

    SimulatedNode inRole(CrashCells.Role role) {
        return switch (role) {
            case N1 -> n1;
            case N2 -> n2;
            case LEADER -> leader;
            case SENDER -> sender;
        };
    }

    List<SimulatedNode> others(SimulatedNode... except) {
        return cluster.runningNodes().stream()
                .filter(it -> !List.of(except).contains(it))
                .toList();
    }

    /** Nodes write by turns, a letter each. */
    private void write() {
        if (isWriting) {
            List<SimulatedNode> nodes = cluster.runningNodes();
            cluster.write(nodes.get(nextWriter++ % nodes.size()).slot(), nextWriter % 2, PATH);
            cluster.world().add(Happening.of(this::write), cluster.nowNanos() + writeNanos);
        }
    }

    void writeEvery(Duration time) {
        writeNanos = time.toNanos();
    }

    void stopWriting() {
        isWriting = false;
    }

    // --- The move
    // -----------------------------------------------------------------------------------------------------

    void move() {
        move(n2);
    }

    private void move(SimulatedNode to) {
        cluster.command(leader.slot(), new Command.Migrate(PATH, to.address()));
    }

    /** Whether a node knows where to send. */
    boolean hasRoute(int slot) {
        return cluster.node(slot)
                .filter(node -> node.gates().containsKey(PATH)
                        && node.partitions().find(PATH).isPresent()
                        && node.shell().nextHost(PATH).isPresent())
                .isPresent();
    }

    Optional<PartitionEntry> row() {
        return cluster.runningNodes().get(0).partitions().find(PATH);
    }

    SimulatedNode host() {
        return row().flatMap(it -> it.instances().stream().findFirst())
                .flatMap(cluster::node)
                .orElseThrow();
    }

    /** All have one row without a pending change, its host is at work, and no gate takes part in a move. */
    boolean isAtRest() {
        return areAllUp()
                && row().filter(it -> it.pending().isEmpty() && !it.instances().isEmpty())
                        .isPresent()
                && cluster.runningNodes().stream()
                        .allMatch(node -> node.partitions().find(PATH).equals(row())
                                && (node.gates().get(PATH) == null
                                        || node.gates().get(PATH).view().isEmpty()))
                && host().isRunning()
                && host().gates().containsKey(PATH)
                && host().gates().get(PATH).acts();
    }

    void runUntil(String what, int mostSeconds, BooleanSupplier isSo) {
        for (int i = 0; i < 4 * mostSeconds && cluster.violations().isEmpty(); i++) {
            if (isSo.getAsBoolean()) {
                return;
            }
            cluster.runFor(Duration.ofMillis(250));
        }
        if (!isSo.getAsBoolean()) {
            throw new AssertionError(
                    this + " is not " + what + " after " + mostSeconds + " s: " + row() + " " + cluster.violations());
        }
    }

    /** A letter from every node; those that are not handled. */
    List<Letter> unanswered() {
        List<Letter> letters = new ArrayList<>();
        for (SimulatedNode node : cluster.runningNodes()) {
            cluster.write(node.slot(), 9, PATH).ifPresent(letters::add);
        }
        if (letters.size() != cluster.runningNodes().size()) {
            throw new AssertionError("not all have a route: " + letters);
        }
        // Those that have waited so far come first.
        for (int i = 0; i < 40 && !letters.isEmpty(); i++) {
            cluster.runFor(Duration.ofMillis(250));
            letters.removeIf(it -> handled.contains(it.number()));
        }
        return letters;
    }

    /** Letters that anybody still has. */
    List<Letter> left() {
        List<Letter> left = new ArrayList<>();
        cluster.runningNodes().forEach(node -> left.addAll(node.letters()));
        return left;
    }

    List<WorkStep.DeadLetter> dead() {
        return dead;
    }

    int handled() {
        return handled.size();
    }

    int sent() {
        return sent;
    }

    /** How many were lost with a connection. */
    int lost() {
        return lost;
    }

    /** The most that ever waited at a gate. */
    int mostWaiting() {
        return mostWaiting;
    }

    @Override
    public String toString() {
        return "partition under " + policy;
    }
}
