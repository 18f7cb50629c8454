package dev.muster.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nodes of two versions understand each other while one replaces the other. */
class RollingUpgradeTest {

    record Old(String name, int count) {}

    @SuppressWarnings("ArrayRecordComponent") // Users have them all the same.
    record New(
            String name,
            int count,
            String comment,
            long size,
            boolean urgent,
            List<String> tags,
            Map<String, String> labels,
            Optional<String> owner,
            Integer priority,
            byte[] data) {

        New {
            tags = List.copyOf(tags);
        }
    }

    record Renamed(
            @JsonProperty("name") String title,
            @JsonAlias({"count", "n"}) int number) {}

    private final Serialization before =
            Serialization.builder().message(Old.class, "thing").build();
    private final Serialization after =
            Serialization.builder().message(New.class, "thing").build();
    private final Serialization renamed =
            Serialization.builder().message(Renamed.class, "thing").build();

    @Test
    void whatTheSenderDoesNotKnowIsNothing() {
        New received = (New) Travel.read(after, 33, "thing", Travel.bytesOf(before, new Old("a", 1)));
        assertThat(received.name).isEqualTo("a");
        assertThat(received.count).isEqualTo(1);
        assertThat(received.comment).isNull();
        assertThat(received.size).isZero();
        assertThat(received.urgent).isFalse();
        assertThat(received.tags).isEmpty();
        assertThat(received.labels).isEmpty();
        assertThat(received.owner).isEmpty();
        assertThat(received.priority).isNull();
        assertThat(received.data).isEmpty();
    }

    @Test
    void whatTheReceiverDoesNotKnowIsPassedOver() {
        New sent =
                new New("a", 1, "c", 2, true, List.of("t"), Map.of("k", "v"), Optional.of("o"), 3, new byte[] {1, 2});
        assertThat(Travel.read(before, 33, "thing", Travel.bytesOf(after, sent)))
                .isEqualTo(new Old("a", 1));
    }

    @Test
    void aComponentCanBeRenamed() {
        byte[] old = Travel.bytesOf(before, new Old("a", 1));
        assertThat(Travel.read(renamed, 33, "thing", old)).isEqualTo(new Renamed("a", 1));
        byte[] kept = Travel.bytesOf(renamed, new Renamed("b", 2));
        assertThat(Travel.read(before, 33, "thing", kept)).isEqualTo(new Old("b", 0));
    }

    @Test
    void nullIsZeroForAPrimitive() {
        record Boxed(String name, Integer count) {}
        Serialization boxed =
                Serialization.builder().message(Boxed.class, "thing").build();
        byte[] bytes = Travel.bytesOf(boxed, new Boxed("a", null));
        assertThat(Travel.read(before, 33, "thing", bytes)).isEqualTo(new Old("a", 0));
    }
}
