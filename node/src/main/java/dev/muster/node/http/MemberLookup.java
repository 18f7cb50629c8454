package dev.muster.node.http;

import dev.muster.core.ClusterSnapshot;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import java.util.Comparator;
import java.util.List;

/** Finds members by what people write: {@code muster://system@host:port}, or {@code host:port} for short. */
final class MemberLookup {

    private final ClusterSnapshot snapshot;

    MemberLookup(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** The address meant by a text. Short ones are completed by the names that this node's own address has. */
    NodeAddress address(String text) {
        NodeAddress self = snapshot.self().address();
        try {
            return text.contains("://")
                    ? NodeAddress.parse(text)
                    : NodeAddress.parse(self.protocol() + "://" + self.system() + "@" + text);
        } catch (IllegalArgumentException noAddress) {
            throw new RefusedRequest(
                    400, "this is no address; write muster://system@host:port, or host:port for short");
        }
    }

    /**
     * The member at an address. Of several incarnations the one that is not down; refuses with 404 if there is none.
     */
    Member find(String text) {
        List<Member> there;
        try {
            there = snapshot.state().members().at(address(text));
        } catch (RefusedRequest noAddress) {
            throw new RefusedRequest(404, noAddress.getMessage());
        }
        return there.stream()
                .min(Comparator.comparing(member -> member.status() == MemberStatus.DOWN))
                .orElseThrow(
                        () -> new RefusedRequest(404, "no member has this address; GET /cluster/members lists them"));
    }
}
