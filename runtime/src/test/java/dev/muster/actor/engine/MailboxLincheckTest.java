package dev.muster.actor.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Looks through the interleavings of small scripts of senders and a reader, one by one.
 *
 * <p>Run by {@code mvn test -Plincheck -pl runtime}.
 */
class MailboxLincheckTest {

    private static final String READER = "reader";
    private static final int CAPACITY = 3;

    @Test
    void everyInterleavingTakesAndRefusesAsAPlainQueueWould() {
        new ModelCheckingOptions()
                .iterations(30)
                .invocationsPerIteration(500)
                .threads(3)
                // Few, so that the mailbox is seldom closed or full before the race begins.
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(2)
                .sequentialSpecification(PlainQueue.class)
                .check(AsQueue.class);
    }

    @Test
    void underStressToo() {
        new StressOptions()
                .iterations(30)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(2)
                .sequentialSpecification(PlainQueue.class)
                .check(AsQueue.class);
    }

    @Test
    void afterEveryInterleavingWhoeverWaitsHasATurnComing() {
        new ModelCheckingOptions()
                .iterations(40)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(2)
                .check(WakeUps.class);
    }

    @Test
    void afterEveryInterleavingUnderStressToo() {
        new StressOptions()
                .iterations(30)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(2)
                .check(WakeUps.class);
    }

    /** A mailbox that counts the turns it asks for. */
    private static final class Counting extends Mailbox {
        final AtomicInteger turnsComing = new AtomicInteger();

        Counting() {
            super(CAPACITY);
        }

        @Override
        void schedule() {
            turnsComing.incrementAndGet();
        }

        @Override
        int unread() {
            return 0;
        }

        @Override
        void interrupt() {}

        @Override
        public void run() {
            throw new UnsupportedOperationException("turns are taken by hand");
        }
    }

    /** Reads a whole tray at once. */
    private static final class Reading implements Mailbox.Reader {
        final List<Integer> read = new ArrayList<>();

        @Override
        public Object[] exchange(Object[] full, int used) {
            for (int i = 0; i < used; i += 2) {
                read.add((Integer) full[i]);
            }
            return null;
        }
    }

    /** What is offered, taken and left at the end, whoever asked for turns. */
    public static class AsQueue {
        private final Counting mailbox = new Counting();

        @Operation
        public int offer(int message) {
            return mailbox.offer(message, null);
        }

        @Operation(nonParallelGroup = READER)
        public List<Integer> take() {
            Reading reading = new Reading();
            int outcome = mailbox.isClosed() ? Mailbox.IDLE : mailbox.takeOrIdle(reading, true);
            return outcome == Mailbox.TAKEN ? reading.read : List.of();
        }

        @Operation(nonParallelGroup = READER, runOnce = true)
        public List<Integer> refuse() {
            Reading reading = new Reading();
            if (!mailbox.isClosed()) {
                mailbox.refuse(reading);
            }
            return reading.read;
        }

        @Operation(nonParallelGroup = READER, runOnce = true)
        public List<Integer> close() {
            Reading reading = new Reading();
            if (!mailbox.isClosed()) {
                SystemMessage none = mailbox.close(reading);
                if (none != null) {
                    throw new IllegalStateException("nobody sent a system message");
                }
            }
            return reading.read;
        }
    }

    /** What that should look like. */
    public static class PlainQueue {
        private final Deque<Integer> queue = new ArrayDeque<>();
        private boolean closed;

        public int offer(int message) {
            if (closed) {
                return Mailbox.CLOSED_ALREADY;
            }
            if (queue.size() >= CAPACITY) {
                return Mailbox.FULL;
            }
            queue.addLast(message);
            return Mailbox.ACCEPTED;
        }

        public List<Integer> take() {
            List<Integer> all = new ArrayList<>(queue);
            queue.clear();
            return all;
        }

        public List<Integer> refuse() {
            return close();
        }

        public List<Integer> close() {
            closed = true;
            return take();
        }
    }

    /** The reader takes a turn only when one was asked for, and sometimes does not want to read. */
    public static class WakeUps {
        private final Counting mailbox = new Counting();
        private boolean reads = true;

        @Operation
        public void offer(int message) {
            int ignored = mailbox.offer(message, null);
        }

        @Operation
        public void offerSystem() {
            boolean ignored = mailbox.offerSystem(new SystemMessage.Stop());
        }

        @Operation(nonParallelGroup = READER)
        public void turn() {
            turn(true);
        }

        @Operation(nonParallelGroup = READER)
        public void turnWithoutReading() {
            turn(false);
        }

        private void turn(boolean wantsToRead) {
            if (mailbox.turnsComing.get() == 0) {
                return;
            }
            mailbox.turnsComing.decrementAndGet();
            reads = wantsToRead;
            int outcome;
            do {
                outcome = mailbox.takeOrIdle(new Reading(), wantsToRead);
                if (outcome == Mailbox.SYSTEM_FIRST && mailbox.takeSystem() == null) {
                    throw new IllegalStateException("there is no system message to go first");
                }
            } while (outcome != Mailbox.IDLE);
        }

        @Validate
        public void everybodyHasATurnComing() {
            int coming = mailbox.turnsComing.get();
            if (coming > 1) {
                throw new IllegalStateException(coming + " turns at the same time");
            }
            boolean hasSystemMessage = mailbox.takeSystem() != null;
            boolean somebodyWaits = hasSystemMessage || reads && mailbox.waiting() > 0;
            if (somebodyWaits && coming == 0) {
                throw new IllegalStateException("a wake-up was lost");
            }
        }
    }
}
