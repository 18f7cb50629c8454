package dev.muster.node;

import dev.muster.actor.ActorRef;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.NodeStoppedException;
import dev.muster.cluster.Partition;
import dev.muster.cluster.Routing;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.membership.Convergence;
import dev.muster.core.membership.Leader;
import dev.muster.core.partition.EligibleNodes;
import dev.muster.core.partition.Layout;
import dev.muster.core.partition.LoadTable;
import dev.muster.core.partition.Migration;
import dev.muster.core.partition.Move;
import dev.muster.core.partition.PartitionNeed;
import dev.muster.core.partition.Placement;
import dev.muster.core.partition.RebalancePlan;
import dev.muster.core.partition.RebalanceSettings;
import dev.muster.core.partition.Rebalancer;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * A cluster that holds a real state and does at once what it is told, without anybody else taking part. Node i listens
 * at port 2550 + i.
 */
public final class FakeCluster implements Cluster {

    private PartitionTable partitions = PartitionTable.EMPTY;
    private NodeId self;
    private boolean isStopped;
    private final List<Move> waiting = new ArrayList<>();
    private final List<MoveInFlight> moves = new ArrayList<>();
    private final List<Runnable> onUp = new ArrayList<>();
    private final List<NodeAddress> joined = new ArrayList<>();
    private ClusterState state = ClusterState.EMPTY;
    private boolean answers = true;
    private LoadTable loads = LoadTable.EMPTY;
    private long samples;
    private boolean isTableUnderWay;
    private int looks;
    private final Queue<Runnable> afterLooks = new ArrayDeque<>();

    private FakeCluster(NodeId self) {
        this.self = self;
    }

    /** A node that is in no cluster. */
    public static FakeCluster alone() {
        return new FakeCluster(node(1));
    }

    /** Members that are all up, have all seen the same, and with the first one as this node. */
    public static FakeCluster of(int members) {
        FakeCluster cluster = alone();
        for (int i = 1; i <= members; i++) {
            cluster.add(i, MemberStatus.UP);
        }
        return cluster.allHaveSeen();
    }

    public static NodeId node(int index) {
        return new NodeId(NodeAddress.parse("muster://test@127.0.0.1:" + (2550 + index)), 1000L + index);
    }

    public synchronized FakeCluster add(int index, MemberStatus status, String... roles) {
        int upNumber = status == MemberStatus.JOINING || status == MemberStatus.WEAKLY_UP ? Member.NOT_YET_UP : index;
        return put(new Member(node(index), status, upNumber, List.of(roles), Member.DEFAULT_APP_VERSION));
    }

    private synchronized FakeCluster put(Member member) {
        state = state.withMember(self, member);
        if (member.id().equals(self) && member.status() == MemberStatus.UP) {
            onUp.forEach(Runnable::run);
        }
        return this;
    }

    public synchronized FakeCluster remove(int index) {
        state = state.withRemoved(self, state.members(), List.of(node(index)), 0);
        return allHaveSeen();
    }

    public synchronized FakeCluster unreachable(int subject, int... observers) {
        Reachability next = state.reachability();
        for (int observer : observers) {
            next = next.marked(node(observer), node(subject), ReachabilityStatus.UNREACHABLE);
        }
        state = state.withReachability(self, next);
        return this;
    }

    /** A partition that wants two instances. */
    public synchronized FakeCluster partition(String path, int... hosts) {
        partitions = partitions.merge(List.of(new PartitionEntry(
                new PartitionPath(path),
                partitions.revision() + 1,
                self,
                new PartitionSpec(2, "", HandoffPolicy.stateless()),
                Arrays.stream(hosts).mapToObj(FakeCluster::node).toList(),
                false)));
        return this;
    }

    public synchronized FakeCluster allHaveSeen() {
        for (Member member : state.members()) {
            state = state.seenBy(member.id());
        }
        return this;
    }

    /** This node is another incarnation at the same address, and knows of no partition yet. */
    public synchronized void restart() {
        Member before = selfMember();
        self = new NodeId(self.address(), self.uid() + 1000);
        partitions = PartitionTable.EMPTY;
        state = state.withRemoved(self, state.members(), List.of(before.id()), 0);
        put(new Member(self, MemberStatus.UP, before.upNumber(), before.roles(), before.appVersion()));
        allHaveSeen();
    }

    /** From now on no question is answered. */
    public synchronized void fallSilent() {
        answers = false;
    }

    public synchronized List<NodeAddress> joined() {
        return List.copyOf(joined);
    }

    public synchronized MemberStatus statusOf(int index) {
        return state.members().statusOf(node(index));
    }

    @Override
    public synchronized NodeId self() {
        return self;
    }

    @Override
    public synchronized NodeAddress selfAddress() {
        return self.address();
    }

    @Override
    public synchronized Member selfMember() {
        return state.members().find(self).orElseGet(() -> Member.joining(self, List.of(), Member.DEFAULT_APP_VERSION));
    }

    @Override
    public synchronized ClusterSnapshot snapshot() {
        boolean isMember = state.members().has(self);
        return new ClusterSnapshot(
                self,
                state,
                isMember ? ClusterSnapshot.Phase.MEMBER : ClusterSnapshot.Phase.IDLE,
                state.members().statusOf(self),
                Leader.of(state, self),
                isMember && Convergence.hasConverged(state, self, new TreeSet<>()),
                new TreeSet<>(),
                Map.of(),
                0,
                0,
                partitions,
                !isTableUnderWay);
    }

    @Override
    public synchronized CompletableFuture<List<Heartbeats>> heartbeats() {
        return answer(state.members().stream()
                .filter(member -> !member.id().equals(self))
                .map(member -> new Heartbeats(
                        member.id(), state.isReachable(member.id()) ? 0.25 : Double.POSITIVE_INFINITY, 120))
                .toList());
    }

    @Override
    public void subscribe(ActorRef<?> subscriber, InitialState initial, List<Class<?>> types) {
        throw new UnsupportedOperationException("nobody subscribes in these tests");
    }

    @Override
    public void unsubscribe(ActorRef<?> subscriber) {
        throw new UnsupportedOperationException("nobody subscribes in these tests");
    }

    @Override
    public synchronized CompletableFuture<Outcome> join(NodeAddress address) {
        joined.add(address);
        return answer(new Outcome(true, "joining " + address));
    }

    @Override
    public CompletableFuture<Outcome> joinSeedNodes() {
        throw new UnsupportedOperationException("there are no seeds in these tests");
    }

    @Override
    public CompletableFuture<Outcome> leave(NodeAddress address) {
        return change(address, MemberStatus.LEAVING);
    }

    @Override
    public CompletableFuture<Outcome> down(NodeAddress address) {
        return change(address, MemberStatus.DOWN);
    }

    private synchronized CompletableFuture<Outcome> change(NodeAddress address, MemberStatus next) {
        Members members = state.members();
        Member member = members.at(address).get(0);
        if (!member.status().mayBecome(next)) {
            return answer(new Outcome(false, member + " cannot become " + next.displayName()));
        }
        put(member.withStatus(next));
        return answer(new Outcome(true, member.id() + " is now " + next.displayName()));
    }

    @Override
    public synchronized void registerOnMemberUp(Runnable callback) {
        onUp.add(callback);
        if (state.members().statusOf(self) == MemberStatus.UP) {
            callback.run();
        }
    }

    @Override
    public void registerOnMemberRemoved(Runnable callback) {
        throw new UnsupportedOperationException("nobody waits for this in these tests");
    }

    @Override
    public CompletableFuture<List<String>> explain(Question question) {
        return answer(List.of("you asked " + question, "and that is why"));
    }

    @Override
    public CompletableFuture<Outcome> end(PartitionPath path) {
        return answer(new Outcome(false, "nothing ends here, also not " + path));
    }

    @Override
    public synchronized CompletableFuture<Outcome> migrate(PartitionPath path, NodeAddress to) {
        plan(path, host(path), to).moves().forEach(this::begin);
        return answer(new Outcome(true, "under way"));
    }

    @Override
    public synchronized CompletableFuture<Outcome> migrate(PartitionPath path, NodeAddress from, NodeAddress to) {
        plan(path, from, to).moves().forEach(this::begin);
        return answer(new Outcome(true, "under way"));
    }

    @Override
    public synchronized CompletableFuture<Outcome> rebalance() {
        new Rebalancer(RebalanceSettings.defaults()).plan(layout()).moves().forEach(this::begin);
        return answer(new Outcome(true, "under way"));
    }

    private void begin(Move move) {
        PartitionEntry row = partitions.find(move.path()).orElseThrow();
        long epoch = row.epoch() + 1;
        partitions = partitions.merge(List.of(new PartitionEntry(
                row.path(),
                epoch,
                self,
                row.spec(),
                row.instances(),
                false,
                Optional.of(new PartitionMove(epoch, move.from(), move.to(), PartitionMove.Stage.PENDING)))));
    }

    @Override
    public synchronized CompletableFuture<RebalancePlan> rebalancePlan() {
        return answer(new Rebalancer(RebalanceSettings.defaults()).plan(layout()));
    }

    @Override
    public synchronized CompletableFuture<RebalancePlan> migrationPlan(PartitionPath path, NodeAddress to) {
        return answer(plan(path, host(path), to));
    }

    @Override
    public synchronized CompletableFuture<RebalancePlan> migrationPlan(
            PartitionPath path, NodeAddress from, NodeAddress to) {
        return answer(plan(path, from, to));
    }

    @Override
    public synchronized CompletableFuture<SortedMap<PartitionPath, String>> reasonsOfMoves() {
        return answer(new TreeMap<>(Map.of(new PartitionPath("billing"), "it moves: a user asked for it")));
    }

    private NodeAddress host(PartitionPath path) {
        return partitions.find(path).orElseThrow().instances().get(0).address();
    }

    private RebalancePlan plan(PartitionPath path, NodeAddress host, NodeAddress to) {
        NodeId from = state.members().at(host).get(0).id();
        NodeId target = state.members().at(to).get(0).id();
        return new Rebalancer(RebalanceSettings.defaults())
                .migrate(layout(), List.of(new Migration(path, from, target)));
    }

    private Layout layout() {
        List<PartitionNeed> needs = new ArrayList<>();
        TreeMap<PartitionPath, List<NodeId>> hosts = new TreeMap<>();
        for (PartitionEntry row : partitions.entries().values()) {
            needs.add(new PartitionNeed(row.path(), row.spec().instances()));
            hosts.put(row.path(), row.instances());
        }
        return Layout.of(needs, Placement.of(hosts), EligibleNodes.of(state.members()));
    }

    @Override
    public synchronized CompletableFuture<List<Move>> waitingMoves() {
        return answer(List.copyOf(waiting));
    }

    @Override
    public synchronized LoadTable loads() {
        LoadTable now = loads;
        looks++;
        if (!afterLooks.isEmpty()) {
            afterLooks.remove().run();
        }
        return now;
    }

    /** How often somebody has looked at where partitions run. */
    public synchronized int looks() {
        return looks;
    }

    /** Not all are known to have the table that this node shows. */
    public synchronized FakeCluster tableUnderWay() {
        isTableUnderWay = true;
        return this;
    }

    /** What happens after each of the next looks at where partitions run. */
    public synchronized FakeCluster afterLooks(Runnable... events) {
        afterLooks.addAll(List.of(events));
        return this;
    }

    /** So many messages wait for the instance of a partition on a node. */
    public synchronized FakeCluster waits(int index, String path, long messages) {
        loads = loads.with(LoadSample.of(
                node(index), ++samples, 0.5, 0, new TreeMap<>(Map.of(new PartitionPath(path), messages))));
        return this;
    }

    /** A move that waits for its turn. */
    public synchronized FakeCluster waiting(String path, int from, int to, String reason) {
        waiting.add(new Move(new PartitionPath(path), node(from), node(to), reason));
        return this;
    }

    @Override
    public synchronized List<MoveInFlight> moves() {
        return List.copyOf(moves);
    }

    /** A move in which this node takes part; the table may know of it or not. */
    public synchronized FakeCluster moving(String path, MoveView view) {
        moves.add(new MoveInFlight(new PartitionPath(path), view));
        return this;
    }

    @Override
    public SortedMap<String, Long> counters() {
        return new TreeMap<>();
    }

    /** As one that was removed and waits to join again. */
    public synchronized FakeCluster stopped() {
        isStopped = true;
        return this;
    }

    private synchronized <T> CompletableFuture<T> answer(T value) {
        if (isStopped) {
            return CompletableFuture.failedFuture(new NodeStoppedException("its membership has ended"));
        }
        return answers ? CompletableFuture.completedFuture(value) : new CompletableFuture<>();
    }

    @Override
    public ActorRef<?> resolve(String name) {
        throw new UnsupportedOperationException("nobody lives here");
    }

    @Override
    public String nameOf(ActorRef<?> ref) {
        throw new UnsupportedOperationException("nobody lives here");
    }

    @Override
    public <M> ActorRef<M> host(Partition<M> partition) {
        throw new UnsupportedOperationException("nobody asks for partitions here");
    }

    @Override
    public <M> ActorRef<M> partition(String path, Class<M> messages) {
        throw new UnsupportedOperationException("nobody sends to partitions here");
    }

    @Override
    public <M> ActorRef<M> partition(String path, Class<M> messages, Routing<M> routing) {
        throw new UnsupportedOperationException("nobody sends to partitions here");
    }
}
