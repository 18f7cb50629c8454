package dev.muster.core.state;

import static dev.muster.core.StateBuilder.aState;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The hash itself is pinned down by the test vector in {@link NodeIdTest}. */
class SeenDigestTest {
    private static final String SHA1_OF_NOTHING = "da39a3ee5e6b4b0d3255bfef95601890afd80709";

    @Test
    void matchesADigestOfTheSamePeople() {
        SeenDigest one = aState().up("a", "b").seenBy("a").build().seenDigest();

        assertThat(one.matches(aState().up("a", "b").seenBy("a").build().seenDigest()))
                .isTrue();
        assertThat(one.matches(aState().up("a", "b").seenBy("b").build().seenDigest()))
                .isFalse();
        assertThat(one.matches(aState().up("a", "b").seenByAll().build().seenDigest()))
                .isFalse();
    }

    @Test
    void isComparedByHashWhenTheMembersDiffer() {
        SeenDigest two = aState().up("a", "b").seenBy("a").build().seenDigest();
        SeenDigest three = aState().up("a", "b", "c").seenBy("a").build().seenDigest();
        SeenDigest threeOther = aState().up("a", "b", "c").seenBy("c").build().seenDigest();

        assertThat(two.matches(three)).isTrue();
        assertThat(two.matches(threeOther)).isFalse();
    }

    @Test
    void isComparedByHashWithOneFromTheWire() {
        SeenDigest made = aState().up("a", "b").seenBy("a").build().seenDigest();

        assertThat(made.matches(SeenDigest.ofHex(made.hex()))).isTrue();
        assertThat(SeenDigest.ofHex(made.hex()).matches(made)).isTrue();
        assertThat(made.matches(SeenDigest.ofHex(SHA1_OF_NOTHING))).isFalse();
        assertThat(SeenDigest.ofHex("ab").hex()).isEqualTo("ab");
    }

    @Test
    void aMissingDigestMatchesEverything() {
        SeenDigest made = aState().up("a", "b").seenBy("a").build().seenDigest();

        assertThat(SeenDigest.ofHex("")).isSameAs(SeenDigest.UNKNOWN);
        assertThat(made.matches(SeenDigest.UNKNOWN)).isTrue();
        assertThat(SeenDigest.UNKNOWN.matches(made)).isTrue();
        assertThat(SeenDigest.UNKNOWN.hex()).isEmpty();
    }

    @Test
    void isMadeOnce() {
        ClusterState state = aState().up("a").build();

        assertThat(state.seenDigest()).isSameAs(state.seenDigest());
        assertThat(state.seenDigest().hex())
                .isEqualTo(SHA1_OF_NOTHING)
                .isSameAs(state.seenDigest().hex());
    }

    @Test
    void addressesAreSeparatedByCommas() {
        SeenDigest digest = aState().up("a", "b", "c").seenBy("a", "c").build().seenDigest();

        assertThat(digest.hex()).isEqualTo(NodeId.hexDigest("SHA-1", "muster://test@a:2552,muster://test@c:2552"));
    }
}
