package dev.muster.simulator.check;

import dev.muster.core.ClusterSettings;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.handoff.Room;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** A world that stands still and is as a test says, to see what a checker says about it. */
final class StandingWorld implements WorldView {
    static final long SECOND = 1_000_000_000L;

    private final List<Standing> nodes = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final List<String> sentences = new ArrayList<>();
    private final ArrayDeque<Runnable> afterThisEvent = new ArrayDeque<>();
    private final ClusterSettings settings;
    private long nowNanos;

    StandingWorld(ClusterSettings settings) {
        this.settings = settings;
    }

    static NodeId id(String host) {
        return new NodeId(new NodeAddress("muster", "test", host, 2552), host.hashCode());
    }

    static Member member(String host, MemberStatus status) {
        int upNumber = status.isNotYetUp() ? Member.NOT_YET_UP : host.charAt(0);
        return new Member(id(host), status, upNumber, List.of(), Member.DEFAULT_APP_VERSION);
    }

    /** A state with these members, version 1 of the first of them, seen by all. */
    static ClusterState stateOf(Member... members) {
        Members rows = Members.of(Arrays.asList(members));
        SeenSet seen = SeenSet.NOBODY;
        for (int i = 0; i < rows.size(); i++) {
            seen = seen.with(i);
        }
        VectorClock version = VectorClock.EMPTY.increment(members[0].id().clockKey());
        return ClusterState.of(rows, Tombstones.NONE, Reachability.ALL_REACHABLE, version, seen);
    }

    /** The state after one of its members gave up another for good. */
    static ClusterState quarantined(ClusterState state, String observer, String subject) {
        return state.withReachability(
                id(observer), state.reachability().marked(id(observer), id(subject), ReachabilityStatus.TERMINATED));
    }

    Standing runs(String host, ClusterState state) {
        Standing node = new Standing(nodes.size(), id(host), state);
        nodes.add(node);
        return node;
    }

    /** Time goes by and nothing happens; then the checker may look around. */
    void pass(long nanos, Checker checker) {
        eventEnds();
        nowNanos += nanos;
        Standing any = nodes.get(0);
        checker.onStep(new Step(this, any, new Input.TimePassed(), nowNanos, any.state, any.state, List.of()));
    }

    /** All that has happened so far belongs to one event, and that is over. */
    void eventEnds() {
        while (!afterThisEvent.isEmpty()) {
            afterThisEvent.poll().run();
        }
    }

    /** One node takes a step that has these effects. */
    void step(Standing node, Checker checker, Effect... effects) {
        step(node, checker, new Input.TimePassed(), effects);
    }

    void step(Standing node, Checker checker, Input input, Effect... effects) {
        checker.onStep(new Step(this, node, input, nowNanos, node.state, node.state, List.of(effects)));
    }

    /** One node takes a step by which it comes to hold this. */
    void step(Standing node, Checker checker, ClusterState next) {
        ClusterState before = node.state;
        node.state = next;
        checker.onStep(new Step(this, node, new Input.TimePassed(), nowNanos, before, next, List.of()));
    }

    List<String> violations() {
        return violations;
    }

    /** The same, with what was said about each. */
    List<String> sentences() {
        return sentences;
    }

    final class Standing implements NodeView {
        private final int number;
        private final NodeId id;
        private ClusterState state;
        private PartitionTable table = PartitionTable.EMPTY;
        private List<Letter> letters = List.of();
        private final TreeMap<PartitionPath, PartitionGate<Letter>> gates = new TreeMap<>();
        private boolean isRunning = true;
        private boolean isPaused;
        private boolean isCutShort;

        private Standing(int number, NodeId id, ClusterState state) {
            this.number = number;
            this.id = id;
            this.state = state;
        }

        void holds(ClusterState next) {
            state = next;
        }

        void holds(PartitionTable next) {
            table = next;
        }

        void keeps(Letter... next) {
            letters = List.of(next);
        }

        /** A gate with much room, and an instance that is being made if the row says so. */
        PartitionGate<Letter> hasGate(PartitionEntry row) {
            HandoffSettings large = HandoffSettings.defaults();
            PartitionGate<Letter> gate = new PartitionGate<>(id, large, new Room(large), new IdleHands());
            gate.onRow(row, nowNanos);
            gates.put(row.path(), gate);
            return gate;
        }

        void ends() {
            isRunning = false;
        }

        void isPaused(boolean next) {
            isPaused = next;
        }

        void isCutShort(boolean next) {
            isCutShort = next;
        }

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
            return state;
        }

        @Override
        public PartitionTable partitions() {
            return table;
        }

        @Override
        public ClusterSnapshot snapshot() {
            throw new UnsupportedOperationException("nobody runs here");
        }

        @Override
        public List<Letter> letters() {
            return letters;
        }

        @Override
        public boolean isRunning() {
            return isRunning;
        }

        @Override
        public SortedMap<PartitionPath, PartitionGate<Letter>> gates() {
            return gates;
        }

        @Override
        public boolean isCutShort() {
            return isCutShort;
        }

        @Override
        public boolean isPaused() {
            return isPaused;
        }

        @Override
        public boolean isHostile() {
            return false;
        }

        @Override
        public long startedAtNanos() {
            return 0;
        }

        @Override
        public long localNanos() {
            return nowNanos;
        }
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public List<? extends NodeView> allNodes() {
        return nodes;
    }

    @Override
    public List<? extends NodeView> runningNodes() {
        return nodes.stream().filter(Standing::isRunning).toList();
    }

    @Override
    public Optional<? extends NodeView> node(NodeId id) {
        return nodes.stream().filter(node -> node.id.equals(id)).findFirst();
    }

    @Override
    public boolean canSend(NodeAddress from, NodeAddress to) {
        return true;
    }

    @Override
    public boolean isQuiet() {
        return true;
    }

    @Override
    public long quietForNanos() {
        return nowNanos;
    }

    @Override
    public long lastFaultNanos() {
        return 0;
    }

    @Override
    public void afterThisEvent(Runnable what) {
        afterThisEvent.add(what);
    }

    @Override
    public RunFacts facts() {
        return new RunFacts(settings, nodes.size(), new TreeSet<>(), true, List.of(), 0, false, false);
    }

    @Override
    public RandomGenerator checkerRandom() {
        return new Random(1);
    }

    @Override
    public void countChecks(long checks) {
        // not of interest
    }

    @Override
    public void report(String invariant, String what, NodeView node) {
        violations.add(invariant);
        sentences.add(invariant + ": " + what);
    }

    @Override
    public void reached(String situation) {
        // not of interest
    }
}
