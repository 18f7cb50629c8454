package dev.muster.node.http;

import dev.muster.cluster.Cluster;
import dev.muster.cluster.Cluster.Question;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeAddress;
import dev.muster.node.http.Route.Access;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The routes that look at the cluster. */
final class ClusterRoutes {

    private final Cluster cluster;
    private final ConvergenceHistory history;

    ClusterRoutes(Cluster cluster, ConvergenceHistory history) {
        this.cluster = cluster;
        this.history = history;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", "/cluster/members", Access.READ, "who is in the cluster", call -> members()),
                new Route("GET", "/cluster/members/{address}", Access.READ, "one member", this::member),
                new Route("GET", "/cluster/gossip", Access.READ, "version, who has seen it, converged?", c -> gossip()),
                new Route("GET", "/cluster/reachability", Access.READ, "who reaches whom", c -> reachability()),
                new Route("GET", "/cluster/explain", Access.READ, "why, in plain sentences", this::explain));
    }

    private Response members() {
        ClusterSnapshot snapshot = cluster.snapshot();
        return Response.json(200, MembersView.of(snapshot.self(), snapshot.state()));
    }

    private Response member(Call call) {
        ClusterSnapshot snapshot = cluster.snapshot();
        Member member = new MemberLookup(snapshot).find(call.subject());
        return Response.json(200, MembersView.of(member));
    }

    private Response gossip() throws InterruptedException {
        List<String> why = Answers.await(cluster.explain(new Question.Convergence()));
        ClusterSnapshot snapshot = cluster.snapshot();
        return Response.json(200, GossipView.of(snapshot, history.observe(snapshot, Instant.now()), why));
    }

    private Response reachability() throws InterruptedException {
        List<Cluster.Heartbeats> watched = Answers.await(cluster.heartbeats());
        return Response.json(200, ReachabilityView.of(cluster.snapshot(), watched));
    }

    private Response explain(Call call) throws InterruptedException {
        String name = call.parameter("question").orElse("everything");
        Question question = switch (name) {
            case "everything", "" -> new Question.Everything();
            case "convergence" -> new Question.Convergence();
            case "unreachable" -> new Question.Unreachable(node(call));
            case "not-up" -> new Question.NotUp(node(call));
            case "partition" -> new Question.Partition(PartitionRoutes.path(call));
            default ->
                throw new RefusedRequest(
                        400, "question is one of everything, convergence, unreachable, not-up and partition");
        };
        List<String> answer = Answers.await(cluster.explain(question));
        if (question instanceof Question.Partition about
                && cluster.snapshot().partitions().find(about.path()).isEmpty()) {
            throw new RefusedRequest(404, String.join("; ", answer));
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("selfNode", cluster.selfAddress().toString());
        fields.put("question", name.isEmpty() ? "everything" : name);
        call.parameter("node").ifPresent(node -> fields.put("node", node));
        call.parameter("path").ifPresent(path -> fields.put("path", path));
        fields.put("answer", answer);
        return Response.json(200, fields);
    }

    /** Also nodes that are no members may be asked about, so that one learns why they are not. */
    private NodeAddress node(Call call) {
        return new MemberLookup(cluster.snapshot()).address(call.needed("node", "127.0.0.1:2551"));
    }
}
