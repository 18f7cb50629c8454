package dev.muster.core.handoff;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeId;
import java.util.Objects;

/**
 * What gates say to each other about one partition. These travel on the stream on which messages to that partition
 * travel, never on another one: all that is promised rests on each coming after what was sent before it.
 *
 * @param <M> a message of users
 */
public sealed interface GateMessage<M> {

    /** Which move it is about; 0 for none. */
    long move();

    /**
     * From the old host to the new one. They are numbered and repeated until confirmed, so the new host gets all of
     * them, once each and in order, whatever becomes of connections.
     */
    record Handed<M>(long move, long number, Item<M> item) implements GateMessage<M> {}

    /**
     * From the new host to the old one.
     *
     * @param number of the last item that has come without a gap before it
     * @param isReady the instance is there and waits for its turn
     * @param hasGap something after it has come already, so that is to be sent again now
     * @param failure why the instance cannot be started; empty if it can
     */
    record Confirmed<M>(long move, long number, boolean isReady, boolean hasGap, String failure)
            implements GateMessage<M> {}

    /**
     * This move is over for me. From the new host to the old one, which still hands something over: I take nothing
     * more. From the old host to the new one, which still expects something: it was called off.
     *
     * @param number of the last item that was taken; 0 from the old host
     */
    record Ended<M>(long move, long number) implements GateMessage<M> {}

    /** From the old host to the new one: how far are you? */
    record Asked<M>(long move) implements GateMessage<M> {}

    /**
     * From any node to one that its table does not name as a host any more: I have sent you all that I will. The
     * specification's ack.
     *
     * @param move the epoch of the row that this node has now
     */
    record RouteSwitched<M>(long move) implements GateMessage<M> {}

    /** From the old host: are you still sending to me? Answered by {@link RouteSwitched}, once that is true. */
    record RouteAsked<M>(long move) implements GateMessage<M> {}

    /** A message that had come to a node which does not host the partition any more, passed on by that node's table. */
    record PassedOn<M>(M message, int hops) implements GateMessage<M> {
        @Override
        public long move() {
            return 0;
        }
    }

    /** From one that is about to go: has all come that I have passed on to you before this? */
    record ArrivalAsked<M>(long number) implements GateMessage<M> {
        @Override
        public long move() {
            return 0;
        }
    }

    /** All that you had passed on to me when you asked with this number has come, or is lost. */
    record Arrived<M>(long number) implements GateMessage<M> {
        @Override
        public long move() {
            return 0;
        }
    }

    /** What is handed from the old host to the new one. */
    sealed interface Item<M> {

        /** The specification's initialization message. */
        record Prepare<M>(HandoffPolicy policy, boolean hasState) implements Item<M> {
            public Prepare {
                Objects.requireNonNull(policy, "policy");
            }
        }

        /** A piece of the state. */
        record StatePart<M>(byte[] bytes, boolean isLast) implements Item<M> {}

        record Message<M>(M message) implements Item<M> {}

        /** The old instance will not act any more, and the new one may. */
        record YourTurn<M>() implements Item<M> {}

        /** All that this node had sent to the old host has been handed over. */
        record SenderSwitched<M>(NodeId sender) implements Item<M> {}

        /** So it is with all nodes; nothing follows. */
        record AllSwitched<M>() implements Item<M> {}
    }
}
