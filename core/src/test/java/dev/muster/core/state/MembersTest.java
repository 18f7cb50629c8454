package dev.muster.core.state;

import static dev.muster.core.Nodes.address;
import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.up;
import static dev.muster.core.Nodes.withRoles;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MembersTest {
    private static final Members ABD = of(up("d", 3), up("a", 1), up("b", 2));

    @Test
    void stayInMemberOrder() {
        assertThat(ABD).containsExactly(up("a", 1), up("b", 2), up("d", 3)).hasSize(3);
        assertThat(ABD.get(2)).isEqualTo(up("d", 3));
        assertThat(Members.NONE).isEmpty();
    }

    @Test
    void hasOneRowPerMember() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(up("a", 1), member("a", DOWN)))
                .withMessage("two rows for member a:2552#1");
    }

    @Test
    void findsByIdWhereverTheRowStands() {
        assertThat(ABD.ordinalOf(node("a"))).isEqualTo(0);
        assertThat(ABD.ordinalOf(node("b"))).isEqualTo(1);
        assertThat(ABD.ordinalOf(node("d"))).isEqualTo(2);
        assertThat(ABD.ordinalOf(node("a", 0))).isEqualTo(-1);
        assertThat(ABD.ordinalOf(node("c"))).isEqualTo(-3);
        assertThat(ABD.ordinalOf(node("e"))).isEqualTo(-4);
        assertThat(ABD.has(node("a"))).isTrue();
        assertThat(ABD.has(node("c"))).isFalse();
        assertThat(ABD.find(node("b"))).contains(up("b", 2));
        assertThat(ABD.find(node("c"))).isEmpty();
        assertThat(ABD.statusOf(node("a"))).isEqualTo(UP);
        assertThat(ABD.statusOf(node("c"))).isEqualTo(REMOVED);
    }

    @Test
    void findsEveryIncarnationAtAnAddress() {
        Member negative = member(node("b", Long.MIN_VALUE), DOWN);
        Member positive = member(node("b", 7), UP);
        Members members = of(up("a", 1), negative, positive, up("c", 2));

        assertThat(members.at(address("b"))).containsExactly(negative, positive);
        assertThat(members.at(address("a"))).containsExactly(up("a", 1));
        assertThat(members.at(address("c"))).containsExactly(up("c", 2));
        assertThat(members.at(address("d"))).isEmpty();
        assertThat(Members.NONE.at(address("a"))).isEmpty();
    }

    @Test
    void aRowIsAddedInItsPlaceOrReplaced() {
        assertThat(ABD.with(up("c", 4))).containsExactly(up("a", 1), up("b", 2), up("c", 4), up("d", 3));
        assertThat(ABD.with(up("e", 4))).containsExactly(up("a", 1), up("b", 2), up("d", 3), up("e", 4));
        assertThat(ABD.with(member("b", DOWN))).containsExactly(up("a", 1), member("b", DOWN), up("d", 3));
        assertThat(ABD).containsExactly(up("a", 1), up("b", 2), up("d", 3));
        assertThat(Members.NONE.with(up("a", 1))).containsExactly(up("a", 1));
    }

    @Test
    void theRingIsOrderedBySignedHashAndThenByMemberOrder() {
        Member first = member(node("z", 0x8000_0000L), UP); // folds to the lowest int
        Member second = member(node("y", 1), UP);
        Member third = member(node("a", 5), UP);
        Member fourth = member(node("b", -6), UP); // folds to 5 as well
        Members members = of(third, fourth, second, first);

        assertThat(members.inRingOrder()).containsExactly(first, second, third, fourth);
        assertThat(members.inRingOrder()).isSameAs(members.inRingOrder());
        assertThat(members).containsExactly(third, fourth, second, first);
    }

    @Test
    void everybodyHasAPlaceOnTheRingMemberOrNot() {
        Members ring = of(member(node("a", 2), UP), member(node("b", 4), UP), member(node("c", 6), UP))
                .inRingOrder();

        assertThat(ring.ringPositionOf(node("a", 2))).isEqualTo(0);
        assertThat(ring.ringPositionOf(node("b", 4))).isEqualTo(1);
        assertThat(ring.ringPositionOf(node("x", 1))).isEqualTo(0);
        assertThat(ring.ringPositionOf(node("x", 5))).isEqualTo(2);
        assertThat(ring.ringPositionOf(node("x", 7))).isEqualTo(3);
    }

    @Test
    void joinTakesBothSidesRowsAndTheFurtherViewOfEach() {
        Members mine = of(member("a", JOINING), up("b", 2), up("e", 5));
        Members theirs = of(up("a", 1), member("c", JOINING));

        assertThat(mine.join(theirs, Tombstones.NONE))
                .containsExactly(up("a", 1), up("b", 2), member("c", JOINING), up("e", 5));
        assertThat(theirs.join(mine, Tombstones.NONE)).isEqualTo(mine.join(theirs, Tombstones.NONE));
    }

    @Test
    void joinIsOneOfTheSidesWhenThatHasEverything() {
        Members more = of(up("a", 1), up("b", 2));
        Members less = of(member("a", JOINING));

        assertThat(more.join(less, Tombstones.NONE)).isSameAs(more);
        assertThat(less.join(more, Tombstones.NONE)).isSameAs(more);
        assertThat(more.join(of(up("b", 2), up("a", 1)), Tombstones.NONE)).isSameAs(more);
    }

    @Test
    void joinLeavesOutThoseWithATombstone() {
        Tombstones noB = Tombstones.NONE.with(node("b"), 1);
        Members mine = of(up("a", 1), up("b", 2));
        Members theirs = of(up("a", 1));

        assertThat(mine.join(theirs, noB)).isSameAs(theirs);
        assertThat(theirs.join(mine, noB)).isSameAs(theirs);
        Members more = of(up("a", 1), up("d", 3));
        assertThat(mine.with(up("c", 4)).join(more, noB)).containsExactly(up("a", 1), up("c", 4), up("d", 3));
        assertThat(more.join(mine.with(up("c", 4)), noB)).containsExactly(up("a", 1), up("c", 4), up("d", 3));
        assertThat(mine.without(noB)).containsExactly(up("a", 1));
        assertThat(theirs.without(noB)).isSameAs(theirs);
        assertThat(of(up("b", 2)).join(theirs, noB)).isSameAs(theirs);
    }

    @Test
    void mappingReplacesWhatTheFunctionChanges() {
        Members mapped = ABD.mapping(m -> m.id().equals(node("b")) ? m.withStatus(DOWN) : m);

        assertThat(mapped).containsExactly(up("a", 1), up("b", 2).withStatus(DOWN), up("d", 3));
        assertThat(mapped.get(0)).isSameAs(ABD.get(0));
        assertThat(ABD).containsExactly(up("a", 1), up("b", 2), up("d", 3));
        assertThat(ABD.mapping(m -> m.withStatus(DOWN)))
                .extracting(Member::status)
                .containsExactly(DOWN, DOWN, DOWN);
    }

    @Test
    void mappingThatChangesNothingIsTheSameObject() {
        assertThat(ABD.mapping(m -> m)).isSameAs(ABD);
        assertThat(Members.NONE.mapping(m -> m.withStatus(DOWN))).isSameAs(Members.NONE);
    }

    @Test
    void userRolesAreAllRolesButTheDataCenters() {
        Members members = of(
                withRoles(up("a", 1), "dc-eu", "front"),
                withRoles(up("b", 2), "dc-eu", "back", "front"),
                withRoles(up("c", 3), "dc-us"));

        assertThat(members.userRoles()).containsExactly("back", "front");
        assertThat(members.userRoles()).isSameAs(members.userRoles());
        assertThat(Members.NONE.userRoles()).isEmpty();
    }

    @Test
    void aRealmIsOneSystemProtocolAndDataCenter() {
        Members one = of(withRoles(up("a", 1), "dc-eu", "x"), withRoles(up("b", 2), "dc-eu"));
        Member other = member(new NodeId(new NodeAddress("muster", "other", "c", 1), 3), UP);
        Member secure = member(new NodeId(new NodeAddress("tls", "test", "c", 1), 3), UP);

        assertThat(one.areAllInRealmOf(withRoles(up("c", 3), "dc-eu"))).isTrue();
        assertThat(one.areAllInRealmOf(withRoles(up("c", 3), "dc-us"))).isFalse();
        assertThat(one.areAllInRealmOf(up("c", 3))).isFalse();
        assertThat(one.areAllInRealmOf(withRoles(other, "dc-eu"))).isFalse();
        assertThat(one.areAllInRealmOf(withRoles(secure, "dc-eu"))).isFalse();
        assertThat(one.areAllInRealmOf(withRoles(up("c", 3), "dc-eu"))).isTrue();
        Members mixed = one.with(withRoles(up("c", 3), "dc-us"));
        assertThat(mixed.areAllInRealmOf(one.get(0))).isFalse();
        assertThat(mixed.areAllInRealmOf(mixed.get(2))).isFalse();
        assertThat(ABD.with(other).areAllInRealmOf(up("a", 1))).isFalse();
        assertThat(ABD.areAllInRealmOf(up("z", 1))).isTrue();
        assertThat(Members.NONE.areAllInRealmOf(up("a", 1))).isFalse();
    }

    @Test
    void areEqualWhenTheirRowsAre() {
        assertThat(ABD)
                .isEqualTo(of(up("a", 1), up("b", 2), up("d", 3)))
                .hasSameHashCodeAs(of(up("a", 1), up("b", 2), up("d", 3)))
                .isNotEqualTo(of(up("a", 1), up("b", 2)))
                .isNotEqualTo(of(up("a", 1), up("b", 2), up("d", 4)));
        assertThat(ABD.equals((Object) "ABD")).isFalse();
        assertThat(ABD.hashCode()).isEqualTo(Arrays.hashCode(new Object[] {up("a", 1), up("b", 2), up("d", 3)}));
    }

    private static Members of(Member... members) {
        return Members.of(List.of(members));
    }
}
