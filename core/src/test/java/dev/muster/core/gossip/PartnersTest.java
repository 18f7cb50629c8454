package dev.muster.core.gossip;

import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartnersTest {

    @Test
    void whoIsNoMemberHasNone() {
        assertThat(new Partners(node("a")).among(members(10))).isEmpty();
        assertThat(new Partners(node("a")).among(Members.NONE)).isEmpty();
    }

    @Test
    void whoIsAloneHasNone() {
        assertThat(new Partners(id(0)).among(members(1))).isEmpty();
    }

    @Test
    void inASmallClusterAllAre() {
        Members members = members(6);

        assertThat(partnersOf(id(2), members)).containsExactlyInAnyOrder(id(0), id(1), id(3), id(4), id(5));
    }

    @Test
    void theNextFiveInTheRingAreAmongThem() {
        Members members = members(300);
        Members ring = members.inRingOrder();

        for (int at = 0; at < ring.size(); at++) {
            List<NodeId> partners = partnersOf(ring.get(at).id(), members);
            for (int step = 1; step <= Partners.NEAREST; step++) {
                assertThat(partners)
                        .contains(ring.get((at + step) % ring.size()).id());
            }
        }
    }

    @Test
    void theOthersAreSpreadOverTheWholeRing() {
        Members members = members(1_000);
        Members ring = members.inRingOrder();
        int[] byTenth = new int[10];
        for (int at = 0; at < ring.size(); at++) {
            for (NodeId partner : partnersOf(ring.get(at).id(), members)) {
                int way = Math.floorMod(ring.ringPositionOf(partner) - at, ring.size());
                if (way > Partners.NEAREST) {
                    byTenth[way * 10 / ring.size()]++;
                }
            }
        }

        for (int tenth : byTenth) {
            assertThat(tenth).isBetween(500, 700);
        }
    }

    /** Nobody is the partner of so many that its connections, or those who wait for it, become a burden. */
    @Test
    void nobodyIsThePartnerOfVeryMany() {
        Members members = members(300);
        Map<NodeId, Integer> chosenBy = new HashMap<>();
        members.forEach(member ->
                partnersOf(member.id(), members).forEach(partner -> chosenBy.merge(partner, 1, Integer::sum)));

        assertThat(chosenBy).hasSize(300);
        assertThat(chosenBy.values()).allMatch(count -> count >= Partners.NEAREST && count < 50);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 7, 65, 300, 1_000})
    void theyAreFewAndDifferentAndNotOneself(int size) {
        Members members = members(size);
        int most = Partners.NEAREST + Partners.SCATTERED;

        for (Member member : members) {
            List<NodeId> partners = partnersOf(member.id(), members);
            assertThat(partners).doesNotContain(member.id()).doesNotHaveDuplicates();
            assertThat(partners.size()).isBetween(Math.min(size - 1, Partners.NEAREST), most);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 300, 1_000})
    void newsReachesAllInFewSteps(int size) {
        Members members = members(size);
        Map<NodeId, List<NodeId>> partners = new HashMap<>();
        members.forEach(member -> partners.put(member.id(), partnersOf(member.id(), members)));

        for (Member author : members.subList(0, 20)) {
            assertThat(stepsToAll(author.id(), partners)).isLessThanOrEqualTo(5);
        }
    }

    private static int stepsToAll(NodeId author, Map<NodeId, List<NodeId>> partners) {
        Map<NodeId, Integer> steps = new HashMap<>(Map.of(author, 0));
        Queue<NodeId> toTell = new ArrayDeque<>(List.of(author));
        while (!toTell.isEmpty()) {
            NodeId teller = toTell.remove();
            for (NodeId partner : partners.get(teller)) {
                if (steps.putIfAbsent(partner, steps.get(teller) + 1) == null) {
                    toTell.add(partner);
                }
            }
        }
        assertThat(steps).hasSameSizeAs(partners);
        return steps.values().stream().max(Integer::compare).orElseThrow();
    }

    @Test
    void aNewcomerChangesThePartnersOfFew() {
        Members before = members(300);
        Members after = before.with(member(id(300), MemberStatus.JOINING));

        int changed = 0;
        for (Member member : before) {
            Set<NodeId> lost = new HashSet<>(partnersOf(member.id(), before));
            lost.removeAll(partnersOf(member.id(), after));
            changed += lost.isEmpty() ? 0 : 1;
        }

        assertThat(changed).isLessThan(30);
    }

    @Test
    void otherMembersGiveOtherPartners() {
        Partners partners = new Partners(id(0));
        Members few = members(3);
        Members more = members(4);

        assertThat(partners.among(few)).hasSize(2).isSameAs(partners.among(few));
        assertThat(partners.among(more)).hasSize(3);
    }

    private static List<NodeId> partnersOf(NodeId self, Members members) {
        return Arrays.stream(new Partners(self).among(members))
                .mapToObj(ordinal -> members.get(ordinal).id())
                .toList();
    }

    private static NodeId id(int number) {
        return node("n" + number, number * 0x9e3779b97f4a7c15L); // uids are drawn from all numbers
    }

    private static Members members(int count) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(member(id(i), MemberStatus.UP));
        }
        return Members.of(members);
    }
}
