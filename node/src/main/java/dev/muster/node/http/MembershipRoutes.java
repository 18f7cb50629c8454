package dev.muster.node.http;

import dev.muster.cluster.Cluster;
import dev.muster.cluster.Cluster.Outcome;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.node.http.Route.Access;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The routes that change who is in the cluster. All of them can be tried out first by {@code dryRun=true}. */
final class MembershipRoutes {

    private final Cluster cluster;

    MembershipRoutes(Cluster cluster) {
        this.cluster = cluster;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "POST",
                        "/cluster/members",
                        Access.WRITE,
                        "address=A: this node joins the cluster of the node at A",
                        this::join),
                new Route("DELETE", "/cluster/members/{address}", Access.WRITE, "the member leaves", this::leave),
                new Route(
                        "PUT",
                        "/cluster/members/{address}",
                        Access.WRITE,
                        "operation=Leave, or operation=Down: declares it gone",
                        this::operate));
    }

    private Response join(Call call) throws InterruptedException {
        ClusterSnapshot before = cluster.snapshot();
        NodeAddress address = new MemberLookup(before).address(call.needed("address", "muster://system@host:port"));
        if (call.isDryRun()) {
            boolean idle =
                    before.phase() == ClusterSnapshot.Phase.IDLE || before.phase() == ClusterSnapshot.Phase.JOINING;
            return idle
                    ? answer(200, true, "would join " + address, true, before.state())
                    : answer(409, true, "is a member already; it would have to leave first", false, before.state());
        }
        return answer(Answers.await(cluster.join(address)));
    }

    private Response leave(Call call) throws InterruptedException {
        Member member = new MemberLookup(cluster.snapshot()).find(call.subject());
        return call.isDryRun()
                ? foresee(member, MemberStatus.LEAVING)
                : answer(Answers.await(cluster.leave(member.id().address())));
    }

    private Response down(Call call) throws InterruptedException {
        Member member = new MemberLookup(cluster.snapshot()).find(call.subject());
        return call.isDryRun()
                ? foresee(member, MemberStatus.DOWN)
                : answer(Answers.await(cluster.down(member.id().address())));
    }

    private Response operate(Call call) throws InterruptedException {
        return switch (call.needed("operation", "Down").toLowerCase(Locale.ROOT)) {
            case "leave" -> leave(call);
            case "down" -> down(call);
            default -> throw new RefusedRequest(400, "operation is Leave or Down");
        };
    }

    private Response foresee(Member member, MemberStatus next) {
        ClusterSnapshot now = cluster.snapshot();
        if (member.status() == next || !member.status().mayBecome(next)) {
            String why = member + " cannot become " + next.displayName() + " any more";
            return answer(409, true, why, false, now.state());
        }
        ClusterState then = now.state().withMember(now.self(), member.withStatus(next));
        return answer(200, true, member + " would become " + next.displayName(), true, then);
    }

    private Response answer(Outcome outcome) {
        return answer(
                outcome.done() ? 200 : 409,
                false,
                outcome.detail(),
                outcome.done(),
                cluster.snapshot().state());
    }

    private Response answer(int status, boolean dryRun, String message, boolean done, ClusterState state) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("message", message);
        fields.put("done", done);
        fields.put("dryRun", dryRun);
        fields.put("state", MembersView.of(cluster.self(), state));
        return Response.json(status, fields);
    }
}
