package dev.muster.core.handoff;

import dev.muster.core.handoff.GateMessage.Confirmed;
import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.Hands.Drop;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Where all that comes to a node for one partition goes through: it is delivered, kept, handed over, dropped or passed
 * on. A gate follows the rows of the table and is the only one that starts and ends the instance here.
 *
 * <p>Owned by one thread at a time. It decides; {@link Hands} act.
 *
 * @param <M> a message of users
 */
public final class PartitionGate<M> {
    /** A message that strays is passed on so many times. */
    public static final int MOST_HOPS = 8;

    private final NodeId self;
    private final HandoffSettings settings;
    private final Hands<M> hands;
    private final Waiting<M> waiting;
    private final Homeless<M> homeless;
    private final GateInstance instance;
    private final UnbegunMove unbegun;
    private final EndedMoves endedTargets = new EndedMoves();

    private SortedSet<NodeId> members = new TreeSet<>();
    private Optional<PartitionEntry> row = Optional.empty();
    private HandoffSource<M> source;
    private HandoffTarget<M> target;
    private long endedSource;
    /** The last move whose new host has gone after this one had handed over to it. */
    private long givenAway;
    /** Whether the partition has ended since this node handed over. Should it begin again, that is not by this move. */
    private boolean hasEndedSince;
    /** Whether this node may not count on being a member in the eyes of the others. */
    private boolean isHeld;
    /** Whether somebody may have to know when nothing is here any more. */
    private boolean isEndAwaited;

    /** @param room shared by all gates of this node */
    public PartitionGate(NodeId self, HandoffSettings settings, Room room, Hands<M> hands) {
        this.self = self;
        this.settings = settings;
        this.hands = hands;
        this.waiting = new Waiting<>(hands, settings, room);
        this.homeless = new Homeless<>(self, hands, waiting);
        this.instance = new GateInstance(hands);
        this.unbegun = new UnbegunMove(settings);
    }

    // ---- What is in the table.

    /** The table has a new row for this partition. */
    public void onRow(PartitionEntry next, long nowNanos) {
        boolean wasHere = hosts() || !instance.isEmpty();
        // A row between may have another policy, and who waits is known only by the last one.
        boolean isExclusive = row.filter(PartitionGate::isExclusive).isPresent() || isExclusive(next);
        isEndAwaited = next.instances().isEmpty() && (isEndAwaited || wasHere && isExclusive);
        row = Optional.of(next);
        if (next.isDeleted()) {
            homeless.forgetArrivals();
            instance.onPartitionEnded();
        }
        if (source != null) {
            hasEndedSince |= source.isHandedOver() && next.isDeleted();
            followAsSource(next);
        }
        if (target != null) {
            followAsTarget(next, nowNanos);
        }
        host(next, nowNanos);
        advance(nowNanos);
        settleStrays(nowNanos);
    }

    /** What has waited for a row finds its place now, or is passed on. */
    private void settleStrays(long nowNanos) {
        if (!homeless.hasStrays() || isNowhere() && target == null && homeless.letStraysWait(nowNanos)) {
            return;
        }
        boolean isExpected = source != null || target != null || hosts() || instance.isRetiring();
        for (Strays.Stray<M> stray : homeless.takeStrays()) {
            if (isExpected) {
                onMessage(stray.sender(), stray.message(), stray.hops(), nowNanos);
            } else {
                homeless.passOn(row, stray.message(), stray.hops(), nowNanos);
            }
        }
    }

    /**
     * As far as is known here, and not for ever. A host that is no member any more is about to be replaced, and a
     * partition of which nothing was heard may be the newest of all.
     */
    private boolean isNowhere() {
        return row.isEmpty()
                || !row.get().isDeleted() && row.get().instances().stream().noneMatch(this::mayHost);
    }

    private boolean mayHost(NodeId node) {
        return node.equals(self) || members.contains(node);
    }

    private boolean hosts() {
        return row.filter(it -> it.isOn(self)).isPresent();
    }

    private static boolean isExclusive(PartitionEntry row) {
        return row.spec().policy().isExclusive();
    }

    private static boolean isAbout(PartitionEntry row, long move) {
        return row.move().filter(it -> it.id() == move).isPresent();
    }

    private void followAsSource(PartitionEntry next) {
        // Only the new host knows how much it has taken of what was handed over; so it is asked as long as it lives.
        NodeId to = source.move().to();
        boolean isStillTrue =
                source.isHandedOver() ? next.isOn(to) || members.contains(to) : isAbout(next, source.id());
        if (!isStillTrue) {
            endSource(next, hasMovedOn(next, source)); // it was called off, or other things have happened since
        }
    }

    /** @param isAllTaken whether the new host had all of it, so that nothing is to be seen to here */
    private void endSource(PartitionEntry next, boolean isAllTaken) {
        HandoffSource<M> former = source;
        source = null;
        endedSource = former.id();
        Optional<List<byte[]>> state = former.stateLeft();
        List<M> back = former.takeBack();
        if (!isAllTaken) {
            homeless.keepAnyway(back);
        }
        homeless.setBehind(hasEndedSince
                || former.isHandedOver() && !members.contains(former.move().to()));
        if (former.isHandedOver() && isPending(next, former.id())) {
            givenAway = former.id();
        }
        if (next.isOn(self) && instance.isEmpty() && !isGivenAway(next)) {
            create(next, state);
        }
    }

    private static boolean isPending(PartitionEntry row, long move) {
        return row.pending().filter(it -> it.id() == move).isPresent();
    }

    /**
     * Whether the row speaks of this host only because nobody has written yet that the new one had taken over, and has
     * gone. That one may still be at work without knowing it; so whoever leads says when somebody may begin again.
     */
    private boolean isGivenAway(PartitionEntry row) {
        return givenAway != 0 && isPending(row, givenAway);
    }

    /** The new host has handed over in its turn, so it had all of this move, whether it could say so or not. */
    private static boolean hasMovedOn(PartitionEntry next, HandoffSource<?> former) {
        return former.isHandedOver()
                && next.move()
                        .filter(it -> !it.isPending()
                                && it.id() > former.id()
                                && it.from().equals(former.move().to()))
                        .isPresent();
    }

    private void followAsTarget(PartitionEntry next, long nowNanos) {
        if (next.epoch() < target.id()) {
            return; // the old host was faster than the table
        }
        boolean isMine = isAbout(next, target.id());
        if (isMine && next.pending().isPresent()) {
            return;
        }
        if (isMine) {
            target.act();
            target.onMembers(members); // the old host may have gone before it could say who has switched
        } else if (next.isOn(self) && members.contains(target.from())) {
            target.doubt(nowNanos);
        } else if (next.isOn(self)) {
            boolean wasCreated = target.isCreated();
            target.actAlone(next.epoch());
            markCreating(wasCreated);
        } else {
            HandoffTarget<M> former = target;
            endTarget();
            homeless.setBehind(!members.contains(former.from())); // somebody replaces both, and is sent to directly
            homeless.keepAnyway(former.takeBack(members.contains(former.from())));
        }
    }

    private void endTarget() {
        // What came before its turn is the old host's, which has kept it.
        endedTargets.add(target.id(), target.mayAct() ? target.received() : 0);
        target = null;
    }

    /** Starts or ends the instance here, unless a move takes care of that. */
    private void host(PartitionEntry next, long nowNanos) {
        if (source != null || target != null) {
            return;
        }
        if (next.isOn(self)) {
            boolean isGoing = instance.hasFailed() && moveFromHere().isPresent(); // it may start where it goes
            if (instance.isEmpty() && !isGoing && !isGivenAway(next)) {
                create(next, instance.hasFailed() ? instance.stateForNext() : Optional.empty());
            }
        } else if (!instance.isEmpty()) {
            homeless.setBehind(
                    true); // also where it was about to hand over, and the partition ended in the middle of that
            if (instance.isKept()) {
                instance.retire();
            }
        } else {
            instance.forget();
            homeless.passOnAll(row, nowNanos);
        }
    }

    /** One that is about to move acts before the one that takes over, and so in an earlier epoch. */
    private void create(PartitionEntry by, Optional<List<byte[]>> state) {
        homeless.setBehind(false);
        boolean isToMove = by.pending().filter(it -> it.from().equals(self)).isPresent();
        instance.create(isToMove ? by.epoch() - 1 : by.epoch(), state);
    }

    private void markCreating(boolean wasCreated) {
        if (!wasCreated && target.isCreated()) {
            instance.isCreatedByMove();
        }
    }

    /** These may send to this partition. */
    public void onMembers(SortedSet<NodeId> present, long nowNanos) {
        members = present;
        if (source != null && row.isPresent()) {
            source.onMembers(members);
            followAsSource(row.get());
            host(row.get(), nowNanos);
        }
        if (target != null && target.isInDoubt() && row.isPresent()) {
            followAsTarget(row.get(), nowNanos);
        }
        if (target != null) {
            target.onMembers(members);
        }
        advance(nowNanos);
    }

    /**
     * Whether instances that must be alone do nothing on this node now, because the others may have started them
     * elsewhere. No move of such a one begins here meanwhile: whoever gets it would act on this node's word alone.
     */
    public void onHeld(boolean held, long nowNanos) {
        isHeld = held;
        advance(nowNanos);
    }

    private boolean isToRest() {
        return isHeld && row.filter(it -> it.spec().policy().isExclusive()).isPresent();
    }

    // ---- What becomes of the instance.

    public void onStarted(long nowNanos) {
        if (!instance.isCreating()) {
            return;
        }
        instance.onStarted();
        if (target != null) {
            target.onStarted();
            target.onMembers(members);
        } else {
            homeless.deliverAll();
        }
        advance(nowNanos);
    }

    public void onStartFailed(String why, long nowNanos) {
        if (!instance.isCreating()) {
            return;
        }
        instance.onStartFailed(nowNanos);
        if (target != null) {
            instance.nextStartsWith(target.given());
            target.onStartFailed(why);
        } else {
            homeless.passOnAll(row, nowNanos);
        }
        if (target == null || target.mayAct()) {
            hands.cannotStart(why); // of any other the old host tells
        }
        advance(nowNanos);
    }

    /** Instances are made in another way now: one that runs here ends, and begins anew. One that moves goes on. */
    public void beginAnew() {
        if (source == null && target == null && instance.isKept() && hosts()) {
            instance.retire();
        }
    }

    /** The instance has ended by itself. One that should run here is started again a little later. */
    public void onEnded(long nowNanos) {
        if (!instance.isRunning()) {
            return;
        }
        instance.onEnded(nowNanos);
        if (source != null) {
            source.onEnded();
        }
        if (target != null && !target.acts()) {
            instance.nextStartsWith(target.given());
            target.onStartFailed("it has ended before its turn came");
        } else if (target != null) {
            target.onEnded();
        }
        advance(nowNanos);
    }

    /**
     * The instance does nothing any more.
     *
     * @param rest what it had not come to, in the order in which it came
     * @param state what it left, if it was asked to and could
     */
    public void onRetired(List<M> rest, Optional<List<byte[]>> state, long nowNanos) {
        Optional<List<byte[]>> left = instance.onRetired(state);
        if (source != null && source.isRetiring()) {
            source.onRetired(rest, left, nowNanos);
        } else {
            homeless.keepFirst(rest);
            if (hosts() && target == null) {
                create(row.get(), left);
            } else {
                row.ifPresent(it -> host(it, nowNanos));
            }
        }
        advance(nowNanos);
    }

    /** The instance cannot leave its state behind as it was asked to. It is there as before, with all that waited. */
    public void onNotRetired(String why, long nowNanos) {
        if (!instance.isRetiring()) {
            return;
        }
        boolean isForgotten = instance.onNotRetired();
        if (source != null && source.isRetiring()) {
            source.onNotRetired(why, nowNanos);
        } else {
            row.ifPresent(it -> host(it, nowNanos)); // the move was called off meanwhile
            if (isForgotten) {
                beginAnew();
            }
            if (instance.isRunning()) {
                homeless.deliverAll();
            }
        }
        advance(nowNanos);
    }

    // ---- What comes in.

    /**
     * A message for this partition, sent to this node.
     *
     * @param sender the node that sent it here
     * @param hops how many nodes it has come by that should not have got it
     */
    public void onMessage(NodeId sender, M message, int hops, long nowNanos) {
        if (source != null && source.hasSaidAll()) {
            homeless.passOn(row, message, hops, nowNanos); // of somebody who is no member
        } else if (source != null && source.lacksInstance() && homeless.isElsewhere(row)) {
            homeless.passOn(row, message, hops, nowNanos); // to another instance; the new host may be long in coming
        } else if (source != null) {
            source.onMessage(message, nowNanos);
        } else if (target != null) {
            target.onMessage(sender, message);
        } else if (hosts() && instance.isRunning()) {
            hands.deliver(message);
        } else if (hosts() && instance.lacksOneThatStarts()) {
            homeless.passOn(row, message, hops, nowNanos); // to another instance, if there is one
        } else if (hosts() || instance.isRetiring()) {
            homeless.keep(message);
        } else if (row.filter(PartitionEntry::isDeleted).isPresent()) {
            hands.drop(message, Drop.STOPPED);
        } else {
            homeless.addStray(sender, message, hops, nowNanos);
        }
    }

    /** Another gate said something. */
    public void onGateMessage(NodeId from, GateMessage<M> message, long nowNanos) {
        if (message instanceof GateMessage.PassedOn<M> passed) {
            onMessage(from, passed.message(), passed.hops(), nowNanos);
        } else if (message instanceof Handed<M> handed) {
            onHanded(from, handed, nowNanos);
        } else if (message instanceof Confirmed<M> confirmed) {
            if (source != null
                    && source.id() == confirmed.move()
                    && source.move().to().equals(from)) {
                source.onConfirmed(confirmed, nowNanos);
            } else if (isCalledOff(confirmed.move())) {
                hands.send(from, new GateMessage.Ended<>(confirmed.move(), 0));
            }
        } else if (message instanceof GateMessage.Ended<M> ended) {
            onEndedThere(from, ended, nowNanos);
        } else if (message instanceof GateMessage.Asked<M> asked) {
            if (isTargetOf(asked.move(), from)) {
                target.confirm(false);
            }
        } else if (message instanceof GateMessage.ArrivalAsked<M> asked) {
            hands.send(from, new GateMessage.Arrived<>(asked.number())); // it came behind all of that
        } else if (message instanceof GateMessage.Arrived<M> arrived) {
            homeless.onArrived(from, arrived.number());
        } else if (message instanceof GateMessage.RouteSwitched<M> switched) {
            if (source != null && source.id() <= switched.move()) {
                source.onRouteSwitched(from, nowNanos);
            }
        }
        advance(nowNanos);
    }

    /**
     * Whether this node does not hand over for that move, nor will. Who has been handed something over is asked no more
     * when it has confirmed all of it; so one who still waits for its turn waits in vain.
     */
    private boolean isCalledOff(long move) {
        return (source == null || source.id() > move)
                && row.filter(it -> it.epoch() >= move && !isPending(it, move)).isPresent();
    }

    /** The old host has called it off while this node was made a host in another way: it begins like any other. */
    private void onCalledOffThere(long nowNanos) {
        HandoffTarget<M> former = target;
        endTarget();
        homeless.keepAnyway(former.takeBack(true));
        if (instance.isKept()) {
            instance.retire(); // what it was given is not its own
        } else if (row.isPresent()) {
            host(row.get(), nowNanos);
        }
    }

    /** What the new host has not taken and will not take finds its way by the table. */
    private void onEndedThere(NodeId from, GateMessage.Ended<M> ended, long nowNanos) {
        boolean isMine = source != null
                && source.id() == ended.move()
                && source.move().to().equals(from);
        if (isMine && source.isHandedOver()) {
            source.onTaken(ended.number(), nowNanos);
            if (!source.isOver(members, nowNanos) && row.isPresent()) {
                endSource(row.get(), false); // what it had taken it has said
                host(row.get(), nowNanos);
            }
        } else if (isTargetOf(ended.move(), from) && target.isInDoubt()) {
            onCalledOffThere(nowNanos);
        }
    }

    private boolean isTargetOf(long move, NodeId from) {
        return target != null && target.id() == move && target.from().equals(from);
    }

    private void onHanded(NodeId from, Handed<M> handed, long nowNanos) {
        if (!isTargetOf(handed.move(), from)) {
            OptionalLong taken = endedTargets.takenOf(handed.move());
            if (taken.isPresent() && instance.isRetiring()) {
                return; // whoever takes over from here must not begin before this one has ended
            }
            if (taken.isPresent()) {
                hands.send(from, new GateMessage.Ended<>(handed.move(), taken.getAsLong()));
                return;
            }
            if (!mayBegin(from, handed.move())) {
                return; // it will be said again
            }
            if (target != null) {
                HandoffTarget<M> former = target;
                endTarget();
                homeless.keepAnyway(former.takeBack(members.contains(former.from())));
            }
            target = new HandoffTarget<>(hands, waiting, handed.move(), from);
            homeless.setBehind(false);
            settleStrays(nowNanos);
        }
        boolean wasCreated = target.isCreated();
        target.onHanded(handed, handed.move());
        markCreating(wasCreated);
    }

    /** Whether this node may take over now, as far as it knows. */
    private boolean mayBegin(NodeId from, long move) {
        boolean isFree = source == null && instance.isEmpty() && (target == null || !target.isCreated());
        boolean isLater = move > endedTargets.latest() && (target == null || move > target.id());
        boolean isKnown = row.filter(it -> it.epoch() >= move).isPresent();
        boolean isRight = !isKnown
                || row.get()
                        .pending()
                        .filter(it -> it.id() == move
                                && it.to().equals(self)
                                && it.from().equals(from))
                        .isPresent();
        return isFree && isLater && isRight && members.contains(from);
    }

    // ---- What follows.

    private void advance(long nowNanos) {
        if (target != null && target.isOver()) {
            endTarget();
            homeless.deliverAll();
        }
        if (source != null && source.isOver(members, nowNanos)) {
            endedSource = source.id();
            source = null;
            row.ifPresent(it -> host(it, nowNanos)); // it may be a host again by now
        }
        Optional<PartitionMove> mine = moveFromHere();
        boolean isSettled = instance.isRunning() || instance.lacksOneThatStarts();
        List<M> kept = mine.isPresent() && source == null && !isToRest() ? keptForNobody() : List.of();
        if (mine.isEmpty() || source != null) {
            unbegun.none();
        } else if (target != null || !isSettled || isToRest()) {
            awaitBeginning(mine.get(), nowNanos);
        } else {
            unbegun.none();
            hasEndedSince = false;
            source = new HandoffSource<>(
                    hands,
                    settings,
                    waiting,
                    row.get().spec().policy(),
                    mine.get(),
                    instance.isRunning(),
                    instance.stateForNext(),
                    nowNanos);
            kept.forEach(message -> source.onMessage(message, nowNanos));
        }
        if (source != null && source.isRetiring()) {
            instance.isRetiredByMove();
        }
        if (isEndAwaited && source == null && target == null && instance.isEmpty()) {
            isEndAwaited = false;
            hands.reportEnd(row.get().epoch());
        }
    }

    /** The move that is to begin here, or has. */
    private Optional<PartitionMove> moveFromHere() {
        return row.flatMap(PartitionEntry::pending).filter(it -> it.from().equals(self) && it.id() > endedSource);
    }

    /**
     * What was taken over from one who has gone, for an instance that does not start here: it may where it moves to.
     */
    private List<M> keptForNobody() {
        if (target == null || !target.lacksOnlyItsInstance() || !instance.lacksOneThatStarts()) {
            return List.of();
        }
        HandoffTarget<M> former = target;
        endTarget();
        return former.takeBack(false);
    }

    private void awaitBeginning(PartitionMove move, long nowNanos) {
        if (unbegun.isDue(move.id(), nowNanos)) {
            String why = target != null
                    ? "the move before is not over"
                    : isToRest() ? "it may not be a member any more" : "its instance is busy";
            long millis = settings.migrationTimeout().toMillis();
            endedSource = move.id(); // what was said to be impossible must not begin after all
            hands.report(move.id(), Optional.of("the old host could not begin for " + millis + " ms: " + why));
        }
    }

    /** This node has nothing to do with the partition any more: what runs ends, and what waits is dropped. */
    public void end(PartitionEntry nowhere, long nowNanos) {
        if (source != null) {
            row = Optional.of(nowhere);
            endSource(nowhere, hasMovedOn(nowhere, source)); // nobody would hear how much of it was taken
        }
        onRow(nowhere, nowNanos);
    }

    /** This node is about to go for good: it should know that what it passes on has come. */
    public void goes(long nowNanos) {
        homeless.goes(nowNanos);
    }

    public void tick(long nowNanos) {
        homeless.tick(members, nowNanos);
        if (target != null) {
            target.tick(nowNanos);
        }
        if (source != null) {
            source.tick(members, nowNanos);
        } else if (nowNanos >= startAgainAtNanos()) {
            create(row.get(), instance.stateForNext()); // nobody else would
        }
        advance(nowNanos);
        if (nowNanos >= homeless.straysDueNanos()) {
            settleStrays(nowNanos);
        }
    }

    public long nextWakeUpNanos() {
        long asks = Math.min(homeless.nextAskNanos(), target == null ? Long.MAX_VALUE : target.nextWakeUpNanos());
        if (source != null) {
            return Math.min(asks, source.nextWakeUpNanos());
        }
        long begins = Math.min(unbegun.dueNanos(), homeless.straysDueNanos());
        return Math.min(Math.min(asks, begins), startAgainAtNanos());
    }

    /** When one that failed is to be tried again; never, if there is nothing to start here. */
    public long startAgainAtNanos() {
        return hosts() && !isGivenAway(row.get()) ? instance.dueNanos() : Long.MAX_VALUE;
    }

    // ---- Looking in from outside.

    /** Whether messages of users are handled here now. */
    public boolean acts() {
        return instance.isRunning() && (target == null || target.acts());
    }

    /** Whether there is nothing here that anybody would miss. */
    public boolean isIdle() {
        return source == null && target == null && instance.isEmpty() && homeless.isEmpty();
    }

    /** Whether there is something here that has to go elsewhere, or ends: this node should not go before that. */
    public boolean owes() {
        boolean isElsewhere = !hosts() && !homeless.isEmpty();
        boolean isToMove = source != null || moveFromHere().isPresent();
        return isToMove || instance.isRetiring() || isElsewhere || homeless.isArrivalAwaited();
    }

    /** Whether an instance ends here, and not because it moves. */
    public boolean isEnding() {
        return source == null && instance.isRetiring();
    }

    /** All messages that are kept here, those included that the other host of a move may have too. */
    public List<M> waiting() {
        List<M> all = new ArrayList<>();
        homeless.addTo(all);
        if (source != null) {
            source.addTo(all);
        }
        if (target != null) {
            target.addTo(all);
        }
        return all;
    }

    /** How many messages count against the limit. */
    public int waitingCount() {
        return waiting.count();
    }

    /** How many bytes these have. */
    public long waitingBytes() {
        return waiting.bytes();
    }

    /** What this gate does in a move now; empty if it takes part in none. */
    public Optional<MoveView> view() {
        if (source != null) {
            return Optional.of(source.view(members));
        }
        return target == null ? Optional.empty() : Optional.of(target.view(self));
    }
}
