package dev.muster.remote;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.wire.ControlCodec;
import dev.muster.wire.ControlMessage;
import dev.muster.wire.FrameWriter;
import dev.muster.wire.Payload;
import dev.muster.wire.Preamble;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * This node's relation to one address: which incarnation lives there, the streams to it, and whether it is quarantined.
 *
 * <p>Who lives at an address is proved by dialling it: only the answer to our own handshake counts, not what somebody
 * says who dialled us. While a known incarnation still answers, nobody else is believed to have its address.
 */
final class Association {
    /** How long a known incarnation has to object before another one gets its address. */
    private static final long OBJECTION_NANOS = 500_000_000L;

    private final Remoting remoting;
    private final NodeAddress peer;
    private final OutboundLane control;
    private final SystemDelivery systemMessages;
    private final PeerTables tables = new PeerTables();
    private final InboundTables inboundTables;
    private volatile OutboundLane ordinary;
    private volatile OutboundLane large;
    private volatile NodeId peerId;
    private volatile Quarantine quarantine;
    private volatile String lastTrouble = "";

    // Guarded by this.
    private NodeId candidate;
    private final long createdNanos;
    private long nextHandshakeNanos;
    private boolean wantsProof;
    private long nextQuarantineNotice;
    private long expectedSystemMessage = 1;
    private List<Runnable> whenProven = new ArrayList<>();
    private final byte[][] replyPaths = new byte[3][];

    /** Why an incarnation is not talked to any more. */
    private record Quarantine(NodeId id, String reason) {}

    Association(Remoting remoting, NodeAddress peer) {
        this.remoting = remoting;
        this.peer = peer;
        this.control = new OutboundLane(this, remoting, Preamble.CONTROL, Remoting.MOST_CONTROL_BYTES);
        this.systemMessages = new SystemDelivery(this, remoting);
        this.inboundTables = new InboundTables(this, remoting);
        this.createdNanos = remoting.nanoTime();
    }

    NodeAddress peer() {
        return peer;
    }

    // --- Who lives there
    // -------------------------------------------------------------------------------------------------

    /** The incarnation that answered our handshake; null before one did. */
    NodeId peerId() {
        return peerId;
    }

    boolean isProven() {
        return peerId != null;
    }

    boolean isProven(NodeId id) {
        return id.equals(peerId);
    }

    /** Frames for one or both halves of a handshake. */
    FrameWriter handshake(int what) {
        FrameWriter frames = new FrameWriter(256);
        if ((what & OutboundLane.REQUEST) != 0) {
            add(frames, new ControlMessage.HandshakeReq(remoting.self(), peer));
        }
        if ((what & OutboundLane.RESPONSE) != 0) {
            add(frames, new ControlMessage.HandshakeRsp(remoting.self()));
        }
        return frames;
    }

    private void add(FrameWriter frames, ControlMessage message) {
        Payload payload = ControlCodec.encode(message);
        byte[] manifest = payload.manifest().getBytes(StandardCharsets.US_ASCII);
        frames.add(
                remoting.self().uid(),
                payload.serializerId(),
                0,
                0,
                -1,
                null,
                -1,
                null,
                -1,
                manifest,
                payload.bytes(),
                0,
                payload.bytes().length);
    }

    /** Somebody who dialled us says that it lives here. */
    void onHandshakeRequest(NodeId from) {
        boolean isNew;
        synchronized (this) {
            isNew = !from.equals(peerId);
            wantsProof |= isNew;
        }
        control.shakeHands(OutboundLane.RESPONSE | (isNew ? OutboundLane.REQUEST : 0));
    }

    /** Somebody answered our handshake. */
    void onHandshakeResponse(NodeId from) {
        synchronized (this) {
            if (from.equals(peerId)) {
                wantsProof = false;
                if (candidate != null) {
                    remoting.counters().add("remote.refused-incarnations");
                    candidate = null;
                }
                return;
            }
            if (peerId != null) {
                candidate = from;
            }
        }
        if (peerId == null) {
            adopt(from);
        } else {
            control.shakeHands(OutboundLane.REQUEST);
            remoting.later(OBJECTION_NANOS, () -> adoptUnlessRefused(from));
        }
    }

    private void adoptUnlessRefused(NodeId from) {
        synchronized (this) {
            if (!from.equals(candidate)) {
                return;
            }
        }
        adopt(from);
    }

    private void adopt(NodeId id) {
        List<Runnable> waiting;
        NodeId before;
        synchronized (this) {
            before = peerId;
            if (id.equals(before)) {
                return;
            }
            candidate = null;
            wantsProof = false;
            expectedSystemMessage = 1;
            if (before != null) {
                control.clear();
                forget(ordinary);
                forget(large);
            }
            tables.reset();
            inboundTables.reset();
            quarantine = remoting.isQuarantined(id) ? new Quarantine(id, "it was removed") : null;
            peerId = id;
            waiting = whenProven;
            whenProven = new ArrayList<>();
        }
        systemMessages.newIncarnation(before != null);
        remoting.onPeerKnown(before, id);
        control.mayGo();
        mayGo(ordinary);
        mayGo(large);
        waiting.forEach(Runnable::run);
    }

    private static void forget(OutboundLane lane) {
        if (lane != null) {
            lane.clear();
            lane.reset();
        }
    }

    private static void mayGo(OutboundLane lane) {
        if (lane != null) {
            lane.mayGo();
        }
    }

    /** Runs {@code task} once an incarnation is proved, at once if this one is. */
    void whenProven(NodeId id, Runnable task) {
        synchronized (this) {
            if (!id.equals(peerId)) {
                whenProven.add(task);
                return;
            }
        }
        task.run();
    }

    /** Dials the address, to find out who lives there. */
    void prove() {
        synchronized (this) {
            wantsProof = true;
        }
        control.shakeHands(OutboundLane.REQUEST);
    }

    // --- Sending
    // ---------------------------------------------------------------------------------------------------------

    /** For cores: not kept from them by a quarantine, so that one that was removed can learn of it. */
    boolean sendCore(byte[] sender, byte[] recipient, Payload payload) {
        return control.offer(
                Labels.of(sender, recipient, ascii(payload.manifest())),
                payload.serializerId(),
                payload.bytes(),
                0,
                payload.bytes().length);
    }

    void sendControl(ControlMessage message) {
        sendControl(null, null, message);
    }

    void sendControl(byte[] sender, byte[] recipient, ControlMessage message) {
        sendOn(control, sender, recipient, message);
    }

    /** A control message on another stream, behind what was sent there before. */
    void sendOn(OutboundLane lane, byte[] sender, byte[] recipient, ControlMessage message) {
        Payload payload = ControlCodec.encode(message);
        boolean sent = lane.offer(
                Labels.of(sender, recipient, ascii(payload.manifest())),
                payload.serializerId(),
                payload.bytes(),
                0,
                payload.bytes().length);
        if (!sent) {
            remoting.counters().add("remote.control-messages-dropped");
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    OutboundLane control() {
        return control;
    }

    OutboundLane ordinary() {
        OutboundLane lane = ordinary;
        if (lane == null) {
            synchronized (this) {
                if (ordinary == null) {
                    ordinary = new OutboundLane(
                            this,
                            remoting,
                            Preamble.ORDINARY,
                            remoting.settings().outboundQueueBytes());
                }
                lane = ordinary;
            }
            if (!isProven()) {
                prove();
            }
        }
        return lane;
    }

    OutboundLane large() {
        OutboundLane lane = large;
        if (lane == null) {
            synchronized (this) {
                if (large == null) {
                    large = new OutboundLane(
                            this,
                            remoting,
                            Preamble.LARGE,
                            4 * remoting.settings().maxLargeFrameBytes());
                }
                lane = large;
            }
            if (!isProven()) {
                prove();
            }
        }
        return lane;
    }

    /** The streams that carry users' messages and are in use. */
    List<OutboundLane> userLanes() {
        List<OutboundLane> lanes = new ArrayList<>(2);
        if (ordinary != null) {
            lanes.add(ordinary);
        }
        if (large != null) {
            lanes.add(large);
        }
        return lanes;
    }

    SystemDelivery systemMessages() {
        return systemMessages;
    }

    PeerTables tables() {
        return tables;
    }

    InboundTables inboundTables() {
        return inboundTables;
    }

    /** Whether a stream is to be opened again although nothing waits on it. */
    boolean needs(int stream) {
        if (stream != Preamble.CONTROL) {
            return false;
        }
        synchronized (this) {
            return wantsProof || systemMessages.isWaiting();
        }
    }

    void lost(int stream) {
        remoting.log().debug("the connection of stream {} to {} ended: {}", stream, peer, lastTrouble);
    }

    void noteConnectionEnd(String reason) {
        lastTrouble = reason;
    }

    String lastTrouble() {
        return lastTrouble;
    }

    // --- System messages that come in
    // ------------------------------------------------------------------------------------

    /** Whether a system message with this number is the next one; answers it either way. */
    boolean isNextSystemMessage(long number) {
        long expected;
        synchronized (this) {
            expected = expectedSystemMessage;
            if (number == expected) {
                expectedSystemMessage++;
            }
        }
        if (number > expected) {
            sendControl(new ControlMessage.SystemNack(expected - 1, remoting.self()));
        } else {
            sendControl(new ControlMessage.SystemAck(number == expected ? number : expected - 1, remoting.self()));
        }
        return number == expected;
    }

    // --- Where answers of the core go
    // ------------------------------------------------------------------------------------

    /** Remembers under which path the peer wants to hear the answer to this kind of question. */
    synchronized void rememberReplyPath(int kind, byte[] path) {
        replyPaths[kind] = path;
    }

    /** That path, or null if the peer has not asked. */
    synchronized byte[] replyPath(int kind) {
        return replyPaths[kind];
    }

    // --- Quarantine
    // ------------------------------------------------------------------------------------------------------

    boolean isQuarantined() {
        return quarantine != null;
    }

    boolean isQuarantined(NodeId id) {
        Quarantine present = quarantine;
        return present != null && present.id().equals(id);
    }

    String quarantineReason() {
        Quarantine present = quarantine;
        return present == null ? "" : present.reason();
    }

    /** Lets no message of actors pass any more to or from this incarnation. Returns false if that was so already. */
    boolean quarantine(NodeId id, String reason) {
        synchronized (this) {
            if (!id.equals(peerId) || quarantine != null) {
                return false;
            }
            quarantine = new Quarantine(id, reason);
        }
        for (OutboundLane lane : userLanes()) {
            lane.clear();
        }
        systemMessages.clear();
        sendControl(new ControlMessage.Quarantined(remoting.self(), id));
        return true;
    }

    /** Tells it again, but not for every message that it sends. */
    void sayQuarantined(NodeId id) {
        synchronized (this) {
            long now = remoting.nanoTime();
            if (now < nextQuarantineNotice) {
                return;
            }
            nextQuarantineNotice = now + 1_000_000_000L;
        }
        sendControl(new ControlMessage.Quarantined(remoting.self(), id));
    }

    // --- Time
    // ------------------------------------------------------------------------------------------------------------

    /** Called about once a second. Returns false when nobody needs this association any more. */
    boolean tick(long nowNanos, long idleNanos) {
        boolean ask;
        synchronized (this) {
            ask = (peerId == null || wantsProof) && nowNanos >= nextHandshakeNanos && control.isOpen();
            if (ask) {
                nextHandshakeNanos = nowNanos + 1_000_000_000L;
            }
        }
        if (ask) {
            control.shakeHands(OutboundLane.REQUEST);
        }
        systemMessages.tick(nowNanos);
        inboundTables.tick(nowNanos);
        boolean ignored = control.closeIfIdle(nowNanos, idleNanos);
        for (OutboundLane lane : userLanes()) {
            ignored |= lane.closeIfIdle(
                    nowNanos, remoting.settings().stopIdleOutboundAfter().toNanos());
        }
        synchronized (this) {
            boolean neverProved = peerId == null && nowNanos - createdNanos > Remoting.FORGET_UNPROVED_NANOS;
            return !(neverProved && !control.isOpen() && ordinary == null && !systemMessages.isWaiting());
        }
    }

    void stop() {
        control.stop();
        for (OutboundLane lane : userLanes()) {
            lane.stop();
        }
    }

    void kill() {
        control.kill();
        userLanes().forEach(OutboundLane::kill);
    }
}
