package dev.muster.node.http;

import dev.muster.cluster.Cluster;
import dev.muster.cluster.Cluster.Outcome;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.partition.Move;
import dev.muster.core.partition.RebalancePlan;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.PartitionPath;
import dev.muster.node.http.Route.Access;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes about partitions: where they are, which are on the move, and which should be. */
final class PartitionRoutes {

    private static final int LONGEST_SHOWN = 80;

    private final Cluster cluster;
    private final MoveAges ages;

    PartitionRoutes(Cluster cluster, MoveAges ages) {
        this.cluster = cluster;
        this.ages = ages;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", "/cluster/partitions", Access.READ, "where partitions run", c -> partitions()),
                new Route("GET", "/cluster/handoffs", Access.READ, "partitions on the move", c -> handoffs()),
                new Route(
                        "POST",
                        "/cluster/partitions/rebalance",
                        Access.WRITE,
                        "spreads partitions evenly",
                        this::rebalance),
                new Route(
                        "POST",
                        "/cluster/partitions/migrate",
                        Access.WRITE,
                        "path=P, to=A, from=B: moves an instance of P, that on B if it is named, to the member at A",
                        this::migrate));
    }

    /** The partition that a request is about, whether there is one or not. */
    static PartitionPath path(Call call) {
        try {
            return new PartitionPath(call.needed("path", "counters/3"));
        } catch (IllegalArgumentException noPath) {
            throw new RefusedRequest(400, noPath.getMessage());
        }
    }

    private Response partitions() {
        return Response.json(200, PartitionsView.of(cluster));
    }

    private Response handoffs() throws InterruptedException {
        List<Move> waiting = Answers.await(cluster.waitingMoves());
        Map<PartitionPath, String> reasons = Answers.await(cluster.reasonsOfMoves());
        ClusterSnapshot snapshot = cluster.snapshot();
        Instant now = Instant.now();
        ages.observe(snapshot, now);
        return Response.json(200, new HandoffsView(snapshot, ages, now).of(cluster.moves(), waiting, reasons));
    }

    private Response rebalance(Call call) throws InterruptedException {
        boolean isDryRun = call.isDryRun();
        requireMembership();
        RebalancePlan plan = Answers.await(cluster.rebalancePlan());
        if (isDryRun) {
            return foreseen(
                    plan,
                    (plan.isEmpty() ? "would move nothing: " : "would do this: ") + plan.summary(),
                    Optional.empty());
        }
        Outcome outcome = Answers.await(cluster.rebalance());
        String told = outcome.done() ? "the leader is told; as this node sees it, " + plan.summary() : outcome.detail();
        return made(outcome, told, plan, Optional.empty());
    }

    private Response migrate(Call call) throws InterruptedException {
        boolean isDryRun = call.isDryRun();
        PartitionPath path = path(call);
        NodeAddress to = member(call.needed("to", "127.0.0.1:2552"), "to");
        Optional<NodeAddress> from = call.parameter("from").map(text -> member(text, "from"));
        requireMembership();
        requirePartition(path);
        RebalancePlan plan = Answers.await(
                from.isPresent() ? cluster.migrationPlan(path, from.get(), to) : cluster.migrationPlan(path, to));
        if (plan.isEmpty()) {
            String why = plan.objection().orElseThrow();
            return Response.json(409, answer(isDryRun, why, false, plan, PartitionsView.of(cluster)));
        }
        Move move = plan.moves().get(0);
        Optional<String> warning = warning(move);
        String what =
                path + " from " + move.from().address() + " to " + move.to().address();
        if (isDryRun) {
            return foreseen(plan, "would move " + what, warning);
        }
        Outcome outcome =
                Answers.await(from.isPresent() ? cluster.migrate(path, from.get(), to) : cluster.migrate(path, to));
        return made(outcome, outcome.done() ? "the leader is told to move " + what : outcome.detail(), plan, warning);
    }

    /**
     * It is no refusal, for either host may be back before the leader looks, or be unreachable from here only. But who
     * asks should not have to find in the log that nothing came of it.
     */
    private Optional<String> warning(Move move) {
        ClusterSnapshot snapshot = cluster.snapshot();
        NodeAddress self = snapshot.self().address();
        if (!PartitionsView.unreachable(List.of(move.to()), snapshot).isEmpty()) {
            return Optional.of(move.to().address() + " is unreachable, as " + self + " sees it, so the move will most"
                    + " likely be refused, and only the log will say so; choose another node, or wait until it is"
                    + " reachable");
        }
        if (!PartitionsView.unreachable(List.of(move.from()), snapshot).isEmpty()) {
            return Optional.of(move.from().address() + " is unreachable, as " + self + " sees it, so it cannot hand"
                    + " anything over now; if it is removed, its instance begins anew elsewhere, wherever that is");
        }
        return Optional.empty();
    }

    private NodeAddress member(String text, String parameter) {
        MemberLookup lookup = new MemberLookup(cluster.snapshot());
        try {
            NodeAddress address = lookup.address(text);
            return lookup.find(address.toString()).id().address();
        } catch (RefusedRequest refused) {
            throw new RefusedRequest(refused.status(), parameter + " '" + shown(text) + "': " + refused.getMessage());
        }
    }

    private static String shown(String text) {
        String printable = text.replaceAll("[^ -~]", "?");
        return printable.length() <= LONGEST_SHOWN ? printable : printable.substring(0, LONGEST_SHOWN) + "...";
    }

    private void requireMembership() {
        if (cluster.snapshot().phase() != ClusterSnapshot.Phase.MEMBER) {
            throw new RefusedRequest(409, cluster.selfAddress() + " is in no cluster now; ask a member");
        }
    }

    private void requirePartition(PartitionPath path) {
        if (cluster.snapshot().partitions().find(path).isEmpty()) {
            throw new RefusedRequest(404, "there is no partition " + path + "; GET /cluster/partitions lists them");
        }
    }

    private Response foreseen(RebalancePlan plan, String message, Optional<String> warning) {
        Map<String, Object> fields = answer(true, message, true, plan, PartitionsView.after(cluster, plan.moves()));
        warning.ifPresent(text -> fields.put("warning", text));
        return Response.json(200, fields);
    }

    private Response made(Outcome outcome, String message, RebalancePlan plan, Optional<String> warning) {
        Map<String, Object> fields = answer(false, message, outcome.done(), plan, PartitionsView.of(cluster));
        warning.ifPresent(text -> fields.put("warning", text));
        return Response.json(outcome.done() ? 200 : 409, fields);
    }

    private static Map<String, Object> answer(
            boolean dryRun, String message, boolean done, RebalancePlan plan, Map<String, Object> state) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("message", message);
        fields.put("done", done);
        fields.put("dryRun", dryRun);
        fields.put("plan", PlanView.of(plan));
        fields.put("state", state);
        return fields;
    }
}
