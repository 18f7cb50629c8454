package dev.muster.examples;

import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.AskTimeoutException;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.NotDeliveredException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** The ways to get an answer: from outside, from inside an actor, from a future, and later. */
public final class AskPatterns {

    private AskPatterns() {}

    // --- The warehouse: it replies at once if it can, and later if it cannot

    sealed interface WarehouseMessage permits HowMany, Delivery, Subscribe {}

    /** Answered by an {@code Integer}; for something never delivered yet, only once the first delivery has come. */
    record HowMany(String item) implements WarehouseMessage {}

    record Delivery(String item, int count) implements WarehouseMessage {}

    record Subscribe(ActorRef<Arrived> subscriber) implements WarehouseMessage {}

    /** What subscribers are told. */
    record Arrived(String item, int count) {}

    static Behavior<WarehouseMessage> warehouse() {
        return Behaviors.setup(start -> {
            Map<String, Integer> stock = new HashMap<>();
            Map<String, List<ActorRef<Object>>> waiting = new HashMap<>();
            List<ActorRef<Arrived>> subscribers = new ArrayList<>();
            return Behaviors.receive(WarehouseMessage.class)
                    .on(HowMany.class, (ctx, question) -> {
                        Integer count = stock.get(question.item());
                        if (count != null) {
                            ctx.reply(count);
                        } else {
                            waiting.computeIfAbsent(question.item(), item -> new ArrayList<>())
                                    .add(ctx.replyTo());
                        }
                        return Behaviors.same();
                    })
                    .on(Delivery.class, (ctx, delivery) -> {
                        int count = stock.merge(delivery.item(), delivery.count(), Integer::sum);
                        subscribers.forEach(each -> each.tell(new Arrived(delivery.item(), delivery.count())));
                        List<ActorRef<Object>> askers = waiting.remove(delivery.item());
                        if (askers != null) {
                            askers.forEach(asker -> asker.tell(count));
                        }
                        return Behaviors.same();
                    })
                    .on(Subscribe.class, (ctx, request) -> {
                        subscribers.add(request.subscriber());
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    // --- The shop: it has to ask others before it can answer

    sealed interface ShopMessage permits Order, StockKnown, PriceKnown, News, ReadNews {}

    /** Answered by a text. */
    record Order(String item, int count) implements ShopMessage {}

    /** Answered by {@link NewsSoFar}. */
    record ReadNews() implements ShopMessage {}

    /** What has arrived so far. */
    record NewsSoFar(List<String> items) {}

    /** What the warehouse said to the shop's question; null if it said nothing. */
    private record StockKnown(Order order, ActorRef<Object> customer, Integer inStock) implements ShopMessage {}

    /** What the price list said; null if it failed. */
    private record PriceKnown(Order order, ActorRef<Object> customer, Integer price) implements ShopMessage {}

    /** What the warehouse tells its subscribers, as a message of the shop's own. */
    private record News(String text) implements ShopMessage {}

    static Behavior<ShopMessage> shop(
            ActorRef<WarehouseMessage> warehouse, Function<String, CompletableFuture<Integer>> prices) {
        return Behaviors.setup(start -> {
            List<String> news = new ArrayList<>();
            warehouse.tell(new Subscribe(start.adapt(Arrived.class, arrived -> new News(arrived.item()))));
            return Behaviors.receive(ShopMessage.class)
                    .on(Order.class, (ctx, order) -> {
                        ActorRef<Object> customer = ctx.replyTo();
                        ctx.ask(
                                warehouse,
                                new HowMany(order.item()),
                                Integer.class,
                                Duration.ofMillis(200),
                                (count, failure) -> new StockKnown(order, customer, count));
                        return Behaviors.same();
                    })
                    .on(StockKnown.class, (ctx, known) -> {
                        Order order = known.order();
                        if (known.inStock() == null) {
                            known.customer().tell("nobody knows whether there is " + order.item());
                        } else if (known.inStock() < order.count()) {
                            known.customer().tell("only " + known.inStock() + " " + order.item() + " left");
                        } else {
                            ctx.pipeToSelf(
                                    prices.apply(order.item()),
                                    (price, failure) -> new PriceKnown(order, known.customer(), price));
                        }
                        return Behaviors.same();
                    })
                    .on(PriceKnown.class, (ctx, known) -> {
                        Order order = known.order();
                        if (known.price() == null) {
                            known.customer().tell("nobody knows the price of " + order.item());
                        } else {
                            int total = order.count() * known.price();
                            known.customer().tell(order.count() + " " + order.item() + " for " + total);
                        }
                        return Behaviors.same();
                    })
                    .on(News.class, (ctx, message) -> {
                        news.add(message.text());
                        return Behaviors.same();
                    })
                    .on(ReadNews.class, (ctx, request) -> {
                        ctx.reply(new NewsSoFar(List.copyOf(news)));
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    // --- The program

    static CompletableFuture<Integer> priceOf(String item) {
        return CompletableFuture.supplyAsync(() -> item.length());
    }

    public static void main(String[] args) {
        try (ActorSystem system = ActorSystem.create("shop")) {
            ActorRef<WarehouseMessage> warehouse = system.spawn(warehouse(), "warehouse");
            warehouse.tell(new Delivery("cups", 3));
            ActorRef<ShopMessage> shop = system.spawn(shop(warehouse, AskPatterns::priceOf), "shop");

            int cups = warehouse.ask(new HowMany("cups"), Integer.class).join();
            System.out.println(cups + " cups in stock");

            System.out.println(shop.ask(new Order("cups", 2), String.class).join());
            System.out.println(shop.ask(new Order("cups", 4), String.class).join());
            System.out.println(shop.ask(new Order("tea", 1), String.class).join());

            try {
                int tea = warehouse
                        .ask(new HowMany("tea"), Integer.class, Duration.ofMillis(100))
                        .join();
                System.out.println(tea + " tea");
            } catch (CompletionException failed) {
                if (failed.getCause() instanceof AskTimeoutException timeout) {
                    System.out.println(timeout.getMessage());
                }
            }

            CompletableFuture<Integer> patient = warehouse.ask(new HowMany("tea"), Integer.class);
            warehouse.tell(new Delivery("tea", 40));
            System.out.println("now there is tea: " + patient.join());
            NewsSoFar news = shop.ask(new ReadNews(), NewsSoFar.class).join();
            System.out.println("arrived since the shop opened: " + news.items());

            system.stop(warehouse);
            warehouse
                    .ask(new HowMany("cups"), Integer.class)
                    .exceptionally(failure -> {
                        boolean atOnce = failure instanceof NotDeliveredException;
                        System.out.println("the warehouse is closed, and we know at once: " + atOnce);
                        return 0;
                    })
                    .join();
        }
    }
}
