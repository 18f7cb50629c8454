package dev.muster.node.demo;

import dev.muster.actor.ActorRef;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.Partition;
import dev.muster.cluster.Routing;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.membership.Leader;
import dev.muster.core.partition.LoadTable;
import dev.muster.core.partition.Move;
import dev.muster.core.partition.RebalancePlan;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.ReachabilityStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * What a cluster looks like from outside, without one: whoever listens at one of the ports is up, and whoever listened
 * there before is unreachable. So processes that know nothing of each other seem to form a cluster.
 */
final class ProbingCluster implements Cluster, AutoCloseable {

    private final NodeId self;
    private final int firstPort;
    private final int nodes;
    private final ServerSocket listening;
    private ClusterState state = ClusterState.EMPTY;

    ProbingCluster(String system, int port, int firstPort, int nodes) {
        this.self = id(system, port);
        this.firstPort = firstPort;
        this.nodes = nodes;
        try {
            this.listening = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        } catch (IOException taken) {
            throw new UncheckedIOException(taken);
        }
    }

    private static NodeId id(String system, int port) {
        return new NodeId(NodeAddress.parse("muster://" + system + "@127.0.0.1:" + port), port);
    }

    private boolean isListening(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException nobody) {
            return false;
        }
    }

    @Override
    public synchronized ClusterSnapshot snapshot() {
        for (int port = firstPort; port < firstPort + nodes; port++) {
            NodeId id = id(self.address().system(), port);
            boolean isMember = state.members().has(id);
            boolean listens = id.equals(self) || isListening(port);
            if (listens && !isMember) {
                state = state.withMember(self, new Member(id, MemberStatus.UP, port, List.of(), "0.0.0"));
            } else if (!listens && isMember && state.isReachable(id)) {
                state = state.withReachability(
                        self, state.reachability().marked(self, id, ReachabilityStatus.UNREACHABLE));
            }
        }
        return new ClusterSnapshot(
                self,
                state,
                ClusterSnapshot.Phase.MEMBER,
                MemberStatus.UP,
                Leader.of(state, self),
                true,
                new TreeSet<>(),
                Map.of(),
                0,
                0,
                PartitionTable.EMPTY,
                true);
    }

    @Override
    public NodeId self() {
        return self;
    }

    @Override
    public NodeAddress selfAddress() {
        return self.address();
    }

    @Override
    public Member selfMember() {
        return snapshot().state().members().find(self).orElseThrow();
    }

    @Override
    public CompletableFuture<List<Heartbeats>> heartbeats() {
        return CompletableFuture.completedFuture(List.of());
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
    public CompletableFuture<Outcome> join(NodeAddress address) {
        return CompletableFuture.completedFuture(new Outcome(false, "cannot"));
    }

    @Override
    public CompletableFuture<Outcome> joinSeedNodes() {
        return CompletableFuture.completedFuture(new Outcome(false, "cannot"));
    }

    @Override
    public CompletableFuture<Outcome> leave(NodeAddress address) {
        return CompletableFuture.completedFuture(new Outcome(false, "cannot"));
    }

    @Override
    public CompletableFuture<Outcome> down(NodeAddress address) {
        return CompletableFuture.completedFuture(new Outcome(false, "cannot"));
    }

    @Override
    public void registerOnMemberUp(Runnable callback) {
        callback.run();
    }

    @Override
    public void registerOnMemberRemoved(Runnable callback) {
        throw new UnsupportedOperationException("nobody waits for this in these tests");
    }

    @Override
    public CompletableFuture<List<String>> explain(Question question) {
        return CompletableFuture.completedFuture(List.of("because"));
    }

    @Override
    public CompletableFuture<Outcome> end(PartitionPath path) {
        throw new UnsupportedOperationException("nothing ends here");
    }

    @Override
    public CompletableFuture<Outcome> migrate(PartitionPath path, NodeAddress to) {
        throw new UnsupportedOperationException("nothing moves here");
    }

    @Override
    public CompletableFuture<Outcome> migrate(PartitionPath path, NodeAddress from, NodeAddress to) {
        throw new UnsupportedOperationException("nothing moves here");
    }

    @Override
    public CompletableFuture<RebalancePlan> migrationPlan(PartitionPath path, NodeAddress from, NodeAddress to) {
        throw new UnsupportedOperationException("nothing moves here");
    }

    @Override
    public CompletableFuture<SortedMap<PartitionPath, String>> reasonsOfMoves() {
        throw new UnsupportedOperationException("nothing moves here");
    }

    @Override
    public CompletableFuture<Outcome> rebalance() {
        throw new UnsupportedOperationException("nothing moves here");
    }

    @Override
    public List<MoveInFlight> moves() {
        return List.of();
    }

    @Override
    public CompletableFuture<RebalancePlan> rebalancePlan() {
        throw new UnsupportedOperationException("nothing moves here");
    }

    @Override
    public CompletableFuture<RebalancePlan> migrationPlan(PartitionPath path, NodeAddress to) {
        throw new UnsupportedOperationException("nothing moves here");
    }

    @Override
    public LoadTable loads() {
        return LoadTable.EMPTY;
    }

    @Override
    public CompletableFuture<List<Move>> waitingMoves() {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public SortedMap<String, Long> counters() {
        return new TreeMap<>();
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
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
