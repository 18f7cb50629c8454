package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How much may wait at one gate, and at all gates of a node together. */
class WaitingTest {
    private static final int MOST_BYTES = 10;

    private final RecordingHands hands = new RecordingHands();
    private final HandoffSettings settings = new HandoffSettings(Duration.ofSeconds(5), 3, MOST_BYTES);
    private final Room room = new Room(settings);

    private Waiting<String> gate() {
        return new Waiting<>(hands, settings, room);
    }

    @Test
    void exactlyAsManyMessagesWaitAsAreAllowed() {
        Waiting<String> gate = gate();
        assertThat(gate.admit("1") && gate.admit("2") && gate.admit("3")).isTrue();
        assertThat(gate.admit("4")).isFalse();
        gate.released("1");
        assertThat(gate.admit("5")).isTrue();
        assertThat(hands.dropped).containsExactly("4");
    }

    @Test
    void exactlyAsManyBytesWaitAsAreAllowed() {
        Waiting<String> gate = gate();
        assertThat(gate.admit("123456")).isTrue();
        assertThat(gate.admit("12345")).isFalse();
        assertThat(gate.admit("1234")).isTrue();
        assertThat(gate.bytes()).isEqualTo(MOST_BYTES);
        gate.released("123456");
        assertThat(gate.bytes()).isEqualTo(4);
    }

    @Test
    void whatHasWaitedElsewhereIsNotRefusedAndTakesTheRoomOfOthers() {
        Waiting<String> gate = gate();
        for (int i = 0; i < 5; i++) {
            gate.admitAnyway("x");
        }
        assertThat(gate.count()).isEqualTo(5);
        assertThat(gate.admit("y")).isFalse();
        gate.admitAnyway("z".repeat(4 * MOST_BYTES));
        assertThat(gate().admit("elsewhere on this node")).isFalse();
    }

    @Test
    void allGatesOfANodeTogetherHaveRoomForExactlyFourTimesAsManyBytes() {
        for (int i = 0; i < Room.FULL_GATES; i++) {
            assertThat(gate().admit("x".repeat(MOST_BYTES))).isTrue();
        }
        assertThat(gate().admit("y")).isFalse();
        assertThat(gate().admit("")).isTrue();
    }

    @Test
    void whatIsReleasedAtOneGateMakesRoomAtOthers() {
        Waiting<String> full = gate();
        full.admitAnyway("x".repeat(Room.FULL_GATES * MOST_BYTES));
        assertThat(gate().admit("y")).isFalse();
        full.released("x".repeat(Room.FULL_GATES * MOST_BYTES));
        assertThat(gate().admit("y")).isTrue();
    }

    @Test
    void whatIsKeptAnywayTakesRoomAtAllGates() {
        for (int i = 0; i < Room.FULL_GATES * 3; i++) {
            gate().admitAnyway("");
        }
        assertThat(gate().admit("")).isFalse();
    }
}
