package dev.muster.interop.node;

import java.math.BigDecimal;
import java.util.List;
import org.apache.pekko.actor.ActorRef;

/** What the shop of a Pekko node understands. Pekko writes these with Jackson, as CBOR. */
final class TheirMessages {
    private TheirMessages() {}

    /** Bound to the serializer in {@code application.conf}. */
    interface Written {}

    record Order(String customer, List<Line> lines, ActorRef replyTo) implements Written {}

    record Line(String article, int count, BigDecimal price) {}

    record Placed(String customer, BigDecimal total) implements Written {}
}
