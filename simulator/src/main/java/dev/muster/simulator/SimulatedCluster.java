package dev.muster.simulator;

import dev.muster.core.ClusterRules;
import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.Letter;
import dev.muster.simulator.fault.FaultAction;
import dev.muster.simulator.fault.FaultSchedule;
import dev.muster.simulator.plan.LinkProfile;
import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.plan.TimerHabit;
import dev.muster.simulator.plan.WireMode;
import dev.muster.simulator.plan.Workload;
import dev.muster.simulator.trace.Trace;
import dev.muster.simulator.trace.TraceSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.BiConsumer;

/**
 * A world that is driven by hand, one step at a time: for scenario scripts and for tests. Nodes live in numbered slots,
 * each with the address {@link RunPlan#addressOf}; nothing happens to them but what is asked for here.
 */
public final class SimulatedCluster {
    private final World world;
    private final ClusterSettings settings;
    private final List<FaultAction.DirectedLink> cuts = new ArrayList<>();
    private final LossAndDelay lossAndDelay;
    private final List<Runnable> traffic = new ArrayList<>();
    private BiConsumer<SimulatedNode, ClusterEvent> subscriber = (node, event) -> {};
    private BiConsumer<SimulatedNode, CoreMessage> eavesdropper = (node, message) -> {};

    /** @param sink reads along; null for nobody */
    public SimulatedCluster(
            long seed, ClusterSettings settings, LinkProfile links, List<Checker> checkers, TraceSink sink) {
        this(seed, settings, links, checkers, sink, Collections.emptySortedMap());
    }

    /** @param partitions what every node wants when it starts */
    public SimulatedCluster(
            long seed,
            ClusterSettings settings,
            LinkProfile links,
            List<Checker> checkers,
            TraceSink sink,
            SortedMap<PartitionPath, PartitionSpec> partitions) {
        RunPlan plan = new RunPlan(
                seed,
                settings,
                List.of(),
                links,
                TimerHabit.EXACT,
                List.of(),
                FaultSchedule.NONE,
                0,
                false,
                false,
                Long.MAX_VALUE,
                Long.MAX_VALUE);
        this.world = new World(
                plan, checkers, ClusterRules.STANDARD, new Trace(sink), WireMode.RECORDS, Workload.NONE, partitions);
        this.settings = settings;
        this.lossAndDelay = new LossAndDelay(world);
        world.listen(this::stepped);
    }

    private void stepped(SimulatedNode node, ClusterState before, ClusterState after, List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.PublishEvent publish) {
                subscriber.accept(node, publish.event());
            } else if (effect instanceof Effect.SendMessage send) {
                eavesdropper.accept(node, send.message());
            }
        }
    }

    /** Who is told about every event that any node publishes. */
    public void subscribe(BiConsumer<SimulatedNode, ClusterEvent> next) {
        subscriber = next;
    }

    /** Who is told about everything that any node's core says to another. */
    public void eavesdrop(BiConsumer<SimulatedNode, CoreMessage> next) {
        eavesdropper = next;
    }

    /** Lets nodes that are started from now on host partitions, with instances that start within milliseconds. */
    public void hostPartitions() {
        world.hostPartitions();
    }

    // --- Time and looking
    // ---------------------------------------------------------------------------------------------

    public long nowNanos() {
        return world.nowNanos();
    }

    public void runFor(Duration time) {
        world.runUntil(world.nowNanos() + time.toNanos());
    }

    /** The process that runs in a slot now. */
    public Optional<SimulatedNode> node(int slot) {
        return world.nodeIn(slot);
    }

    /** Whoever has this id, running or not. */
    public Optional<SimulatedNode> node(NodeId id) {
        return world.node(id);
    }

    public List<SimulatedNode> runningNodes() {
        return world.runningNodes();
    }

    public List<Violation> violations() {
        return world.violations();
    }

    public String traceHash() {
        return world.trace().hash();
    }

    /** Rare but wanted situations that were reached. */
    public SortedSet<String> situations() {
        return world.situations();
    }

    World world() {
        return world;
    }

    // --- Partitions
    // ---------------------------------------------------------------------------------------------------

    /** From now on every instance takes so long to start, and none fails. */
    public void startInstancesIn(Duration time) {
        world.startInstancesIn(time.toNanos());
    }

    /** An actor sends a letter to a partition; empty if its node knows no host. */
    public Optional<Letter> write(int slot, int actor, PartitionPath path) {
        return node(slot).flatMap(node -> world.traffic().write(node, actor, path));
    }

    // --- Processes
    // ----------------------------------------------------------------------------------------------------

    public void start(int slot) {
        world.start(slot);
    }

    /** Starts a process with settings of its own. */
    public void start(int slot, ClusterSettings own) {
        world.start(slot, own, new Command.JoinSeeds());
    }

    /** A process that must not be let in. */
    public void startMisconfigured(int slot) {
        start(slot, Misconfiguration.of(settings));
    }

    public void crash(int slot) {
        node(slot).ifPresent(world::crash);
    }

    /** Kills what runs there, and starts a new process at once. */
    public void restart(int slot) {
        crash(slot);
        start(slot);
    }

    public void pause(int slot) {
        node(slot).filter(node -> !node.isPaused()).ifPresent(world::pause);
    }

    public void resume(int slot) {
        node(slot).ifPresent(world::resume);
    }

    public void command(int slot, Command command) {
        node(slot).ifPresent(node -> node.give(new Input.CommandGiven(command)));
    }

    public void jumpWallClock(int slot, Duration by) {
        node(slot).ifPresent(node -> {
            node.clock().jumpWall(by.toMillis());
            node.readWallClock();
        });
    }

    public void drift(int slot, int partsPerMillion) {
        node(slot).ifPresent(node -> {
            node.clock().changeDrift(world.nowNanos(), partsPerMillion);
            node.arm();
        });
    }

    // --- Network
    // ------------------------------------------------------------------------------------------------------

    /** Cuts one direction. */
    public void cut(int from, int to) {
        cuts.add(new FaultAction.DirectedLink(from, to));
        world.network().cut(placeOf(from), placeOf(to));
    }

    /** Undoes all cuts, losses and delays. */
    public void heal() {
        cuts.forEach(cut -> world.network().heal(placeOf(cut.from()), placeOf(cut.to())));
        cuts.clear();
        traffic.forEach(Runnable::run);
        traffic.clear();
    }

    /** @param slot whose packets, or {@link FaultAction#EVERYBODY} */
    public void lose(int slot, FaultAction.Direction direction, double probability) {
        traffic.add(lossAndDelay.lose(new FaultAction.Lose(slot, direction, probability, 0)));
    }

    /** @param slot whose messages, or {@link FaultAction#EVERYBODY} */
    public void slow(int slot, Duration low, Duration high) {
        traffic.add(lossAndDelay.slow(new FaultAction.Slow(slot, low.toNanos(), high.toNanos(), 0)));
    }

    public void resetConnections(boolean losesInFlight) {
        world.network().reset(null, losesInFlight, false);
    }

    private Place placeOf(int slot) {
        return world.network().place(RunPlan.addressOf(slot));
    }
}
