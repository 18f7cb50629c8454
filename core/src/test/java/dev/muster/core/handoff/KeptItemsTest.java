package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.state.HandoffPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the old host still keeps of what it hands over, and takes back if the move does not count. */
class KeptItemsTest {
    private static final long MILLI = 1_000_000L;
    private static final long START = 5_000_000_000L;

    private final RecordingHands recorder = new RecordingHands();
    private final Waiting<String> waiting = RecordingHands.waiting(recorder);
    private final HandedItems<String> items = items(true);

    private HandedItems<String> items(boolean keepsAll) {
        return new HandedItems<>(recorder, waiting, 7, GateWorld.id(2), keepsAll);
    }

    private static void addMessage(HandedItems<String> to, String message, long nowNanos) {
        assertThat(to.admit(message)).isTrue();
        to.add(new Item.Message<>(message), nowNanos);
    }

    private void addMessages(int count) {
        for (int i = 1; i <= count; i++) {
            addMessage(items, "m" + i, START);
        }
    }

    private static List<String> kept(HandedItems<String> items) {
        List<String> all = new ArrayList<>();
        items.addTo(all);
        return all;
    }

    @Test
    void whatIsConfirmedTakesNoRoomAnyMore() {
        HandedItems<String> forgetful = items(false);
        addMessage(forgetful, "one", START);
        addMessage(forgetful, "two", START);
        forgetful.onConfirmed(1, false, START);
        assertThat(kept(forgetful)).containsExactly("two");
        assertThat(waiting.count()).isEqualTo(1);
        assertThat(waiting.bytes()).isEqualTo(3);
    }

    @Test
    void whatMayHaveToBeTakenBackIsKeptAlsoWhenItIsConfirmed() {
        addMessages(2);
        items.onConfirmed(2, false, START);
        assertThat(kept(items)).containsExactly("m1", "m2");
        items.keepUnconfirmedOnly();
        assertThat(kept(items)).isEmpty();
        assertThat(waiting.count()).isZero();
    }

    @Test
    void onlyMessagesAreTakenBackInOrderAndOnce() {
        items.add(new Item.Prepare<>(HandoffPolicy.singleton(), false), START);
        addMessages(3);
        items.onConfirmed(2, false, START);
        assertThat(kept(items)).containsExactly("m1", "m2", "m3");
        assertThat(items.takeBack()).containsExactly("m1", "m2", "m3");
        assertThat(waiting.count()).isZero();
        assertThat(items.takeBack()).isEmpty();
    }

    @Test
    void whatWasTakenBackIsNotHandedOverAnyMoreAndItsNumbersAreNotUsedAgain() {
        addMessages(HandedItems.MOST_UNCONFIRMED + 10);
        items.takeBack();
        recorder.takeSent();
        assertThat(items.areAllConfirmed()).isTrue();
        items.tick(false, START + 10_000 * MILLI);
        assertThat(recorder.takeSent()).isEmpty();

        addMessage(items, "next", START);
        int number = HandedItems.MOST_UNCONFIRMED + 11;
        assertThat(recorder.takeSent()).isEqualTo(numbers(number, number));
    }

    @Test
    void whatIsFullTakesNoMore() {
        for (int i = 0; i < 2_000; i++) {
            addMessage(items, "m", START);
        }
        assertThat(items.admit("too many")).isFalse();
        assertThat(recorder.dropped).containsExactly("too many");
        items.admitAnyway("waited elsewhere");
        assertThat(waiting.count()).isEqualTo(2_001);
    }

    @Test
    void thousandsComeInOrderWhileTheyAreForgotten() {
        HandedItems<String> forgetful = items(false);
        for (int i = 1; i <= 1_500; i++) {
            addMessage(forgetful, "m" + i, START);
        }
        for (int i = 1; i <= 1_500; i++) {
            forgetful.onConfirmed(i, false, START);
            if (i < 1_500) {
                assertThat(kept(forgetful)).hasSize(1_500 - i).startsWith("m" + (i + 1));
            }
        }
        assertThat(recorder.messages).hasSize(1_500).startsWith("m1", "m2").endsWith("m1499", "m1500");
        assertThat(forgetful.areAllConfirmed()).isTrue();
    }

    private static List<Long> numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }
}
