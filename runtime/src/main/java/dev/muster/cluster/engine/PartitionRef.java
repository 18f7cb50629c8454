package dev.muster.cluster.engine;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.engine.InternalRef;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Leads to the instances of a partition, one after the other, wherever this node's table says they are. */
final class PartitionRef<M> implements InternalRef<M> {
    private final ClusterNode node;
    private final PartitionPath partition;
    private final ActorPath path;
    private final AtomicInteger turn = new AtomicInteger();
    private final Map<NodeId, ActorRef<M>> refs = new ConcurrentHashMap<>();
    private volatile List<NodeId> hosts = List.of();
    private volatile NodeId knownSelf;

    PartitionRef(ClusterNode node, PartitionPath partition) {
        this.node = node;
        this.partition = partition;
        this.path = new ActorPath(node.system().name(), List.of("user", PartitionHosts.nameOf(partition)), 0);
    }

    @Override
    public void tell(M message, ActorRef<?> replyTo) {
        if (message == null) {
            throw new NullPointerException("a message must not be null; it was sent to the partition " + partition);
        }
        List<NodeId> present = node.snapshot()
                .partitions()
                .find(partition)
                .map(PartitionEntry::instances)
                .orElse(List.of());
        if (present.isEmpty()) {
            system().deadLetterOffice().undelivered(message, replyTo, this, DeadLetter.Reason.STOPPED);
            return;
        }
        NodeId self = node.self();
        if (!present.equals(hosts) || !self.equals(knownSelf)) {
            // Refs of a former incarnation of this node lead nowhere.
            refs.clear();
            hosts = present;
            knownSelf = self;
        }
        NodeId host = present.get(Math.floorMod(turn.getAndIncrement(), present.size()));
        // Here the instance of the moment is meant; a ref to another node means whoever lives there.
        ActorRef<M> instance = host.equals(self) ? refAt(host) : refs.computeIfAbsent(host, this::refAt);
        instance.tell(message, replyTo);
    }

    @SuppressWarnings("unchecked") // whoever hosts the partition has the same actor there
    private ActorRef<M> refAt(NodeId host) {
        return (ActorRef<M>) node.resolve(host.address() + "/user/" + PartitionHosts.nameOf(partition));
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
    public String toString() {
        return "partition " + partition;
    }
}
