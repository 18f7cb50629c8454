package dev.muster.interop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Who comes before whom: the order that names leaders, and the order of age. */
class OrderComparedTest {
    private static final int CASES = Integer.getInteger("interop.cases", 2_000);

    /** Pairs where text, numbers and signs tempt to compare otherwise; some differ in the uid only. */
    private static final String[] HOSTS = {
        "a", "A", "b", "a-b", "a.b", "a_b", "10.0.0.9", "10.0.0.10", "node", "Node", "[::1]", "[::10]", "[fe80::1]"
    };

    private static final int[] PORTS = {1, 9, 10, 99, 100, 2_551, 32_768, 65_535};
    private static final long[] UIDS = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31, 1L << 32, -(1L << 32)};

    @Test
    void ofTwoMembersTheSameOneComesFirst() {
        for (int i = 0; i < CASES; i++) {
            RandomGenerator random = new SplittableRandom(i);
            Member one = member(random);
            Member other = member(random);
            assertThat(Integer.signum(one.compareTo(other)))
                    .as("case %s: %s and %s", i, one, other)
                    .isEqualTo(Integer.signum(org.apache.pekko.cluster.Member.ordering()
                            .compare(Theirs.member(one), Theirs.member(other))));
            assertThat(Integer.signum(one.id().address().compareTo(other.id().address())))
                    .as("case %s: %s and %s", i, one, other)
                    .isEqualTo(Integer.signum(org.apache.pekko.cluster.Member.addressOrdering()
                            .compare(Theirs.address(one.id()), Theirs.address(other.id()))));
        }
    }

    @Test
    void allMembersStandInTheSameOrder() {
        for (int i = 0; i < CASES; i++) {
            ClusterState state = new Cases(new SplittableRandom(i)).state();
            List<org.apache.pekko.cluster.Member> theirs =
                    new ArrayList<>(state.members().stream().map(Theirs::member).toList());
            Collections.shuffle(theirs, new java.util.Random(i));
            theirs.sort(org.apache.pekko.cluster.Member.ordering());
            List<NodeId> order =
                    theirs.stream().map(it -> Theirs.ours(it.uniqueAddress())).toList();
            assertThat(state.members().stream().map(Member::id).toList())
                    .as("case %s: %s", i, state.members())
                    .isEqualTo(order);
        }
    }

    /** Of two incarnations at one address with one up number neither is older to them (decision 6). */
    @Test
    void theSameMemberIsOlderUnlessOnlyTheUidTellsThemApart() {
        int different = 0;
        for (int i = 0; i < CASES; i++) {
            RandomGenerator random = new SplittableRandom(i);
            Member one = member(random);
            Member other = member(random);
            boolean ours = one.isOlderThan(other);
            boolean theirs = Theirs.member(one).isOlderThan(Theirs.member(other));
            boolean onlyTheUid = one.upNumber() == other.upNumber()
                    && one.id().address().equals(other.id().address());
            assertThat(theirs)
                    .as("case %s: %s up as %s, %s up as %s", i, one, one.upNumber(), other, other.upNumber())
                    .isEqualTo(ours && !onlyTheUid);
            different += ours == theirs ? 0 : 1;
        }
        assertThat(different).as("cases in which the difference shows").isPositive();
    }

    private static Member member(RandomGenerator random) {
        String host = HOSTS[random.nextInt(random.nextBoolean() ? 2 : HOSTS.length)];
        int port = PORTS[random.nextInt(random.nextBoolean() ? 2 : PORTS.length)];
        NodeAddress address = new NodeAddress("pekko", "mixed", host, port);
        NodeId id = new NodeId(address, UIDS[random.nextInt(UIDS.length)]);
        return new Member(id, MemberStatus.UP, 1 + random.nextInt(3), List.of("dc-default"), "0.0.0");
    }
}
