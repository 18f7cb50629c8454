package dev.muster.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cluster.Cluster.Outcome;
import dev.muster.cluster.NodeStoppedException;
import dev.muster.core.ClusterCore;
import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.environment.Activation;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Dispatchers;
import dev.muster.environment.Environment;
import dev.muster.virtual.VirtualEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CoreDriverTest {
    private static final NodeId SELF = new NodeId(new NodeAddress("muster", "one", "a", 2552), 1);
    private static final PartitionPath PATH = new PartitionPath("orders");
    private static final Outcome NOT_HEARD =
            new Outcome(false, "this node's membership has ended; ask another one, or wait until it rejoins");

    private final VirtualEnvironment world = new VirtualEnvironment(1);
    private final List<String> seen = new ArrayList<>();
    private CoreDriver driver;

    private CoreDriver driverOn(Dispatcher dispatcher, Consumer<Effect> executor, Consumer<Throwable> onBug) {
        Environment environment = world.environment();
        return new CoreDriver(
                SELF,
                ClusterSettings.defaults(),
                environment,
                dispatcher,
                executor,
                onBug,
                new ResumeFence(environment.clock(), Duration.ofSeconds(5).toNanos(), () -> {}));
    }

    private CoreDriver driver(Consumer<Effect> executor) {
        return driverOn(world.environment().dispatchers().named(Dispatchers.DEFAULT), executor, bug -> {
            throw new AssertionError(bug);
        });
    }

    /** Whoever has seen a partition may send to it at once. */
    @Test
    void usersSeeAPartitionWhenItsWayIsKnownAndBeforeItsEvents() {
        driver = driver(this::look);

        driver.offer(new Input.CommandGiven(
                new Command.WantPartition(PATH, new PartitionSpec(1, "", HandoffPolicy.stateless()))));
        driver.offer(new Input.CommandGiven(new Command.JoinTo(SELF.address())));
        world.advance(Duration.ofSeconds(10));

        assertThat(seen).startsWith("row, not shown", "event, shown").doesNotContain("event, not shown");
    }

    @Test
    void aCommandThatTheCoreDidNotHearBeforeItStoppedIsNotDone() {
        driver = driver(effect -> {});
        var outcome = driver.command(new Command.Migrate(PATH, SELF.address()));
        driver.stop();
        world.runUntilIdle();

        assertThat(outcome).isCompletedWithValue(NOT_HEARD);
        assertThat(driver.command(new Command.Rebalance())).isCompletedWithValue(NOT_HEARD);
    }

    @Test
    void aQuestionThatTheCoreDidNotHearBeforeItStoppedIsRefused() {
        driver = driver(effect -> {});
        var answer = driver.ask(ClusterCore::rebalancePlan);
        driver.stop();
        world.runUntilIdle();

        assertThat(answer).isCompletedExceptionally();
        assertThatThrownBy(answer::join).hasCauseInstanceOf(NodeStoppedException.class);
    }

    /** The threads may end between a look at whether the core has stopped and the wish for a turn. */
    @Test
    void whoeverAsksWhenThereAreNoThreadsAnyMoreIsTold() {
        driver = driverOn(new Ended(), effect -> {}, bug -> {});
        assertThat(driver.command(new Command.Rebalance())).isCompletedWithValue(NOT_HEARD);

        driver = driverOn(new Ended(), effect -> {}, bug -> {});
        assertThat(driver.ask(ClusterCore::rebalancePlan)).isCompletedExceptionally();
        assertThat(driver.isStopped()).isTrue();
    }

    @Test
    void allWhoWaitAreToldWhenTheCoreFails() {
        List<Throwable> bugs = new ArrayList<>();
        driver = driverOn(
                world.environment().dispatchers().named(Dispatchers.DEFAULT),
                effect -> {
                    throw new IllegalStateException("broken");
                },
                bugs::add);
        var first = driver.command(new Command.JoinTo(SELF.address()));
        var second = driver.command(new Command.Rebalance());
        world.runUntilIdle();

        assertThat(bugs).hasSize(1);
        assertThat(first).isCompletedExceptionally();
        assertThatThrownBy(first::join).hasRootCauseMessage("broken");
        assertThat(second).isCompletedWithValue(NOT_HEARD);
    }

    private void look(Effect effect) {
        String shown = driver.published().partitions().find(PATH).isPresent() ? "shown" : "not shown";
        if (effect instanceof Effect.FollowRow) {
            seen.add("row, " + shown);
        } else if (effect instanceof Effect.PublishEvent published
                && published.event() instanceof ClusterEvent.PartitionChanged) {
            seen.add("event, " + shown);
        }
    }

    /** Like that of a system that has been closed. */
    private static final class Ended implements Dispatcher {
        @Override
        public void execute(Activation activation) {
            throw new RejectedExecutionException();
        }

        @Override
        public void execute(Runnable task) {
            throw new RejectedExecutionException();
        }

        @Override
        public int messagesPerTurn() {
            return 1;
        }

        @Override
        public void shutdown() {
            // It has ended.
        }
    }
}
