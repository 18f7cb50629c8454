package com.example.shop.pekko;

import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** Starts a node. */
public final class Shop {
    private Shop() {}

    public static void main(String[] args) {
        start(ActorSystem.create("shop"));
    }

    public static void start(ActorSystem system) {
        system.actorOf(Props.create(Orders.class), "orders");
        system.actorOf(Props.create(Members.class), "members");
    }
}
