package dev.muster.core.membership;

import static dev.muster.core.Nodes.node;
import static dev.muster.core.StateBuilder.aState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.ClusterState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TombstoneKeeperTest {
    private static final long RETENTION = Duration.ofHours(24).toNanos();
    private static final ClusterState NONE = aState().up("a").build();
    private static final ClusterState B = aState().up("a").removed("b").build();
    private static final ClusterState BC = aState().up("a").removed("b", "c").build();

    private final TombstoneKeeper keeper = new TombstoneKeeper(LifecycleSettings.defaults());

    @Test
    void ageIsCountedFromReceipt() {
        keeper.follow(NONE, B, 100);

        assertThat(keeper.nextExpiryNanos()).isEqualTo(100 + RETENTION);
        assertThat(keeper.expired(100 + RETENTION - 1)).isEmpty();
        assertThat(keeper.expired(100 + RETENTION)).containsExactly(node("b"));
    }

    @Test
    void eachTombstoneHasItsOwnAge() {
        keeper.follow(NONE, B, 100);
        keeper.follow(B, BC, 200);

        assertThat(keeper.expired(100 + RETENTION)).containsExactly(node("b"));
        assertThat(keeper.expired(200 + RETENTION)).containsExactly(node("b"), node("c"));
        assertThat(keeper.nextExpiryNanos()).isEqualTo(100 + RETENTION);
    }

    @Test
    void whatWasLetGoIsForgottenAndStartsAnewWhenItComesBack() {
        keeper.follow(NONE, BC, 100);
        keeper.follow(BC, NONE, 200);
        assertThat(keeper.nextExpiryNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(keeper.expired(Long.MAX_VALUE)).isEmpty();

        keeper.follow(NONE, B, 300);
        assertThat(keeper.nextExpiryNanos()).isEqualTo(300 + RETENTION);
    }

    @Test
    void theSameTombstonesNeedNoLook() {
        keeper.follow(B, B, 100);

        assertThat(keeper.nextExpiryNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void retentionIsTheOneThatIsSet() {
        TombstoneKeeper brief =
                new TombstoneKeeper(LifecycleSettings.defaults().withTombstoneRetention(Duration.ofNanos(5)));
        brief.follow(NONE, B, 100);

        assertThat(brief.expired(104)).isEmpty();
        assertThat(brief.expired(105)).containsExactly(node("b"));
    }

    @Test
    void everybodyMustHaveSeenTheJoiningIncluded() {
        assertThat(TombstoneKeeper.everybodyHasSeen(
                        aState().up("a").joining("b").seenByAll().build()))
                .isTrue();
        assertThat(TombstoneKeeper.everybodyHasSeen(
                        aState().up("a").joining("b").seenBy("a").build()))
                .isFalse();
    }
}
