package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.state.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Notes what is sent to node 2 in move 7, and can do nothing else. */
final class RecordingHands implements Hands<String> {
    final List<String> messages = new ArrayList<>();
    final List<String> dropped = new ArrayList<>();
    int questions;
    private final List<Long> sent = new ArrayList<>();

    /** Room for 2000 messages. */
    static Waiting<String> waiting(RecordingHands hands) {
        HandoffSettings settings = new HandoffSettings(Duration.ofSeconds(15), 2_000, 1 << 20);
        return new Waiting<>(hands, settings, new Room(settings));
    }

    List<Long> takeSent() {
        List<Long> all = List.copyOf(sent);
        sent.clear();
        return all;
    }

    @Override
    public void send(NodeId to, GateMessage<String> message) {
        assertThat(to).isEqualTo(GateWorld.id(2));
        assertThat(message.move()).isEqualTo(7);
        if (message instanceof Handed<String> handed) {
            sent.add(handed.number());
            if (handed.item() instanceof Item.Message<String> item) {
                messages.add(item.message());
            }
        } else if (message instanceof GateMessage.Asked<String>) {
            questions++;
        }
    }

    @Override
    public void drop(String message, Drop why) {
        dropped.add(message);
    }

    @Override
    public long weigh(String message) {
        return message.length();
    }

    @Override
    public void create(long epoch, Optional<List<byte[]>> state) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void letAct() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void retire(boolean wantsState) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void deliver(String message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<NodeId> passOn(String message, int hops) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void report(long move, Optional<String> failure) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reportEnd(long epoch) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void cannotStart(String why) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void overdue(long move, List<NodeId> silent) {
        throw new UnsupportedOperationException();
    }
}
