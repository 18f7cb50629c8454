package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.wire.EnvelopeReader;
import dev.muster.wire.FrameWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabelCacheTest {

    private final List<String> looked = new ArrayList<>();
    private final List<String> often = new ArrayList<>();
    private final LabelCache<String> cache = new LabelCache<>(
            text -> {
                looked.add(text);
                return "meaning of " + text;
            },
            often::add);

    @Test
    void aLabelIsLookedUpOnceAlsoWhenTheTableGrows() {
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 6; i++) {
                assertThat(get("/user/" + i)).isEqualTo("meaning of /user/" + i);
            }
        }
        looked.clear();
        for (int i = 0; i < 6; i++) {
            get("/user/" + i);
        }

        assertThat(looked).isEmpty();
    }

    @Test
    void manyLabelsAllKeepTheirMeaning() {
        for (int i = 0; i < 5_000; i++) {
            assertThat(get("/user/" + i % 700)).isEqualTo("meaning of /user/" + i % 700);
        }
    }

    @Test
    void whatComesOftenIsNoticedOnceAlsoWhileOthersCome() {
        for (int i = 0; i < 300; i++) {
            get("/user/often");
            get("/user/rare" + i % 3);
        }

        assertThat(often).containsExactly("/user/often");
    }

    @Test
    void whatWasForgottenIsLookedUpAgain() {
        EnvelopeReader frame = frame("/user/a");
        cache.forget(frame.array(), frame.recipient());
        get("/user/a");
        cache.forget(frame.array(), frame.recipient());
        get("/user/a");

        assertThat(looked).containsExactly("/user/a", "/user/a");
    }

    private String get(String label) {
        EnvelopeReader frame = frame(label);
        return cache.get(frame.array(), frame.recipient());
    }

    private static EnvelopeReader frame(String recipient) {
        FrameWriter writer = new FrameWriter(64);
        byte[] text = recipient.getBytes(StandardCharsets.US_ASCII);
        int length = writer.add(1, 4, 0, 0, -1, null, -1, text, -1, null, new byte[0], 0, 0);
        EnvelopeReader reader = new EnvelopeReader();
        reader.read(writer.array(), 4, length - 4);
        return reader;
    }
}
