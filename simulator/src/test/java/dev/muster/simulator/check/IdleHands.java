package dev.muster.simulator.check;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.Hands;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.Optional;

/** Hands that do nothing of what a gate wants, for tests that only look into it. */
final class IdleHands implements Hands<Letter> {
    @Override
    public void create(long epoch, Optional<List<byte[]>> state) {}

    @Override
    public void retire(boolean wantsState) {}

    @Override
    public void deliver(Letter message) {}

    @Override
    public void send(NodeId to, GateMessage<Letter> message) {}

    @Override
    public void drop(Letter message, Drop why) {}

    @Override
    public Optional<NodeId> passOn(Letter message, int hops) {
        return Optional.empty();
    }

    @Override
    public void report(long move, Optional<String> failure) {}

    @Override
    public void reportEnd(long epoch) {}

    @Override
    public void cannotStart(String why) {}

    @Override
    public long weigh(Letter message) {
        return message.bytes();
    }

    @Override
    public void letAct() {}

    @Override
    public void overdue(long move, List<NodeId> silent) {}
}
