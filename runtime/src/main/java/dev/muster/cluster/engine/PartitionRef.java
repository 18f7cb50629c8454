package dev.muster.cluster.engine;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.cluster.Routing;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.remote.Place;
import dev.muster.wire.Payload;
import java.util.List;
import java.util.Objects;

/**
 * Leads to the instances of a partition, wherever this node's table says they are, over all incarnations of this node.
 *
 * <p>An instance that gives its own address away is meant itself, as long as it is where it was: such a ref prefers
 * that node, and goes to any other when the instance has moved.
 */
final class PartitionRef<M> extends Place<M> {
    private final ClusterNode node;
    private final PartitionPath partition;
    private final ActorPath path;
    private final NodeAddress preferred;
    private final String name;
    private final Routing<M> routing;
    private volatile PartitionPost lastPost;

    PartitionRef(ClusterNode node, PartitionPost post) {
        this(node, post, null, null, null);
    }

    /** @param routing of those who send by this ref; null for that of the partition, as far as this node knows it */
    PartitionRef(ClusterNode node, PartitionPost post, Routing<M> routing) {
        this(node, post, null, null, routing);
    }

    /** @param name the address by which it was made known, of the instance on {@code preferred} */
    PartitionRef(ClusterNode node, PartitionPost post, NodeAddress preferred, String name) {
        this(node, post, preferred, name, null);
    }

    private PartitionRef(ClusterNode node, PartitionPost post, NodeAddress preferred, String name, Routing<M> routing) {
        this.node = node;
        this.partition = post.path();
        this.lastPost = post;
        this.path = new ActorPath(node.system().name(), List.of("user", PartitionHosts.nameOf(partition)), 0);
        this.preferred = preferred;
        this.name = name;
        this.routing = routing;
    }

    @Override
    public void tell(M message, ActorRef<?> replyTo) {
        if (message == null) {
            throw new NullPointerException("a message must not be null; it was sent to the partition " + partition);
        }
        post().send(message, replyTo, preferred, routing);
    }

    private PartitionPost post() {
        PartitionPost known = lastPost;
        if (known.isOver()) {
            known = node.posts().postFor(partition);
            lastPost = known;
        }
        return known;
    }

    @Override
    protected void arrived(NodeId from, Payload message, ActorRef<?> replyTo) {
        post().arrived(from, message, replyTo);
    }

    @Override
    protected String nameFromElsewhere() {
        return name;
    }

    @Override
    public LocalActorSystem system() {
        return node.system();
    }

    @Override
    public ActorPath path() {
        return path;
    }

    @Override
    public String shown() {
        return toString();
    }

    @Override
    public String why(DeadLetter.Reason reason) {
        return reason == DeadLetter.Reason.STOPPED
                ? reason + ", " + lastPost.whyStopped() + "; see explain partition " + partition
                : reason.name();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionRef<?> that
                && node == that.node
                && partition.equals(that.partition)
                && Objects.equals(name, that.name)
                && Objects.equals(routing, that.routing);
    }

    @Override
    public int hashCode() {
        return partition.hashCode() * 31 + Objects.hashCode(name);
    }

    @Override
    public String toString() {
        return "partition " + partition + (preferred == null ? "" : " on " + preferred.hostAndPort());
    }
}
