package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** The tests of this module run with 1 GB, so this shows a million actors in half of the 2 GB that they may take. */
class AMillionActorsTest {

    private static final int ACTORS = 1_000_000;

    private record Start(CountDownLatch allStarted) {}

    @Test
    void aMillionActorsStartAnswerAndStopInAGigabyte() throws Exception {
        assertThat(Runtime.getRuntime().maxMemory()).isLessThanOrEqualTo(2L << 30);
        LongAdder answers = new LongAdder();
        LongAdder ends = new LongAdder();
        CountDownLatch answered = new CountDownLatch(ACTORS);
        // A busy machine may need longer than the default to stop a million.
        Config patient =
                ConfigFactory.parseString("muster.coordinated-shutdown.phases.actor-system-terminate.timeout = 100s");
        try (ActorSystem system = ActorSystem.create("million", patient)) {
            List<ActorRef<Integer>> children = new ArrayList<>(ACTORS);
            CountDownLatch started = new CountDownLatch(1);
            ActorRef<Start> parent = system.spawn(parentOf(children, answers, ends, answered), "parent");
            parent.tell(new Start(started));
            assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < ACTORS; i++) {
                children.get(i).tell(i);
            }
            assertThat(answered.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(answers.sum()).isEqualTo((long) ACTORS * (ACTORS - 1) / 2);
        assertThat(ends.sum()).isEqualTo(ACTORS);
    }

    private static Behavior<Start> parentOf(
            List<ActorRef<Integer>> children, LongAdder answers, LongAdder ends, CountDownLatch answered) {
        return Behaviors.receive(Start.class, (ctx, start) -> {
            for (int i = 0; i < ACTORS; i++) {
                children.add(ctx.spawn(Behaviors.setup(child -> Behaviors.receive(Integer.class)
                        .on(Integer.class, (c, number) -> {
                            answers.add(number);
                            answered.countDown();
                            return Behaviors.same();
                        })
                        .onSignal(PostStop.class, (c, end) -> {
                            ends.increment();
                            return Behaviors.same();
                        })
                        .build())));
            }
            start.allStarted().countDown();
            return Behaviors.same();
        });
    }
}
