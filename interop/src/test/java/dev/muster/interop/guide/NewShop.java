package dev.muster.interop.guide;

import com.example.shop.muster.Orders;
import com.example.shop.muster.Shop;
import dev.muster.interop.node.MusterProgram;

/** A node of the guide's application after it has moved. */
public final class NewShop extends MusterProgram {
    private NewShop() {
        super(MigrationGuideTest.SYSTEM);
        Shop.start(system);
    }

    public static void main(String[] args) throws Exception {
        new NewShop().listen();
    }

    @Override
    protected void order(String node, String article) {
        var unused = Orders.place(system, node, new Orders.Place(article, 1))
                .whenComplete((placed, failure) -> say(
                        placed == null ? "failed " + failure : "placed " + placed.number() + " " + placed.article()));
    }
}
