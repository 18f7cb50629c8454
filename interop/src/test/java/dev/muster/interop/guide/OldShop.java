package dev.muster.interop.guide;

import com.example.shop.pekko.Orders;
import com.example.shop.pekko.Shop;
import dev.muster.interop.node.PekkoProgram;

/** A node of the guide's application before it moves. */
public final class OldShop extends PekkoProgram {
    private OldShop() {
        super(MigrationGuideTest.SYSTEM);
        Shop.start(system);
    }

    public static void main(String[] args) throws Exception {
        new OldShop().listen();
    }

    @Override
    protected void order(String node, String article) {
        var unused = Orders.place(system, node, new Orders.Place(article, 1))
                .whenComplete((placed, failure) -> say(
                        placed == null ? "failed " + failure : "placed " + placed.number() + " " + placed.article()));
    }
}
