package dev.muster.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A manifest follows from the message's class, however it was registered. */
class ManifestsTest {

    @Manifest("stock")
    sealed interface Stock permits Take, Refill {}

    record Take(int count) implements Stock {}

    @Manifest("stock.refill-v2")
    record Refill() implements Stock {}

    record Alone() {}

    @Test
    void aProtocolInsideAClassIsCalledAsThatClass() {
        assertThat(Manifests.of(Orders.Place.class)).isEqualTo("Orders.Place");
    }

    @Test
    void theTopmostProtocolCounts() {
        assertThat(Manifests.of(Orders.Pause.class)).isEqualTo("Orders.Pause");
        assertThat(Manifests.of(TopLevelProtocol.Inner.First.class)).isEqualTo("TopLevelProtocol.First");
    }

    @Test
    void anAnnotationGoesFirst() {
        assertThat(Manifests.of(Take.class)).isEqualTo("stock.Take");
        assertThat(Manifests.of(Refill.class)).isEqualTo("stock.refill-v2");
    }

    @Test
    void aMessageOfNoProtocolIsCalledAfterTheClassThatItIsIn() {
        assertThat(Manifests.of(Alone.class)).isEqualTo("ManifestsTest.Alone");
    }

    @Test
    void aManifestGivenAtRegistrationGoesBeforeAll() {
        Serialization serialization = Serialization.builder()
                .protocol(Stock.class)
                .message(Refill.class, "r")
                .build();
        assertThat(serialization.write(new Refill(), Travel.REFS, new ByteSink()))
                .isEqualTo(new Serialization.Label(33, "r"));
        assertThat(serialization.write(new Take(1), Travel.REFS, new ByteSink()))
                .isEqualTo(new Serialization.Label(33, "stock.Take"));
    }
}

sealed interface TopLevelProtocol permits TopLevelProtocol.Inner {
    sealed interface Inner extends TopLevelProtocol permits Inner.First {
        record First() implements Inner {}
    }
}
