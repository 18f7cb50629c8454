package dev.muster.interop.membership;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A member is killed; both kinds notice, and agree by the same strategy that it is gone. */
class CrashTest {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void bothKindsNoticeAndRemoveOneThatIsKilled(Kind killed) {
        try (MixedCluster cluster = new MixedCluster()) {
            List<Node> nodes = cluster.form(killed.other(), killed, killed.other(), killed);
            Node victim = nodes.get(3);

            victim.kill();
            cluster.forget(victim);
            for (Node node : cluster.nodes()) {
                node.await(
                        "holds " + victim + " unreachable",
                        Duration.ofSeconds(15),
                        state -> state.unreachable().contains(victim.port())
                                || !state.members().containsKey(victim.port()));
            }
            cluster.awaitAllUp();

            cluster.startAt(killed, victim.port()).hears("up");
            cluster.awaitAllUp();
        }
    }
}
