package dev.muster.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HandoffPolicyTest {

    @Test
    void presetsAreOptionsOfTheSpecification() {
        assertThat(HandoffPolicy.stateless()).hasToString("2a 3a 4a");
        assertThat(HandoffPolicy.ordered()).hasToString("2a 3b 4a");
        assertThat(HandoffPolicy.singleton()).hasToString("2b 3b 4a");
        assertThat(HandoffPolicy.durable()).hasToString("2b 3b 4a");
        assertThat(HandoffPolicy.disposable()).hasToString("2c 3a 4b");
    }

    @Test
    void onlyWhereTheOldOneGoesOnMayBothAct() {
        assertThat(HandoffPolicy.stateless().isExclusive()).isFalse();
        assertThat(HandoffPolicy.ordered().isExclusive()).isFalse();
        assertThat(HandoffPolicy.singleton().isExclusive()).isTrue();
        assertThat(HandoffPolicy.durable().isExclusive()).isTrue();
        assertThat(HandoffPolicy.disposable().isExclusive()).isTrue();
    }
}
