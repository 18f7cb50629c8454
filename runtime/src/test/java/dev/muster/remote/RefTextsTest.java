package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Addresses of actors that peers write. What is wrong with one goes to the log, so it says so in few words. */
class RefTextsTest {
    @Test
    void whatIsNoAddressIsNamedInFewAndHarmlessWords() {
        String much = "x".repeat(3_000);
        for (String text : new String[] {
            much,
            "muster://" + much + "/user/a",
            "muster://sys@a b" + much + ":1/user/a",
            "muster://sys@host:" + much + "/user/a",
            "muster://sys@host:65536" + "/user/" + much,
            much + "://sys@\u001b[31mhost\r\n:1/user/a",
            "muster://sys@host:1/user/a#" + much,
            "muster://sys@host:1" + "/a".repeat(300)
        }) {
            assertThatThrownBy(() -> RefTexts.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .satisfies(
                            e -> assertThat(e.getMessage()).hasSizeLessThan(220).doesNotContain("\r", "\n", "\u001b"));
        }
    }
}
