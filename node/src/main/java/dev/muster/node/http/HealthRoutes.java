package dev.muster.node.http;

import dev.muster.cluster.Cluster;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.ClusterSnapshot.Phase;
import dev.muster.core.state.MemberStatus;
import dev.muster.node.http.Route.Access;
import java.util.List;

/**
 * The routes for those who start and stop processes, such as Kubernetes. Open to all that can connect, so they say yes
 * or no and nothing else.
 */
final class HealthRoutes {

    private final Cluster cluster;

    HealthRoutes(Cluster cluster) {
        this.cluster = cluster;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/ready",
                        Access.OPEN,
                        "200 while this node is up or weakly up",
                        c -> yesOrNo(isReady())),
                new Route("GET", "/alive", Access.OPEN, "200 while this process answers", call -> yesOrNo(true)),
                new Route(
                        "GET",
                        "/startup",
                        Access.OPEN,
                        "200 once this node has got in",
                        call -> yesOrNo(hasStarted())));
    }

    private boolean isReady() {
        ClusterSnapshot snapshot = cluster.snapshot();
        return snapshot.phase() == Phase.MEMBER
                && (snapshot.selfStatus() == MemberStatus.UP || snapshot.selfStatus() == MemberStatus.WEAKLY_UP);
    }

    private boolean hasStarted() {
        ClusterSnapshot snapshot = cluster.snapshot();
        return switch (snapshot.phase()) {
            case IDLE, JOINING -> false;
            case MEMBER -> snapshot.selfStatus() != MemberStatus.JOINING;
            case STOPPED -> true;
        };
    }

    private static Response yesOrNo(boolean yes) {
        return yes ? Response.text(200, "OK") : Response.text(500, "Not Healthy");
    }
}
