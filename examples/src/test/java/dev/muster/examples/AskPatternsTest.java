package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import dev.muster.examples.AskPatterns.Arrived;
import dev.muster.examples.AskPatterns.Delivery;
import dev.muster.examples.AskPatterns.HowMany;
import dev.muster.examples.AskPatterns.NewsSoFar;
import dev.muster.examples.AskPatterns.Order;
import dev.muster.examples.AskPatterns.ReadNews;
import dev.muster.examples.AskPatterns.ShopMessage;
import dev.muster.examples.AskPatterns.Subscribe;
import dev.muster.examples.AskPatterns.WarehouseMessage;
import dev.muster.testkit.ActorTestKit;
import dev.muster.testkit.Interleavings;
import dev.muster.testkit.TestProbe;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AskPatternsTest {

    private final ActorTestKit kit = ActorTestKit.create();
    private final TestProbe<WarehouseMessage> warehouse = kit.probe(WarehouseMessage.class, "warehouse");
    private final TestProbe<String> customer = kit.probe(String.class, "customer");

    @AfterEach
    void close() {
        kit.close();
    }

    @Test
    void theWarehouseAnswersOnceItCan() {
        ActorRef<WarehouseMessage> real = kit.spawn(AskPatterns.warehouse());
        CompletableFuture<Integer> tea = real.ask(new HowMany("tea"), Integer.class, Duration.ofDays(2));
        kit.advance(Duration.ofDays(1));
        assertThat(tea).isNotDone();

        real.tell(new Delivery("tea", 40));

        assertThat(kit.await(tea)).isEqualTo(40);
        assertThat(kit.ask(real, new HowMany("tea"), Integer.class)).isEqualTo(40);
    }

    @Test
    void aLateAnswerToTheShopIsADeadLetter() {
        ActorRef<WarehouseMessage> real = kit.spawn(AskPatterns.warehouse());
        ActorRef<ShopMessage> shop = kit.spawn(AskPatterns.shop(real, item -> new CompletableFuture<>()));
        shop.tell(new Order("tea", 1), customer.ref());
        customer.expectMessage("nobody knows whether there is tea");

        real.tell(new Delivery("tea", 40));
        kit.runUntilIdle();

        assertThat(kit.deadLetters()).extracting(DeadLetter::reason).containsExactly(DeadLetter.Reason.LATE_REPLY);
    }

    @Test
    void theShopAsksBeforeItAnswers() {
        CompletableFuture<Integer> price = new CompletableFuture<>();
        ActorRef<ShopMessage> shop = kit.spawn(AskPatterns.shop(stocked(), item -> price));
        shop.tell(new Order("cups", 2), customer.ref());
        customer.expectNoMessage(Duration.ofDays(1));

        price.complete(4);

        customer.expectMessage("2 cups for 8");
    }

    @Test
    void theShopAnswersWhenThePriceListFails() {
        ActorRef<ShopMessage> shop = kit.spawn(AskPatterns.shop(
                stocked(), item -> CompletableFuture.failedFuture(new IllegalStateException("no list"))));
        shop.tell(new Order("cups", 2), customer.ref());
        customer.expectMessage("nobody knows the price of cups");
        shop.tell(new Order("cups", 4), customer.ref());
        customer.expectMessage("only 3 cups left");
    }

    @Test
    void theShopHearsOfDeliveriesByItsAdapter() {
        ActorRef<ShopMessage> shop = kit.spawn(AskPatterns.shop(warehouse.ref(), item -> new CompletableFuture<>()));

        ActorRef<Arrived> adapter =
                warehouse.expectMessageClass(Subscribe.class).subscriber();
        adapter.tell(new Arrived("tea", 40));

        assertThat(kit.ask(shop, new ReadNews(), NewsSoFar.class).items()).containsExactly("tea");
    }

    @Test
    void whoWasAnsweredFindsTheNewsInTheShop() {
        Interleavings.explore(100, each -> {
            ActorRef<WarehouseMessage> real = each.spawn(AskPatterns.warehouse());
            ActorRef<ShopMessage> shop = each.spawn(AskPatterns.shop(real, item -> new CompletableFuture<>()));
            each.runUntilIdle();
            CompletableFuture<Integer> tea = real.ask(new HowMany("tea"), Integer.class, Duration.ofSeconds(1));
            real.tell(new Delivery("tea", 40));
            each.await(tea);

            assertThat(each.ask(shop, new ReadNews(), NewsSoFar.class).items()).containsExactly("tea");
        });
    }

    private ActorRef<WarehouseMessage> stocked() {
        ActorRef<WarehouseMessage> real = kit.spawn(AskPatterns.warehouse());
        real.tell(new Delivery("cups", 3));
        return real;
    }
}
