package dev.muster.simulator;

import dev.muster.core.ClusterCore;
import dev.muster.core.ClusterSettings;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.Input;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.check.Letter;
import dev.muster.simulator.check.NodeView;
import dev.muster.wire.WireException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * One process: a real core, and around it what the runtime would do for it, in virtual time.
 *
 * <p>While it is paused nothing in it moves. What arrives meanwhile is handled when it goes on, as on a machine that
 * was stopped: in the order of arrival, with the timer somewhere in between, and everything seems to have arrived just
 * now.
 */
public final class SimulatedNode implements NodeView {
    private static final int MOST_WAITING_WHILE_PAUSED = 10_000;
    private static final int MOST_WAKE_UPS_AT_ONCE = 1_000;
    private static final Input.TimePassed TIME_PASSED = new Input.TimePassed();

    private enum Life {
        RUNNING,
        PAUSED,
        ENDED
    }

    private final World world;
    private final int number;
    private final int slot;
    private final String name;
    private final Place place;
    private final NodeId id;
    private final ClusterSettings settings;
    private final Dice dice;
    private final NodeClock clock;
    private final long startedAtNanos;
    private final SimulatedWire wire;
    private final ClusterCore core; // null for a hostile peer
    private final Effects effects = new Effects();
    private final List<Effect> effectsView = Collections.unmodifiableList(effects.list());
    private final List<Object> waiting = new ArrayList<>();
    private final PartitionShell shell; // null where no letters are sent
    private Life life = Life.RUNNING;
    private WakeUp pendingWakeUp;
    private long lastWakeUpNanos = -1;
    private int wakeUpsAtOnce;
    private long endedAtNanos = Long.MAX_VALUE;

    /** All that distinguishes one process from another. */
    record Birth(int number, int slot, Place place, NodeId id, ClusterSettings settings, Dice dice, long drift) {}

    SimulatedNode(World world, Birth birth, boolean isHostile) {
        this.world = world;
        this.number = birth.number();
        this.slot = birth.slot();
        this.place = birth.place();
        this.name = (isHostile ? "evil" : "n") + slot + "#" + (place.incarnations - 1);
        this.id = birth.id();
        this.settings = birth.settings();
        this.dice = birth.dice();
        this.startedAtNanos = world.nowNanos();
        // Monotonic clocks start anywhere; only their differences mean something.
        this.clock = new NodeClock(startedAtNanos, dice.between(0, 1L << 40), birth.drift());
        this.wire = new SimulatedWire(id, settings, world.wireMode());
        this.core = isHostile
                ? null
                : new ClusterCore(
                        id, settings, world.rules(), Dice.of(dice.nextLong()).generator(), localNanos());
        this.shell = world.hasPartitions() && !isHostile ? new PartitionShell(world, this) : null;
    }

    // --- What others see
    // ----------------------------------------------------------------------------------------------

    @Override
    public int number() {
        return number;
    }

    @Override
    public NodeId id() {
        return id;
    }

    @Override
    public ClusterSettings settings() {
        return settings;
    }

    @Override
    public ClusterState state() {
        return core == null ? ClusterState.EMPTY : core.state();
    }

    @Override
    public PartitionTable partitions() {
        return core == null ? PartitionTable.EMPTY : core.partitions();
    }

    @Override
    public ClusterSnapshot snapshot() {
        if (core == null) {
            throw new IllegalStateException(name + " is hostile and has no core to look into");
        }
        return core.snapshot();
    }

    @Override
    public List<Letter> letters() {
        return shell == null ? List.of() : shell.letters();
    }

    @Override
    public SortedMap<PartitionPath, PartitionGate<Letter>> gates() {
        return shell == null ? Collections.emptySortedMap() : shell.gates();
    }

    @Override
    public List<NodeId> routeTo(PartitionPath path) {
        return shell == null ? List.of() : shell.partition(path).hosts();
    }

    @Override
    public boolean isHeld() {
        return shell != null && shell.isHeld();
    }

    @Override
    public boolean isCutShort() {
        return shell != null && shell.isCutShort();
    }

    @Override
    public boolean isRunning() {
        return life != Life.ENDED;
    }

    @Override
    public boolean isPaused() {
        return life == Life.PAUSED;
    }

    @Override
    public boolean isHostile() {
        return core == null;
    }

    @Override
    public long startedAtNanos() {
        return startedAtNanos;
    }

    /** When it ended; the end of time while it runs. */
    public long endedAtNanos() {
        return endedAtNanos;
    }

    @Override
    public long localNanos() {
        return clock.localNanos(world.nowNanos());
    }

    /** {@code n3#1}: slot 3, the second process there. */
    public String name() {
        return name;
    }

    public int slot() {
        return slot;
    }

    PartitionShell shell() {
        return shell;
    }

    Place place() {
        return place;
    }

    SimulatedWire wire() {
        return wire;
    }

    NodeClock clock() {
        return clock;
    }

    Dice dice() {
        return dice;
    }

    @Override
    public String toString() {
        return name + " (" + id + ")";
    }

    // --- What happens to it
    // -------------------------------------------------------------------------------------------

    /** The first words to a new process. */
    void start(Command command) {
        handle(new Input.WallClockRead(clock.wallMillis(world.nowNanos())));
        handle(new Input.CommandGiven(command));
    }

    void receive(Transit transit) {
        if (life == Life.RUNNING) {
            handleContent(transit);
        } else if (life == Life.PAUSED && waiting.size() < MOST_WAITING_WHILE_PAUSED) {
            waiting.add(transit);
        } else {
            transit.isLost("too much waits for a paused process");
        }
    }

    /** Something that comes from the process itself or its operator. */
    void give(Input input) {
        if (life == Life.RUNNING) {
            handle(input);
        } else if (life == Life.PAUSED) {
            waiting.add(input);
        }
    }

    private void handleContent(Transit transit) {
        if (core == null) {
            transit.isLost("a hostile peer is there");
            return;
        }
        if (transit.content instanceof Parcel parcel) {
            world.landed(transit.sender, parcel);
        }
        Object content = read(transit);
        if (content instanceof Parcel parcel) {
            shell.arrived(transit.from, parcel);
        } else if (content instanceof CoreMessage message) {
            handle(new Input.MessageReceived(transit.from, message, localNanos()));
        } else if (content instanceof Proof proof) {
            handleProof(transit, proof);
        }
    }

    /** What has arrived; null for what cannot be read, which must not happen to the words of an honest node. */
    private Object read(Transit transit) {
        try {
            return wire.read(transit.from, transit.content);
        } catch (WireException refusal) {
            if (!transit.sender.isHostile()) {
                world.report(Violation.CRASH, "cannot read what " + transit.from + " wrote: " + refusal, this);
            }
            return null;
        }
    }

    private void handleProof(Transit transit, Proof proof) {
        if (proof.isAnswer()) {
            handle(new Input.IncarnationProved(proof.claimed()));
        } else if (proof.claimed().equals(id)) {
            world.network().send(this, transit.from.address(), new Proof(id, true));
        }
    }

    void readWallClock() {
        give(new Input.WallClockRead(clock.wallMillis(world.nowNanos())));
    }

    void pause() {
        life = Life.PAUSED;
    }

    void resume() {
        life = Life.RUNNING;
        List<Object> arrived = new ArrayList<>(waiting);
        waiting.clear();
        int timerTurn = dice.below(arrived.size() + 1);
        // Letters of actors wait until the core has noticed that the process stood still.
        boolean hasCoreBeenHeard = core == null;
        for (int i = 0; i <= arrived.size(); i++) {
            boolean isLetter = i < arrived.size() && isParcel(arrived.get(i));
            if (life == Life.RUNNING && (i == timerTurn || isLetter && !hasCoreBeenHeard)) {
                handle(TIME_PASSED);
                hasCoreBeenHeard = true;
            }
            if (i < arrived.size() && life == Life.RUNNING) {
                handleWaited(arrived.get(i));
                hasCoreBeenHeard |= !isLetter;
            } else if (isLetter) {
                ((Transit) arrived.get(i)).isLost("the process there has ended");
            }
        }
        if (life == Life.RUNNING && shell != null) {
            shell.resumed();
        }
    }

    private static boolean isParcel(Object arrived) {
        return arrived instanceof Transit transit && transit.content instanceof Parcel;
    }

    private void handleWaited(Object arrived) {
        if (arrived instanceof Input input) {
            handle(input);
        } else if (arrived instanceof Transit transit) {
            handleContent(transit);
        }
    }

    /** From now on it does and says nothing. */
    void end() {
        life = Life.ENDED;
        endedAtNanos = world.nowNanos();
        for (Object arrived : waiting) {
            if (isParcel(arrived)) {
                ((Transit) arrived).isLost("the process there has ended");
            }
        }
        waiting.clear();
        if (shell != null) {
            shell.end();
        }
    }

    // --- One step
    // -----------------------------------------------------------------------------------------------------

    private void handle(Input input) {
        ClusterState before = core.state();
        long localNanos = localNanos();
        effects.clear();
        try {
            core.handle(input, localNanos, effects);
        } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
            world.coreThrew(this, input, thrown);
            return;
        }
        int carriedOut = world.stepped(this, input, localNanos, before, core.state(), effectsView);
        for (int i = 0; i < carriedOut && life == Life.RUNNING; i++) {
            carryOut(effects.list().get(i));
        }
        if (life == Life.RUNNING && carriedOut < effects.list().size()) {
            world.crash(this);
        }
        if (life == Life.RUNNING) {
            arm();
        }
    }

    /** A quarantine concerns what actors send each other; cores refuse by themselves what they must not hear. */
    private void carryOut(Effect effect) {
        if (effect instanceof Effect.SendMessage send) {
            world.network().send(this, send.to(), send.message());
        } else if (effect instanceof Effect.ProveIncarnation prove) {
            NodeId claimed = prove.newIncarnation();
            world.network().send(this, claimed.address(), new Proof(claimed, false));
        } else if (effect instanceof Effect.RunExitTasks) {
            world.runExitTasks(this);
        } else if (effect instanceof Effect.StopNode stop) {
            world.stoppedItself(this, stop.reason());
        } else if (shell != null) {
            shell.carryOut(effect);
        }
    }

    // --- Timers
    // -------------------------------------------------------------------------------------------------------

    /**
     * One wake-up is pending at most. A later wish waits until the pending one comes up; an earlier one replaces it.
     */
    void arm() {
        long wanted = core.nextWakeUpNanos();
        if (wanted == Long.MAX_VALUE) {
            return;
        }
        long at = Math.max(world.nowNanos(), clock.worldNanos(wanted));
        if (pendingWakeUp == null || at < pendingWakeUp.earliestNanos) {
            pendingWakeUp = new WakeUp();
            pendingWakeUp.schedule(at);
        }
    }

    private void wakeUp(WakeUp due) {
        if (due != pendingWakeUp) {
            return;
        }
        pendingWakeUp = null;
        if (life != Life.RUNNING) {
            return;
        }
        if (!due.isEarly && localNanos() < core.nextWakeUpNanos()) {
            arm();
            return;
        }
        if (isBusyLoop()) {
            world.coreThrew(this, TIME_PASSED, new IllegalStateException("asks to be woken again and again at once"));
            return;
        }
        handle(TIME_PASSED);
    }

    private boolean isBusyLoop() {
        wakeUpsAtOnce = lastWakeUpNanos == world.nowNanos() ? wakeUpsAtOnce + 1 : 0;
        lastWakeUpNanos = world.nowNanos();
        return wakeUpsAtOnce > MOST_WAKE_UPS_AT_ONCE;
    }

    private final class WakeUp extends Event {
        /** When it was wished for, before the host's habits. */
        private long earliestNanos;

        private boolean isEarly;

        private void schedule(long wantedNanos) {
            earliestNanos = wantedNanos;
            long at = wantedNanos;
            switch (world.timers()) {
                case EXACT -> {}
                case SOMETIMES_LATE -> at += dice.chance(0.1) ? dice.between(0, 200_000_000) : 0;
                case SOMETIMES_EARLY -> {
                    isEarly = dice.chance(0.1);
                    at -= isEarly ? (long) ((at - world.nowNanos()) * dice.unit()) : 0;
                }
            }
            world.add(this, at);
        }

        @Override
        void happen() {
            wakeUp(this);
        }
    }
}
