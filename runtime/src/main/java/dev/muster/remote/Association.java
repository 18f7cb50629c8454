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
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * This node's relation to one address: which incarnation lives there, the streams to it, and whether it is quarantined.
 *
 * <p>Who lives at an address is proved by dialling it: only the answer to our own handshake counts, not what somebody
 * says who dialled us. While a known incarnation still answers, nobody else is believed to have its address.
 */
final class Association {
    /** How long a known incarnation has to object before another one gets its address. */
    /** Other systems use a few connections at a time; more are left over, or somebody's mischief. */
    private static final int MOST_BESIDE = 16;

    private static final long OBJECTION_NANOS = 500_000_000L;

    private static final long ASK_AGAIN_NANOS = 250_000_000L;
    private static final int MOST_FORMER = 64;

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

    /** Taken while one incarnation takes the place of another, before any other lock. */
    private final Object adopting = new Object();

    /** Taken while a system message is carried out, so that the next one waits, whichever connection it came on. */
    private final Object carryingOut = new Object();

    private volatile boolean hasAsked;
    private volatile long lastAskedNanos;
    private volatile boolean isForgotten;

    // Guarded by this.
    private NodeId candidate;
    private final Set<Long> formerUids = new LinkedHashSet<>();
    private int dialsWhenProven;
    private final long createdNanos;
    private long nextHandshakeNanos;
    private boolean wantsProof;
    private long nextQuarantineNotice;
    private long expectedSystemMessage = 1;
    private final Set<InboundLane> waitingForProof = new LinkedHashSet<>();
    private final InboundConnection[] inbound = new InboundConnection[Preamble.LARGE + 1];
    /** Those that are not the last of their stream, of a peer that has several. */
    private final Set<InboundConnection> beside = new LinkedHashSet<>();

    private final NodeId[] inboundPeers = new NodeId[Preamble.LARGE + 1];
    private final long[] inboundNumbers = new long[Preamble.LARGE + 1];
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
        this.nextHandshakeNanos = createdNanos;
        this.nextQuarantineNotice = createdNanos;
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
            hasAsked = true;
            lastAskedNanos = remoting.nanoTime();
            add(frames, new ControlMessage.HandshakeReq(remoting.self(), peer, true));
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

    /**
     * Somebody who dialled us says that it lives here. While somebody else is known to, it gets no answer: an answer
     * would let it believe what was meant for the other. It gets one when it has taken the other's place.
     */
    void onHandshakeRequest(NodeId from) {
        int say;
        synchronized (this) {
            if (isFormer(from)) {
                return;
            }
            boolean isNew = !from.equals(peerId);
            wantsProof |= isNew;
            // Two that do not know each other would else ask each other without end.
            boolean asks = isNew && (!control.isOpen() || remoting.nanoTime() - lastAskedNanos >= ASK_AGAIN_NANOS);
            say = (asks ? OutboundLane.REQUEST : 0) | (isNew && peerId != null ? 0 : OutboundLane.RESPONSE);
        }
        if (say != 0) {
            control.shakeHands(say);
        }
    }

    /** Whoever lost its address to another never gets it back. */
    private boolean isFormer(NodeId id) {
        boolean isFormer = formerUids.contains(id.uid());
        if (isFormer) {
            remoting.counters().add("remote.former-incarnations");
        }
        return isFormer;
    }

    /** Somebody answered our handshake. */
    synchronized boolean hasAsked() {
        return hasAsked;
    }

    void onHandshakeResponse(NodeId from) {
        boolean isFirst;
        synchronized (this) {
            if (!hasAsked || isFormer(from)) {
                return;
            }
            if (from.equals(peerId)) {
                wantsProof = false;
                dialsWhenProven = control.dials();
                if (candidate != null) {
                    remoting.counters().add("remote.refused-incarnations");
                    candidate = null;
                }
                return;
            }
            isFirst = peerId == null;
            if (!isFirst) {
                candidate = from;
            }
        }
        if (isFirst) {
            adopt(from);
        } else {
            control.shakeHands(OutboundLane.REQUEST);
            remoting.later(OBJECTION_NANOS, () -> adoptUnlessRefused(from));
        }
    }

    /**
     * The connection over which the known incarnation answered does not prove anything about another one; as long as
     * that one stands, the known one may only be slow. It has to be dialled anew.
     */
    private void adoptUnlessRefused(NodeId from) {
        boolean dialAnew;
        synchronized (this) {
            if (!from.equals(candidate)) {
                return;
            }
            dialAnew = control.isOpen() && control.dials() == dialsWhenProven;
        }
        if (dialAnew) {
            control.reset();
        } else {
            adopt(from);
        }
    }

    private void adopt(NodeId id) {
        synchronized (adopting) {
            NodeId before = peerId;
            if (id.equals(before)) {
                return;
            }
            if (before != null) {
                control.clear();
                forget(ordinary);
                forget(large);
            }
            // Nothing that is said from here on is meant for the former one; nothing goes out before all is set.
            boolean isQuarantined = remoting.isQuarantined(id);
            if (before != null || isQuarantined) {
                systemMessages.beginAnew();
                remoting.onPeerReplaced(before, id);
            }
            synchronized (this) {
                if (before != null) {
                    formerUids.add(before.uid());
                    if (formerUids.size() > MOST_FORMER) {
                        formerUids.remove(formerUids.iterator().next());
                    }
                }
                candidate = null;
                wantsProof = false;
                dialsWhenProven = control.dials();
                expectedSystemMessage = 1;
                tables.reset();
                inboundTables.reset();
                quarantine = isQuarantined || remoting.isQuarantined(id) ? new Quarantine(id, "it was removed") : null;
                peerId = id;
            }
            if (quarantine == null) {
                systemMessages.begin();
            } else {
                systemMessages.quarantine();
            }
            remoting.onPeerKnown(before, id);
            if (before != null) {
                control.shakeHands(OutboundLane.RESPONSE);
            }
        }
        control.mayGo();
        mayGo(ordinary);
        mayGo(large);
        List<InboundLane> waiting;
        synchronized (this) {
            waiting = List.copyOf(waitingForProof);
            waitingForProof.clear();
        }
        waiting.forEach(InboundLane::goOn);
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

    /** Lets a lane go on when somebody is proved; returns false if this one is, so that it may go on at once. */
    synchronized boolean waitForProof(NodeId id, InboundLane lane) {
        return !id.equals(peerId) && waitingForProof.add(lane);
    }

    /** It will not go on; returns false if it has been told to already. */
    synchronized boolean forgetWaiting(InboundLane lane) {
        return waitingForProof.remove(lane);
    }

    /**
     * A peer that may have several connections for one stream has one more.
     *
     * @return the one that it had last, if that is still there
     */
    synchronized InboundConnection joins(int stream, InboundConnection newer) {
        InboundConnection last = newer.peer().equals(inboundPeers[stream]) ? inbound[stream] : null;
        inbound[stream] = newer;
        inboundPeers[stream] = newer.peer();
        inboundNumbers[stream] = Math.max(inboundNumbers[stream], newer.number());
        if (last != null) {
            beside.add(last);
        }
        return last;
    }

    /** The oldest of those beside the newest ones, if they are too many; it is then none of them any more. */
    synchronized InboundConnection surplus() {
        if (beside.size() <= MOST_BESIDE) {
            return null;
        }
        InboundConnection oldest = beside.iterator().next();
        beside.remove(oldest);
        return oldest;
    }

    /**
     * A peer that has one connection for each stream has a newer one, which takes the place of the one before.
     *
     * @return the one before, or the new one itself if it is older than the one that stands
     */
    synchronized InboundConnection takesOver(int stream, InboundConnection newer) {
        InboundConnection before = inbound[stream];
        boolean isSamePeer = newer.peer().equals(inboundPeers[stream]);
        if (isSamePeer && inboundNumbers[stream] > newer.number()) {
            return newer;
        }
        inbound[stream] = newer;
        inboundPeers[stream] = newer.peer();
        inboundNumbers[stream] = newer.number();
        return isSamePeer ? before : null;
    }

    synchronized void finished(InboundConnection connection) {
        beside.remove(connection);
        for (int i = 0; i < inbound.length; i++) {
            if (inbound[i] == connection) {
                inbound[i] = null;
            }
        }
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

    /** Something that is no user's message, between users' messages. */
    void sendOrdinary(byte[] sender, byte[] recipient, Payload payload) {
        send(ordinary(), sender, recipient, payload);
    }

    void sendControl(ControlMessage message) {
        sendControl(null, null, message);
    }

    void sendControl(byte[] sender, byte[] recipient, ControlMessage message) {
        sendOn(control, sender, recipient, message);
    }

    /** A control message on another stream, behind what was sent there before. */
    void sendOn(OutboundLane lane, byte[] sender, byte[] recipient, ControlMessage message) {
        send(lane, sender, recipient, ControlCodec.encode(message));
    }

    private void send(OutboundLane lane, byte[] sender, byte[] recipient, Payload payload) {
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
            if (wantsProof) {
                return true;
            }
        }
        return systemMessages.isWaiting() || userLanes().stream().anyMatch(OutboundLane::hasWaiting);
    }

    /** Whether what waits on a stream may go out: control messages to whoever is proved, users' not in quarantine. */
    boolean mayCarry(int stream) {
        return peerId != null && (stream == Preamble.CONTROL || quarantine == null);
    }

    /** The control stream finds out whether there is anybody; the others follow it, so that few attempts are made. */
    boolean mayDial(int stream) {
        return stream == Preamble.CONTROL || !control.isTrying();
    }

    void opened(int stream) {
        if (stream == Preamble.CONTROL) {
            systemMessages.sendAgain();
            userLanes().forEach(OutboundLane::goOn);
        }
    }

    /** The control stream tries no more; whoever has just begun to wait for it has to try by itself. */
    void gaveUp(int stream) {
        if (stream == Preamble.CONTROL) {
            userLanes().forEach(OutboundLane::goOn);
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

    /** Carries out a system message if it is the next one of this incarnation; answers it either way. */
    void onSystemMessage(NodeId from, long number, Runnable carryOut) {
        synchronized (carryingOut) {
            long expected;
            synchronized (this) {
                if (!from.equals(peerId)) {
                    return;
                }
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
            if (number == expected) {
                carryOut.run();
            }
        }
    }

    // --- Numbers for what is often named
    // ---------------------------------------------------------------------------------

    /** The peer offers numbers for refs; they count only while it is the one that is known here. */
    synchronized void setRefTable(NodeId from, int version, Map<String, Integer> numbers) {
        if (from.equals(peerId)) {
            tables.setRefs(version, numbers);
        }
    }

    synchronized void setManifestTable(NodeId from, int version, Map<String, Integer> numbers) {
        if (from.equals(peerId)) {
            tables.setManifests(version, numbers);
        }
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
        systemMessages.quarantine();
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
        isForgotten = isOfNoUse(nowNanos) && systemMessages.forget();
        return !isForgotten;
    }

    /**
     * Nobody has proved to live there, or whoever did is quarantined, and nobody has wanted anything of it for long.
     * Whoever holds a ref to it asks for another association once this one is forgotten.
     */
    private boolean isOfNoUse(long nowNanos) {
        if (isProven() && !isQuarantined()) {
            return false;
        }
        long patience = isProven() ? Remoting.FORGET_QUARANTINED_NANOS : Remoting.FORGET_UNPROVED_NANOS;
        boolean isUnused = nowNanos - createdNanos > patience && control.isUnused(nowNanos, patience);
        for (OutboundLane lane : userLanes()) {
            isUnused &= lane.isUnused(nowNanos, patience);
        }
        return isUnused && !isDialledByPeer();
    }

    private synchronized boolean isDialledByPeer() {
        return isProven() && (!beside.isEmpty() || Arrays.stream(inbound).anyMatch(Objects::nonNull));
    }

    /** Whether it is over, so that another one has to be asked for. */
    boolean isForgotten() {
        return isForgotten;
    }

    void stop() {
        isForgotten = true;
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
