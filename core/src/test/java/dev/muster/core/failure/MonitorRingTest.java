package dev.muster.core.failure;

import static dev.muster.core.failure.Clusters.members;
import static dev.muster.core.failure.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonitorRingTest {
    private static final Predicate<NodeId> NONE = id -> false;

    /** Members 1 to {@code size}, whose places on the ring are their numbers. */
    @ParameterizedTest
    @CsvSource({
        "1,  3, 1, '',     ''",
        "2,  3, 1, '',     '2'",
        "4,  3, 2, '',     '3 4 1'",
        "4,  3, 2, '3 4',  '3 4 1'",
        "5,  3, 2, '',     '3 4 5'",
        "9,  3, 1, '',     '2 3 4'",
        "9,  3, 8, '',     '9 1 2'",
        "9,  3, 9, '',     '1 2 3'",
        "9,  3, 6, '',     '7 8 9'",
        "9,  1, 9, '',     '1'",
        // An unreachable one is taken along without counting ...
        "9,  3, 1, '3',         '2 3 4 5'",
        "9,  3, 1, '2 3',       '2 3 4 5 6'",
        "9,  3, 8, '9 1',       '9 1 2 3 4'",
        // ... as long as fewer than three are chosen ...
        "9,  3, 1, '2 3 4',     '2 3 4 5 6 7'",
        "9,  3, 1, '2 3 4 5',   '2 3 4 6 7 8'",
        "9,  3, 1, '3 5',       '2 3 4 6'",
        "9,  3, 1, '3 4 5',     '2 3 4 6 7'",
        // ... and the walk ends with the third reachable one, or where it began.
        "9,  3, 1, '5',         '2 3 4'",
        "9,  3, 1, '2 3 4 5 6 7 8 9', '2 3 4'",
        "9,  3, 1, '2 3 4 5 6 7 8',   '2 3 4 9'",
        "9,  3, 5, '1 2 3 4 6 7 8',   '6 7 8 9'",
        // Whether it is unreachable itself is not asked.
        "9,  3, 1, '1',         '2 3 4'",
    })
    void eachWatchesTheNextFew(int size, int count, long self, String unreachable, String targets) {
        assertThat(MonitorRing.targetsOf(node(self), ring(size), count, nodes(unreachable)::contains))
                .containsExactlyElementsOf(nodes(targets));
    }

    @Test
    void whoIsNoMemberWatchesNobody() {
        assertThat(MonitorRing.targetsOf(node(10), ring(9), 3, NONE)).isEmpty();
        assertThat(MonitorRing.targetsOf(node(10), Members.NONE, 3, NONE)).isEmpty();
    }

    @Test
    void theRingIsOrderedByTheSignedHashOfTheUid() {
        NodeId negative = node("z", -1L ^ (5L << 32)); // both halves differ: hash 0x5
        NodeId low = node("y", 0xFFFF_FFFEL); // hash -2
        NodeId zero = node("x", 0);
        NodeId two = node("w", 2);
        Members members = members(negative, low, zero, two);

        assertThat(negative.ringHash()).isEqualTo(5);
        assertThat(low.ringHash()).isEqualTo(-2);
        assertThat(MonitorRing.targetsOf(low, members, 5, NONE)).containsExactly(zero, two, negative);
        assertThat(MonitorRing.targetsOf(two, members, 2, NONE)).containsExactly(negative, low);
    }

    @Test
    void equalHashesAreOrderedByAddress() {
        NodeId a = node("a", 7);
        NodeId b = node("b", 7L << 32);
        NodeId c = node("c", 7);
        NodeId d = node("d", 7L << 32);

        for (NodeId self : List.of(a, b, c, d)) {
            assertThat(MonitorRing.targetsOf(self, members(d, b, c, a), 9, NONE))
                    .hasSize(3)
                    .doesNotContain(self);
        }
        assertThat(MonitorRing.targetsOf(b, members(d, b, c, a), 1, NONE)).containsExactly(c);
        assertThat(MonitorRing.targetsOf(d, members(d, b, c, a), 2, NONE)).containsExactly(a, b);
    }

    @Test
    void allStatusesTakePart() {
        List<Member> rows = new ArrayList<>();
        long uid = 0;
        for (MemberStatus status : MemberStatus.values()) {
            if (status != MemberStatus.REMOVED) {
                rows.add(new Member(node(uid++), status, 1, List.of(), "1"));
            }
        }
        assertThat(MonitorRing.targetsOf(node(0), Members.of(rows), 20, NONE)).hasSize(rows.size() - 1);
        assertThat(MonitorRing.targetsOf(node(0), Members.of(rows), 6, NONE)).hasSize(6);
    }

    @Test
    void watchersAreTheInverse() {
        assertThat(MonitorRing.watchersOf(node(2), ring(9), 3, NONE)).containsExactly(node(1), node(8), node(9));
        assertThat(MonitorRing.watchersOf(node(1), ring(3), 3, NONE)).containsExactly(node(2), node(3));
        assertThat(MonitorRing.watchersOf(node(10), ring(9), 3, NONE)).isEmpty();
        assertThat(MonitorRing.watchersOf(node(4), ring(9), 3, nodes("3")::contains))
                .containsExactly(node(1), node(2), node(3), node(9));
    }

    @Test
    void everyMemberIsWatchedByEnoughOthersWhoeverIsUnreachable() {
        SplittableRandom random = new SplittableRandom(4716);
        for (int round = 0; round < 200; round++) {
            int size = random.nextInt(1, 30);
            NodeId[] ids = LongStream.range(0, size)
                    .mapToObj(i -> node("n" + i, random.nextLong()))
                    .toArray(NodeId[]::new);
            List<NodeId> unreachable =
                    Arrays.stream(ids).filter(id -> random.nextInt(3) == 0).toList();
            Members members = members(ids);
            int count = random.nextInt(1, 7);
            for (NodeId subject : ids) {
                List<NodeId> watchers = MonitorRing.watchersOf(subject, members, count, NONE);
                assertThat(watchers).hasSize(Math.min(count, size - 1)).doesNotContain(subject);
                if (!unreachable.contains(subject)) {
                    assertThat(MonitorRing.watchersOf(subject, members, count, unreachable::contains))
                            .hasSizeGreaterThanOrEqualTo(Math.min(count, size - 1));
                }
            }
        }
    }

    private static Members ring(int size) {
        return members(LongStream.rangeClosed(1, size).mapToObj(Clusters::node).toArray(NodeId[]::new));
    }

    /** The nodes of a text such as "2 3 4", in its order. */
    private static List<NodeId> nodes(String uids) {
        return Pattern.compile(" ")
                .splitAsStream(uids)
                .filter(uid -> !uid.isEmpty())
                .map(uid -> node(Long.parseLong(uid)))
                .toList();
    }
}
