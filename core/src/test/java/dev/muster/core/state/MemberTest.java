package dev.muster.core.state;

import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.up;
import static dev.muster.core.Nodes.withRoles;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberTest {
    private static final NodeId A = node("a");

    @Test
    void rolesAreSortedAndUniqueAndNameOneDataCenter() {
        assertThat(Member.normalizedRoles(List.of())).containsExactly("dc-default");
        assertThat(Member.normalizedRoles(List.of("z", "b", "z"))).containsExactly("b", "dc-default", "z");
        assertThat(Member.normalizedRoles(List.of("z", "dc-x", "a"))).containsExactly("a", "dc-x", "z");
        assertThat(Member.normalizedRoles(List.of("a", "dc-x", "z"))).containsExactly("a", "dc-x", "z");
        assertThat(Member.normalizedRoles(List.of("dc-x", "dc-x"))).containsExactly("dc-x");
        assertThat(Member.normalizedRoles(List.of("a", "b"))).containsExactly("a", "b", "dc-default");
    }

    @Test
    void aMemberHasOneDataCenterOnly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Member.joining(A, List.of("dc-y", "dc-x"), "1"))
                .withMessage("a member has one data center, but its roles name several: [dc-x, dc-y]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Member.joining(A, List.of("dc-x", "dc-y"), "1"))
                .withMessage("a member has one data center, but its roles name several: [dc-x, dc-y]");
    }

    @Test
    void theDataCenterIsTheRoleWithoutItsPrefix() {
        assertThat(member("a", UP).dataCenter()).isEqualTo("default");
        assertThat(withRoles(member("a", UP), "back", "dc-eu").dataCenter()).isEqualTo("eu");
        assertThat(Member.dataCenterOf(List.of("back"))).isEqualTo("default");
        assertThat(withRoles(member("a", UP), "back").hasRole("back")).isTrue();
        assertThat(withRoles(member("a", UP), "back").hasRole("front")).isFalse();
    }

    @Test
    void rolesGivenAreCopied() {
        List<String> roles = new ArrayList<>(List.of("a", "dc-x"));
        Member member = Member.joining(A, roles, "1");
        roles.clear();

        assertThat(member.roles()).containsExactly("a", "dc-x");
    }

    @Test
    void joiningMembersHaveNoUpNumberYet() {
        Member joining = Member.joining(A, List.of("r"), "1.2");

        assertThat(joining)
                .isEqualTo(new Member(A, JOINING, Integer.MAX_VALUE, List.of("dc-default", "r"), "1.2"))
                .hasToString("a:2552#1 Joining");
    }

    @Test
    void refusesRowsThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Member(A, REMOVED, 1, List.of(), "1"))
                .withMessage("a:2552#1 cannot be a row with status Removed; it is a tombstone instead");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Member(A, UP, 0, List.of(), "1"))
                .withMessage("upNumber of a:2552#1 must be at least 1, was 0");
        assertThatNullPointerException()
                .isThrownBy(() -> new Member(null, UP, 1, List.of(), "1"))
                .withMessage("id");
        assertThatNullPointerException()
                .isThrownBy(() -> new Member(A, null, 1, List.of(), "1"))
                .withMessage("status");
        assertThatNullPointerException()
                .isThrownBy(() -> new Member(A, UP, 1, List.of(), null))
                .withMessage("appVersion");
    }

    @Test
    void statusMovesForwardOnly() {
        assertThat(up("a", 4).withStatus(LEAVING)).isEqualTo(new Member(A, LEAVING, 4, List.of(), "0.0.0"));
        assertThatIllegalStateException()
                .isThrownBy(() -> member("a", DOWN).withStatus(UP))
                .withMessage("a:2552#1 cannot go from Down to Up");
    }

    @Test
    void becomingUpGivesTheNumber() {
        assertThat(member("a", JOINING).up(3)).isEqualTo(new Member(A, UP, 3, List.of(), "0.0.0"));
    }

    @Test
    void joinTakesTheFurtherStatusAndTheLowerNumber() {
        Member joining = member("a", JOINING);
        Member up = up("a", 5);
        Member leavingUnnumbered = joining.withStatus(LEAVING);

        assertThat(joining.join(up)).isSameAs(up);
        assertThat(up.join(joining)).isSameAs(up);
        assertThat(up.join(up("a", 5))).isSameAs(up);
        assertThat(up.join(up("a", 6))).isSameAs(up);
        Member older = up("a", 4);
        assertThat(up.join(older)).isSameAs(older);
        assertThat(up.join(leavingUnnumbered)).isEqualTo(new Member(A, LEAVING, 5, List.of(), "0.0.0"));
        assertThat(leavingUnnumbered.join(up)).isEqualTo(new Member(A, LEAVING, 5, List.of(), "0.0.0"));
    }

    @Test
    void ageIsByUpNumberAndThenById() {
        assertThat(up("b", 1).isOlderThan(up("a", 2))).isTrue();
        assertThat(up("a", 2).isOlderThan(up("b", 1))).isFalse();
        assertThat(up("a", 2).isOlderThan(up("b", 2))).isTrue();
        assertThat(up("b", 2).isOlderThan(up("a", 2))).isFalse();
        assertThat(up("a", 2).isOlderThan(up("a", 2))).isFalse();
    }

    @Test
    void rowsAreOrderedById() {
        assertThat(up("a", 9)).isLessThan(up("b", 1));
        assertThat(up("a", 9)).isEqualByComparingTo(up("a", 1));
    }
}
