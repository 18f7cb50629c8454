package dev.muster.remote;

import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Timers;
import dev.muster.environment.Transport;
import dev.muster.environment.Transport.Connection;
import dev.muster.environment.Transport.ConnectionUser;
import dev.muster.environment.Transport.Incoming;
import dev.muster.environment.Transport.Receiver;
import dev.muster.serialization.ByteSink;
import dev.muster.serialization.Serialization;
import dev.muster.serialization.SerializationException;
import dev.muster.wire.ControlMessage;
import dev.muster.wire.Payload;
import dev.muster.wire.Texts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One incarnation of a node, as others reach it and as it reaches them. It ends with the incarnation; a process that
 * joins again as somebody else gets a new one.
 */
public final class Remoting {
    static final int MOST_CONTROL_BYTES = 16 * 1024 * 1024;
    static final long LONGEST_FRAME_NANOS = 30_000_000_000L;
    static final long FORGET_UNPROVED_NANOS = 30_000_000_000L;
    static final long FORGET_QUARANTINED_NANOS = 600_000_000_000L;

    private static final long TICK_NANOS = 1_000_000_000L;
    private static final int HEADROOM_BYTES = 8 * 1024;
    private static final int MOST_QUARANTINED = 10_000;
    private static final int MOST_UNPROVED = 1_000;
    private static final int MOST_BY_HEARSAY = 10_000;
    private static final long TERMINATION_GRACE_NANOS = 1_000_000_000L;

    private static final ThreadLocal<ByteSink> SINK = ThreadLocal.withInitial(ByteSink::new);
    private static final int KEPT_SINK_BYTES = 256 * 1024;

    private final LocalActorSystem system;
    private final RemoteSettings settings;
    private final Transport transport;
    private final Supplier<Serialization> serialization;
    private final RemotingUser user;
    private final Dispatcher workers;
    private final Logger log = LoggerFactory.getLogger("dev.muster.remote");
    private final PeerLog peerLog;
    private final Counters counters;
    private final LongAdder bytesSent;
    private final LongAdder bytesReceived;
    private final LargeDestinations largeDestinations;
    private final Transport.Listener listener;
    private final NodeId self;
    private final Refs refs;
    private final SenderNames senderNames;
    private final RemoteWatching watching = new RemoteWatching(this);
    private final WatcherHeartbeats watcherHeartbeats = new WatcherHeartbeats(this);
    private final Flushes flushes = new Flushes(this);
    private final InboundConnections inbound = new InboundConnections(this);
    private final Map<NodeAddress, Association> associations = new ConcurrentHashMap<>();
    private final AtomicInteger unproved = new AtomicInteger();
    private final Map<NodeId, String> quarantined = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<NodeId, String> eldest) {
            return size() > MOST_QUARANTINED;
        }
    };
    private volatile Places places = (node, localPath, isOneOfMany, name) -> null;
    private volatile boolean isStopped;
    private Timers.Timer nextTick;

    private Remoting(
            LocalActorSystem system,
            RemoteSettings settings,
            Transport transport,
            Supplier<Serialization> serialization,
            Counters counters,
            Dispatcher workers,
            long uid,
            RemotingUser user) {
        this.system = system;
        this.settings = settings;
        this.transport = transport;
        this.serialization = serialization;
        this.user = user;
        this.counters = counters;
        this.workers = workers;
        this.peerLog = new PeerLog(log, system.environment().clock());
        this.bytesSent = counters.counter("remote.bytes-sent");
        this.bytesReceived = counters.counter("remote.bytes-received");
        this.largeDestinations = new LargeDestinations(settings.largeMessageDestinations());
        String bindHost = settings.bindHost().orElse(settings.host());
        int bindPort = settings.bindPort().orElse(settings.port());
        CompletableFuture<Remoting> ready = new CompletableFuture<>();
        this.listener = transport.listen(bindHost, bindPort, incoming -> accepted(ready, incoming));
        int port = settings.port() == 0 ? listener.port() : settings.port();
        this.self = new NodeId(new NodeAddress(settings.protocolName(), system.name(), settings.host(), port), uid);
        this.refs = new Refs(this, system);
        this.senderNames = new SenderNames(refs);
        ready.complete(this);
    }

    /**
     * Listens, and talks to peers from then on.
     *
     * @param uid the number that makes this incarnation unique
     */
    public static Remoting start(
            LocalActorSystem system,
            RemoteSettings settings,
            Transport transport,
            Supplier<Serialization> serialization,
            Counters counters,
            Dispatcher workers,
            long uid,
            RemotingUser user) {
        Remoting remoting = new Remoting(system, settings, transport, serialization, counters, workers, uid, user);
        remoting.scheduleTick();
        return remoting;
    }

    /** Somebody may dial before the constructor has returned; it is too early for it then, and it will come again. */
    private static Receiver accepted(CompletableFuture<Remoting> ready, Incoming incoming) {
        Remoting remoting = ready.getNow(null);
        return remoting == null || remoting.isStopped ? null : remoting.inbound.accepted(incoming);
    }

    // --- What the parts of remoting share
    // -------------------------------------------------------------------------------

    public NodeId self() {
        return self;
    }

    LocalActorSystem system() {
        return system;
    }

    RemoteSettings settings() {
        return settings;
    }

    Serialization serialization() {
        return serialization.get();
    }

    Refs refs() {
        return refs;
    }

    /** A ref for the text that another node, or a configuration, has for an actor. */
    public ActorRef<?> resolve(String name) {
        return refs.resolve(name);
    }

    /** The text by which other nodes find this actor. */
    public String nameOf(ActorRef<?> ref) {
        return refs.nameOf(ref);
    }

    Places places() {
        return places;
    }

    /** From now on these are asked first who lives at a path. */
    public void setPlaces(Places next) {
        places = next;
    }

    RemoteWatching watching() {
        return watching;
    }

    Flushes flushes() {
        return flushes;
    }

    Counters counters() {
        return counters;
    }

    PeerLog peerLog() {
        return peerLog;
    }

    Logger log() {
        return log;
    }

    RandomGenerator random() {
        return system.environment().random();
    }

    long nanoTime() {
        return system.environment().clock().nanoTime();
    }

    /** Where users' messages are read. */
    Dispatcher readers() {
        return system.defaultDispatcher();
    }

    /** Runs {@code task} later, where remoting does its own work. */
    void later(long nanos, Runnable task) {
        system.environment().timers().schedule(nanos, () -> {
            if (!isStopped) {
                workers.execute(() -> {
                    if (!isStopped) {
                        task.run();
                    }
                });
            }
        });
    }

    Connection connect(NodeAddress peer, ConnectionUser connectionUser) {
        return transport.connect(peer.host(), peer.port(), connectionUser);
    }

    void countSent(int bytes) {
        bytesSent.add(bytes);
    }

    void countReceived(int bytes) {
        bytesReceived.add(bytes);
    }

    boolean isLarge(String localPath) {
        return largeDestinations.has(localPath);
    }

    // --- Peers
    // -----------------------------------------------------------------------------------------------------------

    /** The relation to that address; null if nobody at such an address can be talked to. */
    Association association(NodeAddress peer) {
        Association known = associations.get(peer);
        if (known != null && !known.isForgotten()) {
            return known;
        }
        if (isStopped || !mayTalkTo(peer)) {
            return null;
        }
        return associations.compute(peer, (p, present) -> {
            if (present != null && !present.isForgotten()) {
                return present;
            }
            unproved.incrementAndGet();
            return new Association(this, p);
        });
    }

    /** How many addresses are remembered. */
    int associations() {
        return associations.size();
    }

    /** The same for an address that a peer has named: nobody can make this node remember any number of them. */
    Association associationByHearsay(NodeAddress peer) {
        Association known = associations.get(peer);
        if (known != null && !known.isForgotten()) {
            return known;
        }
        if (unproved.get() >= MOST_BY_HEARSAY) {
            counters.add("remote.addresses-refused");
            return null;
        }
        return association(peer);
    }

    private boolean mayTalkTo(NodeAddress peer) {
        boolean speaksOurs = peer.protocol().equals(settings.protocolName())
                || settings.acceptedProtocolNames().contains(peer.protocol());
        return speaksOurs && !peer.equals(self.address());
    }

    /** The same for somebody who dialled us: there may be only so many that have not proved themselves. */
    Association associationForHandshake(NodeAddress peer) {
        Association known = associations.get(peer);
        if (known != null && !known.isForgotten()) {
            return known;
        }
        if (!peer.system().equals(self.address().system()) || !mayTalkTo(peer)) {
            counters.add("remote.handshakes-of-other-systems");
            peerLog.warn(
                    peer.hostAndPort(),
                    "{} is another system than {}; it is not talked to. Names and protocols must be equal",
                    peer,
                    self.address());
            return null;
        }
        if (unproved.get() >= MOST_UNPROVED) {
            counters.add("remote.handshakes-refused");
            return null;
        }
        return association(peer);
    }

    /** The relation to whom has proved to have that uid; null if nobody has. */
    Association associationOf(long uid) {
        Association found = null;
        for (Association association : associations.values()) {
            NodeId id = association.peerId();
            if (id != null && id.uid() == uid) {
                if (found != null) {
                    return null; // two claim it, so it says nothing
                }
                found = association;
            }
        }
        return found;
    }

    /** Whether this node has begun a handshake with that address, so that an answer may come. */
    boolean hasAsked(NodeAddress peer) {
        Association known = associations.get(peer);
        return known != null && known.hasAsked();
    }

    void handshaken(InboundConnection connection) {
        inbound.handshaken(connection);
    }

    void ended(InboundConnection connection) {
        inbound.ended(connection);
    }

    /** Whoever lived there has ended, and whoever lives there now is not yet talked to. */
    void onPeerReplaced(NodeId before, NodeId now) {
        if (isQuarantined(now)) {
            watching.nodeEnded(now.address());
        } else {
            watching.nodeReplaced(now.address());
        }
        if (before != null) {
            log.info("{} is now {}; whoever lived there before has ended", before, now);
            watching.peerEnded(before);
        }
    }

    void onPeerKnown(NodeId before, NodeId now) {
        if (before == null) {
            unproved.decrementAndGet();
        }
        user.peerProved(now);
    }

    /** Dials an address to find out which incarnation lives there; the answer comes by {@link RemotingUser}. */
    public void prove(NodeId claimed) {
        Association association = association(claimed.address());
        if (association == null) {
            return;
        }
        if (association.isProven(claimed)) {
            user.peerProved(claimed);
        } else {
            association.prove();
        }
    }

    // --- Sending
    // ---------------------------------------------------------------------------------------------------------

    /** A message of the core. Nothing is promised; cores say important things more than once. */
    public void sendCore(NodeAddress to, String senderPath, String recipientPath, int answerTo, Payload payload) {
        Association association = association(to);
        if (association == null) {
            counters.add("remote.core-messages-dropped");
            return;
        }
        byte[] asked = answerTo < 0 ? null : association.replyPath(answerTo);
        byte[] recipient = asked != null ? asked : (to + recipientPath).getBytes(StandardCharsets.US_ASCII);
        byte[] sender = refs.here(senderPath).getBytes(StandardCharsets.US_ASCII);
        if (payload.bytes().length > settings.maxFrameBytes() - HEADROOM_BYTES) {
            counters.add("remote.core-messages-too-large");
            peerLog.warn(
                    to.hostAndPort(),
                    "a {} of {} bytes for {} does not fit a frame; raise maximum-frame-size on all nodes",
                    payload.manifest(),
                    payload.bytes().length,
                    to);
            return;
        }
        if (!association.sendCore(sender, recipient, payload)) {
            counters.add("remote.core-messages-dropped");
        }
        if (!association.isProven()) {
            association.prove();
        }
    }

    /** A message to an actor elsewhere. */
    void tell(RemoteRef<?> to, Object message, ActorRef<?> replyTo) {
        Association association = to.association();
        if (isStopped || association.isQuarantined()) {
            undelivered(to, message, replyTo, DeadLetter.Reason.QUARANTINED);
            return;
        }
        ByteSink sink = SINK.get();
        sink.reset();
        Serialization.Label label;
        try {
            label = serialization.get().write(message, refs, sink);
        } catch (SerializationException unwritable) {
            counters.add("remote.unwritable-messages");
            log.error("a message to {} cannot be sent: {}", to.path(), unwritable.getMessage());
            undelivered(to, message, replyTo, DeadLetter.Reason.NOT_SENT);
            return;
        }
        if (isTooLarge(to, sink.length())) {
            undelivered(to, message, replyTo, DeadLetter.Reason.NOT_SENT);
        } else if (!offer(to, replyTo, label, sink.array(), sink.length())) {
            counters.add("remote.messages-dropped");
            undelivered(to, message, replyTo, DeadLetter.Reason.QUEUE_FULL);
        }
        if (sink.array().length > KEPT_SINK_BYTES) {
            SINK.remove();
        }
    }

    private boolean isTooLarge(RemoteRef<?> to, int bytes) {
        int longest = longestFrame(to) - HEADROOM_BYTES;
        if (bytes <= longest) {
            return false;
        }
        counters.add("remote.too-large-messages");
        log.error(
                "a message of {} bytes to {} does not fit a frame of at most {}; {}",
                bytes,
                to.path(),
                longest,
                to.isLarge()
                        ? "raise muster.remote.artery.advanced.maximum-large-frame-size, or send it in parts"
                        : "add the path to muster.remote.artery.large-message-destinations, or send it in parts");
        return true;
    }

    private int longestFrame(RemoteRef<?> to) {
        return to.isLarge() ? settings.maxLargeFrameBytes() : settings.maxFrameBytes();
    }

    private boolean offer(RemoteRef<?> to, ActorRef<?> replyTo, Serialization.Label label, byte[] payload, int length) {
        Association association = to.association();
        PeerTables.Table refTable = association.tables().refs();
        PeerTables.Table manifestTable = association.tables().manifests();
        Labels labels = new Labels();
        labels.refTableVersion = refTable.version();
        labels.manifestTableVersion = manifestTable.version();
        labels.recipientIndex = to.numberIn(refTable);
        labels.recipient = to.ascii();
        if (replyTo != null) {
            SenderNames.Name name = senderNames.of(replyTo);
            if (name.text().length() <= RefTexts.LONGEST) {
                labels.senderIndex = refTable.numberOf(name.text());
                labels.sender = name.ascii();
            } else {
                counters.add("remote.senders-too-long"); // nobody would read it, nor the message with it
            }
        }
        if (!label.manifest().isEmpty()) {
            labels.manifestIndex = manifestTable.numberOf(label.manifest());
            if (labels.manifestIndex < 0) {
                labels.manifest = label.manifest().getBytes(StandardCharsets.US_ASCII);
            }
        }
        OutboundLane lane = to.isLarge() ? association.large() : association.ordinary();
        return lane.offer(labels, label.serializerId(), payload, 0, length);
    }

    // --- For those who write their messages themselves
    // ----------------------------------------------------------------------

    /** A path on another node. Null if nobody at such an address can be talked to. */
    public Destination destination(NodeAddress node, String localPath) {
        Association association = association(node);
        if (association == null) {
            return null;
        }
        String name = node + localPath;
        return new Destination(
                this,
                new RemoteRef<>(this, association, name, RefTexts.parse(name).path(false)));
    }

    /**
     * The message as bytes.
     *
     * @throws SerializationException if it cannot be written
     */
    public Payload write(Object message) {
        return write(serialization.get(), message);
    }

    /** The same by another list of what can travel. */
    public Payload write(Serialization known, Object message) {
        ByteSink sink = SINK.get();
        sink.reset();
        Serialization.Label label = known.write(message, refs, sink);
        byte[] bytes = Arrays.copyOf(sink.array(), sink.length());
        if (sink.array().length > KEPT_SINK_BYTES) {
            SINK.remove();
        }
        return new Payload(label.serializerId(), label.manifest(), bytes);
    }

    /** The message that came to {@code recipient}; null if it cannot be read, which is reported. Runs users' code. */
    public Object read(ActorRef<?> recipient, NodeId from, Payload message) {
        return read(
                recipient,
                from,
                message.serializerId(),
                message.manifest(),
                message.bytes(),
                0,
                message.bytes().length);
    }

    Object read(
            ActorRef<?> recipient,
            NodeId from,
            int serializerId,
            String manifest,
            byte[] buffer,
            int offset,
            int length) {
        try {
            return serialization.get().read(serializerId, manifest, buffer, offset, length, refs);
        } catch (SerializationException unreadable) {
            counters.add("remote.unreadable-messages");
            peerLog.warn(
                    from.address().host(),
                    "a message to {} from {} cannot be read (serializer {}, manifest {}): {}",
                    recipient.path(),
                    from,
                    serializerId,
                    Texts.shown(manifest),
                    unreadable.getMessage());
            return null;
        }
    }

    /**
     * The same for what is no message to anybody.
     *
     * @throws SerializationException if it cannot be read
     */
    public Object read(Serialization known, Payload state) {
        return known.read(state.serializerId(), state.manifest(), state.bytes(), 0, state.bytes().length, refs);
    }

    /** Returns why it was not sent; null if it was. */
    DeadLetter.Reason send(RemoteRef<?> to, Payload message, ActorRef<?> replyTo) {
        if (isTooLarge(to, message.bytes().length)) {
            return DeadLetter.Reason.NOT_SENT;
        }
        return sendFitting(to, message, replyTo);
    }

    /**
     * What fits a frame alone must fit one also when it is enclosed, so that nothing is lost on the way which could be
     * sent: the room that is kept for names is used for that.
     */
    DeadLetter.Reason sendEnclosed(RemoteRef<?> to, Payload message) {
        if (message.bytes().length > mostEnclosedBytes(to)) {
            return DeadLetter.Reason.NOT_SENT;
        }
        return sendFitting(to, message, null);
    }

    DeadLetter.Reason sendEnclosing(RemoteRef<?> to, Payload message, Payload enclosed) {
        return isTooLarge(to, enclosed.bytes().length) ? DeadLetter.Reason.NOT_SENT : sendEnclosed(to, message);
    }

    int mostEnclosedBytes(RemoteRef<?> to) {
        return longestFrame(to) - to.ascii().length - HEADROOM_BYTES / 8;
    }

    private DeadLetter.Reason sendFitting(RemoteRef<?> to, Payload message, ActorRef<?> replyTo) {
        if (isStopped || to.association().isQuarantined()) {
            return DeadLetter.Reason.QUARANTINED;
        }
        Serialization.Label label = new Serialization.Label(message.serializerId(), message.manifest());
        if (!offer(to, replyTo, label, message.bytes(), message.bytes().length)) {
            counters.add("remote.messages-dropped");
            return DeadLetter.Reason.QUEUE_FULL;
        }
        return null;
    }

    private void undelivered(RemoteRef<?> to, Object message, ActorRef<?> replyTo, DeadLetter.Reason reason) {
        system.deadLetterOffice().undelivered(message, replyTo, to, reason);
    }

    // --- Receiving
    // -------------------------------------------------------------------------------------------------------

    void onCoreMessage(Association association, NodeId from, String manifest, byte[] payload, byte[] sender) {
        int kind = AnswerTo.kindOf(manifest);
        if (kind >= 0 && sender != null) {
            association.rememberReplyPath(kind, sender);
        }
        user.coreMessage(from, manifest, payload, nanoTime());
    }

    // --- Quarantine
    // ------------------------------------------------------------------------------------------------------

    /** Ends all talk between actors here and this incarnation, for good, and tells it so. */
    public void quarantine(NodeId peer, String reason) {
        synchronized (quarantined) {
            if (quarantined.putIfAbsent(peer, reason) != null) {
                return;
            }
        }
        Association association = association(peer.address());
        boolean isNew = association != null && association.quarantine(peer, reason);
        if (isNew) {
            counters.add("remote.quarantines");
            log.warn("{} is quarantined: {}. It can come back only as a new incarnation", peer, reason);
        }
        if (association == null || !association.isProven() || association.isProven(peer)) {
            watching.nodeEnded(peer.address());
        }
        watching.peerEnded(peer);
        user.quarantined(peer, reason);
    }

    boolean isQuarantined(NodeId peer) {
        synchronized (quarantined) {
            return quarantined.containsKey(peer);
        }
    }

    void onQuarantinedBy(NodeId peer) {
        counters.add("remote.quarantined-by");
        user.quarantinedBy(peer);
    }

    /** It talks although it must not; it may not know. */
    void refuseQuarantined(Association association, NodeId peer) {
        counters.add("remote.messages-of-quarantined");
        association.sayQuarantined(peer);
    }

    /** A peer ends in good order: nobody there will answer in a moment. */
    void onPeerTerminates(NodeId peer) {
        later(TERMINATION_GRACE_NANOS, () -> {
            Association association = associations.get(peer.address());
            if (association != null && association.isProven(peer)) {
                watching.nodeEnded(peer.address());
                watching.peerEnded(peer);
            }
        });
    }

    /** Nobody ever answered at this address. */
    void onNobodyThere(NodeAddress address) {
        Association association = associations.get(address);
        if (association != null && !association.isProven()) {
            association.systemMessages().dropAll();
        }
        watching.nodeEnded(address);
    }

    /** Whether a line about this peer may be logged now: one in ten seconds is enough. */
    public boolean mayLogAbout(NodeAddress peer) {
        return peerLog.mayLog(peer.hostAndPort());
    }

    void onWatcherReply(NodeId peer) {
        watcherHeartbeats.onReply(peer);
    }

    /** Nodes whose end the cluster tells of; the others have to be asked now and then. */
    public void setMembers(java.util.function.Predicate<NodeAddress> isMember) {
        watcherHeartbeats.setMembers(isMember);
    }

    // --- Time
    // ------------------------------------------------------------------------------------------------------------

    private synchronized void scheduleTick() {
        if (!isStopped) {
            nextTick = system.environment().timers().schedule(TICK_NANOS, () -> {
                if (!isStopped) {
                    workers.execute(this::tick);
                }
            });
        }
    }

    private void tick() {
        if (isStopped) {
            return;
        }
        try {
            long now = nanoTime();
            long idle = ConnectionLimits.idleNanos(
                    associations.size(),
                    transport.affordableConnections(),
                    settings.stopIdleOutboundAfter().toNanos());
            for (Association association : List.copyOf(associations.values())) {
                if (!association.tick(now, idle)) {
                    if (!association.isProven()) {
                        unproved.decrementAndGet();
                    }
                    associations.remove(association.peer(), association);
                    association.stop();
                }
            }
            inbound.tick(now);
            watcherHeartbeats.tick(now);
        } finally {
            scheduleTick();
        }
    }

    // --- The end
    // ---------------------------------------------------------------------------------------------------------

    /** Is gone from one moment to the next, as a process that was killed. */
    public void kill() {
        if (end()) {
            associations.values().forEach(Association::kill);
            inbound.closeAll();
        }
    }

    private boolean end() {
        synchronized (this) {
            if (isStopped) {
                return false;
            }
            isStopped = true;
            if (nextTick != null) {
                nextTick.cancel();
            }
        }
        listener.close();
        return true;
    }

    /** Says goodbye to everybody it talks to, sends what it has accepted, and closes. */
    public void stop() {
        if (!end()) {
            return;
        }
        byte[] me = refs.here("/system/remoting").getBytes(StandardCharsets.US_ASCII);
        List<Association> all = new ArrayList<>(associations.values());
        for (Association association : all) {
            if (association.isProven() && association.control().isOpen()) {
                byte[] recipient = (association.peer() + "/system/remoting").getBytes(StandardCharsets.US_ASCII);
                association.sendControl(me, recipient, new ControlMessage.Terminating(self));
            }
            association.stop();
        }
        inbound.closeAll();
    }
}
