package dev.muster.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.wire.Payload;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HandoffRehearsalTest {

    private static Payload write(Object duration) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                .putLong(((Duration) duration).toNanos())
                .array();
        return new Payload(99, "D", bytes);
    }

    private static Object read(Payload payload) {
        return Duration.ofNanos(ByteBuffer.wrap(payload.bytes()).getLong());
    }

    /** Whoever changes what gates say to each other must see that this still walks all the way. */
    @Test
    void aMoveIsPlayedToItsEnd() {
        assertThat(new HandoffRehearsal(HandoffRehearsalTest::write, HandoffRehearsalTest::read).play())
                .isTrue();
    }

    @Test
    void itIsSeenWhenTheStateDoesNotArrive() {
        assertThat(new HandoffRehearsal(HandoffRehearsalTest::write, any -> "something else").play())
                .isFalse();
    }
}
