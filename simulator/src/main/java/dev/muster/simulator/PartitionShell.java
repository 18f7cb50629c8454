package dev.muster.simulator;

import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.handoff.Room;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.check.Letter;
import dev.muster.simulator.check.WorkStep;
import dev.muster.simulator.plan.Purpose;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the runtime does for partitions on one node: it has a gate and a route for each, carries what they say to other
 * nodes, and lets instances work. While the process is paused nothing of this happens; what was due then is done when
 * it goes on, once the core has had its say.
 */
final class PartitionShell {
    private static final long LONGEST_HANDOVER_NANOS = 10_000_000_000L;

    private final World world;
    private final SimulatedNode node;
    private final TreeMap<PartitionPath, SimulatedPartition> partitions = new TreeMap<>();
    private final TreeMap<PartitionPath, PartitionGate<Letter>> gates = new TreeMap<>();
    private final Room room;
    private final Set<NodeId> quarantined = new HashSet<>();
    private final List<Runnable> due = new ArrayList<>();
    private final List<Parcel> toItself = new ArrayList<>();
    private SortedSet<NodeId> members = new TreeSet<>();
    private SortedSet<NodeId> unreachable = new TreeSet<>();
    private boolean mayRoute;
    private boolean isHeld;
    private boolean isCutShort;
    private boolean hasEnded;

    PartitionShell(World world, SimulatedNode node) {
        this.world = world;
        this.node = node;
        this.room = new Room(node.settings().handoff());
    }

    World world() {
        return world;
    }

    SimulatedNode node() {
        return node;
    }

    Room room() {
        return room;
    }

    boolean isHeld() {
        return isHeld;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    SortedMap<PartitionPath, PartitionGate<Letter>> gates() {
        return Collections.unmodifiableSortedMap(gates);
    }

    List<Letter> letters() {
        List<Letter> letters = new ArrayList<>();
        partitions.values().forEach(it -> letters.addAll(it.letters()));
        toItself.forEach(it -> it.letter().ifPresent(letters::add));
        return letters;
    }

    /** Whether it goes although it owes something, because it may not wait for longer. */
    boolean isCutShort() {
        return isCutShort;
    }

    /**
     * This node is about to go for good, and should wait until it owes nobody anything; others must not hold it up for
     * long, but an instance that is at its last letter may take as long as a drain.
     *
     * @return whether it waits
     */
    boolean goes(long sinceNanos) {
        if (node.isPaused()) {
            return true;
        }
        partitions.values().forEach(SimulatedPartition::goes);
        boolean isEnding = gates.values().stream().anyMatch(PartitionGate::isEnding);
        long longest = isEnding ? node.settings().partitions().drainTimeout().toNanos() : 0;
        boolean owes = gates.values().stream().anyMatch(PartitionGate::owes);
        isCutShort = owes && sinceNanos >= Math.max(LONGEST_HANDOVER_NANOS, longest);
        return owes && !isCutShort;
    }

    SimulatedPartition partition(PartitionPath path) {
        SimulatedPartition known = partitions.get(path);
        if (known == null) {
            known = new SimulatedPartition(
                    this,
                    path,
                    Dice.of(
                            world.plan().seed(),
                            Purpose.HANDOFF,
                            node.number(),
                            path.toString().hashCode()));
            partitions.put(path, known);
            gates.put(path, known.gate());
            known.onMembers(members);
            known.onHeld(isHeld);
        }
        return known;
    }

    /** How many letters are in the mailbox of an instance, or on the way to it. */
    int waitingFor(PartitionPath path) {
        return partitions.get(path).letters().size();
    }

    Optional<NodeId> nextHost(PartitionPath path) {
        return mayRoute && partitions.containsKey(path) ? partitions.get(path).nextHost() : Optional.empty();
    }

    // --- What the core wants
    // ------------------------------------------------------------------------------------------

    void carryOut(Effect effect) {
        guarded(() -> follow(effect));
    }

    /** A gate that throws is a finding. */
    private void guarded(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
            world.report(Violation.CRASH, "a gate threw " + Stack.top(thrown), node);
        }
    }

    private void follow(Effect effect) {
        if (effect instanceof Effect.FollowMembers follow) {
            mayRoute = follow.mayRoute();
            unreachable = follow.unreachable();
            if (!follow.members().equals(members)) {
                members = follow.members();
                partitions.values().forEach(it -> it.onMembers(members));
            }
        } else if (effect instanceof Effect.FollowRow follow) {
            boolean isNew = !partitions.containsKey(follow.row().path());
            partition(follow.row().path()).onRow(follow.row());
            if (isNew) {
                world.traffic().hasRoute(node, follow.row().path());
            }
        } else if (effect instanceof Effect.HoldInstances hold) {
            isHeld = hold.held();
            partitions.values().forEach(it -> it.onHeld(isHeld));
        } else if (effect instanceof Effect.QuarantinePeer quarantine) {
            quarantined.add(quarantine.peer());
        }
    }

    /** Whether a message that may go elsewhere had better. */
    boolean isSilent(NodeId host) {
        return !host.equals(node.id()) && unreachable.contains(host);
    }

    void report(PartitionPath path, long move, String failure) {
        in(0, () -> node.give(new Input.CommandGiven(new Command.ReportMove(path, move, failure))));
    }

    void reportEnd(PartitionPath path, long epoch) {
        in(0, () -> node.give(new Input.CommandGiven(new Command.ReportEnd(path, epoch))));
    }

    void cannotStart(PartitionPath path, String failure) {
        in(0, () -> node.give(new Input.CommandGiven(new Command.ReportFailedStart(path, failure))));
    }

    // --- Between nodes
    // ------------------------------------------------------------------------------------------------

    void send(Parcel parcel) {
        if (parcel.to().equals(node.id())) {
            toItself.add(parcel);
            parcel.letter().ifPresent(letter -> world.copies(node, letter, 1));
            in(0, () -> {
                toItself.remove(parcel);
                parcel.letter().ifPresent(letter -> world.copies(node, letter, -1));
                receive(node.id(), parcel);
            });
        } else if (quarantined.contains(parcel.to())) {
            world.lost(node, parcel, "the sender has quarantined " + parcel.to());
        } else {
            world.network().send(node, parcel.to().address(), parcel);
        }
    }

    void arrived(NodeId from, Parcel parcel) {
        guarded(() -> receive(from, parcel));
    }

    private void receive(NodeId from, Parcel parcel) {
        if (!parcel.to().equals(node.id())) {
            world.lost(node, parcel, "another process is there");
        } else if (quarantined.contains(from)) {
            world.lost(node, parcel, "the receiver has quarantined " + from);
        } else if (isRefused(from, parcel)) {
            parcel.letter()
                    .filter(it -> !parcel.isKeptBySender())
                    .ifPresent(letter -> tell(parcel.path(), new WorkStep.Refused(from, letter)));
        } else {
            partition(parcel.path()).receive(from, parcel.content());
        }
    }

    /** What gates say is listened to only if members say it. */
    private boolean isRefused(NodeId from, Parcel parcel) {
        return parcel.content() instanceof GateMessage<?> && !members.contains(from) && !from.equals(node.id());
    }

    // --- Time
    // ---------------------------------------------------------------------------------------------------------

    void in(long nanos, Runnable what) {
        later(world.nowNanos() + nanos, what);
    }

    /** Not before this moment of the world, and not while the process is paused. */
    void later(long atNanos, Runnable what) {
        world.add(Happening.of(() -> happen(what)), atNanos);
    }

    private void happen(Runnable what) {
        if (node.isPaused()) {
            due.add(what);
        } else if (!hasEnded) {
            guarded(what);
        }
    }

    /** The process goes on, and the core has had its say. */
    void resumed() {
        List<Runnable> waited = new ArrayList<>(due);
        due.clear();
        for (Runnable what : waited) {
            happen(what);
        }
    }

    /** This node has nothing to do with partitions any more: what runs ends, and what waits is dead letters. */
    void endInOrder() {
        guarded(() -> {
            partitions.values().forEach(SimulatedPartition::end);
            List<Parcel> late = new ArrayList<>(toItself);
            toItself.clear();
            late.forEach(parcel -> {
                parcel.letter().ifPresent(letter -> world.copies(node, letter, -1));
                receive(node.id(), parcel);
            });
        });
    }

    void end() {
        hasEnded = true;
        due.clear();
        letters().forEach(letter -> world.copies(node, letter, -1));
    }

    void tell(PartitionPath path, WorkStep.What what) {
        world.worked(node, path, what);
    }
}
