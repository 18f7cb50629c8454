package dev.muster.wire;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** What two nodes say to each other about their connection, below all actors. */
public sealed interface ControlMessage {

    /** I am {@code from}, and I think that you are at {@code to}. The first words on every connection. */
    /**
     * Who dials, and whom it wants to reach.
     *
     * @param replaces whether the connection takes the place of the one that the sender had before for the same stream.
     *     Only Muster says so, in a field that others pass over; others may have several beside each other.
     */
    record HandshakeReq(NodeId from, NodeAddress to, boolean replaces) implements ControlMessage {
        public HandshakeReq(NodeId from, NodeAddress to) {
            this(from, to, false);
        }
    }

    /** And I am {@code from}. */
    record HandshakeRsp(NodeId from) implements ControlMessage {}

    /** {@code from} will not hear {@code to} again; only a new incarnation helps. */
    record Quarantined(NodeId from, NodeId to) implements ControlMessage {}

    /** My system is shutting down. */
    record Terminating(NodeId from) implements ControlMessage {}

    record TerminatingAck(NodeId from) implements ControlMessage {}

    /**
     * From now on the incarnation {@code originUid} may write these numbers for these refs.
     *
     * @param version 0 to 127, or -1 for a table that is switched off
     */
    record RefTable(NodeId from, long originUid, int version, SortedMap<String, Integer> entries)
            implements ControlMessage {
        public RefTable {
            entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        }
    }

    record RefTableAck(NodeId from, int version) implements ControlMessage {}

    /** As {@link RefTable}, for manifests. */
    record ManifestTable(NodeId from, long originUid, int version, SortedMap<String, Integer> entries)
            implements ControlMessage {
        public ManifestTable {
            entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        }
    }

    record ManifestTableAck(NodeId from, int version) implements ControlMessage {}

    /** A message that must arrive exactly once and in order, and its number; the first one has number 1. */
    record SystemEnvelope(Payload message, long seqNo, NodeId ackReplyTo) implements ControlMessage {}

    /** All system messages up to this number have arrived. */
    record SystemAck(long seqNo, NodeId from) implements ControlMessage {}

    /** All up to this number have arrived, and the next one is missing. */
    record SystemNack(long seqNo, NodeId from) implements ControlMessage {}

    /** Are you alive? Asked of nodes outside the cluster on which actors are watched. */
    record WatcherHeartbeat() implements ControlMessage {}

    record WatcherHeartbeatReply(long uid) implements ControlMessage {}

    /** Has everything that I sent before this arrived? */
    record Flush() implements ControlMessage {}

    /** It has; so many of these answers will come in all. */
    record FlushAck(int expectedAcks) implements ControlMessage {}
}
