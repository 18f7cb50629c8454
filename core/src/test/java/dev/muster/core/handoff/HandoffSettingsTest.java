package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Limits that make sense, and what they mean for a whole node. */
class HandoffSettingsTest {
    private static final Duration STEP = Duration.ofMillis(1);

    @Test
    void oneMessageOfOneByteIsTheLeastThatMayWait() {
        HandoffSettings least = new HandoffSettings(STEP, 1, 1);
        assertThat(least.mostWaitingOnNode()).isEqualTo(4);
        assertThat(least.mostBytesOnNode()).isEqualTo(4);
        assertThatThrownBy(() -> new HandoffSettings(STEP, 0, 1)).hasMessageContaining("0 messages and 1 bytes");
        assertThatThrownBy(() -> new HandoffSettings(STEP, 1, 0)).hasMessageContaining("1 messages and 0 bytes");
    }

    @Test
    void aStepNeedsSomeTime() {
        assertThatThrownBy(() -> new HandoffSettings(Duration.ZERO, 1, 1)).hasMessageContaining("migration-timeout");
        assertThatThrownBy(() -> new HandoffSettings(STEP.negated(), 1, 1)).hasMessageContaining("migration-timeout");
    }

    @Test
    void whoAllowsAnyNumberOfBytesAllowsItOnTheNodeToo() {
        long quarter = Long.MAX_VALUE / 4;
        assertThat(new HandoffSettings(STEP, 1, Long.MAX_VALUE).mostBytesOnNode())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(new HandoffSettings(STEP, 1, quarter).mostBytesOnNode()).isEqualTo(4 * quarter);
        assertThat(new HandoffSettings(STEP, Integer.MAX_VALUE, 1).mostWaitingOnNode())
                .isEqualTo(4L * Integer.MAX_VALUE);
    }
}
