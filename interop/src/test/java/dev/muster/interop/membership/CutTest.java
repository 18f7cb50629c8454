package dev.muster.interop.membership;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import dev.muster.interop.node.Setup;
import dev.muster.testkit.relay.Link;
import dev.muster.testkit.relay.Relays;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members of both kinds on both sides of a cut. */
@Tag("interop")
class CutTest {
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

    @Test
    void aShortCutHealsAndNobodyIsLost() {
        try (Relays relays = new Relays(2);
                MixedCluster cluster = new MixedCluster(Setup.of("pekko.cluster.split-brain-resolver.stable-after=60s")
                        .behind(relays))) {
            Sides sides = Sides.form(cluster);

            relays.between(sides.staying(), sides.leaving(), Link.Way.CUT);
            for (Node node : sides.staying()) {
                sides.leaving()
                        .forEach(lost -> node.await(
                                "holds " + lost + " unreachable",
                                state -> state.unreachable().contains(lost.port())));
            }
            for (Node node : sides.leaving()) {
                sides.staying()
                        .forEach(lost -> node.await(
                                "holds " + lost + " unreachable",
                                state -> state.unreachable().contains(lost.port())));
            }
            relays.between(sides.staying(), sides.leaving(), Link.Way.OPEN);
            cluster.awaitAllUp();
        }
    }

    /** The strategies agree on who stays, whosever resolver decides it on whichever side. */
    @ParameterizedTest
    @ValueSource(strings = {"keep-majority", "static-quorum", "keep-oldest"})
    void bothSidesDecideTheSame(String strategy) {
        try (Relays relays = new Relays(3);
                MixedCluster cluster = new MixedCluster(Setup.of(
                                "pekko.cluster.split-brain-resolver.active-strategy=" + strategy,
                                "pekko.cluster.split-brain-resolver.static-quorum.quorum-size=3")
                        .behind(relays))) {
            Sides sides = Sides.form(cluster);

            relays.between(sides.staying(), sides.leaving(), Link.Way.CUT);
            sides.leaving().forEach(lost -> {
                lost.hears("removed");
                cluster.forget(lost);
            });
            cluster.awaitAllUp();

            relays.between(sides.staying(), sides.leaving(), Link.Way.OPEN);
            for (Node lost : sides.leaving()) {
                lost.close();
                lost.awaitEnd();
                cluster.startAt(lost.kind(), lost.port()).hears("up", LONG_ENOUGH);
            }
            cluster.awaitAllUp();
        }
    }

    /** The first three, with the oldest, and the last two. */
    private record Sides(List<Node> staying, List<Node> leaving) {
        static Sides form(MixedCluster cluster) {
            List<Node> nodes = cluster.form(Kind.MUSTER, Kind.PEKKO, Kind.MUSTER, Kind.PEKKO, Kind.MUSTER);
            return new Sides(nodes.subList(0, 3), nodes.subList(3, 5));
        }
    }
}
