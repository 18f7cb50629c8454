package dev.muster.interop.node;

import dev.muster.actor.ActorRef;
import java.math.BigDecimal;
import java.util.List;

/** The same on a node of Muster, where {@code application.conf} says how the others call them. */
final class OurMessages {
    private OurMessages() {}

    record Order(String customer, List<Line> lines, ActorRef<Placed> replyTo) {}

    record Line(String article, int count, BigDecimal price) {}

    record Placed(String customer, BigDecimal total) {}
}
