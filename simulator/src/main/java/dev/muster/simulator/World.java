package dev.muster.simulator;

import dev.muster.core.ClusterRules;
import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.Letter;
import dev.muster.simulator.check.NodeView;
import dev.muster.simulator.check.ProcessChange;
import dev.muster.simulator.check.RunFacts;
import dev.muster.simulator.check.Step;
import dev.muster.simulator.check.WorkStep;
import dev.muster.simulator.check.WorldView;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.plan.HandoffVariety;
import dev.muster.simulator.plan.Purpose;
import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.plan.TimerHabit;
import dev.muster.simulator.plan.WireMode;
import dev.muster.simulator.plan.Workload;
import dev.muster.simulator.trace.Trace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Everything there is in one run: time, places, processes, and what is still to happen, on one thread and without a
 * real clock. Takes events one by one, in the order of their time and then of their making.
 */
public final class World implements WorldView {
    private static final long WALL_CLOCK_READING_NANOS = 30_000_000_000L;
    private static final long LONGEST_EXIT_TASKS_NANOS = 2_000_000_000L;
    private static final long EXIT_LOOK_NANOS = 100_000_000L;
    private static final int MOST_VIOLATIONS = 20;

    private final RunPlan plan;
    private final WireMode wireMode;
    private final Workload workload;
    private final SortedMap<PartitionPath, PartitionSpec> partitions;
    private final HandoffVariety variety;
    private final ClusterRules rules;
    private final Trace trace;
    private final Tracer tracer;
    private final EventQueue queue = new EventQueue();
    private final SimulatedNetwork network;
    private final FaultInjector injector;
    private final CheckerPanel checkers;
    private final HandoffTraffic traffic;
    private final RunFacts facts;
    private final Dice checkerDice;
    private final List<SimulatedNode> all = new ArrayList<>();
    private final List<SimulatedNode> running = new ArrayList<>();
    private final Map<NodeId, SimulatedNode> byId = new HashMap<>(); // looked up only, never walked through
    private final List<Violation> violations = new ArrayList<>();
    private final TreeMap<String, Long> situations = new TreeMap<>();
    private final Judgements.Count judgements = new Judgements.Count();
    private final Map<Long, Integer> underWay = new HashMap<>(); // by a letter's number; never walked through
    private final ArrayDeque<Runnable> afterThisEvent = new ArrayDeque<>();
    private StepListener listener = StepListener.NONE;
    private OptionalLong startNanos = OptionalLong.empty();
    private long nowNanos;
    private long checks;
    private long events;
    private boolean stopped;
    private boolean hostsPromptly;

    /** Sees steps beside the checkers; for scenarios that measure. */
    interface StepListener {
        StepListener NONE = (node, before, after, effects) -> {};

        void stepped(SimulatedNode node, ClusterState before, ClusterState after, List<Effect> effects);
    }

    public World(RunPlan plan, List<Checker> checkers, ClusterRules rules, Trace trace) {
        this(plan, checkers, rules, trace, WireMode.RECORDS, Workload.NONE);
    }

    public World(
            RunPlan plan,
            List<Checker> checkers,
            ClusterRules rules,
            Trace trace,
            WireMode wireMode,
            Workload workload) {
        this(plan, checkers, rules, trace, wireMode, workload, workload.partitions(plan));
    }

    /** @param partitions what every node wants when it starts */
    World(
            RunPlan plan,
            List<Checker> checkers,
            ClusterRules rules,
            Trace trace,
            WireMode wireMode,
            Workload workload,
            SortedMap<PartitionPath, PartitionSpec> partitions) {
        this.plan = plan;
        this.workload = workload;
        this.partitions = partitions;
        this.variety = HandoffVariety.of(plan, workload);
        this.wireMode = wireMode;
        this.rules = rules;
        this.trace = trace;
        this.tracer = new Tracer(trace, this);
        this.network = new SimulatedNetwork(
                this,
                Dice.of(plan.seed(), Purpose.NETWORK),
                plan.links(),
                plan.faultKinds().contains(FaultKind.DUPLICATES));
        this.checkerDice = Dice.of(plan.seed(), Purpose.CHECKERS);
        this.facts = factsOf(plan);
        this.checkers = new CheckerPanel(this, checkers);
        this.injector = new FaultInjector(this, Dice.of(plan.seed(), Purpose.INJECTION));
        this.traffic = new HandoffTraffic(this);
        for (int slot = 0; slot < plan.slots().size(); slot++) {
            network.place(RunPlan.addressOf(slot));
            if (plan.slots().get(slot).isUsed()) {
                startLater(slot, plan.slots().get(slot).startNanos());
            }
        }
        plan.schedule().events().forEach(injector::schedule);
        traffic.begin();
    }

    private static RunFacts factsOf(RunPlan plan) {
        TreeSet<String> kinds = new TreeSet<>();
        plan.faultKinds().forEach(kind -> kinds.add(kind.displayName()));
        return new RunFacts(
                plan.settings(),
                plan.usedSlots(),
                Collections.unmodifiableSortedSet(kinds),
                plan.liveness(),
                plan.settings().join().seedNodes(),
                plan.links().mostNanos(),
                plan.schedule().hasCommandedDowns(),
                plan.usedSlots() > 200);
    }

    // --- Time
    // ---------------------------------------------------------------------------------------------------------

    /** Lets everything happen up to a moment, then stands there. Ends early when a violation was found. */
    public void runUntil(long untilNanos) {
        while (!stopped && queue.nextNanos() <= untilNanos) {
            Event event = queue.poll();
            nowNanos = event.atNanos;
            events++;
            event.happen();
            while (!afterThisEvent.isEmpty()) {
                afterThisEvent.poll().run();
            }
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    /** Asks the checkers for what can only be said at the end. */
    public void end() {
        if (!stopped) {
            checkers.atEnd(this);
        }
    }

    void add(Event event, long atNanos) {
        queue.add(event, atNanos);
    }

    /** Stops the run at once. */
    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    void listen(StepListener next) {
        listener = next;
    }

    // --- Processes
    // ----------------------------------------------------------------------------------------------------

    void startLater(int slot, long atNanos) {
        add(Happening.of(() -> start(slot)), atNanos);
    }

    /** Starts a process in a slot with the settings of the run, unless one is there. */
    void start(int slot) {
        start(slot, plan.settings(), new Command.JoinSeeds());
    }

    void start(int slot, ClusterSettings settings, Command first) {
        Place place = network.place(RunPlan.addressOf(slot));
        if (place.process != null) {
            return;
        }
        int incarnation = place.incarnations++;
        Dice dice = Dice.of(plan.seed(), Purpose.NODE, slot, incarnation);
        boolean isInitial = slot < plan.slots().size();
        List<String> roles = isInitial ? plan.slots().get(slot).roles() : List.of();
        SimulatedNode node = new SimulatedNode(
                this,
                new SimulatedNode.Birth(
                        all.size(),
                        slot,
                        place,
                        drawId(place, dice),
                        settings.withJoin(variety.joining(settings.join().withRoles(roles), incarnation)),
                        dice,
                        isInitial ? plan.slots().get(slot).driftPartsPerMillion() : 0),
                false);
        admit(node);
        running.add(node);
        processChanged(node, ProcessChange.Kind.STARTED, "started as " + node.id());
        node.start(first);
        partitions.forEach((path, spec) -> node.give(new Input.CommandGiven(new Command.WantPartition(path, spec))));
        add(new WallClockReading(node), nowNanos + WALL_CLOCK_READING_NANOS);
        traffic.started(node);
    }

    private long drawUid(Dice dice) {
        long drawn = dice.nextLong();
        boolean collides = plan.uidCollision() && !running.isEmpty() && dice.chance(0.2);
        if (collides) {
            reached("uid collision forced");
        }
        return collides ? dice.pick(running).id().uid() : drawn;
    }

    /** A uid that some process has elsewhere is a collision; one that this very place had before is nothing new. */
    private NodeId drawId(Place place, Dice dice) {
        NodeId drawn = new NodeId(place.address, drawUid(dice));
        return byId.containsKey(drawn) ? new NodeId(place.address, dice.nextLong()) : drawn;
    }

    private void admit(SimulatedNode node) {
        all.add(node);
        byId.put(node.id(), node);
        node.place().process = node;
    }

    /** A peer that is none of ours. It has an address and an id, and sends whatever the injector makes it send. */
    SimulatedNode startHostile(NodeAddress address, long uid) {
        Place place = network.place(address);
        if (place.process == null) {
            place.incarnations++;
            SimulatedNode.Birth birth = new SimulatedNode.Birth(
                    all.size(),
                    place.index,
                    place,
                    new NodeId(address, uid),
                    plan.settings(),
                    Dice.of(plan.seed(), Purpose.NODE, place.index),
                    0);
            admit(new SimulatedNode(this, birth, true));
        }
        return place.process;
    }

    void crash(SimulatedNode node) {
        if (node.isRunning()) {
            end(node);
            processChanged(node, ProcessChange.Kind.CRASHED, "crashed");
            supervise(node);
        }
    }

    /**
     * Its core has ended. What waits for its partitions is dead letters then, as in a process that goes on a little.
     */
    void stoppedItself(SimulatedNode node, String reason) {
        if (node.shell() != null) {
            node.shell().endInOrder();
        }
        end(node);
        processChanged(node, ProcessChange.Kind.STOPPED_ITSELF, "stopped itself: " + reason);
        supervise(node);
    }

    private void end(SimulatedNode node) {
        node.end();
        node.place().process = null;
        running.remove(node);
    }

    private void supervise(SimulatedNode node) {
        if (plan.supervisorDelayNanos() > 0 && node.slot() < plan.slots().size()) {
            startLater(node.slot(), nowNanos + plan.supervisorDelayNanos());
        }
    }

    void pause(SimulatedNode node) {
        node.pause();
        processChanged(node, ProcessChange.Kind.PAUSED, "paused");
    }

    void resume(SimulatedNode node) {
        if (node.isPaused()) {
            processChanged(node, ProcessChange.Kind.RESUMED, "resumed");
            node.resume();
        }
    }

    void runExitTasks(SimulatedNode node) {
        finishExitTasks(node, node.dice().between(0, LONGEST_EXIT_TASKS_NANOS), nowNanos);
    }

    /** Whoever has handed partitions over carries on what still comes to it, for a while. */
    private void finishExitTasks(SimulatedNode node, long takes, long begunNanos) {
        boolean waits = node.shell() != null && node.shell().goes(nowNanos - begunNanos);
        if (waits && node.isRunning()) {
            add(Happening.of(() -> finishExitTasks(node, takes, begunNanos)), nowNanos + EXIT_LOOK_NANOS);
        } else {
            add(Happening.of(() -> node.give(new Input.ExitTasksDone())), nowNanos + takes);
        }
    }

    private void processChanged(SimulatedNode node, ProcessChange.Kind kind, String words) {
        tracer.process(node, kind, words);
        if (!checkers.isEmpty()) {
            checkers.onProcess(new ProcessChange(this, node, kind));
        }
    }

    /** Wall clocks are read now and then, as a runtime would. */
    private final class WallClockReading extends Event {
        private final SimulatedNode node;

        private WallClockReading(SimulatedNode node) {
            this.node = node;
        }

        @Override
        void happen() {
            if (node.isRunning()) {
                node.readWallClock();
                add(this, nowNanos + WALL_CLOCK_READING_NANOS);
            }
        }
    }

    // --- Steps
    // --------------------------------------------------------------------------------------------------------

    /**
     * A core handled an input. Returns how many of the effects are carried out before the process dies; usually all.
     */
    int stepped(
            SimulatedNode node,
            Input input,
            long localNanos,
            ClusterState before,
            ClusterState after,
            List<Effect> effects) {
        tracer.step(node, input, before, after, effects);
        if (!checkers.isEmpty()) {
            checkers.onStep(new Step(this, node, input, localNanos, before, after, effects));
        }
        listener.stepped(node, before, after, effects);
        return injector.effectsBeforeCrash(node, before, after, effects.size());
    }

    void coreThrew(SimulatedNode node, Input input, Throwable thrown) {
        report(Violation.CRASH, "core threw on " + Tracer.describe(input) + ": " + Stack.top(thrown), node);
        if (node.isRunning()) {
            end(node);
            processChanged(node, ProcessChange.Kind.CRASHED, "crashed by its own core");
        }
    }

    // --- Letters
    // ------------------------------------------------------------------------------------------------------

    /** Whether nodes host partitions at all. */
    boolean hasPartitions() {
        return hostsPromptly || !partitions.isEmpty();
    }

    /** From now on nodes host partitions although the run has no workload, and nothing goes wrong with instances. */
    void hostPartitions() {
        hostsPromptly = true;
    }

    boolean hostsPromptly() {
        return hostsPromptly;
    }

    boolean hasLetters() {
        return workload == Workload.HANDOFF;
    }

    SortedMap<PartitionPath, PartitionSpec> partitions() {
        return partitions;
    }

    HandoffVariety variety() {
        return variety;
    }

    HandoffTraffic traffic() {
        return traffic;
    }

    /** How long every instance takes to start, and none fails; empty if that is drawn. */
    OptionalLong startNanos() {
        return startNanos;
    }

    void startInstancesIn(long nanos) {
        startNanos = OptionalLong.of(nanos);
    }

    /** Something left a node for another. */
    void departed(SimulatedNode sender, Object content) {
        if (content instanceof Parcel parcel) {
            parcel.letter().ifPresent(letter -> {
                underWay.merge(letter.number(), 1, Integer::sum);
                copies(sender, letter, 1, Optional.of(parcel.to()));
            });
        }
    }

    /** It is not under way any more. */
    void landed(SimulatedNode sender, Object content) {
        if (content instanceof Parcel parcel) {
            parcel.letter().ifPresent(letter -> {
                underWay.computeIfPresent(letter.number(), (it, count) -> count > 1 ? count - 1 : null);
                copies(sender, letter, -1, Optional.of(parcel.to()));
            });
        }
    }

    /** There are more copies of a letter than before, or fewer. */
    void copies(SimulatedNode node, Letter letter, int change) {
        copies(node, letter, change, Optional.empty());
    }

    private void copies(SimulatedNode node, Letter letter, int change, Optional<NodeId> to) {
        observed(node, letter.path(), new WorkStep.Copies(letter, change, to));
    }

    /** For checkers only: too much of it happens for a trace. */
    void observed(SimulatedNode node, PartitionPath path, WorkStep.What what) {
        if (!checkers.isEmpty()) {
            checkers.onWork(new WorkStep(this, node, path, what));
        }
    }

    /** What a node sent will not arrive. A letter is lost by that unless its sender keeps it and will send it again. */
    void lost(SimulatedNode sender, Object content, String how) {
        if (content instanceof Parcel parcel && !parcel.isKeptBySender()) {
            parcel.letter().ifPresent(letter -> worked(sender, parcel.path(), new WorkStep.Lost(letter, how)));
        }
    }

    void worked(SimulatedNode node, PartitionPath path, WorkStep.What what) {
        tracer.work(node, path, what);
        WorkStep step = new WorkStep(this, node, path, what);
        if (!checkers.isEmpty()) {
            checkers.onWork(step);
        }
        traffic.onWork(step);
    }

    @Override
    public int copiesUnderWay(Letter letter) {
        return underWay.getOrDefault(letter.number(), 0);
    }

    @Override
    public void afterThisEvent(Runnable what) {
        afterThisEvent.add(what);
    }

    // --- What checkers may ask
    // ----------------------------------------------------------------------------------------

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public List<SimulatedNode> allNodes() {
        return Collections.unmodifiableList(all);
    }

    /** Hostile peers are not among them. */
    @Override
    public List<SimulatedNode> runningNodes() {
        return Collections.unmodifiableList(running);
    }

    @Override
    public Optional<SimulatedNode> node(NodeId id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** The process that lives in a slot now. */
    Optional<SimulatedNode> nodeIn(int slot) {
        return Optional.ofNullable(network.place(RunPlan.addressOf(slot)).process);
    }

    @Override
    public boolean canSend(NodeAddress from, NodeAddress to) {
        return network.canSend(from, to);
    }

    @Override
    public boolean isQuiet() {
        return quietForNanos() > 0;
    }

    @Override
    public long quietForNanos() {
        return injector.quietForNanos();
    }

    @Override
    public long lastFaultNanos() {
        return injector.lastFaultNanos();
    }

    @Override
    public RunFacts facts() {
        return facts;
    }

    @Override
    public RandomGenerator checkerRandom() {
        return checkerDice.generator();
    }

    @Override
    public void countChecks(long count) {
        checks += count;
    }

    @Override
    public void judged(String invariant) {
        judgements.judged(invariant);
    }

    @Override
    public void letOff(String invariant) {
        judgements.letOff(invariant);
    }

    @Override
    public void report(String invariant, String what, NodeView node) {
        String where = node instanceof SimulatedNode simulated ? simulated.name() : "";
        if (violations.size() < MOST_VIOLATIONS) {
            violations.add(new Violation(invariant, what, nowNanos, where));
        }
        trace.line(nowNanos, where.isEmpty() ? "world" : where, "VIOLATION " + invariant + ": " + what, true);
        stopped = true;
    }

    @Override
    public void reached(String situation) {
        situations.merge(situation, 1L, Long::sum);
    }

    // --- What the rest of the simulator needs
    // -------------------------------------------------------------------------

    RunPlan plan() {
        return plan;
    }

    WireMode wireMode() {
        return wireMode;
    }

    ClusterRules rules() {
        return rules;
    }

    TimerHabit timers() {
        return plan.timers();
    }

    SimulatedNetwork network() {
        return network;
    }

    FaultInjector injector() {
        return injector;
    }

    Trace trace() {
        return trace;
    }

    Tracer tracer() {
        return tracer;
    }

    List<Violation> violations() {
        return Collections.unmodifiableList(violations);
    }

    SortedSet<String> situations() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(situations.keySet()));
    }

    long checks() {
        return checks;
    }

    SortedMap<String, Judgements> judgements() {
        return judgements.all();
    }

    /** How many events have happened. */
    long events() {
        return events;
    }

    /** Hours that processes ran, summed over all of them. */
    double nodeHours() {
        double seconds = 0;
        for (SimulatedNode node : all) {
            if (!node.isHostile()) {
                seconds += (Math.min(node.endedAtNanos(), nowNanos) - node.startedAtNanos()) / 1e9;
            }
        }
        return seconds / 3600;
    }
}
