package dev.muster.bench.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Partitions 0 to 2 were on the process 7, which was killed at 100; partition 3 was elsewhere. */
class RecoveryTest {
    private static final long KILLED = 7;
    private static final long OTHER = 8;

    private final Recovery recovery = new Recovery(Map.of(0, KILLED, 1, KILLED, 2, KILLED, 3, OTHER), KILLED, 100);

    @Test
    void eachPartitionCountsByItsFirstAnswerFromElsewhere() {
        recovery.take(List.of(answer(0, OTHER, 110), answer(1, OTHER, 130)));
        assertThat(recovery.isOver()).isFalse();

        recovery.take(List.of(answer(0, OTHER, 150), answer(2, OTHER, 160)));

        assertThat(recovery.isOver()).isTrue();
        assertThat(recovery.answered()).isEqualTo(3);
        assertThat(recovery.nanosAt(50)).isEqualTo(30);
        assertThat(recovery.nanosAt(100)).isEqualTo(60);
    }

    @Test
    void whatTheKilledOneHadSaidBeforeIsNoAnswerFromElsewhere() {
        recovery.take(List.of(answer(0, KILLED, 101), answer(1, OTHER, 99), answer(3, OTHER, 120)));

        assertThat(recovery.answered()).isZero();
        assertThat(recovery.isOver()).isFalse();
    }

    private static Received answer(int partition, long host, long atNanos) {
        return new Received(new Answer(partition, 1, 0, atNanos, host), atNanos);
    }
}
