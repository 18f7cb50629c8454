package dev.muster.wire;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.VectorClock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes one cluster state: {@code Gossip} in {@code cluster.proto}, fields in the order of their numbers. */
final class GossipWriter {
    private final ProtoWriter out;
    private final ClusterState state;
    private final Map<String, Integer> roles = new LinkedHashMap<>();
    private final Map<String, Integer> appVersions = new LinkedHashMap<>();

    private GossipWriter(ProtoWriter out, ClusterState state) {
        this.out = out;
        this.state = state;
    }

    static void write(ProtoWriter out, ClusterState state) {
        new GossipWriter(out, state).write();
    }

    private void write() {
        for (Member member : state.members()) {
            ClusterNodes.writeNode(out, 1, member.id());
        }
        for (NodeId removed : state.tombstones().ids()) {
            ClusterNodes.writeNode(out, 1, removed);
        }
        numberRolesAndVersions();
        roles.keySet().forEach(role -> out.text(2, role));
        for (int i = 0; i < state.version().size(); i++) {
            out.text(3, state.version().key(i));
        }
        writeMembers();
        writeOverview();
        writeVersion(out, 6, state.version());
        writeTombstones();
        appVersions.keySet().forEach(version -> out.text(8, version));
    }

    private void numberRolesAndVersions() {
        List<String> last = List.of();
        for (Member member : state.members()) {
            if (member.roles() != last) {
                last = member.roles();
                last.forEach(role -> roles.putIfAbsent(role, roles.size()));
            }
            appVersions.putIfAbsent(member.appVersion(), appVersions.size());
        }
    }

    private void writeMembers() {
        Members members = state.members();
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            int mark = out.begin(4);
            out.int32(1, i);
            out.int32(2, member.upNumber());
            out.int32(3, numberOf(member.status()));
            int packed = out.begin(4);
            for (String role : member.roles()) {
                out.varint(roles.get(role));
            }
            out.end(packed);
            out.int32(5, appVersions.get(member.appVersion()));
            out.end(mark);
        }
    }

    private void writeOverview() {
        int mark = out.begin(5);
        for (int i = 0; i < state.members().size(); i++) {
            if (state.seen().contains(i)) {
                out.int32(1, i);
            }
        }
        state.reachability().rows().forEach(this::writeObserver);
        out.end(mark);
    }

    private void writeObserver(ReachabilityRow row) {
        int mark = out.begin(2);
        out.int32(1, state.members().ordinalOf(row.observer()));
        for (ReachabilityRow.Observation record : row.records()) {
            int observation = out.begin(2);
            out.int32(1, state.members().ordinalOf(record.subject()));
            out.int32(3, numberOf(record.status()));
            out.int64(4, record.version());
            out.end(observation);
        }
        out.int64(4, row.version());
        out.end(mark);
    }

    /** The entries of a clock whose keys stand elsewhere, in the same order. */
    static void writeVersion(ProtoWriter out, int field, VectorClock version) {
        int mark = out.begin(field);
        out.int64(1, 0);
        for (int i = 0; i < version.size(); i++) {
            int entry = out.begin(2);
            out.int32(1, i);
            out.int64(2, version.counter(i));
            out.end(entry);
        }
        out.end(mark);
    }

    private void writeTombstones() {
        List<NodeId> removed = state.tombstones().ids();
        for (int i = 0; i < removed.size(); i++) {
            int mark = out.begin(7);
            out.int32(1, state.members().size() + i);
            out.int64(2, state.tombstones().stampMillisOf(removed.get(i)));
            out.end(mark);
        }
    }

    private static int numberOf(MemberStatus status) {
        return switch (status) {
            case JOINING -> 0;
            case UP -> 1;
            case LEAVING -> 2;
            case EXITING -> 3;
            case DOWN -> 4;
            case REMOVED -> 5;
            case WEAKLY_UP -> 6;
            case PREPARING_FOR_SHUTDOWN -> 7;
            case READY_FOR_SHUTDOWN -> 8;
        };
    }

    private static int numberOf(ReachabilityStatus status) {
        return switch (status) {
            case REACHABLE -> 0;
            case UNREACHABLE -> 1;
            case TERMINATED -> 2;
        };
    }
}
