package dev.muster.cluster;

import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.partition.LoadTable;
import dev.muster.core.partition.Move;
import dev.muster.core.partition.RebalancePlan;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/**
 * This node's view of the cluster, and its way in and out of it. All methods may be called from any thread. Whoever
 * gives null gets a {@link NullPointerException} that names the parameter.
 *
 * <p>What it shows is what this node knows now; others may know more or less for a moment.
 *
 * <p>What is attached to its futures runs on the dispatcher for work that waits, or on the thread that attaches it, and
 * may wait.
 */
public interface Cluster {

    /**
     * The cluster of this system.
     *
     * @throws IllegalStateException if the system was not started as a node
     */
    static Cluster get(ActorSystem system) {
        if (system instanceof LocalActorSystem local) {
            return local.extension(Cluster.class)
                    .orElseThrow(() -> new IllegalStateException("actor system " + system.name()
                            + " is no node of a cluster; set muster.actor.provider = cluster to make it one"));
        }
        throw new IllegalArgumentException(system + " is not a system of Muster");
    }

    /** The present incarnation of this node. It changes when the node rejoins after it was removed. */
    NodeId self();

    NodeAddress selfAddress();

    /** This node's own row; with status Joining and no up number before it has one. */
    Member selfMember();

    /** All that this node knows now, as one value. Costs nothing to ask for. */
    ClusterSnapshot snapshot();

    /** What the failure detector thinks right now of the nodes that this one watches. */
    CompletableFuture<List<Heartbeats>> heartbeats();

    /** Like {@link #subscribe(ActorRef, InitialState, List)} with the present state as events. */
    default void subscribe(ActorRef<?> subscriber, Class<?>... types) {
        subscribe(subscriber, InitialState.AS_EVENTS, List.of(types));
    }

    /**
     * Sends {@code subscriber} what happens from now on, of these types or their subtypes. First it gets the present
     * state: as the events that would lead to it, or as one {@link CurrentClusterState}. The subscription ends when the
     * actor stops.
     */
    void subscribe(ActorRef<?> subscriber, InitialState initial, List<Class<?>> types);

    void unsubscribe(ActorRef<?> subscriber);

    /** Joins the cluster that the node at this address is a member of; with one's own address, forms a cluster. */
    CompletableFuture<Outcome> join(NodeAddress address);

    /** Joins by the configured seed nodes; without any, forms a cluster. */
    CompletableFuture<Outcome> joinSeedNodes();

    /** Lets the member at this address leave in good order. */
    CompletableFuture<Outcome> leave(NodeAddress address);

    /** Declares the member at this address gone. */
    CompletableFuture<Outcome> down(NodeAddress address);

    /** Runs {@code callback} once when this node is up, at once if it is. */
    void registerOnMemberUp(Runnable callback);

    /** Runs {@code callback} once when this node's membership has ended, at once if it has. */
    void registerOnMemberRemoved(Runnable callback);

    /** Answers why, in plain sentences. */
    CompletableFuture<List<String>> explain(Question question);

    /**
     * The actor that a text such as {@code muster://shop@10.0.0.7:2551/user/orders} names, here or elsewhere. It need
     * not exist.
     *
     * @throws IllegalArgumentException if the text is no address of an actor
     */
    ActorRef<?> resolve(String name);

    /** The text by which every node of the cluster finds this actor. */
    String nameOf(ActorRef<?> ref);

    /**
     * Says that this node knows a partition, and asks for it. Call it on every node that may host the partition, best
     * in the set-up that is given to {@code ActorSystem.create}. One that only sends to it needs no more than
     * {@link #partition(String, Class)}.
     *
     * @throws IllegalArgumentException if its state cannot travel, if its path lies above or below that of another one
     *     that this node hosts, or if it is hosted here already with another policy, role or type. How many instances
     *     it has, and what is expected of it, may be said anew at any time
     * @throws IllegalStateException if this node has ended for good, as it does when its system is closed
     * @return leads to its instances, one after the other, wherever they are; what is sent while there is none, or
     *     while this node is joining, becomes a dead letter
     */
    <M> ActorRef<M> host(Partition<M> partition);

    /**
     * Leads to a partition that others host: for nodes that only send to it, and have not its code. It need not exist
     * yet. Messages go the same way as by the ref that {@link #host} returns, by this node's own table, and what is
     * sent while there is no instance, or while this node is joining, becomes a dead letter too. If this node hosts the
     * partition itself, they go by the routing that it hosts it with; otherwise to one instance after the other.
     *
     * <p>To ask for a ref makes this node no host. But the leader does not know which nodes have the code: give the
     * partition a role that this one has not, or it may be tried here before another node gets it.
     *
     * @param messages what the partition understands, a record or a sealed type, so that this node can write it
     * @throws IllegalArgumentException if this can be no path of a partition
     */
    <M> ActorRef<M> partition(String path, Class<M> messages);

    /**
     * The same with a routing of one's own.
     *
     * @param routing which instance gets what is sent by this ref, whatever others say
     */
    <M> ActorRef<M> partition(String path, Class<M> messages, Routing<M> routing);

    /**
     * Ends a partition on all nodes: its instances stop, and what is sent to it becomes a dead letter. No node that
     * knows it asks for it again, until one hosts it anew; a node that restarts or rejoins does so in its set-up, so
     * take it out of there first.
     *
     * <p>Then {@link #host} may give its path to something else. With the policy and role of before, nodes that have
     * not hosted it anew may still run what they know, and begin anew without a state when they do; with others, they
     * do not know it until then.
     *
     * @return whether that begins, not that it is done
     */
    CompletableFuture<Outcome> end(PartitionPath path);

    /**
     * Lets an instance of a partition move to the node at this address. Its host hands it over as its policy says; the
     * answer says whether that begins, not that it is done.
     */
    CompletableFuture<Outcome> migrate(PartitionPath path, NodeAddress to);

    /** Like the other, for a partition with several instances: the one that is on {@code from} moves. */
    CompletableFuture<Outcome> migrate(PartitionPath path, NodeAddress from, NodeAddress to);

    /** Lets partitions be spread evenly, in as few moves as that takes. */
    CompletableFuture<Outcome> rebalance();

    /** The moves that this node takes part in now, as the host of before or the one to come. */
    List<MoveInFlight> moves();

    /** What {@link #rebalance} would do now, as far as this node knows. The leader plans for itself. */
    CompletableFuture<RebalancePlan> rebalancePlan();

    /** What {@link #migrate} would do now; without moves if it cannot be done, with the reason. */
    CompletableFuture<RebalancePlan> migrationPlan(PartitionPath path, NodeAddress to);

    /** What moving the instance on {@code from} would do now. */
    CompletableFuture<RebalancePlan> migrationPlan(PartitionPath path, NodeAddress from, NodeAddress to);

    /** Why partitions are on the move, by path, if this node leads the table and decided it; nothing on others. */
    CompletableFuture<SortedMap<PartitionPath, String>> reasonsOfMoves();

    /** Moves that wait for their turn, if this node leads the table; nothing on others. */
    CompletableFuture<List<Move>> waitingMoves();

    /** How busy nodes are, as far as this one has heard: up to 32 members all of each other, beyond that samples. */
    LoadTable loads();

    /** What this node counted since it started, by name, such as {@code remote.frames-received}. */
    SortedMap<String, Long> counters();

    /** In which form a new subscriber learns of what is already so. */
    enum InitialState {
        AS_EVENTS,
        AS_SNAPSHOT
    }

    /** The present state, for subscribers that asked for a snapshot. */
    record CurrentClusterState(ClusterSnapshot snapshot) {}

    /**
     * What became of a command.
     *
     * @param done whether it was carried out
     * @param detail what was done to whom, or why not, in a sentence
     */
    record Outcome(boolean done, String detail) {}

    /** A partition on its way from one node to another, as one of the two sees it. */
    record MoveInFlight(PartitionPath path, MoveView view) {}

    /**
     * How one watched node seems to be.
     *
     * @param subject the node
     * @param phi how strange its silence is; above the threshold it is unreachable
     * @param lastHeartbeatAgeMillis since its last answer; -1 before the first
     */
    record Heartbeats(NodeId subject, double phi, long lastHeartbeatAgeMillis) {}

    /** Something that {@link #explain} can answer. */
    sealed interface Question {
        /** Why is the cluster converged or not? */
        record Convergence() implements Question {}

        /** Why is this member unreachable, or not? */
        record Unreachable(NodeAddress address) implements Question {
            public Unreachable {
                Objects.requireNonNull(address, "address");
            }
        }

        /** Why is this node not up yet? */
        record NotUp(NodeAddress address) implements Question {
            public NotUp {
                Objects.requireNonNull(address, "address");
            }
        }

        /** Why is this partition where it is, and what happens to it next? Whoever leads the table knows most of it. */
        record Partition(PartitionPath path) implements Question {
            public Partition {
                Objects.requireNonNull(path, "path");
            }
        }

        /** All of the above about members, for everybody concerned: what is going on here? */
        record Everything() implements Question {}
    }
}
