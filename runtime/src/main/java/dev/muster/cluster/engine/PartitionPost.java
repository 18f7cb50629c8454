package dev.muster.cluster.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.engine.InternalRef;
import dev.muster.cluster.Routing;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.Hands;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.handoff.PartitionRoute;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.environment.Timers;
import dev.muster.remote.Destination;
import dev.muster.wire.GateCodec;
import dev.muster.wire.GateLetter;
import dev.muster.wire.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * All that one node has to do with one partition: where it sends what is for the partition, and what it does with what
 * comes for it. Both change with the rows of the table, in one step and under one lock, or a message could slip behind
 * the word that no more will come. No code of users runs under that lock.
 */
final class PartitionPost implements Hands<Parcel> {
    private final PartitionPosts posts;
    private final PartitionPath path;
    private final PartitionRef<Object> ref;
    private final NodeId self;
    private final RoutingFunctions functions;

    // Guarded by this.
    private final PartitionGate<Parcel> gate;
    private final PartitionRoute<Parcel> route;
    private final InstanceSeat seat;
    private final Router router;
    private final Map<NodeId, Destination> destinations = new HashMap<>();
    private final ArrayDeque<GateMessage<Parcel>> toSelf = new ArrayDeque<>();
    private final List<CompletableFuture<Void>> whenHandedOver = new ArrayList<>();
    private SortedSet<NodeId> members = new TreeSet<>();
    private Timers.Timer timer;
    private long timerDueNanos = Long.MAX_VALUE;
    private long lastMoveFromHere;
    private long lastForwarded;
    private boolean isMoving;

    private volatile boolean isOver;
    /** A guess that saves looking twice: whether all that is sent goes to other nodes. */
    private volatile boolean goesElsewhere;
    /** The same, for those who have no lock: whether there is nobody to send to. */
    private volatile boolean isNowhere = true;

    PartitionPost(PartitionPosts posts, PartitionPath path) {
        this.posts = posts;
        this.path = path;
        this.self = posts.self();
        this.functions = new RoutingFunctions(path, posts.node().log());
        this.ref = new PartitionRef<>(posts.node(), this);
        this.gate = new PartitionGate<>(self, posts.settings(), posts.room(), this);
        this.route = new PartitionRoute<>(this);
        this.seat = new InstanceSeat(posts, this);
        this.router =
                new Router(posts.node().system().environment().random(), new HostShares(path, posts::lastSampleOf));
    }

    PartitionPath path() {
        return path;
    }

    PartitionRef<Object> ref() {
        return ref;
    }

    boolean isOver() {
        return isOver;
    }

    /** Does something under the lock, and then what follows from it. */
    synchronized void turn(Runnable something) {
        something.run();
        settle();
    }

    PartitionGate<Parcel> gate() {
        return gate;
    }

    long nanoTime() {
        return posts.node().system().environment().clock().nanoTime();
    }

    // --- What the core says
    // ---------------------------------------------------------------------------------------------------

    synchronized void follow(PartitionEntry row) {
        if (!isOver) {
            route.onRow(row);
            gate.onRow(row, nanoTime());
            settle();
            forgetTheGone();
        }
    }

    synchronized void followMembers(SortedSet<NodeId> present) {
        if (!isOver) {
            members = present;
            route.onMembers(present);
            gate.onMembers(present, nanoTime());
            settle();
            forgetTheGone();
        }
    }

    /** A host mostly stays a member for a while when its row names it no more, so rows alone would not be enough. */
    private void forgetTheGone() {
        destinations.keySet().retainAll(members);
    }

    /** Those whom this node has sent something and may send more. */
    synchronized Set<NodeId> correspondents() {
        return Set.copyOf(destinations.keySet());
    }

    /** This node knows now how to start an instance; if one should run here, it can. */
    synchronized void onKnown(boolean replacesEnded) {
        if (isOver) {
            return;
        }
        if (!seat.isTaken()) {
            route.row().ifPresent(row -> gate.onRow(row, nanoTime()));
        } else if (replacesEnded) {
            seat.markOutdated();
        }
        settle();
    }

    synchronized void hold(boolean held) {
        seat.hold(held && isExclusive());
        if (!isOver) {
            gate.onHeld(held, nanoTime());
            settle();
        }
    }

    boolean isExclusive() {
        return route.row().map(row -> row.spec().policy().isExclusive()).orElse(true);
    }

    /** This node has nothing to do with partitions any more: what runs ends, and what waits is dead letters. */
    synchronized void end() {
        if (isOver) {
            return;
        }
        isOver = true;
        gate.end(PartitionPosts.nowhere(path, self), nanoTime());
        settle();
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Done when nobody waits any more for what this node hands over, or for an instance that ends here. */
    synchronized void whenHandedOver(CompletableFuture<Void> done) {
        whenHandedOver.add(done);
        if (!isOver) {
            gate.goes(nanoTime());
        }
        settle();
    }

    // --- What is sent here
    // ----------------------------------------------------------------------------------------------------

    /**
     * @param preferred the node whose instance is meant, if it has one; null for any
     * @param wanted the routing of whoever sends; null for that of the partition, as far as this node knows it
     */
    void send(Object message, ActorRef<?> replyTo, NodeAddress preferred, Routing<?> wanted) {
        Parcel parcel = Parcel.of(message, replyTo);
        Routing<?> routing = functions.withLoads(wanted == null ? posts.routing(path) : wanted, this::hosts);
        Object key = functions.keyOf(routing, message);
        if (goesElsewhere) {
            write(parcel);
        }
        NodeId waiting = trySend(parcel, preferred, routing, key);
        if (waiting != null) {
            write(parcel);
            boolean isForAll = preferred == null && routing instanceof Routing.Broadcast<?>;
            NodeId stillWaiting = trySend(parcel, isForAll ? null : waiting.address(), routing, key);
            assert stillWaiting == null;
        }
    }

    private synchronized List<NodeId> hosts() {
        return route.hosts();
    }

    private void write(Parcel parcel) {
        parcel.write(posts.remoting(), posts.node().log(), ref);
    }

    /**
     * Chooses and sends in one step.
     *
     * @return a host for which the message has to be written first; then nothing has happened. Null if it is sent
     */
    private synchronized NodeId trySend(Parcel parcel, NodeAddress preferred, Routing<?> routing, Object key) {
        List<NodeId> hosts = route.hosts();
        if (isOver || hosts.isEmpty() || !posts.mayRoute()) {
            undelivered(parcel, DeadLetter.Reason.STOPPED);
            return null;
        }
        List<NodeId> chosen = preferred == null && routing instanceof Routing.Broadcast<?>
                ? hosts
                : List.of(choose(hosts, preferred, routing, key));
        for (NodeId host : chosen) {
            if (!parcel.isWritten() && !(host.equals(self) && isPlain())) {
                return host;
            }
        }
        if (chosen.size() > 1) {
            parcel.markForAll();
            InternalRef.tellCopied(parcel.replyTo(), chosen.size() - 1);
        }
        chosen.forEach(host -> sendTo(host, parcel));
        return null;
    }

    /** Why something that was sent found nobody, as far as this node knows. Takes no lock. */
    String whyStopped() {
        if (isOver || !posts.mayRoute()) {
            return "this node is not up in the cluster";
        }
        return isNowhere ? "it has no instance that this node knows of" : "its instance does not run now";
    }

    /** Whether this node should not go yet because of this partition. */
    synchronized boolean isBusy() {
        return seat.isTaken() || gate.owes();
    }

    synchronized boolean owes() {
        return gate.owes();
    }

    synchronized boolean isEnding() {
        return gate.isEnding();
    }

    synchronized boolean hasInstance() {
        return seat.isTaken();
    }

    /** What is wrong with the instance here, in sentences. */
    synchronized List<String> troubles() {
        boolean isThere = route.row().filter(row -> !row.isDeleted()).isPresent();
        return isThere && !isOver ? seat.troubles() : List.of();
    }

    /** How many messages wait for the instance here. */
    synchronized long waiting() {
        return seat.waiting();
    }

    private NodeId choose(List<NodeId> hosts, NodeAddress preferred, Routing<?> routing, Object key) {
        if (preferred != null) {
            for (NodeId host : hosts) {
                if (host.address().equals(preferred)) {
                    return host;
                }
            }
        }
        boolean goesByKey = routing instanceof Routing.ConsistentHash<?> && key != null;
        return router.choose(goesByKey ? hosts : posts.reachable(hosts), routing, key);
    }

    private void sendTo(NodeId host, Parcel parcel) {
        if (host.equals(self)) {
            onMessage(self, parcel);
            return;
        }
        Destination destination = destination(host);
        DeadLetter.Reason refused = parcel.bytes() == null || destination == null
                ? DeadLetter.Reason.NOT_SENT
                : parcel.isForAll()
                        ? sendOneForAll(host, destination, parcel)
                        : destination.send(parcel.bytes(), parcel.replyTo());
        if (refused != null) {
            undelivered(parcel, refused);
        }
    }

    /** A plain message has no room for the mark. In a letter it goes like one that has been passed on by nobody yet. */
    private DeadLetter.Reason sendOneForAll(NodeId host, Destination destination, Parcel parcel) {
        Payload written = GateCodec.encode(host.uid(), new GateMessage.PassedOn<>(parcel, 0), this::letterOf);
        return destination.sendEnclosing(written, parcel.bytes());
    }

    private Destination destination(NodeId host) {
        return destinations.computeIfAbsent(
                host,
                it -> posts.remoting().destination(it.address(), ref.path().local()));
    }

    // --- What comes from other nodes
    // -------------------------------------------------------------------------------------------

    void arrived(NodeId from, Payload message, ActorRef<?> replyTo) {
        if (message.serializerId() == GateCodec.SERIALIZER_ID) {
            GateCodec.Received<Parcel> received = GateCodec.decode(
                    message.manifest(),
                    message.bytes(),
                    0,
                    message.bytes().length,
                    letter -> posts.parcelOf(from, letter));
            onGateMessage(from, received);
        } else {
            Parcel parcel = Parcel.arrived(from, message, replyTo);
            synchronized (this) {
                onMessage(from, parcel);
            }
        }
    }

    private void onMessage(NodeId from, Parcel parcel) {
        gate.onMessage(from, parcel, 0, nanoTime());
        planWakeUp(); // it may have to be repeated
    }

    private synchronized void onGateMessage(NodeId from, GateCodec.Received<Parcel> received) {
        if (isOver || received.toUid() != self.uid() || !members.contains(from)) {
            posts.count("partitions.gate-messages-refused");
            refused(received.message(), enclosed(received.message()), DeadLetter.Reason.STOPPED);
            return;
        }
        take(from, received.message());
        settle();
    }

    private void take(NodeId from, GateMessage<Parcel> message) {
        if (message instanceof GateMessage.RouteAsked<Parcel> asked) {
            route.onAsked(from, asked);
        } else {
            gate.onGateMessage(from, message, nanoTime());
        }
    }

    // --- What follows
    // ---------------------------------------------------------------------------------------------------------

    /** At the end of whatever happened under the lock. */
    private void settle() {
        for (GateMessage<Parcel> message = toSelf.poll(); message != null; message = toSelf.poll()) {
            take(self, message);
        }
        if (seat.isOutdated()) {
            gate.beginAnew();
        }
        Optional<MoveView> move = gate.view();
        boolean handsOver = move.filter(it -> it.from().equals(self)).isPresent();
        if (handsOver && move.get().move() != lastMoveFromHere) {
            lastMoveFromHere = move.get().move();
            lastForwarded = 0;
            posts.count("partitions.handoffs-started");
        }
        if (!whenHandedOver.isEmpty() && !gate.owes()) {
            List<CompletableFuture<Void>> done = List.copyOf(whenHandedOver);
            whenHandedOver.clear();
            posts.run(() -> done.forEach(it -> it.complete(null)));
        }
        isMoving = move.isPresent();
        goesElsewhere = !route.hosts().contains(self);
        isNowhere = route.hosts().isEmpty();
        planWakeUp();
    }

    /** Whether what is for this node goes straight to its instance. */
    private boolean isPlain() {
        return !isMoving && gate.acts();
    }

    private void planWakeUp() {
        long due = isOver ? Long.MAX_VALUE : gate.nextWakeUpNanos();
        if (due >= timerDueNanos) {
            return; // the timer that is set comes first, and will look again
        }
        if (timer != null) {
            timer.cancel();
        }
        timerDueNanos = due;
        timer = posts.node()
                .system()
                .environment()
                .timers()
                .schedule(due - nanoTime(), () -> posts.run(this::timePassed));
    }

    private synchronized void timePassed() {
        timerDueNanos = Long.MAX_VALUE;
        timer = null;
        if (!isOver) {
            gate.tick(nanoTime());
            settle();
        }
    }

    // --- What the gate and the route want done
    // ---------------------------------------------------------------------------------

    @Override
    public void create(long epoch, Optional<List<byte[]>> state) {
        seat.create(epoch, state);
    }

    @Override
    public void letAct() {
        seat.letAct();
    }

    @Override
    public void retire(boolean wantsState) {
        seat.retire(wantsState);
    }

    @Override
    public void deliver(Parcel message) {
        DeadLetter.Reason refused = message.isLost() ? DeadLetter.Reason.UNREADABLE : seat.deliver(message);
        if (refused != null) {
            undelivered(message, refused);
        }
    }

    @Override
    public void send(NodeId to, GateMessage<Parcel> message) {
        if (to.equals(self)) {
            toSelf.add(message);
            return;
        }
        Destination destination = isOver ? null : destination(to);
        Parcel enclosed = enclosed(message);
        if (destination == null) {
            refused(message, enclosed, DeadLetter.Reason.STOPPED);
            return;
        }
        Payload written = GateCodec.encode(to.uid(), message, this::letterOf);
        if (enclosed != null && written.bytes().length > destination.mostEnclosedBytes()) {
            posts.node().log().tooLargeToForward(ref, written.bytes().length);
            lose(enclosed);
            written = GateCodec.encode(to.uid(), message, this::letterOf);
        }
        DeadLetter.Reason refused = destination.sendEnclosed(written);
        if (refused != null) {
            refused(message, enclosed, refused);
        } else if (enclosed != null && message instanceof GateMessage.Handed<Parcel> handed) {
            countForwarded(handed.number());
        }
    }

    private static Parcel enclosed(GateMessage<Parcel> message) {
        if (message instanceof GateMessage.PassedOn<Parcel> passed) {
            return passed.message();
        }
        return message instanceof GateMessage.Handed<Parcel> handed
                        && handed.item() instanceof GateMessage.Item.Message<Parcel> item
                ? item.message()
                : null;
    }

    /** All but one kind is said again until it is heard. */
    private void refused(GateMessage<Parcel> message, Parcel enclosed, DeadLetter.Reason reason) {
        if (message instanceof GateMessage.PassedOn<Parcel>) {
            undelivered(enclosed, reason);
        }
    }

    private void countForwarded(long number) {
        if (number > lastForwarded) {
            lastForwarded = number;
            posts.count("partitions.messages-forwarded");
        }
    }

    private GateLetter letterOf(Parcel parcel) {
        write(parcel); // has been done before, but for the rarest of cases
        if (parcel.bytes() == null && !parcel.isLost()) {
            lose(parcel);
        }
        return parcel.isLost() ? GateLetter.LOST : posts.letterOf(parcel);
    }

    /** It cannot go where it should. What is left of it keeps its place in the order, and is nothing to anybody. */
    private void lose(Parcel parcel) {
        undelivered(parcel, DeadLetter.Reason.NOT_SENT);
        parcel.markLost();
    }

    @Override
    public void drop(Parcel message, Drop why) {
        if (why != Drop.STOPPED) {
            posts.count("partitions.messages-dropped");
        }
        undelivered(
                message,
                switch (why) {
                    case HANDOFF -> DeadLetter.Reason.HANDOFF;
                    case BUFFER_FULL -> DeadLetter.Reason.BUFFER_FULL;
                    case STOPPED -> DeadLetter.Reason.STOPPED;
                    case OUT_OF_ORDER -> DeadLetter.Reason.OUT_OF_ORDER;
                });
    }

    private void undelivered(Parcel parcel, DeadLetter.Reason reason) {
        if (!parcel.isLost()) {
            posts.undelivered(parcel, ref, reason);
            return;
        }
        String problem = parcel.takeProblem();
        if (problem != null) {
            posts.unreadable(ref, problem);
        }
    }

    @Override
    public Optional<NodeId> passOn(Parcel message, int hops) {
        List<NodeId> others =
                route.hosts().stream().filter(host -> !host.equals(self)).toList();
        if (others.isEmpty() || message.isLost() || message.isForAll()) {
            drop(message, Drop.STOPPED);
            return Optional.empty();
        }
        posts.count("partitions.messages-passed-on");
        // What users have written about loads has no place here, where the table is followed.
        NodeId host = router.next(posts.reachable(others));
        send(host, new GateMessage.PassedOn<>(message, hops));
        return Optional.of(host);
    }

    @Override
    public void report(long move, Optional<String> failure) {
        posts.report(path, move, failure);
    }

    @Override
    public void reportEnd(long epoch) {
        posts.reportEnd(path, epoch);
    }

    @Override
    public void cannotStart(String why) {
        posts.cannotStart(path, why);
    }

    @Override
    public void overdue(long move, List<NodeId> silent) {
        posts.node().log().doNotSwitch(path, silent);
    }

    @Override
    public long weigh(Parcel message) {
        if (message.isUnweighed()) {
            posts.count("partitions.messages-buffered");
        }
        return message.weight();
    }

    /** What goes on here in a move, if anything. */
    synchronized Optional<MoveView> move() {
        return gate.view();
    }
}
