package dev.muster.wire;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads one cluster state. Lists may stand behind what refers to them, so references are kept as numbers until all is
 * read; then every one of them is checked.
 */
final class GossipReader {
    private static final MemberStatus[] STATUSES = {
        MemberStatus.JOINING,
        MemberStatus.UP,
        MemberStatus.LEAVING,
        MemberStatus.EXITING,
        MemberStatus.DOWN,
        MemberStatus.REMOVED,
        MemberStatus.WEAKLY_UP,
        MemberStatus.PREPARING_FOR_SHUTDOWN,
        MemberStatus.READY_FOR_SHUTDOWN
    };
    private static final ReachabilityStatus[] WORDS = {
        ReachabilityStatus.REACHABLE, ReachabilityStatus.UNREACHABLE, ReachabilityStatus.TERMINATED
    };
    private static final int MOST_SHARED_ROLE_LISTS = 256;
    private static final Comparator<ReachabilityRow.Observation> BY_SUBJECT =
            Comparator.comparing(ReachabilityRow.Observation::subject);

    /** A member before its references are resolved. */
    private record Row(int node, int upNumber, MemberStatus status, IndexList roles, int appVersion) {}

    private record Observer(int node, long version, List<Remark> remarks) {}

    private record Remark(int subject, ReachabilityStatus status, long version) {}

    private final ProtoReader in;
    private final List<NodeId> nodes = new ArrayList<>();
    private final List<String> roles = new ArrayList<>();
    private final List<String> appVersions = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private final List<Observer> observers = new ArrayList<>();
    private final IndexList seen = new IndexList();
    private final IndexList removed = new IndexList();
    private final List<Long> removalStamps = new ArrayList<>();
    private final ClockReader clock = new ClockReader();
    private boolean hasOverview;
    private int remarkCount;

    private GossipReader(ProtoReader in) {
        this.in = in;
    }

    /** Reads up to the end of the message that the reader is in. */
    static ClusterState read(ProtoReader in) {
        GossipReader reader = new GossipReader(in);
        reader.collect();
        try {
            return reader.resolve();
        } catch (IllegalArgumentException e) {
            throw WireException.refused("gossip", e);
        }
    }

    private void collect() {
        while (in.next()) {
            switch (in.field()) {
                case 1 -> {
                    Limits.requireAtMost("nodes in gossip", nodes.size() + 1, Limits.NODES);
                    nodes.add(ClusterNodes.readNode(in, "node"));
                }
                case 2 -> addText(roles, "role", Limits.ROLE_BYTES);
                case 3 -> clock.key(in);
                case 4 -> member();
                case 5 -> overview();
                case 6 -> clock.version(in);
                case 7 -> tombstone();
                case 8 -> addText(appVersions, "app version", Limits.APP_VERSION_BYTES);
                default -> in.skip();
            }
        }
        if (!hasOverview) {
            throw WireException.missing("overview");
        }
    }

    private void addText(List<String> texts, String name, int mostBytes) {
        Limits.requireAtMost(name + "s in gossip", texts.size() + 1, Limits.TEXTS_IN_GOSSIP);
        texts.add(in.text(name, mostBytes));
    }

    private void member() {
        Limits.requireAtMost("members in gossip", rows.size() + 1, Limits.MEMBERS);
        int outer = in.enter("member");
        int node = -1;
        int upNumber = 0;
        int status = -1;
        int appVersion = -1;
        IndexList roleIndexes = new IndexList();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> node = in.between("member's node", 0, Limits.NODES);
                case 2 -> upNumber = in.between("upNumber", 1, Integer.MAX_VALUE);
                case 3 -> status = in.between("status", 0, STATUSES.length - 1);
                case 4 -> roleIndexes.read(in, "member's roles", Limits.ROLES_PER_MEMBER);
                case 5 -> appVersion = in.between("member's app version", 0, Limits.TEXTS_IN_GOSSIP);
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (node < 0 || upNumber == 0 || status < 0) {
            throw WireException.missing(node < 0 ? "member's node" : status < 0 ? "status" : "upNumber");
        }
        IndexList known = rows.isEmpty() ? null : rows.get(rows.size() - 1).roles();
        IndexList shared = roleIndexes.equals(known) ? known : roleIndexes;
        rows.add(new Row(node, upNumber, STATUSES[status], shared, appVersion));
    }

    private void overview() {
        hasOverview = true;
        int outer = in.enter("overview");
        while (in.next()) {
            switch (in.field()) {
                case 1 -> seen.read(in, "seen", Limits.MEMBERS);
                case 2 -> observer();
                default -> in.skip();
            }
        }
        in.leave(outer);
    }

    private void observer() {
        Limits.requireAtMost("observers", observers.size() + 1, Limits.MEMBERS);
        int outer = in.enter("observer");
        int node = -1;
        long version = 0;
        List<Remark> remarks = new ArrayList<>(2);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> node = in.between("observer", 0, Limits.NODES);
                case 2 -> remark(remarks);
                case 4 -> version = in.int64("observer's version");
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (node < 0) {
            throw WireException.missing("observer");
        }
        observers.add(new Observer(node, version, remarks));
    }

    private void remark(List<Remark> remarks) {
        Limits.requireAtMost("observations", ++remarkCount, Limits.OBSERVATIONS);
        int outer = in.enter("observation");
        int subject = -1;
        int status = -1;
        long version = 0;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> subject = in.between("subject", 0, Limits.NODES);
                case 3 -> status = in.between("observation's status", 0, WORDS.length - 1);
                case 4 -> version = in.int64("observation's version");
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (subject < 0 || status < 0) {
            throw WireException.missing(subject < 0 ? "subject" : "observation's status");
        }
        // Others keep a record of who is reachable again; for us that is what no record says.
        if (WORDS[status] != ReachabilityStatus.REACHABLE) {
            remarks.add(new Remark(subject, WORDS[status], version));
        }
    }

    private void tombstone() {
        int outer = in.enter("tombstone");
        int node = -1;
        long stampMillis = 0;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> node = in.between("tombstone's node", 0, Limits.NODES);
                case 2 -> stampMillis = in.int64("removal time");
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (node < 0) {
            throw WireException.missing("tombstone's node");
        }
        Limits.requireAtMost("tombstones", removed.size() + 1, Limits.NODES);
        removed.add(node);
        removalStamps.add(stampMillis);
    }

    // --- References
    // ---------------------------------------------------------------------------------------------------

    private ClusterState resolve() {
        Members members = Members.of(resolveMembers());
        return ClusterState.of(
                members, resolveTombstones(), resolveReachability(), clock.toClock(), resolveSeen(members));
    }

    private List<Member> resolveMembers() {
        List<Member> members = new ArrayList<>(rows.size());
        Map<IndexList, List<String>> known = new HashMap<>();
        IndexList last = null;
        List<String> lastRoles = List.of();
        for (Row row : rows) {
            if (row.roles() != last) {
                last = row.roles();
                // With a bound, because lists that are made to have equal hashes would make a large map slow.
                lastRoles = known.size() < MOST_SHARED_ROLE_LISTS
                        ? known.computeIfAbsent(last, this::resolveRoles)
                        : resolveRoles(last);
            }
            String appVersion = row.appVersion() < 0
                    ? Member.DEFAULT_APP_VERSION
                    : at(appVersions, row.appVersion(), "app version");
            members.add(new Member(node(row.node()), row.status(), row.upNumber(), lastRoles, appVersion));
        }
        return members;
    }

    /** One list for all who have these roles. */
    private List<String> resolveRoles(IndexList indexes) {
        String[] named = new String[indexes.size()];
        for (int i = 0; i < named.length; i++) {
            named[i] = at(roles, indexes.get(i), "role");
        }
        return Member.normalizedRoles(List.of(named));
    }

    private Tombstones resolveTombstones() {
        if (removed.size() == 0) {
            return Tombstones.NONE;
        }
        TreeMap<NodeId, Long> stamps = new TreeMap<>();
        for (int i = 0; i < removed.size(); i++) {
            if (stamps.put(node(removed.get(i)), removalStamps.get(i)) != null) {
                throw WireException.malformed("two tombstones of " + node(removed.get(i)));
            }
        }
        return Tombstones.of(stamps);
    }

    private Reachability resolveReachability() {
        if (observers.isEmpty()) {
            return Reachability.ALL_REACHABLE;
        }
        List<ReachabilityRow> resolved = new ArrayList<>(observers.size());
        for (Observer observer : observers) {
            ReachabilityRow.Observation[] records =
                    new ReachabilityRow.Observation[observer.remarks().size()];
            for (int i = 0; i < records.length; i++) {
                Remark remark = observer.remarks().get(i);
                records[i] = new ReachabilityRow.Observation(node(remark.subject()), remark.status(), remark.version());
            }
            Arrays.sort(records, BY_SUBJECT);
            resolved.add(new ReachabilityRow(node(observer.node()), observer.version(), List.of(records)));
        }
        return Reachability.of(resolved);
    }

    private SeenSet resolveSeen(Members members) {
        SeenSet set = SeenSet.NOBODY;
        // From the last one on, so that the set gets its full length at once.
        for (int i = seen.size() - 1; i >= 0; i--) {
            set = set.with(ordinalOf(members, seen.get(i)));
        }
        return set;
    }

    /** Nearly always the nodes stand in member order, so that a node's place is its ordinal. */
    private int ordinalOf(Members members, int place) {
        NodeId id = node(place);
        int ordinal = place < members.size() && members.get(place).id() == id ? place : members.ordinalOf(id);
        if (ordinal < 0) {
            throw WireException.malformed("gossip was seen by " + id + ", which is no member");
        }
        return ordinal;
    }

    private NodeId node(int place) {
        return at(nodes, place, "node");
    }

    private static <T> T at(List<T> list, int place, String name) {
        if (place >= list.size()) {
            throw WireException.malformed("gossip refers to " + name + " " + place + " of " + list.size());
        }
        return list.get(place);
    }
}
