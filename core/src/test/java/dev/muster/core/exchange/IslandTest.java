package dev.muster.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IslandTest {

    @Test
    void theOneWithFewerMembersGivesWay() {
        assertThat(new Island(2, "a:1").givesWayTo(new Island(3, "z:1"))).isTrue();
        assertThat(new Island(3, "z:1").givesWayTo(new Island(2, "a:1"))).isFalse();
    }

    @Test
    void ofTwoEqualOnesTheHigherAddressGivesWay() {
        assertThat(new Island(2, "b:1").givesWayTo(new Island(2, "a:1"))).isTrue();
        assertThat(new Island(2, "a:1").givesWayTo(new Island(2, "b:1"))).isFalse();
    }

    @Test
    void nobodyGivesWayToWhatItDoesNotKnow() {
        assertThat(new Island(1, "a:1").givesWayTo(Island.UNKNOWN)).isFalse();
        assertThat(Island.UNKNOWN.givesWayTo(new Island(1, "a:1"))).isFalse();
    }
}
