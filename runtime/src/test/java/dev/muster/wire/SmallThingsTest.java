package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SmallThingsTest {

    @Test
    void foreignTextsAreShownWithoutTheirPoison() {
        assertThat(Texts.shown("a b-ü\u4e2d")).isEqualTo("a b-ü\u4e2d");
        assertThat(Texts.shown("a\r\n\u001b[0m\u202e\u0000\u2028\ud800"))
                .isEqualTo("a\\u000d\\u000a\\u001b[0m\\u202e\\u0000\\u2028\\ud800");
        assertThat(Texts.shown("x".repeat(1_000_000))).isEqualTo("x".repeat(100) + "...");
    }

    @Test
    void selectionsOfNamesArePaths() {
        Payload message = new Payload(5, "HB", new byte[0]);
        Selection daemon = new Selection(
                message,
                List.of(
                        Selection.Element.child("system"),
                        Selection.Element.child("cluster"),
                        Selection.Element.child("core"),
                        Selection.Element.child("daemon")),
                false);
        Selection pattern = new Selection(
                message,
                List.of(Selection.Element.child("user"), new Selection.Element(Selection.Kind.PATTERN, "*")),
                true);

        assertThat(daemon.path()).isEqualTo("/system/cluster/core/daemon");
        assertThat(new Selection(message, List.of(), false).path()).isEqualTo("/");
        assertThat(pattern.path()).isEmpty();
    }

    @Test
    void payloadsAreEqualByTheirBytesAndShowOnlyTheirSize() {
        Payload one = new Payload(20, "", "secret".getBytes(StandardCharsets.UTF_8));
        Payload same = new Payload(20, "", "secret".getBytes(StandardCharsets.UTF_8));

        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(one).isNotEqualTo(new Payload(20, "", new byte[0]));
        assertThat(one.toString()).isEqualTo("Payload[serializer 20, manifest '', 6 bytes]");
    }

    @Test
    void memoryOfBytesForgetsRatherThanGrows() {
        Interned<Integer> interned = new Interned<>(16, 8);
        int found = 0;
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = ("" + i).getBytes(StandardCharsets.UTF_8);
            interned.add(bytes, 0, bytes.length, i);
            assertThat(interned.find(bytes, 0, bytes.length)).isEqualTo(i);
        }
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = ("" + i).getBytes(StandardCharsets.UTF_8);
            Integer known = interned.find(bytes, 0, bytes.length);
            assertThat(known).isIn(i, null);
            found += known == null ? 0 : 1;
        }
        assertThat(found).isLessThanOrEqualTo(16);
        byte[] large = new byte[9];
        interned.add(large, 0, 9, 1);
        assertThat(interned.find(large, 0, 9)).isNull();
    }
}
