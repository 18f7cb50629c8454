package dev.muster.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What cannot travel is found before the first message, with the way to it, and all of it at once. */
class SetupProblemsTest {

    interface Open {}

    static final class Plain {}

    record Inner(List<Map<String, Object>> deep, Open open) {}

    @SuppressWarnings({"rawtypes", "ArrayRecordComponent"}) // That is what is wrong with it.
    record Bad(
            Inner inner,
            List raw,
            ArrayList<String> concrete,
            Map<Inner, String> keys,
            Optional<Optional<String>> twice,
            Plain plain,
            List<?> anything,
            Object[] objects) {}

    record Generic<T>(T value) {}

    record Growing<T>(Growing<List<T>> next) {}

    record Ends(Growing<String> start) {}

    sealed interface Mixed permits Fine, Classic {}

    record Fine() implements Mixed {}

    static final class Classic implements Mixed {}

    static final class Elsewhere {
        record Cancel() {}
    }

    record Annotated(
            @JsonIgnore int hidden, @JsonProperty("other") int other, int same) {}

    record SameName(@JsonProperty("b") int a, int b) {}

    sealed interface Ambiguous permits Orders1.Same, Orders2.Same {}

    static final class Orders1 {
        record Same() implements Ambiguous {}
    }

    static final class Orders2 {
        record Same(int different) implements Ambiguous {}
    }

    record HasAmbiguous(Ambiguous one) {}

    @Test
    void everyOffendingComponentIsNamedWithTheWayToIt() {
        assertThat(problemsOf(Serialization.builder().protocol(Bad.class)))
                .anyMatch(each -> each.contains("Bad.inner.deep[]{}: Object says nothing"))
                .anyMatch(each -> each.contains("Bad.inner.open: ") && each.contains("make it sealed"))
                .anyMatch(each -> each.contains("Bad.raw: a raw List"))
                .anyMatch(each -> each.contains("Bad.concrete: java.util.ArrayList"))
                .anyMatch(each -> each.contains("Bad.keys{}: ") && each.contains("cannot be the key"))
                .anyMatch(each -> each.contains("Bad.twice: an Optional of an Optional"))
                .anyMatch(each -> each.contains("Bad.plain: ") && each.contains("is no record"))
                .anyMatch(each -> each.contains("Bad.anything[]: Object"))
                .anyMatch(each -> each.contains("Bad.objects[]: Object"))
                .hasSize(9);
    }

    @Test
    void typeParametersNeedATypeAndAnEnd() {
        assertThat(problemsOf(Serialization.builder().protocol(Generic.class).protocol(Ends.class)))
                .anyMatch(each -> each.contains("Generic.value: nobody says what T is"))
                .anyMatch(each -> each.contains("ever larger"))
                .hasSize(2);
    }

    @Test
    void aClassicClassInAProtocolIsNoMessage() {
        assertThat(problemsOf(Serialization.builder().protocol(Mixed.class)))
                .singleElement()
                .asString()
                .contains("SetupProblemsTest$Classic: is no message by itself");
    }

    @Test
    void oneManifestIsForOneMessage() {
        assertThat(problemsOf(Serialization.builder()
                        .protocol(Orders.Command.class)
                        .message(Elsewhere.Cancel.class, "Orders.Cancel")
                        .message(Fine.class, "one")
                        .message(Fine.class, "two")
                        .message(Generic.class, "with blanks")))
                .anyMatch(each -> each.contains("Orders.Cancel: is the manifest of both")
                        && each.contains("Orders$Cancel")
                        && each.contains("Elsewhere$Cancel"))
                .anyMatch(each -> each.contains("two manifests"))
                .anyMatch(each -> each.contains("signs of ASCII only"))
                .hasSize(3);
    }

    @Test
    void tagsInsideASealedTypeAreForOneTypeEach() {
        assertThat(problemsOf(Serialization.builder().protocol(HasAmbiguous.class)))
                .singleElement()
                .asString()
                .contains("HasAmbiguous.one: two types permitted by")
                .contains("tag Same");
    }

    @Test
    void annotationsThatWouldHaveNoEffectAreRefused() {
        assertThat(problemsOf(Serialization.builder().protocol(Annotated.class).protocol(SameName.class)))
                .anyMatch(each -> each.contains("Annotated.hidden: @JsonIgnore has no effect"))
                .anyMatch(each -> each.contains("SameName.b: the name b is already taken"))
                .hasSize(2);
    }

    @Test
    void serializersNeedIdsOfTheirOwn() {
        assertThat(problemsOf(Serialization.builder()
                        .serializer(new PlainSerializer(33))
                        .serializer(new PlainSerializer(1000))
                        .serializer(new PlainSerializer(1000))
                        .foreign("com.shop.Order", 7, Orders.Cancel.class)
                        .foreign("com.shop.Order", 2, Orders.Cancel.class)))
                .anyMatch(each -> each.contains("has the id 33, but 0 to 40 are taken"))
                .anyMatch(each -> each.contains("has the id 1000, as"))
                .anyMatch(each -> each.contains("com.shop.Order: cannot be read by serializer 7"))
                .anyMatch(each -> each.contains("com.shop.Order: serializer 2 is not for"))
                .hasSize(4);
    }

    private static List<String> problemsOf(Serialization.Builder builder) {
        return catchThrowableOfType(SerializationSetupException.class, builder::build)
                .problems();
    }

    record PlainSerializer(int id) implements MessageSerializer {

        @Override
        public String manifest(Object message) {
            return "plain";
        }

        @Override
        public boolean handles(Class<?> type) {
            return type == Plain.class;
        }

        @Override
        public void write(Object message, RefNames refs, ByteSink out) {}

        @Override
        public Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs) {
            return new Plain();
        }
    }
}
