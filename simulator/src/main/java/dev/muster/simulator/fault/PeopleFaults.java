package dev.muster.simulator.fault;

import static dev.muster.simulator.fault.FaultDrawing.SECONDS;

import dev.muster.simulator.fault.FaultAction.Forge;
import dev.muster.simulator.fault.FaultAction.Forgery;
import dev.muster.simulator.fault.FaultAction.GiveOrder;
import dev.muster.simulator.fault.FaultAction.Order;
import dev.muster.simulator.fault.FaultAction.Visit;
import java.util.List;

/** What people do: attack, give orders, and start nodes only to stop them again. */
final class PeopleFaults {
    private static final List<Order> ORDERS = List.of(Order.values());

    private PeopleFaults() {}

    static void hostile(FaultDrawing drawing) {
        for (int i = drawing.oneEvery(12); i > 0; i--) {
            Forgery forgery = drawing.dice().pick(List.of(Forgery.values()));
            boolean spoofed = forgery.mayBeSpoofed() && drawing.dice().chance(0.5);
            drawing.add(drawing.moment(), new Forge(drawing.slot(), forgery, spoofed));
        }
    }

    /** Orders that cost a member are few where nobody starts a new process in its place. */
    static void commands(FaultDrawing drawing) {
        int costly = drawing.ground().staysAlive()
                ? Integer.MAX_VALUE
                : (drawing.ground().slots() - 1) / 2;
        for (int i = drawing.oneEvery(30); i > 0; i--) {
            Order order = drawing.dice().pick(ORDERS);
            boolean costsMember = order == Order.LEAVE || order == Order.LEAVE_TWICE || order == Order.DOWN;
            if (!costsMember || costly-- > 0) {
                drawing.add(drawing.moment(), new GiveOrder(drawing.slot(), order, drawing.slot()));
            }
        }
    }

    static void churn(FaultDrawing drawing) {
        int most = drawing.ground().mostVisitors();
        int slot = drawing.ground().firstVisitorSlot();
        for (int visitor = 0; visitor < most; visitor++) {
            long at = drawing.ground().fromNanos() + drawing.dice().between(0, 10 * SECONDS);
            // One visitor after another in the same slot, so that no more than so many are there at once.
            while (at < drawing.ground().untilNanos() - SECONDS) {
                long stay = drawing.lasting(at, SECONDS, 30 * SECONDS);
                boolean inOrder = drawing.dice().chance(0.7);
                boolean misconfigured = drawing.dice().chance(0.1);
                drawing.add(at, new Visit(slot + visitor, stay, inOrder, misconfigured));
                at += stay + drawing.dice().between(SECONDS, 30 * SECONDS);
            }
        }
    }
}
