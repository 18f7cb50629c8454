package dev.muster.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.environment.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Never early, hardly late, once, and cheap to call off. */
@Timeout(60)
class WheelTimersTest {

    private final WheelTimers timers = new WheelTimers("test", 2);

    @BeforeEach
    void start() {
        timers.start();
    }

    @AfterEach
    void end() {
        timers.close();
    }

    @Test
    void noTimerIsEverEarlyAndEachFiresOnce() throws Exception {
        int many = 20_000;
        SplittableRandom random = new SplittableRandom(1);
        AtomicLong earliest = new AtomicLong(Long.MAX_VALUE);
        CountDownLatch fired = new CountDownLatch(many);
        AtomicInteger count = new AtomicInteger();
        for (int i = 0; i < many; i++) {
            long delay = random.nextLong(TimeUnit.MILLISECONDS.toNanos(300));
            long due = System.nanoTime() + delay;
            timers.schedule(delay, () -> {
                long late = System.nanoTime() - due;
                earliest.accumulateAndGet(late, Math::min);
                count.incrementAndGet();
                fired.countDown();
            });
        }
        assertThat(fired.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(earliest.get()).isNotNegative();
        assertThat(count).hasValue(many);
    }

    @Test
    void delaysLongerThanATurnOfTheWheelAreNotEarlyEither() throws Exception {
        // 512 ticks of about 4 ms are about 2.1 s.
        long delay = TimeUnit.MILLISECONDS.toNanos(2_200);
        long start = System.nanoTime();
        CountDownLatch fired = new CountDownLatch(1);
        timers.schedule(delay, fired::countDown);
        assertThat(fired.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(delay);
    }

    @Test
    void zeroAndNegativeDelaysFireSoonButNotInsideTheCall() throws Exception {
        for (long delay : new long[] {0, -1, Long.MIN_VALUE}) {
            CountDownLatch fired = new CountDownLatch(1);
            Thread caller = Thread.currentThread();
            AtomicInteger inside = new AtomicInteger();
            timers.schedule(delay, () -> {
                if (Thread.currentThread() == caller) {
                    inside.incrementAndGet();
                }
                fired.countDown();
            });
            assertThat(fired.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(inside).hasValue(0);
        }
    }

    @Test
    void theFarFutureNeverComes() throws Exception {
        AtomicInteger fired = new AtomicInteger();
        Timers.Timer timer = timers.schedule(Long.MAX_VALUE, fired::incrementAndGet);
        CountDownLatch later = new CountDownLatch(1);
        timers.schedule(TimeUnit.MILLISECONDS.toNanos(30), later::countDown);
        assertThat(later.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(fired).hasValue(0);
        assertThat(timer.cancel()).isTrue();
    }

    @Test
    void aCancelledTimerDoesNotFireAndCancelSaysWhoWon() throws Exception {
        int many = 50_000;
        AtomicInteger fired = new AtomicInteger();
        int cancelled = 0;
        List<Timers.Timer> all = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < many; i++) {
            all.add(timers.schedule(random.nextLong(TimeUnit.MILLISECONDS.toNanos(40)), fired::incrementAndGet));
        }
        for (Timers.Timer timer : all) {
            if (timer.cancel()) {
                cancelled++;
            }
        }
        CountDownLatch later = new CountDownLatch(1);
        timers.schedule(TimeUnit.MILLISECONDS.toNanos(100), later::countDown);
        assertThat(later.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(fired.get() + cancelled).isEqualTo(many);
        assertThat(all).noneMatch(Timers.Timer::cancel);
    }

    /** As many askers at once would start: their memory must grow with them and not with the wheel. */
    @Test
    void manyTimersOfOneMomentFitIntoLittleMemory() throws Exception {
        int many = 200_000;
        Runtime runtime = Runtime.getRuntime();
        List<Timers.Timer> all = new ArrayList<>(many);
        System.gc();
        long before = runtime.totalMemory() - runtime.freeMemory();
        CountDownLatch fired = new CountDownLatch(1);
        long hourNanos = TimeUnit.HOURS.toNanos(1);
        long until = System.nanoTime() + hourNanos;
        for (int i = 0; i < many; i++) {
            // All due at the same moment.
            all.add(timers.schedule(until - System.nanoTime(), fired::countDown));
        }
        System.gc();
        long used = runtime.totalMemory() - runtime.freeMemory() - before;
        assertThat(all.stream().filter(Timers.Timer::cancel).count()).isEqualTo(many);
        assertThat(used / many).as("bytes for each timer").isLessThan(300);
    }

    @Test
    void aTaskThatThrowsDoesNotStopTheOthers() throws Exception {
        CountDownLatch fired = new CountDownLatch(1);
        timers.schedule(0, () -> {
            throw new IllegalStateException("on purpose");
        });
        timers.schedule(TimeUnit.MILLISECONDS.toNanos(20), fired::countDown);
        assertThat(fired.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void timersStartedWhileOthersFireAreNotLost() throws Exception {
        int chains = 50;
        int length = 20;
        CountDownLatch done = new CountDownLatch(chains);
        for (int i = 0; i < chains; i++) {
            chain(length, done);
        }
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private void chain(int left, CountDownLatch done) {
        if (left == 0) {
            done.countDown();
        } else {
            timers.schedule(1_000, () -> chain(left - 1, done));
        }
    }
}
