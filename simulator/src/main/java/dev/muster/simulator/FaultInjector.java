package dev.muster.simulator;

import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.fault.FaultAction;
import dev.muster.simulator.fault.FaultAction.Direction;
import dev.muster.simulator.fault.FaultEvent;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.plan.RunPlan;
import java.util.ArrayList;
import java.util.List;

/** Does to a world what its schedule says, and undoes what heals. */
final class FaultInjector {
    private final World world;
    private final Dice dice;
    private final Forger forger;
    private final LossAndDelay lossAndDelay;
    private final long[] countByKind = new long[FaultKind.values().length];
    private int notYetBegun;
    private int active;
    private long lastFaultNanos;
    private long settledAtNanos;
    private boolean leaderCrashArmed;

    FaultInjector(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
        this.forger = new Forger(world, dice);
        this.lossAndDelay = new LossAndDelay(world);
    }

    void schedule(FaultEvent event) {
        notYetBegun++;
        world.add(Happening.of(() -> begin(event)), event.atNanos());
    }

    private void begin(FaultEvent event) {
        notYetBegun--;
        Injection injection = inject(event.action());
        if (!injection.happened()) {
            return;
        }
        countByKind[event.kind().ordinal()]++;
        world.tracer().fault(event, true);
        noteFault(event.action());
        if (injection.healing() != null) {
            active++;
            world.add(Happening.of(() -> heal(event, injection.healing())), event.endNanos());
        }
    }

    private void heal(FaultEvent event, Runnable healing) {
        active--;
        world.tracer().fault(event, false);
        healing.run();
        noteFault(event.action());
    }

    /** Stalled streams need a while after the cause is gone; until then the world is not quiet. */
    private void noteFault(FaultAction action) {
        lastFaultNanos = world.nowNanos();
        boolean stalls = action instanceof FaultAction.Lose
                || action instanceof FaultAction.Split
                || action instanceof FaultAction.CutLinks
                || action instanceof FaultAction.Isolate;
        long settles = stalls ? SimulatedNetwork.GIVE_UP_NANOS : 0;
        settledAtNanos = Math.max(settledAtNanos, lastFaultNanos + settles);
    }

    long lastFaultNanos() {
        return lastFaultNanos;
    }

    /** How long no fault has been at work and none is to come; 0 when that is not so. */
    long quietForNanos() {
        return notYetBegun > 0 || active > 0 || leaderCrashArmed ? 0 : Math.max(0, world.nowNanos() - settledAtNanos);
    }

    long[] countByKind() {
        return countByKind.clone();
    }

    // --- The actions
    // --------------------------------------------------------------------------------------------------

    /** What became of an attempt: whether anything was done, and what undoes it. */
    record Injection(boolean happened, Runnable healing) {
        private static final Injection NOTHING_DONE = new Injection(false, null);
        private static final Injection DONE = new Injection(true, null);

        static Injection untilHealed(Runnable healing) {
            return new Injection(true, healing);
        }
    }

    private Injection inject(FaultAction action) {
        if (action instanceof FaultAction.Split split) {
            return split(split);
        }
        if (action instanceof FaultAction.CutLinks cut) {
            return cut(cut.links());
        }
        if (action instanceof FaultAction.Isolate isolate) {
            return cut(linksOf(isolate.slot(), isolate.direction()));
        }
        if (action instanceof FaultAction.Lose lose) {
            return Injection.untilHealed(lossAndDelay.lose(lose));
        }
        if (action instanceof FaultAction.Slow slow) {
            return Injection.untilHealed(lossAndDelay.slow(slow));
        }
        if (action instanceof FaultAction.ResetConnections reset) {
            Place place = reset.slot() == FaultAction.EVERYBODY ? null : placeOf(reset.slot());
            world.network().reset(place, reset.losesInFlight(), reset.replays());
            return Injection.DONE;
        }
        if (action instanceof FaultAction.Visit visit) {
            return visit(visit);
        }
        return injectAtNode(action);
    }

    private Injection injectAtNode(FaultAction action) {
        if (action instanceof FaultAction.Crash crash) {
            return at(crash.slot(), world::crash);
        }
        if (action instanceof FaultAction.CrashActingLeader) {
            leaderCrashArmed = true;
            world.add(Happening.of(() -> leaderCrashArmed = false), world.nowNanos() + 10_000_000_000L);
            return Injection.DONE;
        }
        if (action instanceof FaultAction.Restart restart) {
            return restart(restart);
        }
        if (action instanceof FaultAction.Pause pause) {
            return pause(pause.slot());
        }
        if (action instanceof FaultAction.JumpWallClock jump) {
            return at(jump.slot(), node -> {
                node.clock().jumpWall(jump.millis());
                node.readWallClock();
            });
        }
        if (action instanceof FaultAction.ChangeDrift drift) {
            return at(drift.slot(), node -> {
                node.clock().changeDrift(world.nowNanos(), drift.partsPerMillion());
                node.arm();
            });
        }
        if (action instanceof FaultAction.Forge forge) {
            return at(forge.target(), node -> forger.forge(node, forge.forgery(), forge.spoofed()));
        }
        if (action instanceof FaultAction.GiveOrder given) {
            return at(given.slot(), node -> order(node, given));
        }
        if (action instanceof FaultAction.Quarantine quarantine) {
            return quarantine(quarantine);
        }
        throw new IllegalStateException("no way to inject " + action.describe());
    }

    /** An action on a process that is there. */
    private interface NodeAction {
        void act(SimulatedNode node);
    }

    private Injection at(int slot, NodeAction action) {
        SimulatedNode node = placeOf(slot).process;
        if (node == null) {
            return Injection.NOTHING_DONE;
        }
        action.act(node);
        return Injection.DONE;
    }

    private Place placeOf(int slot) {
        return world.network().place(RunPlan.addressOf(slot));
    }

    private Injection split(FaultAction.Split split) {
        List<FaultAction.DirectedLink> links = new ArrayList<>();
        int slots = allSlots();
        for (int from = 0; from < slots; from++) {
            for (int to = 0; to < slots; to++) {
                if (split.groupOf(from) != split.groupOf(to)) {
                    links.add(new FaultAction.DirectedLink(from, to));
                }
            }
        }
        return links.isEmpty() ? Injection.NOTHING_DONE : cut(links);
    }

    private List<FaultAction.DirectedLink> linksOf(int slot, Direction direction) {
        List<FaultAction.DirectedLink> links = new ArrayList<>();
        for (int other = 0; other < allSlots(); other++) {
            if (other != slot && direction != Direction.IN) {
                links.add(new FaultAction.DirectedLink(slot, other));
            }
            if (other != slot && direction != Direction.OUT) {
                links.add(new FaultAction.DirectedLink(other, slot));
            }
        }
        return links;
    }

    /** Those of the plan and those of visitors. */
    private int allSlots() {
        int most = world.plan().slots().size();
        for (FaultEvent event : world.plan().schedule().events()) {
            if (event.action() instanceof FaultAction.Visit visit) {
                most = Math.max(most, visit.slot() + 1);
            }
        }
        return most;
    }

    private Injection cut(List<FaultAction.DirectedLink> links) {
        links.forEach(link -> world.network().cut(placeOf(link.from()), placeOf(link.to())));
        return Injection.untilHealed(() ->
                links.forEach(link -> world.network().heal(placeOf(link.from()), placeOf(link.to()))));
    }

    private Injection restart(FaultAction.Restart restart) {
        for (int slot : restart.slots()) {
            at(slot, world::crash);
            active++;
            world.add(Happening.of(() -> comeBack(slot)), world.nowNanos() + restart.afterNanos());
        }
        return Injection.DONE;
    }

    /** One that is drawn by what happens in the world, not by the schedule. */
    void crashForAWhile(SimulatedNode node, long nanos) {
        countByKind[FaultKind.CRASHES.ordinal()]++;
        lastFaultNanos = world.nowNanos();
        settledAtNanos = Math.max(settledAtNanos, lastFaultNanos);
        world.crash(node);
        if (node.slot() < world.plan().slots().size()) {
            active++;
            world.add(Happening.of(() -> comeBack(node.slot())), world.nowNanos() + nanos);
        }
    }

    /** The fault lasts until the new process is there. */
    private void comeBack(int slot) {
        active--;
        lastFaultNanos = world.nowNanos();
        settledAtNanos = Math.max(settledAtNanos, lastFaultNanos);
        world.start(slot);
    }

    private Injection pause(int slot) {
        SimulatedNode node = placeOf(slot).process;
        if (node == null || node.isPaused()) {
            return Injection.NOTHING_DONE;
        }
        world.pause(node);
        return Injection.untilHealed(() -> world.resume(node));
    }

    private Injection visit(FaultAction.Visit visit) {
        if (placeOf(visit.slot()).process != null) {
            return Injection.NOTHING_DONE;
        }
        world.start(
                visit.slot(),
                visit.misconfigured()
                        ? Misconfiguration.of(world.plan().settings())
                        : world.plan().settings(),
                firstWords());
        SimulatedNode visitor = placeOf(visit.slot()).process;
        if (visitor != null) {
            active++;
            world.add(
                    Happening.of(() -> endVisit(visitor, visit.leavesInOrder())), world.nowNanos() + visit.stayNanos());
        }
        return Injection.DONE;
    }

    private Command firstWords() {
        List<NodeAddress> seeds = world.plan().settings().join().seedNodes();
        return dice.chance(0.2) ? new Command.JoinTo(dice.pick(seeds)) : new Command.JoinSeeds();
    }

    private void endVisit(SimulatedNode visitor, boolean leavesInOrder) {
        active--;
        lastFaultNanos = world.nowNanos();
        settledAtNanos = Math.max(settledAtNanos, lastFaultNanos);
        if (leavesInOrder && visitor.state().members().has(visitor.id())) {
            visitor.give(new Input.CommandGiven(new Command.Leave(visitor.address())));
        } else {
            world.crash(visitor);
        }
    }

    private void order(SimulatedNode node, FaultAction.GiveOrder given) {
        NodeAddress target = RunPlan.addressOf(given.target());
        switch (given.order()) {
            case LEAVE -> give(node, new Command.Leave(target));
            case LEAVE_TWICE -> {
                give(node, new Command.Leave(target));
                give(node, new Command.Leave(target));
            }
            case DOWN -> give(node, new Command.Down(target));
            case DOWN_UNKNOWN_ADDRESS -> give(node, new Command.Down(RunPlan.addressOf(9_999)));
            case DOWN_OLD_INCARNATION -> give(node, new Command.DownIncarnation(oldIncarnation(target)));
            case JOIN_AGAIN -> give(node, new Command.JoinTo(target));
            case JOIN_SEEDS_AGAIN -> give(node, new Command.JoinSeeds());
        }
    }

    private Injection quarantine(FaultAction.Quarantine quarantine) {
        NodeAddress address = RunPlan.addressOf(quarantine.peer());
        SimulatedNode living = placeOf(quarantine.peer()).process;
        NodeId peer = quarantine.oldIncarnation() || living == null ? oldIncarnation(address) : living.id();
        return at(quarantine.slot(), node -> node.give(new Input.PeerQuarantined(peer)));
    }

    private static void give(SimulatedNode node, Command command) {
        node.give(new Input.CommandGiven(command));
    }

    /** The first process that ever ran there. */
    private NodeId oldIncarnation(NodeAddress address) {
        return world.allNodes().stream()
                .map(SimulatedNode::id)
                .filter(id -> id.address().equals(address))
                .findFirst()
                .orElseGet(() -> new NodeId(address, dice.nextLong()));
    }

    // --- Crash in the middle of a leader's action
    // ---------------------------------------------------------------------

    int effectsBeforeCrash(SimulatedNode node, ClusterState before, ClusterState after, int effects) {
        if (!leaderCrashArmed || effects == 0 || !isLeaderAction(node, before, after)) {
            return effects;
        }
        leaderCrashArmed = false;
        lastFaultNanos = world.nowNanos();
        settledAtNanos = Math.max(settledAtNanos, lastFaultNanos);
        world.reached("leader crashed in the middle of an action");
        return dice.below(effects);
    }

    /** This node itself wrote that somebody is up, exiting or removed. */
    private static boolean isLeaderAction(SimulatedNode node, ClusterState before, ClusterState after) {
        String key = node.id().clockKey();
        if (before.version() == after.version()
                || after.version().counterOf(key) == before.version().counterOf(key)) {
            return false;
        }
        if (after.tombstones().size() > before.tombstones().size()) {
            return true;
        }
        for (Member member : after.members()) {
            MemberStatus status = member.status();
            if ((status == MemberStatus.UP || status == MemberStatus.EXITING)
                    && before.members().statusOf(member.id()) != status) {
                return true;
            }
        }
        return false;
    }
}
