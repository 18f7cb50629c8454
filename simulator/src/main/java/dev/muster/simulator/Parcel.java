package dev.muster.simulator;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.simulator.check.Letter;
import dev.muster.wire.Payload;
import java.util.Optional;

/**
 * What nodes send each other about a partition.
 *
 * @param to the process that is meant; another one at its address does not get it
 * @param content a {@link Letter}, or what one gate says to another
 * @param written the same as bytes, if it travels so; its receiver reads those, and whoever counts letters looks at the
 *     content
 */
record Parcel(NodeId to, PartitionPath path, Object content, Optional<Payload> written) {

    Parcel(NodeId to, PartitionPath path, Object content) {
        this(to, path, content, Optional.empty());
    }

    /** The letter in it. */
    Optional<Letter> letter() {
        if (content instanceof Letter letter) {
            return Optional.of(letter);
        }
        if (content instanceof GateMessage.PassedOn<?> passed) {
            return Optional.of((Letter) passed.message());
        }
        return content instanceof GateMessage.Handed<?> handed
                        && handed.item() instanceof GateMessage.Item.Message<?> message
                ? Optional.of((Letter) message.message())
                : Optional.empty();
    }

    /** Whether its sender keeps the letter until it has arrived. */
    boolean isKeptBySender() {
        return content instanceof GateMessage.Handed<?>;
    }
}
