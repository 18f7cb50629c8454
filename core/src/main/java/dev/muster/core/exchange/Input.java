package dev.muster.core.exchange;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.SortedMap;

/** Everything that can happen to a core. */
public sealed interface Input {

    /**
     * A message came in.
     *
     * @param from the incarnation that the connection's handshake proved
     * @param receivedAtNanos when it arrived, which may be well before it is handled
     */
    record MessageReceived(NodeId from, CoreMessage message, long receivedAtNanos) implements Input {}

    /** Time went on to (at least) what was asked for, and nothing else happened. */
    record TimePassed() implements Input {}

    /** The wall clock as last read. It is used for nothing but the stamps that people read in tombstones. */
    record WallClockRead(long epochMillis) implements Input {}

    /** Somebody in charge said so. */
    record CommandGiven(Command command) implements Input {}

    /** The remoting layer will never talk to this incarnation again. */
    record PeerQuarantined(NodeId peer) implements Input {}

    /** The address was dialled back, and the process there proved to have this uid. */
    record IncarnationProved(NodeId newIncarnation) implements Input {}

    /**
     * How busy this process is, as its users of partitions see it.
     *
     * @param cpuLoad from 0 to 1
     * @param gcShare the part of the time that went into collecting garbage, from 0 to 1
     * @param mailboxes how many messages wait for each instance here
     */
    record LoadMeasured(double cpuLoad, double gcShare, SortedMap<PartitionPath, Long> mailboxes) implements Input {}

    /** What had to be finished before leaving is finished. */
    record ExitTasksDone() implements Input {}

    /** The process ends, whether or not the others have let this node go. Nothing comes after it. */
    record ProcessEnds() implements Input {}
}
