package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every key of reference.conf is read, every setting has its key, and a wrong value is named. */
class SettingsTest {

    @Test
    void keysAndSettingsAreTheSameBothWays() {
        Set<String> keys = new TreeSet<>();
        for (String key : ConfigFactory.defaultReference()
                .getConfig("muster.actor")
                .root()
                .keySet()) {
            keys.add("actor." + key);
        }
        for (String key : ConfigFactory.defaultReference()
                .getConfig("muster.coordinated-shutdown")
                .root()
                .keySet()) {
            keys.add("coordinated-shutdown." + key);
        }
        Set<String> read = Arrays.stream(ActorSettings.class.getRecordComponents())
                .map(RecordComponent::getName)
                .map(SettingsTest::keyOf)
                .collect(Collectors.toCollection(TreeSet::new));
        // Of the production environment: DispatcherSettings and Production.
        read.add("actor.dispatchers");
        read.add("actor.provider");
        read.add("coordinated-shutdown.run-by-jvm-shutdown-hook");
        assertThat(keys).isEqualTo(read);
    }

    private static String keyOf(String component) {
        return component.equals("phaseTimeouts")
                ? "coordinated-shutdown.phases"
                : "actor." + component.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    }

    @Test
    void phasesAndTheirKeysAreTheSameBothWays() {
        Set<String> keys = new TreeSet<>(ConfigFactory.defaultReference()
                .getConfig("muster.coordinated-shutdown.phases")
                .root()
                .keySet());
        Set<String> phases = Arrays.stream(CoordinatedShutdown.Phase.values())
                .map(CoordinatedShutdown.Phase::key)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(keys).isEqualTo(phases);
    }

    @Test
    void dispatchersOfTheReferenceUseOnlyKnownKeys() {
        Config dispatchers = ConfigFactory.defaultReference().getConfig("muster.actor.dispatchers");
        assertThat(dispatchers.root().keySet()).containsExactlyInAnyOrder("default", "blocking", "internal", "pinned");
        for (String name : dispatchers.root().keySet()) {
            assertThat(Set.of("type", "threads", "messages-per-turn"))
                    .containsAll(dispatchers.getConfig(name).root().keySet());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "muster.actor.ask-timeout, 0s, PT0S",
        "muster.actor.ask-timeout, soon, soon",
        "muster.actor.mailbox-capacity, 0, 0",
        "muster.actor.log-dead-letters, -1, -1",
        "muster.actor.log-dead-letters-interval, -1s, PT-1S",
        "muster.coordinated-shutdown.phases.cluster-leave.timeout, 0s, PT0S",
        "muster.coordinated-shutdown.run-by-jvm-shutdown-hook, perhaps, BOOLEAN",
        "muster.actor.dispatchers.default.type, magic, magic",
        "muster.actor.dispatchers.default.threads, -1, -1",
        "muster.actor.dispatchers.blocking.messages-per-turn, 0, 0",
    })
    void aWrongValueIsNamedWithItsKey(String key, String value, String shown) {
        Config wrong = ConfigFactory.parseString(key + " = \"" + value + "\"");
        String lastPart = key.substring(key.lastIndexOf('.') + 1);
        assertThatThrownBy(() -> ActorSystem.create("wrong", wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(lastPart)
                .hasMessageContaining(shown);
    }

    @Test
    void anUnknownDispatcherIsNamedWithThoseThatExist() {
        try (ActorSystem system = ActorSystem.create("dispatchers", ConfigFactory.empty())) {
            assertThatThrownBy(() -> system.spawn(
                            Behaviors.<String>ignore(),
                            "x",
                            SpawnOptions.defaults().withDispatcher("warp")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"warp\"")
                    .hasMessageContaining("[blocking, default, internal, pinned]");
        }
    }
}
