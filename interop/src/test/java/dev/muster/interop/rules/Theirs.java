package dev.muster.interop.rules;

import dev.muster.core.state.Member;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.util.Version;
import scala.jdk.javaapi.CollectionConverters;

/** Our nodes, members and words as objects of Pekko's, and back, without bytes in between. */
final class Theirs {
    private Theirs() {}

    static Address address(NodeId id) {
        NodeAddress address = id.address();
        return new Address(address.protocol(), address.system(), address.host(), address.port());
    }

    static UniqueAddress node(NodeId id) {
        return new UniqueAddress(address(id), id.uid());
    }

    static scala.collection.immutable.Set<UniqueAddress> nodes(Collection<NodeId> ids) {
        return set(ids.stream().map(Theirs::node).toList());
    }

    static <T> scala.collection.immutable.Set<T> set(Collection<T> elements) {
        return CollectionConverters.asScala(new HashSet<>(elements)).toSet();
    }

    static org.apache.pekko.cluster.Member member(Member member) {
        return new org.apache.pekko.cluster.Member(
                node(member.id()),
                member.upNumber(),
                status(member.status()),
                set(member.roles()),
                new Version(member.appVersion()));
    }

    private static MemberStatus status(dev.muster.core.state.MemberStatus status) {
        return switch (status) {
            case JOINING -> MemberStatus.joining();
            case WEAKLY_UP -> MemberStatus.weaklyUp();
            case UP -> MemberStatus.up();
            case PREPARING_FOR_SHUTDOWN -> MemberStatus.shuttingDown();
            case LEAVING -> MemberStatus.leaving();
            case EXITING -> MemberStatus.exiting();
            case DOWN -> MemberStatus.down();
            case READY_FOR_SHUTDOWN -> MemberStatus.shutDown();
            case REMOVED -> MemberStatus.removed();
        };
    }

    static org.apache.pekko.cluster.Reachability mark(
            org.apache.pekko.cluster.Reachability words, NodeId observer, NodeId subject, ReachabilityStatus status) {
        return switch (status) {
            case REACHABLE -> words.reachable(node(observer), node(subject));
            case UNREACHABLE -> words.unreachable(node(observer), node(subject));
            case TERMINATED -> words.terminated(node(observer), node(subject));
        };
    }

    /** The same words, one after the other; versions are not those of the rows. */
    static org.apache.pekko.cluster.Reachability words(Reachability reachability) {
        org.apache.pekko.cluster.Reachability words = org.apache.pekko.cluster.Reachability.empty();
        for (ReachabilityRow row : reachability.rows()) {
            for (ReachabilityRow.Observation record : row.records()) {
                words = mark(words, row.observer(), record.subject(), record.status());
            }
        }
        return words;
    }

    static NodeId ours(UniqueAddress node) {
        Address address = node.address();
        return new NodeId(
                new NodeAddress(
                        address.protocol(), address.system(), address.host().get(), port(address)),
                node.longUid());
    }

    private static int port(Address address) {
        return address.getPort().orElseThrow();
    }

    static SortedSet<NodeId> ours(scala.collection.Iterable<UniqueAddress> nodes) {
        SortedSet<NodeId> ids = new TreeSet<>();
        CollectionConverters.asJava(nodes).forEach(node -> ids.add(ours(node)));
        return ids;
    }

    /**
     * Versions and accusations. What they say of members that are reachable again is left out: we keep no such rows.
     */
    static Reachability ours(org.apache.pekko.cluster.Reachability words) {
        List<ReachabilityRow> rows = new ArrayList<>();
        Map<UniqueAddress, Object> versions = CollectionConverters.asJava(words.versions());
        versions.forEach((observer, version) -> rows.add(new ReachabilityRow(
                ours(observer),
                (Long) version,
                accusations(CollectionConverters.asJava(words.recordsFrom(observer))))));
        return Reachability.of(rows);
    }

    private static List<ReachabilityRow.Observation> accusations(
            List<org.apache.pekko.cluster.Reachability.Record> records) {
        return records.stream()
                .map(it -> new ReachabilityRow.Observation(ours(it.subject()), status(it.status()), it.version()))
                .filter(it -> it.status() != ReachabilityStatus.REACHABLE)
                .sorted(Comparator.comparing(ReachabilityRow.Observation::subject))
                .toList();
    }

    static ReachabilityStatus status(org.apache.pekko.cluster.Reachability.ReachabilityStatus status) {
        for (ReachabilityStatus word : ReachabilityStatus.values()) {
            if (word.displayName().equals(status.toString())) {
                return word;
            }
        }
        throw new IllegalArgumentException("unknown word " + status);
    }
}
