package dev.muster.core.gossip;

import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.StateBuilder.aState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.StateBuilder;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GossipTargetsTest {
    private static final NodeId SELF = node("a");
    private static final int CHOICES = 10_000;

    @Test
    void neverChoosesItselfNorThoseItHoldsUnreachableItself() {
        ClusterState state = aState().up("a", "b", "c", "d", "e")
                .unreachable("a", "b")
                .says("a", "c", ReachabilityStatus.TERMINATED)
                .unreachable("d", "e")
                .build();

        assertThat(choices(targets(GossipSettings.defaults()), state, true)).containsOnlyKeys(node("d"), node("e"));
        assertThat(choices(targets(GossipSettings.defaults()), state, false)).containsOnlyKeys(node("d"), node("e"));
    }

    @Test
    void thereMayBeNobodyToChoose() {
        GossipTargets targets = targets(GossipSettings.defaults());

        assertThat(targets.choose(aState().up("a").build(), true)).isEmpty();
        assertThat(targets.choose(ClusterState.EMPTY, false)).isEmpty();
        assertThat(targets.choose(aState().up("a", "b").unreachable("a", "b").build(), false))
                .isEmpty();
        assertThat(targets.chooseUnseen(aState().up("a", "b").seenByAll().build()))
                .isEmpty();
    }

    @Test
    void theUnseenAreChosenAmongThoseWhoHaveNotSeen() {
        ClusterState state = aState().up("a", "b", "c", "d", "e")
                .seenBy("a", "b")
                .unreachable("a", "c")
                .build();
        GossipTargets targets = targets(GossipSettings.defaults());

        for (int i = 0; i < 1_000; i++) {
            assertThat(targets.chooseUnseen(state).orElseThrow()).isIn(node("d"), node("e"));
        }
    }

    @Test
    void everybodyIsChosenEquallyOftenWhenConverged() {
        ClusterState state =
                aState().up("a", "b", "c", "d", "e").seenBy("a", "b").build();

        choices(targets(GossipSettings.defaults()), state, true)
                .values()
                .forEach(count -> assertThat(count).isCloseTo(CHOICES / 4, within(180)));
    }

    @Test
    void oneCandidateAmongManyIsFoundAndChosenFairly() {
        ClusterState state = crowd(200).seenByAll().build();
        int first = state.members().ordinalOf(node("n1", 1));
        int second = state.members().ordinalOf(node("n199", 199));
        ClusterState almostAll = allButTwoHaveSeen(state, first, second);
        GossipTargets targets = targets(GossipSettings.defaults().withPartnersAbove(201));

        TreeMap<NodeId, Integer> chosen = new TreeMap<>();
        for (int i = 0; i < CHOICES; i++) {
            chosen.merge(targets.chooseUnseen(almostAll).orElseThrow(), 1, Integer::sum);
        }

        assertThat(chosen).containsOnlyKeys(node("n1", 1), node("n199", 199));
        assertThat(chosen.get(node("n1", 1))).isCloseTo(CHOICES / 2, within(200));
    }

    private static ClusterState allButTwoHaveSeen(ClusterState state, int first, int second) {
        ClusterState next = ClusterState.of(
                state.members(), state.tombstones(), state.reachability(), state.version(), SeenSet.NOBODY);
        for (int i = 0; i < state.members().size(); i++) {
            next = i == first || i == second
                    ? next
                    : next.seenBy(state.members().get(i).id());
        }
        return next;
    }

    /** With probability p a straggler; otherwise anybody, which may be a straggler too. */
    @ParameterizedTest
    @CsvSource({"0.8, 1", "0.8, 5", "0, 1", "0, 5", "1, 1", "0.3, 3"})
    void stragglersAreChosenWithTheBiasThatIsSet(double probability, int stragglers) {
        String[] all = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
        StateBuilder builder = aState().up(all);
        for (int i = 0; i < all.length - stragglers; i++) {
            builder.seenBy(all[i]);
        }
        ClusterState state = builder.build();
        GossipTargets targets = targets(GossipSettings.defaults().withDifferentViewProbability(probability));

        int unseen = 0;
        for (int i = 0; i < CHOICES; i++) {
            unseen += state.isSeenBy(targets.choose(state, false).orElseThrow()) ? 0 : 1;
        }

        double expected = probability + (1 - probability) * stragglers / 9;
        assertThat((double) unseen / CHOICES).isCloseTo(expected, within(0.015));
    }

    @Test
    void withoutStragglersTheBiasHasNoEffect() {
        ClusterState state = aState().up("a", "b", "c").seenByAll().build();

        assertThat(choices(targets(GossipSettings.defaults().withDifferentViewProbability(1)), state, false))
                .containsOnlyKeys(node("b"), node("c"));
    }

    @ParameterizedTest
    @CsvSource({
        "0.8,  400,    1, 0.8",
        "0.8,  400,  400, 0.8",
        "0.8,  400,  401, 0.7990625",
        "0.8,  400,  800, 0.425",
        "0.8,  400, 1199, 0.0509375",
        "0.8,  400, 1200, 0.05",
        "0.8,  400, 5000, 0.05",
        "0.8,   10,   20, 0.425",
        "1.0,  400,  800, 0.525",
        "0.02, 400,  800, 0.02",
        "0.02, 400, 5000, 0.02",
        "0.8, 2000000000, 2147483647, 0.77235",
    })
    void theBiasFallsAboveTheConfiguredNumberOfMembers(double probability, int reduceAt, int members, double expected) {
        GossipTargets targets = targets(GossipSettings.defaults()
                .withDifferentViewProbability(probability)
                .withReduceDifferentViewProbability(reduceAt));

        assertThat(targets.differentViewProbability(members)).isCloseTo(expected, within(0.00001));
    }

    /** The probability is used with the size of the cluster, not only computed. */
    @Test
    void inALargeClusterOneStragglerIsChosenLessOften() {
        StateBuilder builder = aState().up("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
        ClusterState state =
                builder.seenBy("a", "b", "c", "d", "e", "f", "g", "h", "i").build();
        GossipTargets targets = targets(GossipSettings.defaults().withReduceDifferentViewProbability(2));

        int unseen = choices(targets, state, false).get(node("j"));

        assertThat((double) unseen / CHOICES).isCloseTo(0.05 + 0.95 / 9, within(0.012));
    }

    @Test
    void inALargeClusterMostRoundsAreWithPartners() {
        ClusterState state = crowd(200).seenByAll().build();
        Set<NodeId> partners = partnersIn(state);

        TreeMap<NodeId, Integer> chosen = choices(targets(GossipSettings.defaults()), state, true);

        int withPartners = partners.stream().mapToInt(chosen::get).sum();
        double expected = 0.9 + 0.1 * partners.size() / 199;
        assertThat((double) withPartners / CHOICES).isCloseTo(expected, within(0.01));
        assertThat(partners)
                .allSatisfy(partner ->
                        assertThat(chosen.get(partner)).isCloseTo(withPartners / partners.size(), within(150)));
        assertThat(chosen).as("nobody is left out").hasSizeGreaterThan(190).doesNotContainKey(SELF);
    }

    @Test
    void partnersAreForLargeClustersOnly() {
        ClusterState state = crowd(63).seenByAll().build();
        int all = choices(targets(GossipSettings.defaults()), state, true).size();

        TreeMap<NodeId, Integer> chosen = choices(targets(GossipSettings.defaults()), state, true);

        assertThat(all).isEqualTo(63);
        chosen.values().forEach(count -> assertThat(count).isCloseTo(CHOICES / 63, within(70)));
        assertThat(choices(targets(GossipSettings.defaults().withPartnersAbove(63)), state, true).values().stream()
                        .filter(count -> count < 50))
                .as("those that are no partners")
                .hasSizeGreaterThan(40);
    }

    @Test
    void newsIsPassedOnToPartnersAndBroughtToOtherStragglersInRounds() {
        ClusterState state = crowd(200).seenBy("a").build();
        Set<NodeId> partners = partnersIn(state);
        GossipTargets targets = targets(GossipSettings.defaults().withDifferentViewProbability(1));
        for (int i = 0; i < 1_000; i++) {
            assertThat(targets.chooseToForward(state).orElseThrow()).isIn(partners);
            assertThat(targets.choose(state, false).orElseThrow()).isIn(partners);
        }

        ClusterState partnersKnow = state;
        for (NodeId partner : partners) {
            partnersKnow = partnersKnow.seenBy(partner);
        }

        for (int i = 0; i < 1_000; i++) {
            assertThat(targets.chooseToForward(partnersKnow).orElseThrow()).isIn(partners);
            assertThat(partnersKnow.isSeenBy(targets.chooseUnseen(partnersKnow).orElseThrow()))
                    .isFalse();
            assertThat(partnersKnow.isSeenBy(targets.choose(partnersKnow, false).orElseThrow()))
                    .isFalse();
        }
    }

    /** It will never have seen anything; to prefer it would be to talk to nobody else. */
    @Test
    void aDeadPartnerIsNotPreferredForWhatItHasNotSeen() {
        StateBuilder crowd = crowd(200);
        NodeId dead = partnersIn(crowd.build()).iterator().next();
        ClusterState accused = crowd.says(node("n7", 7), dead, ReachabilityStatus.UNREACHABLE)
                .seenBy("a")
                .build();
        Set<NodeId> partners = partnersIn(accused);
        for (NodeId partner : partners) {
            accused = partner.equals(dead) ? accused : accused.seenBy(partner);
        }
        GossipTargets targets = targets(GossipSettings.defaults().withDifferentViewProbability(1));

        int toTheDead = 0;
        for (int i = 0; i < CHOICES; i++) {
            assertThat(targets.chooseToForward(accused).orElseThrow())
                    .isIn(partners)
                    .isNotEqualTo(dead);
            toTheDead += targets.chooseUnseen(accused).orElseThrow().equals(dead) ? 1 : 0;
        }

        assertThat(toTheDead).as("one of %s that have not seen it", 190).isLessThan(200);
    }

    @Test
    void whoHasJustBeenToldIsNotToldAgain() {
        ClusterState state = aState().up("a", "b", "c", "d").seenBy("a").build();
        GossipTargets targets = targets(GossipSettings.defaults());
        targets.hasBeenTold(node("b"));
        targets.hasBeenTold(node("d"));

        for (int i = 0; i < 100; i++) {
            assertThat(targets.chooseUnseen(state)).contains(node("c"));
        }
        targets.hasBeenTold(node("c"));
        assertThat(targets.chooseUnseen(state)).isEmpty();
        targets.forgetTold();
        assertThat(targets.chooseUnseen(state)).isPresent();
    }

    @Test
    void aPartnerThatThisNodeHoldsUnreachableIsPassedOver() {
        ClusterState state = crowd(200).seenByAll().build();
        StateBuilder cut = crowd(200).seenByAll();
        partnersIn(state).forEach(partner -> cut.says(SELF, partner, ReachabilityStatus.UNREACHABLE));
        ClusterState alone = cut.build();

        TreeMap<NodeId, Integer> chosen = choices(targets(GossipSettings.defaults()), alone, true);

        assertThat(chosen)
                .doesNotContainKeys(partnersIn(state).toArray(NodeId[]::new))
                .hasSizeGreaterThan(170);
    }

    private static StateBuilder crowd(int others) {
        StateBuilder crowd = aState().up("a");
        for (int i = 0; i < others; i++) {
            crowd.with(member(node("n" + i, i), MemberStatus.UP));
        }
        return crowd;
    }

    private static Set<NodeId> partnersIn(ClusterState state) {
        Set<NodeId> partners = new TreeSet<>();
        for (int ordinal : new Partners(SELF).among(state.members())) {
            partners.add(state.members().get(ordinal).id());
        }
        return partners;
    }

    private static GossipTargets targets(GossipSettings settings) {
        return new GossipTargets(SELF, settings, new SplittableRandom(4711));
    }

    private static TreeMap<NodeId, Integer> choices(GossipTargets targets, ClusterState state, boolean converged) {
        TreeMap<NodeId, Integer> chosen = new TreeMap<>();
        for (int i = 0; i < CHOICES; i++) {
            Optional<NodeId> peer = targets.choose(state, converged);
            chosen.merge(peer.orElseThrow(), 1, Integer::sum);
        }
        return chosen;
    }
}
