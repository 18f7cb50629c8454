package dev.muster.simulator;

import dev.muster.core.ClusterRules;
import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.check.Checker;
import dev.muster.simulator.fault.FaultSchedule;
import dev.muster.simulator.plan.LinkProfile;
import dev.muster.simulator.plan.Purpose;
import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.plan.TimerHabit;
import dev.muster.simulator.trace.Trace;
import dev.muster.simulator.trace.TraceSink;
import java.util.ArrayList;
import java.util.List;

/**
 * How long does it take until very many nodes, all started within a second, are one cluster? A network without faults
 * and three seed nodes; measured until every node holds all of them up and knows that everybody else does.
 */
public final class MassJoin {
    private static final long START_WITHIN_NANOS = 1_000_000_000L;
    private static final long GIVE_UP_NANOS = 300_000_000_000L;
    private static final int SEEDS = 3;
    /** Envelope, paths and serializer ids around every message. */
    private static final int FRAME_BYTES = 120;
    /** One member row before compression: address text, uid, status, roles, clock entry with its hash. */
    private static final int MEMBER_BYTES = 110;

    private final int nodes;
    private final World world;
    private final RunPlan plan;
    private final boolean[] done;
    private int doneCount;
    private Members lastMembers = Members.NONE;
    private boolean lastAllUp;
    private double bytes;

    /**
     * @param allUpAfterSeconds simulated seconds from the last start until everybody held everybody up and converged;
     *     not a number if that did not happen within five minutes
     * @param gossipRounds the same in gossip intervals
     * @param bytesPerNode estimate of what each node sent, see {@link MassJoin#estimatedBytes}
     * @param messagesPerNode what each node sent, heartbeats included
     */
    public record Result(
            int nodes,
            double allUpAfterSeconds,
            double gossipRounds,
            double bytesPerNode,
            double messagesPerNode,
            double realSeconds,
            String traceHash,
            double simulatedSeconds,
            List<Violation> violations) {
        public boolean isComplete() {
            return !Double.isNaN(allUpAfterSeconds);
        }
    }

    private MassJoin(long seed, int nodes, List<Checker> checkers, TraceSink sink) {
        this.nodes = nodes;
        this.plan = plan(seed, nodes);
        this.done = new boolean[nodes];
        this.world = new World(plan, checkers, ClusterRules.STANDARD, new Trace(sink));
        this.world.listen(this::stepped);
    }

    public static Result run(long seed, int nodes) {
        return run(seed, nodes, List.of(), null);
    }

    /** @param sink reads along; null for nobody */
    public static Result run(long seed, int nodes, List<Checker> checkers, TraceSink sink) {
        return new MassJoin(seed, nodes, checkers, sink).run();
    }

    private Result run() {
        long started = System.nanoTime();
        world.runUntil(GIVE_UP_NANOS);
        long lastStart =
                plan.slots().stream().mapToLong(RunPlan.Slot::startNanos).max().orElse(0);
        double after = doneCount == nodes ? (lastDoneNanos - lastStart) / 1e9 : Double.NaN;
        return new Result(
                nodes,
                after,
                after * 1e9 / plan.settings().gossip().interval().toNanos(),
                bytes / nodes,
                world.network().sent() / (double) nodes,
                (System.nanoTime() - started) / 1e9,
                world.trace().hash(),
                (doneCount == nodes ? lastDoneNanos : GIVE_UP_NANOS) / 1e9,
                world.violations());
    }

    private static RunPlan plan(long seed, int nodes) {
        Dice dice = Dice.of(seed, Purpose.SLOTS);
        List<RunPlan.Slot> slots = new ArrayList<>();
        List<NodeAddress> seeds = new ArrayList<>();
        for (int slot = 0; slot < nodes; slot++) {
            slots.add(new RunPlan.Slot(dice.between(0, START_WITHIN_NANOS), List.of(), 0));
            if (slot < SEEDS) {
                seeds.add(RunPlan.addressOf(slot));
            }
        }
        ClusterSettings defaults = ClusterSettings.defaults();
        return new RunPlan(
                seed,
                defaults.withJoin(defaults.join().withSeedNodes(seeds)),
                slots,
                LinkProfile.LAN,
                TimerHabit.EXACT,
                List.of(),
                FaultSchedule.NONE,
                0,
                true,
                false,
                0,
                GIVE_UP_NANOS);
    }

    // --- Measuring
    // ----------------------------------------------------------------------------------------------------

    private long lastDoneNanos;

    private void stepped(SimulatedNode node, ClusterState before, ClusterState after, List<Effect> effects) {
        for (int i = 0; i < effects.size(); i++) {
            if (effects.get(i) instanceof Effect.SendMessage send) {
                bytes += estimatedBytes(send.message());
            }
        }
        if (before != after && !done[node.slot()] && isComplete(after)) {
            done[node.slot()] = true;
            lastDoneNanos = world.nowNanos();
            if (++doneCount == nodes) {
                world.stop();
            }
        }
    }

    private boolean isComplete(ClusterState state) {
        return state.members().size() == nodes
                && state.seen().count() == nodes
                && state.reachability().isAllReachable()
                && allUp(state.members());
    }

    /** Converged nodes share one list, so the last answer mostly serves again. */
    private boolean allUp(Members members) {
        if (members != lastMembers) {
            lastMembers = members;
            lastAllUp = true;
            for (Member member : members) {
                lastAllUp &= member.status() == MemberStatus.UP;
            }
        }
        return lastAllUp;
    }

    /**
     * About what a message takes on the wire, before compression: 120 bytes for a frame, 110 for each member row of a
     * state, one bit for each member of a seen set, 40 for each entry of a clock, 50 for each record of reachability.
     */
    static double estimatedBytes(CoreMessage message) {
        if (message instanceof GossipMessage.GossipState state) {
            return FRAME_BYTES + bytesOf(state.state());
        }
        if (message instanceof GossipMessage.GossipStatus status) {
            return FRAME_BYTES + 40.0 * status.version().size() + 20;
        }
        if (message instanceof JoinMessage.Welcome welcome) {
            return FRAME_BYTES + bytesOf(welcome.state());
        }
        return FRAME_BYTES;
    }

    private static double bytesOf(ClusterState state) {
        return (double) MEMBER_BYTES * state.members().size()
                + state.members().size() / 8.0
                + 40.0 * state.version().size()
                + 50.0 * state.reachability().rows().size()
                + 40.0 * state.tombstones().size();
    }
}
