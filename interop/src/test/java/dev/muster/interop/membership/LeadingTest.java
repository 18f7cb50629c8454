package dev.muster.interop.membership;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One kind is seed and leader, members of the other kind join it, leave, and come again at the same port. */
class LeadingTest {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aLeaderLetsTheOtherKindInAndOut(Kind leading) {
        try (MixedCluster cluster = new MixedCluster()) {
            List<Node> nodes = cluster.form(leading, leading.other(), leading.other());
            Node leaver = nodes.get(2);

            leaver.tell("leave " + leaver.address());
            leaver.hears("removed");
            cluster.forget(leaver);
            cluster.awaitAllUp();

            leaver.close();
            leaver.awaitEnd();
            cluster.startAt(leading.other(), leaver.port()).hears("up");
            cluster.awaitAllUp();
        }
    }
}
