package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A protocol with a race in it, on purpose: read a number, add one, write it back, while others do the same. */
class InterleavingsTest {

    sealed interface Cell permits Read, Write {}

    record Read() implements Cell {}

    record Write(int value) implements Cell {}

    static Behavior<Cell> cell(int value) {
        return Behaviors.receive(Cell.class)
                .on(Read.class, (ctx, read) -> {
                    ctx.reply(value);
                    return Behaviors.same();
                })
                .on(Write.class, (ctx, write) -> cell(write.value()))
                .build();
    }

    /** Two messages where one, "add", would be right. */
    static Behavior<Integer> increment(ActorRef<Cell> cell) {
        return Behaviors.setup(ctx -> {
            ctx.ask(cell, new Read(), Integer.class, Duration.ofSeconds(1), (value, failure) -> value);
            return Behaviors.receive(Integer.class, (context, value) -> {
                cell.tell(new Write(value + 1));
                return Behaviors.stopped();
            });
        });
    }

    static void twoIncrementsMakeTwo(ActorTestKit kit) {
        ActorRef<Cell> cell = kit.spawn(cell(0), "cell");
        kit.spawn(increment(cell), "left");
        kit.spawn(increment(cell), "right");
        kit.runUntilIdle();
        assertThat(kit.ask(cell, new Read(), Integer.class)).isEqualTo(2);
    }

    @Test
    void someSeedFindsTheRaceAndThatSeedFindsItAgain() {
        Throwable found = catchThrowable(() -> Interleavings.explore(100, InterleavingsTest::twoIncrementsMakeTwo));

        assertThat(found).isInstanceOf(AssertionError.class);
        Matcher replay = Pattern.compile("Interleavings\\.replay\\((\\d+)L").matcher(found.getMessage());
        assertThat(replay.find()).isTrue();
        long seed = Long.parseLong(replay.group(1));
        for (int times = 0; times < 3; times++) {
            assertThatThrownBy(() -> Interleavings.replay(seed, InterleavingsTest::twoIncrementsMakeTwo))
                    .hasMessageContaining("seed " + seed + " fails")
                    .hasMessageContaining("/user/cell")
                    .hasMessageEndingWith(
                            found.getMessage().substring(found.getMessage().indexOf("the last turns")));
        }
    }

    @Test
    void otherSeedsDoNot() {
        List<Long> good = new ArrayList<>();
        for (long seed = 1; seed <= 100; seed++) {
            try (ActorTestKit kit = ActorTestKit.create(seed)) {
                long at = seed;
                if (catchThrowable(() -> twoIncrementsMakeTwo(kit)) == null) {
                    good.add(at);
                }
            }
        }
        assertThat(good).as("a race that every order shows is none").hasSizeBetween(5, 95);
    }

    @Test
    void equalSeedsGiveEqualTraces() {
        Set<List<String>> different = new HashSet<>();
        for (long seed = 1; seed <= 20; seed++) {
            List<String> once = traceOf(seed);
            assertThat(traceOf(seed)).isEqualTo(once);
            different.add(once);
        }
        assertThat(different).hasSizeGreaterThan(5);
    }

    @Test
    void bodiesThatHoldAreRunOncePerSeed() {
        List<Long> seeds = new ArrayList<>();
        Interleavings.explore(5, kit -> seeds.add(kit.seed()));
        assertThat(seeds).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThatThrownBy(() -> Interleavings.explore(0, kit -> {}))
                .hasMessage("the number of seeds must be positive, was 0");
    }

    private static List<String> traceOf(long seed) {
        try (ActorTestKit kit = ActorTestKit.create(seed)) {
            ActorRef<Cell> cell = kit.spawn(cell(0), "cell");
            kit.spawn(increment(cell), "left");
            kit.spawn(increment(cell), "right");
            kit.advance(Duration.ofSeconds(2));
            return kit.trace();
        }
    }
}
