package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.testkit.ActorTestKit;
import dev.muster.testkit.Interleavings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The race of the tutorial's page on testing: two savers that read and then write. */
class RaceTest {

    sealed interface Account permits Balance, SetBalance {}

    record Balance() implements Account {}

    record SetBalance(int amount) implements Account {}

    static Behavior<Account> account(int amount) {
        return Behaviors.receive(Account.class)
                .on(Balance.class, (ctx, question) -> {
                    ctx.reply(amount);
                    return Behaviors.same();
                })
                .on(SetBalance.class, (ctx, set) -> account(set.amount()))
                .build();
    }

    static Behavior<Integer> saver(ActorRef<Account> account) {
        return Behaviors.setup(start -> {
            start.ask(account, new Balance(), Integer.class, Duration.ofSeconds(1), (amount, failure) -> amount);
            return Behaviors.receive(Integer.class, (ctx, amount) -> {
                account.tell(new SetBalance(amount + 10));
                return Behaviors.stopped();
            });
        });
    }

    static void twoSaversSaveTwenty(ActorTestKit kit) {
        ActorRef<Account> account = kit.spawn(account(0), "account");
        kit.spawn(saver(account), "ada");
        kit.spawn(saver(account), "ben");
        kit.runUntilIdle();
        assertThat(kit.ask(account, new Balance(), Integer.class)).isEqualTo(20);
    }

    @Test
    void someOrderLosesMoney() {
        assertThatThrownBy(() -> Interleavings.explore(100, RaceTest::twoSaversSaveTwenty))
                .hasMessageContaining("replay it alone with Interleavings.replay(");
    }
}
