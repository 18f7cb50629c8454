package dev.muster.remote;

import dev.muster.actor.ActorRef;
import dev.muster.actor.engine.InternalRef;
import dev.muster.core.state.NodeId;
import dev.muster.wire.ClusterCodec;
import dev.muster.wire.ControlCodec;
import dev.muster.wire.ControlMessage;
import dev.muster.wire.EnvelopeReader;
import dev.muster.wire.MiscCodec;
import dev.muster.wire.MiscMessage;
import dev.muster.wire.Payload;
import dev.muster.wire.Preamble;
import dev.muster.wire.Selection;
import dev.muster.wire.SelectionCodec;
import dev.muster.wire.SystemMessageCodec;
import dev.muster.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Decides where each frame of one connection goes: to remoting itself, to the core, or to an actor. */
final class FrameHandler {
    private static final int CLUSTER = 5;
    private static final int SELECTION = 6;

    private final Remoting remoting;
    private final InboundConnection connection;
    private final LabelCache<ActorRef<?>> recipients;
    private final LabelCache<ActorRef<?>> senders;
    private final LabelCache<String> manifests;
    private List<String> numberedTexts = List.of();
    private InternalRef<?>[] numberedRefs = {};

    FrameHandler(Remoting remoting, InboundConnection connection) {
        this.remoting = remoting;
        this.connection = connection;
        this.recipients = new LabelCache<>(this::resolve, this::oftenRef);
        this.senders = new LabelCache<>(this::resolve, this::oftenRef);
        this.manifests = new LabelCache<>(
                text -> text,
                text -> connection.association().inboundTables().manifests().often(text));
    }

    private ActorRef<?> resolve(String text) {
        try {
            return remoting.refs().resolve(text);
        } catch (IllegalArgumentException bad) {
            throw new WireException(WireException.Reason.BAD_TEXT, bad.getMessage());
        }
    }

    /** Whether a frame belongs to the handshake, which needs no proof before it. */
    static boolean isHandshake(EnvelopeReader frame) {
        if (frame.serializerId() != ControlCodec.SERIALIZER_ID
                || frame.manifest().length() != 1) {
            return false;
        }
        byte kind = frame.array()[frame.manifest().start()];
        return kind == 'd' || kind == 'e';
    }

    /**
     * Handles one frame.
     *
     * @param mayReadUsers whether users' messages may be read here, which runs users' code
     * @return false if that would have been necessary and was not allowed; then nothing has happened
     */
    boolean onFrame(EnvelopeReader frame, int stream, boolean mayReadUsers) {
        if (!isHandshake(frame)) {
            connection.recognise(frame.uid(), stream);
        }
        NodeId peer = connection.peer();
        if (isHandshake(frame)) {
            onHandshake(frame, stream);
        } else if (peer == null) {
            // The handshake may follow. It must, or the connection is closed.
            remoting.counters().add("remote.frames-before-handshake");
        } else if (frame.uid() != peer.uid()) {
            throw new WireException(
                    WireException.Reason.WRONG_SENDER, "uid " + frame.uid() + " on a connection of " + peer);
        } else if (!connection.association().isProven(peer)) {
            remoting.counters().add("remote.frames-before-proof");
        } else {
            return onMessage(peer, frame, mayReadUsers);
        }
        return true;
    }

    // --- Handshake
    // -------------------------------------------------------------------------------------------------------

    private void onHandshake(EnvelopeReader frame, int stream) {
        ControlMessage message = control(frame);
        if (message instanceof ControlMessage.HandshakeReq request) {
            onRequest(request, frame.uid(), stream);
        } else if (message instanceof ControlMessage.HandshakeRsp response) {
            onResponse(response.from(), frame.uid(), stream);
        }
    }

    /**
     * Only on the control stream, from whom the connection is, and about itself. It may be the first thing there, but
     * only where this node has asked.
     */
    private void onResponse(NodeId from, long uid, int stream) {
        boolean isItself = connection.peer() == null ? isHonest(from, uid) : from.equals(connection.peer());
        if (stream != Preamble.CONTROL || !isItself) {
            throw new WireException(
                    WireException.Reason.WRONG_SENDER, "an answer to a handshake in the name of " + from);
        }
        if (connection.peer() != null) {
            connection.association().onHandshakeResponse(from);
        } else if (remoting.hasAsked(from.address())) {
            Association association = introduce(from, stream, false);
            if (association != null) {
                association.onHandshakeResponse(from);
            }
        } else {
            remoting.counters().add("remote.frames-before-handshake");
        }
    }

    private void onRequest(ControlMessage.HandshakeReq request, long uid, int stream) {
        NodeId from = request.from();
        if (!request.to().equals(remoting.self().address())) {
            remoting.counters().add("remote.handshakes-for-others");
            remoting.peerLog()
                    .warn(
                            connection.peerHost(),
                            "{} wants to talk to {}, but this is {}; check host names and ports on both sides",
                            from.address(),
                            request.to(),
                            remoting.self().address());
            connection.close();
            return;
        }
        if (!isHonest(from, uid)
                || connection.peer() != null && !connection.peer().equals(from)) {
            throw new WireException(WireException.Reason.WRONG_SENDER, "a handshake in the name of " + from);
        }
        Association association = introduce(from, stream, request.replaces());
        if (association != null) {
            association.onHandshakeRequest(from);
        }
    }

    /** Whether it names itself, by the uid that all its frames have, and not this node. */
    private boolean isHonest(NodeId from, long uid) {
        return from.uid() == uid && !from.address().equals(remoting.self().address());
    }

    /** The connection is from now on that of this peer. Null if it was closed, because nobody talks to that one. */
    private Association introduce(NodeId from, int stream, boolean replaces) {
        if (!connection.connection().provesToBe(from.address().host())) {
            throw new WireException(
                    WireException.Reason.WRONG_SENDER,
                    "a certificate that does not name " + from.address().host());
        }
        Association association = remoting.associationForHandshake(from.address());
        if (association == null) {
            connection.close();
            return null;
        }
        if (connection.peer() == null) {
            connection.handshaken(from, association, stream, replaces);
        }
        return association;
    }

    // --- Messages
    // --------------------------------------------------------------------------------------------------------

    private boolean onMessage(NodeId peer, EnvelopeReader frame, boolean mayReadUsers) {
        switch (frame.serializerId()) {
            case ControlCodec.SERIALIZER_ID -> onControl(peer, frame);
            case CLUSTER, ClusterCodec.TABLE_SERIALIZER_ID -> onCore(peer, manifest(frame), frame, payload(frame));
            case SELECTION -> {
                if (!mayReadUsers) {
                    return false;
                }
                onSelection(peer, frame);
            }
            default -> {
                return onUserMessage(peer, frame, mayReadUsers);
            }
        }
        return true;
    }

    private static byte[] payload(EnvelopeReader frame) {
        return Arrays.copyOfRange(frame.array(), frame.payloadStart(), frame.payloadStart() + frame.payloadLength());
    }

    private String manifest(EnvelopeReader frame) {
        EnvelopeReader.Label label = frame.manifest();
        if (label.index() >= 0) {
            return known(
                    connection
                            .association()
                            .inboundTables()
                            .manifests()
                            .text(frame.manifestTableVersion(), label.index()),
                    label.index());
        }
        return manifests.get(frame.array(), label);
    }

    private static String known(String text, int number) {
        if (text == null) {
            throw new WireException(WireException.Reason.UNKNOWN_MANIFEST, "number " + number + " of an unknown table");
        }
        return text;
    }

    private ControlMessage control(EnvelopeReader frame) {
        return ControlCodec.decode(frame.manifest().text(), frame.array(), frame.payloadStart(), frame.payloadLength());
    }

    private void onCore(NodeId peer, String manifest, EnvelopeReader frame, byte[] payload) {
        remoting.onCoreMessage(
                connection.association(),
                peer,
                manifest,
                payload,
                frame.sender().isEmpty() ? null : senderBytes(frame));
    }

    /** Where answers go, also if it is a number. */
    private byte[] senderBytes(EnvelopeReader frame) {
        EnvelopeReader.Label label = frame.sender();
        return label.index() < 0 ? label.bytes() : textOf(frame, label).getBytes(StandardCharsets.US_ASCII);
    }

    private String textOf(EnvelopeReader frame, EnvelopeReader.Label label) {
        return known(
                connection.association().inboundTables().refs().text(frame.refTableVersion(), label.index()),
                label.index());
    }

    private void onSelection(NodeId peer, EnvelopeReader frame) {
        Selection selection = SelectionCodec.decode(frame.array(), frame.payloadStart(), frame.payloadLength());
        Payload enclosed = selection.enclosed();
        if (enclosed.serializerId() == CLUSTER) {
            onCore(peer, enclosed.manifest(), frame, enclosed.bytes());
        } else if (enclosed.serializerId() == ControlCodec.SERIALIZER_ID) {
            ControlMessage message =
                    ControlCodec.decode(enclosed.manifest(), enclosed.bytes(), 0, enclosed.bytes().length);
            if (message instanceof ControlMessage.WatcherHeartbeat
                    && !frame.sender().isEmpty()) {
                answerWatcher(frame);
            }
        } else if (connection.association().isQuarantined(peer)) {
            remoting.refuseQuarantined(connection.association(), peer);
        } else if (enclosed.serializerId() == MiscCodec.SERIALIZER_ID) {
            onQuestion(frame, resolve(remoting.refs().here(selection.path())), enclosed);
        } else {
            ActorRef<?> recipient = resolve(remoting.refs().here(selection.path()));
            if (recipient instanceof Place<?> place) {
                place.arrived(peer, enclosed, sender(frame));
                return;
            }
            deliver(
                    recipient,
                    sender(frame),
                    enclosed.serializerId(),
                    enclosed.manifest(),
                    enclosed.bytes(),
                    0,
                    enclosed.bytes().length);
        }
    }

    /** Other systems ask who lives at a path. No actor of Muster's has to know of that, so it is answered here. */
    private void onQuestion(EnvelopeReader frame, ActorRef<?> asked, Payload question) {
        MiscMessage message = MiscCodec.decode(question.manifest(), question.bytes(), 0, question.bytes().length);
        if (message instanceof MiscMessage.Identify identify && !frame.sender().isEmpty()) {
            boolean livesHere = asked instanceof InternalRef<?> internal
                    && !internal.hasEnded()
                    && !(asked instanceof RemoteRef<?>);
            String name = livesHere ? remoting.refs().nameOf(asked) : null;
            Payload answer =
                    MiscCodec.encode(new MiscMessage.ActorIdentity(identify.correlation(), Optional.ofNullable(name)));
            connection.association().sendOrdinary(name == null ? null : ascii(name), senderBytes(frame), answer);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void answerWatcher(EnvelopeReader frame) {
        connection
                .association()
                .sendControl(
                        remoting.refs().here(RemoteWatching.WATCHER).getBytes(StandardCharsets.US_ASCII),
                        senderBytes(frame),
                        new ControlMessage.WatcherHeartbeatReply(remoting.self().uid()));
    }

    private void onControl(NodeId peer, EnvelopeReader frame) {
        Association association = connection.association();
        ControlMessage message = control(frame);
        if (message instanceof ControlMessage.SystemEnvelope envelope) {
            onSystemMessage(peer, envelope);
        } else if (message instanceof ControlMessage.SystemAck ack) {
            if (ack.from().equals(peer)) {
                association.systemMessages().onAck(ack.seqNo());
            }
        } else if (message instanceof ControlMessage.SystemNack nack) {
            if (nack.from().equals(peer)) {
                association.systemMessages().onNack(nack.seqNo());
            }
        } else if (message instanceof ControlMessage.Quarantined quarantined) {
            if (quarantined.from().equals(peer) && quarantined.to().equals(remoting.self())) {
                remoting.onQuarantinedBy(peer);
            }
        } else if (message instanceof ControlMessage.Flush && !frame.sender().isEmpty()) {
            association.sendOn(association.ordinary(), null, senderBytes(frame), new ControlMessage.FlushAck(1));
        } else if (message instanceof ControlMessage.FlushAck) {
            remoting.flushes().onAck(association, localPath(frame));
        } else if (message instanceof ControlMessage.Terminating
                && !frame.sender().isEmpty()) {
            association.sendOn(
                    association.ordinary(),
                    null,
                    senderBytes(frame),
                    new ControlMessage.TerminatingAck(remoting.self()));
            remoting.onPeerTerminates(peer);
        } else if (message instanceof ControlMessage.RefTable table) {
            if (table.originUid() == remoting.self().uid()) {
                association.setRefTable(peer, table.version(), table.entries());
                association.sendControl(new ControlMessage.RefTableAck(remoting.self(), table.version()));
            }
        } else if (message instanceof ControlMessage.ManifestTable table) {
            if (table.originUid() == remoting.self().uid()) {
                association.setManifestTable(peer, table.version(), table.entries());
                association.sendControl(new ControlMessage.ManifestTableAck(remoting.self(), table.version()));
            }
        } else if (message instanceof ControlMessage.RefTableAck ack) {
            association.inboundTables().refs().onAck(ack.version());
        } else if (message instanceof ControlMessage.ManifestTableAck ack) {
            association.inboundTables().manifests().onAck(ack.version());
        } else if (message instanceof ControlMessage.WatcherHeartbeat
                && !frame.sender().isEmpty()) {
            answerWatcher(frame);
        } else if (message instanceof ControlMessage.WatcherHeartbeatReply) {
            remoting.onWatcherReply(peer);
        }
    }

    private static String localPath(EnvelopeReader frame) {
        try {
            return RefTexts.parse(frame.recipient().text()).local();
        } catch (IllegalArgumentException bad) {
            throw new WireException(WireException.Reason.BAD_TEXT, bad.getMessage());
        }
    }

    private void onSystemMessage(NodeId peer, ControlMessage.SystemEnvelope envelope) {
        Association association = connection.association();
        if (!envelope.ackReplyTo().equals(peer)) {
            throw new WireException(WireException.Reason.WRONG_SENDER, "a system message of " + envelope.ackReplyTo());
        }
        if (association.isQuarantined(peer)) {
            remoting.refuseQuarantined(association, peer);
            return;
        }
        association.onSystemMessage(peer, envelope.seqNo(), () -> carryOut(peer, envelope.message()));
    }

    private void carryOut(NodeId peer, Payload payload) {
        if (payload.serializerId() == SystemMessageCodec.SERIALIZER_ID) {
            try {
                remoting.watching()
                        .onMessage(peer, SystemMessageCodec.decode(payload.bytes(), 0, payload.bytes().length));
            } catch (IllegalArgumentException bad) {
                throw new WireException(WireException.Reason.BAD_TEXT, bad.getMessage());
            }
        } else {
            remoting.counters().add("remote.system-messages-not-offered");
        }
    }

    // --- Users' messages
    // -------------------------------------------------------------------------------------------------

    private boolean onUserMessage(NodeId peer, EnvelopeReader frame, boolean mayReadUsers) {
        Association association = connection.association();
        if (association.isQuarantined(peer)) {
            remoting.refuseQuarantined(association, peer);
            return true;
        }
        if (frame.recipient().isEmpty()) {
            throw new WireException(WireException.Reason.MALFORMED, "a message to nobody");
        }
        if (!mayReadUsers && frame.payloadLength() > InboundLane.MOST_AT_ONCE_BYTES) {
            return false; // it would have to be copied
        }
        ActorRef<?> recipient = recipient(frame);
        String manifest = manifest(frame);
        int serializerId = frame.serializerId();
        if (serializerId == MiscCodec.SERIALIZER_ID) {
            onQuestion(frame, recipient, new Payload(serializerId, manifest, payload(frame)));
            return true;
        }
        ActorRef<?> sender = sender(frame);
        if (recipient instanceof Place<?> place) {
            place.arrived(peer, new Payload(serializerId, manifest, payload(frame)), sender);
            return true;
        }
        if (!mayReadUsers) {
            byte[] payload = payload(frame);
            return recipient instanceof InternalRef<?> internal
                    && internal.tellUnread(
                            () -> read(recipient, serializerId, manifest, payload, 0, payload.length), sender);
        }
        deliver(recipient, sender, serializerId, manifest, frame.array(), frame.payloadStart(), frame.payloadLength());
        return true;
    }

    private ActorRef<?> recipient(EnvelopeReader frame) {
        EnvelopeReader.Label label = frame.recipient();
        if (label.index() >= 0) {
            return numbered(frame, label);
        }
        ActorRef<?> known = recipients.get(frame.array(), label);
        if (known instanceof InternalRef<?> internal && internal.hasEnded()) {
            // Somebody else may have the name by now.
            recipients.forget(frame.array(), label);
            known = recipients.get(frame.array(), label);
        }
        return known;
    }

    private ActorRef<?> sender(EnvelopeReader frame) {
        EnvelopeReader.Label label = frame.sender();
        if (label.isEmpty()) {
            return null;
        }
        if (label.index() >= 0) {
            return numbered(frame, label);
        }
        return senders.get(frame.array(), label);
    }

    private ActorRef<?> numbered(EnvelopeReader frame, EnvelopeReader.Label label) {
        List<String> texts = connection.association().inboundTables().refs().table(frame.refTableVersion());
        if (texts != numberedTexts) {
            numberedTexts = texts;
            numberedRefs = new InternalRef<?>[texts.size()];
        }
        int number = label.index();
        InternalRef<?> known = number < numberedRefs.length ? numberedRefs[number] : null;
        // By this type and not by a check for it: such checks cost more than all else where many threads make them.
        return known != null && !known.hasEnded() ? known : resolveNumbered(number);
    }

    private ActorRef<?> resolveNumbered(int number) {
        ActorRef<?> resolved = resolve(known(number < numberedTexts.size() ? numberedTexts.get(number) : null, number));
        if (resolved instanceof InternalRef<?> internal) {
            numberedRefs[number] = internal;
        }
        return resolved;
    }

    private void oftenRef(String text) {
        if (!text.contains(Refs.TEMP)) {
            connection.association().inboundTables().refs().often(text);
        }
    }

    @SuppressWarnings("unchecked")
    private void deliver(
            ActorRef<?> recipient,
            ActorRef<?> sender,
            int serializerId,
            String manifest,
            byte[] buffer,
            int offset,
            int length) {
        Object message = read(recipient, serializerId, manifest, buffer, offset, length);
        if (message != null) {
            ((ActorRef<Object>) recipient).tell(message, sender);
        }
    }

    /** Null if it cannot be read. Called by any thread. */
    private Object read(
            ActorRef<?> recipient, int serializerId, String manifest, byte[] buffer, int offset, int length) {
        return remoting.read(recipient, connection.peer(), serializerId, manifest, buffer, offset, length);
    }
}
