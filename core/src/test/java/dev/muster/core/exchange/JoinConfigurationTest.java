package dev.muster.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JoinConfigurationTest {

    @Test
    void onlyKeysThatBothSidesHaveAreCompared() {
        JoinConfiguration cluster = of(Map.of("a", "1", "b", "2", "c", "3"));
        JoinConfiguration joiner = of(Map.of("a", "1", "b", "x", "d", "4"));

        assertThat(cluster.differencesTo(joiner))
                .containsExactly(
                        "b is '2' in the cluster but 'x' on the joining node; use the same value on all nodes");
        assertThat(cluster.differencesTo(cluster)).isEmpty();
        assertThat(cluster.differencesTo(JoinConfiguration.UNKNOWN)).isEmpty();
        assertThat(JoinConfiguration.UNKNOWN.differencesTo(joiner)).isEmpty();
    }

    @Test
    void everyDifferenceIsNamedInTheOrderOfKeys() {
        assertThat(of(Map.of("b", "1", "a", "1")).differencesTo(of(Map.of("a", "2", "b", "2"))))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("a is '1'");
    }

    @Test
    void valuesAreCopiedAndCannotBeChanged() {
        TreeMap<String, String> values = new TreeMap<>(Map.of("a", "1"));
        JoinConfiguration configuration = new JoinConfiguration(values);
        values.clear();

        assertThat(configuration.values()).containsEntry("a", "1");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> configuration.values().clear());
    }

    @Test
    void listsInMessagesAndEventsAreCopied() {
        List<String> reasons = new ArrayList<>(List.of("r"));
        JoinMessage.SeedWelcomes answer = new JoinMessage.SeedWelcomes(reasons);
        JoinMessage.Join join = new JoinMessage.Join(reasons, "1", JoinConfiguration.UNKNOWN);
        reasons.clear();

        assertThat(answer.reasonsAgainst()).containsExactly("r");
        assertThat(answer.isCompatible()).isFalse();
        assertThat(new JoinMessage.SeedWelcomes(List.of()).isCompatible()).isTrue();
        assertThat(join.roles()).containsExactly("r");
    }

    private static JoinConfiguration of(Map<String, String> values) {
        return new JoinConfiguration(new TreeMap<>(values));
    }
}
