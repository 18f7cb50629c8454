package dev.muster.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;

/** The list can be made from a configuration, and everything wrong in it is said at once. */
class SerializationSettingsTest {

    private static final String HERE = "dev.muster.serialization.";

    @Test
    void theDefaultsAreThoseOfTheCode() {
        Config defaults = ConfigFactory.defaultReference().getConfig("muster.serialization");
        SerializationLimits limits = SerializationLimits.defaults();
        assertThat(defaults.getInt("max-depth")).isEqualTo(limits.maxDepth());
        assertThat(defaults.getBytes("max-string-length")).isEqualTo(limits.maxStringLength());
        assertThat(defaults.getInt("max-elements")).isEqualTo(limits.maxElements());
        assertThat(defaults.getBytes("max-inflated-bytes")).isEqualTo(limits.maxInflatedBytes());
        assertThat(Serialization.from(ConfigFactory.defaultReference()).knows(String.class))
                .isTrue();
    }

    @Test
    void whatIsNamedIsKnown() {
        Serialization serialization = Serialization.from(config("""
                protocols = ["%1$sOrders$Command"]
                serializers = ["%1$sOwnSerializerTest$WeirdSerializer"]
                foreign = [{ manifest = "com.shop.Placed", serializer-id = 31, class = "%1$sOrders$Placed" }]
                """.formatted(HERE)));
        serialization.require(Orders.Command.class);
        assertThat(serialization.knows(OwnSerializerTest.Weird.class)).isTrue();
        assertThat(serialization
                        .write(new Orders.Placed(1), Travel.REFS, new ByteSink())
                        .manifest())
                .isEqualTo("com.shop.Placed");
    }

    @Test
    void codeCanAddToTheConfiguration() {
        Serialization serialization = Serialization.builder(ConfigFactory.defaultReference())
                .protocol(Orders.Reply.class)
                .build();
        serialization.require(Orders.Reply.class);
    }

    @Test
    void thePartBelowMusterIsEnough() {
        Config whole = config("protocols = [\"" + HERE + "Orders$Reply\"]");
        Serialization.from(whole.getConfig("muster")).require(Orders.Reply.class);
    }

    @Test
    void everyMistakeIsReportedAtOnce() {
        Config config = config("""
                protocols = ["com.example.Missing", "%1$sSetupProblemsTest$Open"]
                serializers = ["java.lang.String", "%1$sSetupProblemsTest$PlainSerializer"]
                foreign = [{ manifest = "a", serializer-id = 33 }, { manifest = "b", serializer-id = x, class = "y" }]
                max-depth = 0
                max-elements = -1
                unheard-of = 1
                """.formatted(HERE));
        assertThat(catchThrowableOfType(SerializationSetupException.class, () -> Serialization.from(config))
                        .problems())
                .anyMatch(each -> each.contains("protocols: there is no class com.example.Missing"))
                .anyMatch(each -> each.contains("SetupProblemsTest$Open: is no message by itself"))
                .anyMatch(each -> each.contains("java.lang.String does not implement MessageSerializer"))
                .anyMatch(each -> each.contains("PlainSerializer has no public constructor"))
                .anyMatch(each -> each.contains("No configuration setting found for key 'class'"))
                .anyMatch(each -> each.contains("serializer-id"))
                .anyMatch(each -> each.contains("muster.serialization.max-depth must be between 1 and 1000, was 0"))
                .anyMatch(each -> each.contains("muster.serialization.max-elements"))
                .hasSize(8);
    }

    @Test
    void aListThatIsNoListIsReported() {
        Config config = config("protocols = 5\nserializers = {}\nforeign = [x]");
        assertThat(catchThrowableOfType(SerializationSetupException.class, () -> Serialization.from(config))
                        .problems())
                .hasSize(3);
    }

    private static Config config(String serialization) {
        return ConfigFactory.parseString("muster.serialization {\n" + serialization + "\n}")
                .withFallback(ConfigFactory.defaultReference());
    }
}
