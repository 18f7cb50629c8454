package dev.muster.core.partition;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The members that may host partitions, in member order, which is the ring that placement goes around.
 *
 * <p>Only members that are up may. One that is joining has no vote yet, and one that is leaving is to be emptied.
 */
public final class EligibleNodes {
    private final Members everybody;
    private final Members nodes;
    private final Predicate<Member> mayHost;

    private EligibleNodes(Members everybody, Members nodes, Predicate<Member> mayHost) {
        this.everybody = everybody;
        this.nodes = nodes;
        this.mayHost = mayHost;
    }

    public static EligibleNodes of(Members members) {
        return of(members, member -> true);
    }

    /** The members that are up and of which the condition is true, for example that they know partitions at all. */
    public static EligibleNodes of(Members members, Predicate<Member> mayHost) {
        return new EligibleNodes(
                members,
                Members.of(members.stream()
                        .filter(member -> member.status() == MemberStatus.UP && mayHost.test(member))
                        .toList()),
                mayHost);
    }

    public int size() {
        return nodes.size();
    }

    /** How many may host partitions that want this role. */
    public int sizeOf(String role) {
        return ordinalsWith(role).cardinality();
    }

    public NodeId get(int ordinal) {
        return nodes.get(ordinal).id();
    }

    /** The node's place among those that may host, or a negative number. */
    public int ordinalOf(NodeId id) {
        return nodes.ordinalOf(id);
    }

    BitSet ordinalsWith(String role) {
        BitSet found = new BitSet(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            if (role.isEmpty() || nodes.get(i).hasRole(role)) {
                found.set(i);
            }
        }
        return found;
    }

    /** The places of those of them that may host partitions at all. */
    BitSet ordinalsOf(Set<NodeId> some) {
        BitSet found = new BitSet(nodes.size());
        for (NodeId node : some) {
            int ordinal = nodes.ordinalOf(node);
            if (ordinal >= 0) {
                found.set(ordinal);
            }
        }
        return found;
    }

    /** Why a node may not host partitions that want this role, as the end of a sentence; empty when it may. */
    public Optional<String> whyNot(NodeId id, String role) {
        MemberStatus status = everybody.statusOf(id);
        if (status == MemberStatus.REMOVED) {
            return Optional.of(id + " is no member");
        }
        if (status != MemberStatus.UP) {
            return Optional.of(id + " is " + status.displayName() + ", and only members that are up host partitions");
        }
        if (!nodes.has(id)) {
            return Optional.of(id + " hosts no partitions");
        }
        return role.isEmpty() || nodes.get(nodes.ordinalOf(id)).hasRole(role)
                ? Optional.empty()
                : Optional.of(id + " does not have the role " + role);
    }

    /**
     * The application versions of those that host, or will; more than one during a rolling upgrade. What others run,
     * who know no partitions at all, may differ for as long as they are there.
     */
    public TreeSet<String> appVersions() {
        TreeSet<String> versions = new TreeSet<>();
        for (Member member : everybody) {
            if (!member.status().isOnItsWayOut() && mayHost.test(member)) {
                versions.add(member.appVersion());
            }
        }
        return versions;
    }
}
