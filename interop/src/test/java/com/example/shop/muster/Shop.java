package com.example.shop.muster;

import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorSystem;

/** Starts a node. */
public final class Shop {
    private Shop() {}

    public static void main(String[] args) {
        ActorSystem.create("shop", ConfigFactory.load(), Shop::start);
    }

    public static void start(ActorSystem system) {
        system.spawn(Orders.orders(0), "orders");
        system.spawn(Members.members(), "members");
    }
}
