package dev.muster.remote;

import dev.muster.core.state.NodeId;

/** Who is told what remoting learns and cannot judge itself: the cluster. */
public interface RemotingUser {

    /** A message for the core came from a proven incarnation. */
    void coreMessage(NodeId from, String manifest, byte[] payload, long receivedAtNanos);

    /** An incarnation proved to live at its address. */
    void peerProved(NodeId peer);

    /** Remoting will not talk to this incarnation any more. */
    void quarantined(NodeId peer, String reason);

    /** This incarnation says that it will not talk to us any more. */
    void quarantinedBy(NodeId peer);
}
