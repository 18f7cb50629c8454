package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EligibleNodesTest {

    @ParameterizedTest
    @EnumSource(value = MemberStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "REMOVED")
    void onlyMembersThatAreUpHostPartitions(MemberStatus status) {
        EligibleNodes nodes = EligibleNodes.of(Members.of(List.of(up(1), in(status, 2, "1.0"))));

        assertThat(nodes.size()).isEqualTo(status == MemberStatus.UP ? 2 : 1);
        assertThat(nodes.ordinalOf(node(2)) >= 0).isEqualTo(status == MemberStatus.UP);
    }

    @Test
    void standInMemberOrder() {
        EligibleNodes nodes = EligibleNodes.of(Members.of(List.of(up(3), up(1), up(2))));

        assertThat(nodes.get(0)).isEqualTo(node(1));
        assertThat(nodes.get(2)).isEqualTo(node(3));
        assertThat(nodes.ordinalOf(node(2))).isEqualTo(1);
    }

    @Test
    void areCountedByRole() {
        EligibleNodes nodes = EligibleNodes.of(Members.of(List.of(up(1, "db"), up(2), up(3, "db", "web"))));

        assertThat(nodes.sizeOf("")).isEqualTo(3);
        assertThat(nodes.sizeOf("db")).isEqualTo(2);
        assertThat(nodes.sizeOf("cache")).isZero();
    }

    @Test
    void tellWhyANodeIsNotAmongThem() {
        Members members = Members.of(List.of(up(1, "db"), in(MemberStatus.LEAVING, 2, "1.0"), up(3, "foreign"), up(4)));
        EligibleNodes nodes = EligibleNodes.of(members, member -> !member.hasRole("foreign"));

        assertThat(nodes.whyNot(node(1), "")).isEmpty();
        assertThat(nodes.whyNot(node(1), "db")).isEmpty();
        assertThat(nodes.whyNot(node(2), ""))
                .contains("n0002:2552#2 is Leaving, and only members that are up host partitions");
        assertThat(nodes.whyNot(node(3), "")).contains("n0003:2552#3 hosts no partitions");
        assertThat(nodes.whyNot(node(4), "db")).contains("n0004:2552#4 does not have the role db");
        assertThat(nodes.whyNot(node(5), "")).contains("n0005:2552#5 is no member");
    }

    @Test
    void versionsAreThoseOfAllWhoHaveNotGone() {
        Members members = Members.of(List.of(
                up(1),
                in(MemberStatus.JOINING, 2, "1.1"),
                in(MemberStatus.LEAVING, 3, "0.9"),
                in(MemberStatus.EXITING, 4, "0.8"),
                in(MemberStatus.DOWN, 5, "0.7")));

        assertThat(EligibleNodes.of(members).appVersions()).containsExactly("0.9", "1.0", "1.1");
    }

    @Test
    void whoKnowsNoPartitionsHasNoVersionThatCounts() {
        Members members = Members.of(List.of(up(1, "muster-1"), in(MemberStatus.UP, 2, "2.0")));

        assertThat(EligibleNodes.of(members, Member::isMuster).appVersions()).containsExactly("1.0");
    }

    private static Member in(MemberStatus status, int number, String version) {
        return new Member(node(number), status, number, List.of(), version);
    }
}
