package dev.muster.core.spec;

import static dev.muster.core.membership.DowningStates.cluster;
import static dev.muster.core.membership.DowningStates.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStates;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.membership.DowningStrategy.AutoDown;
import dev.muster.core.membership.DowningStrategy.DownAll;
import dev.muster.core.membership.DowningStrategy.KeepMajority;
import dev.muster.core.membership.DowningStrategy.KeepOldest;
import dev.muster.core.membership.DowningStrategy.Manual;
import dev.muster.core.membership.DowningStrategy.StaticQuorum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table of outcomes: which members go on after which fault, by strategy. Each side of a cut decides for itself;
 * what is named are the sides, or what is left of them, that go on. Five members a to e, a the oldest and lowest,
 * quorum 3.
 */
class DowningSpecTest {

    @ParameterizedTest(name = "{0} {1}: {3} leaves {4}")
    @CsvSource({
        "NET-02, a b c | d e,       2, off,               a b c | d e",
        "NET-02, a b c | d e,       2, auto-down,         a b c | d e",
        "NET-02, a b c | d e,       2, static-quorum,     a b c",
        "NET-02, a b c | d e,       2, keep-majority,     a b c",
        "NET-02, a b c | d e,       2, keep-oldest,       a b c",
        "NET-02, a b c | d e,       2, down-all,          nobody",
        "NET-03, a b | c d e,       2, auto-down,         a b | c d e",
        "NET-03, a b | c d e,       2, static-quorum,     c d e",
        "NET-03, a b | c d e,       2, keep-majority,     c d e",
        "NET-03, a b | c d e,       2, keep-oldest,       a b",
        "NET-03, a b | c d e,       2, down-all,          nobody",
        "NET-04, a | b c d e,       2, auto-down,         a | b c d e",
        "NET-04, a | b c d e,       2, static-quorum,     b c d e",
        "NET-04, a | b c d e,       2, keep-majority,     b c d e",
        "NET-04, a | b c d e,       2, keep-oldest,       b c d e",
        "NET-04, a | b c d e,       2, keep-oldest-alone, a",
        "NET-04, a | b c d e,       2, down-all,          nobody",
        "NET-05, a b | c d,         2, auto-down,         a b | c d",
        "NET-05, a b | c d,         2, static-quorum,     nobody",
        "NET-05, a b | c d,         2, keep-majority,     a b",
        "NET-05, a b | c d,         2, keep-oldest,       a b",
        "NET-05, a b | c d,         2, down-all,          nobody",
        "NET-06, a b | c d | e,     3, auto-down,         a b | c d | e",
        "NET-06, a b | c d | e,     3, static-quorum,     nobody",
        "NET-06, a b | c d | e,     3, keep-majority,     nobody",
        "NET-06, a b | c d | e,     3, keep-oldest,       a b",
        "NET-06, a b | c d | e,     3, down-all,          nobody",
        "NET-07, a b c | d | e,     3, auto-down,         a b c | d | e",
        "NET-07, a b c | d | e,     3, static-quorum,     a b c",
        "NET-07, a b c | d | e,     3, keep-majority,     a b c",
        "NET-07, a b c | d | e,     3, keep-oldest,       a b c",
        "NET-07, a b c | d | e,     3, down-all,          nobody",
        "NET-12, a b c e | d,       2, auto-down,         a b c e | d",
        "NET-12, a b c e | d,       2, static-quorum,     a b c e",
        "NET-12, a b c e | d,       2, keep-majority,     a b c e",
        "NET-12, a b c e | d,       2, keep-oldest,       a b c e",
        "NET-12, a b c e | d,       2, down-all,          nobody",
        // Of the dead nobody decides: only the first side is asked.
        "PROC-03, a b | c d e,      1, auto-down,         a b",
        "PROC-03, a b | c d e,      1, static-quorum,     nobody",
        "PROC-03, a b | c d e,      1, keep-majority,     nobody",
        "PROC-03, a b | c d e,      1, keep-oldest,       a b",
        "PROC-03, d e | a b c,      1, auto-down,         d e",
        "PROC-03, d e | a b c,      1, keep-oldest,       nobody",
        "PROC-01, a b c d | e,      1, static-quorum,     a b c d",
        "PROC-01, b c d e | a,      1, keep-oldest,       b c d e",
    })
    void theTableOfOutcomesComesOut(String scenario, String cut, int alive, String strategy, String goesOn) {
        List<String> sides = List.of(cut.split(" \\| "));
        List<String> left = new ArrayList<>();
        for (String side : sides.subList(0, alive)) {
            String kept = kept(cluster(sorted(sides)).cutOff(side), strategy(strategy, 3), true);
            if (!kept.isEmpty()) {
                left.add(kept);
            }
        }
        assertThat(left.isEmpty() ? "nobody" : String.join(" | ", left))
                .as(scenario)
                .isEqualTo(goesOn);
    }

    @ParameterizedTest
    @CsvSource({
        "auto-down, b, a b",
        "static-quorum, b, a b",
        "keep-majority, b, a b",
        "keep-oldest, b, a b",
        "down-all, '', ''",
    })
    void net08TheBridgeSurvivesAndWithMinimalCutTheOlderEndToo(String strategy, String classic, String minimal) {
        DowningStates bridge = cluster("a b c").accuse("a", "c").accuse("c", "a");

        assertThat(kept(bridge, strategy(strategy, 2), false)).isEqualTo(classic);
        assertThat(kept(bridge, strategy(strategy, 2), true)).isEqualTo(minimal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"static-quorum", "keep-majority", "keep-oldest", "down-all"})
    void net10InARingOfCutsNobodySurvivesWithoutMinimalCut(String strategy) {
        DowningStates ring = ringOfCuts();

        assertThat(kept(ring, strategy(strategy, 3), false)).isEmpty();
    }

    @Test
    void net10WithMinimalCutThoseSurviveWhoCanReachEachOther() {
        assertThat(kept(ringOfCuts(), strategy("keep-majority", 3), true)).isEqualTo("a c");
    }

    private static DowningStates ringOfCuts() {
        return cluster("a b c d e")
                .accuse("a", "b e")
                .accuse("b", "a c")
                .accuse("c", "b d")
                .accuse("d", "c e")
                .accuse("e", "d a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"static-quorum", "keep-majority", "keep-oldest", "auto-down"})
    void net11OfAPairThatIsCutOneWayBothGoOrWithMinimalCutTheYounger(String strategy) {
        DowningStates pair = cluster("a b c d e").accuse("a", "b").accuse("b", "a");

        assertThat(kept(pair, strategy(strategy, 3), false)).isEqualTo("c d e");
        assertThat(kept(pair, strategy(strategy, 3), true)).isEqualTo("a c d e");
    }

    /** Both it and its nine watchers accuse; the sick one is the oldest, so that age does not help. */
    @ParameterizedTest
    @ValueSource(ints = {5, 10, 20, 50})
    void net15OneSickMemberCostsOneMember(int size) {
        StringBuilder names = new StringBuilder("m00");
        for (int i = 1; i < size; i++) {
            names.append(i < 10 ? " m0" : " m").append(i);
        }
        List<String> all = List.of(names.toString().split(" "));
        DowningStates states = cluster(names.toString());
        for (int i = 1; i <= Math.min(9, size - 1); i++) {
            states.accuse("m00", all.get(i)).accuse(all.get(size - i), "m00");
        }

        DowningSettings settings = DowningSettings.defaults();
        assertThat(DowningDecision.decide(states.state(), settings, false)
                        .orElseThrow()
                        .down())
                .containsExactly(id("m00"));
        assertThat(DowningDecision.decide(states.state(), settings.withMinimalCut(false), false)
                        .orElseThrow()
                        .down())
                .hasSize(Math.min(size, 19));
    }

    private static String sorted(List<String> sides) {
        List<String> names = new ArrayList<>(List.of(String.join(" ", sides).split(" ")));
        names.sort(null);
        return String.join(" ", names);
    }

    private static DowningStrategy strategy(String name, int quorum) {
        return switch (name) {
            case "off" -> new Manual();
            case "auto-down" -> new AutoDown(Duration.ofSeconds(10));
            case "static-quorum" -> new StaticQuorum(quorum, "");
            case "keep-majority" -> new KeepMajority("");
            case "keep-oldest" -> new KeepOldest(true, "");
            case "keep-oldest-alone" -> new KeepOldest(false, "");
            case "down-all" -> new DownAll();
            default -> throw new IllegalArgumentException("no strategy " + name);
        };
    }

    /** Who of those who have seen the state is still there after the decision. */
    private static String kept(DowningStates states, DowningStrategy strategy, boolean minimalCut) {
        DowningSettings settings =
                DowningSettings.defaults().withStrategy(strategy).withMinimalCut(minimalCut);
        var state = states.state();
        Optional<DowningDecision> decision = DowningDecision.decide(state, settings, false);
        return DowningStates.names(state.members().stream()
                .map(m -> m.id())
                .filter(state::isSeenBy)
                .filter(id -> decision.isEmpty() || !decision.get().down().contains(id))
                .toList());
    }
}
