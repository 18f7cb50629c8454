package dev.muster.core.handoff;

import dev.muster.core.handoff.Hands.Drop;
import dev.muster.core.state.HandoffPolicy.Arrival;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Messages at a gate that has no instance for them: they wait for one that is about to act here, or for a row that says
 * where to go, and are passed on by the table or dropped.
 *
 * @param <M> a message of users
 */
final class Homeless<M> {
    private final NodeId self;
    private final Hands<M> hands;
    /** For an instance that is to act here and is not there yet. */
    private final Waiting<M>.Line line;

    private final Strays<M> strays;
    private final PassedOnTo<M> passedOn;
    /**
     * Whether somebody else goes on without a move from here. In a move nobody sends to the new host before it has said
     * so to the old one; but nothing holds back what is sent to whoever replaces a host that is lost, or about to go.
     * So what is here, or comes here late, might be overtaken on its way.
     */
    private boolean isBehind;

    Homeless(NodeId self, Hands<M> hands, Waiting<M> waiting) {
        this.self = self;
        this.hands = hands;
        this.line = waiting.new Line();
        this.strays = new Strays<>(waiting);
        this.passedOn = new PassedOnTo<>(hands);
    }

    /** From now on somebody else goes on without a move from here, or not. */
    void setBehind(boolean next) {
        isBehind = next;
    }

    // ---- For an instance that is to act here.

    void keep(M message) {
        line.add(message);
    }

    /** What waited elsewhere before is not refused. */
    void keepAnyway(List<M> messages) {
        messages.forEach(line::addAnyway);
    }

    /** These came before all that waits here. */
    void keepFirst(List<M> messages) {
        int later = line.size();
        messages.forEach(line::addAnyway);
        for (int i = 0; i < later; i++) {
            line.addAnyway(line.poll());
        }
    }

    /** The instance is there. */
    void deliverAll() {
        for (M message = line.poll(); message != null; message = line.poll()) {
            hands.deliver(message);
        }
    }

    // ---- For who hosts the partition as far as is not known here.

    void addStray(NodeId sender, M message, int hops, long nowNanos) {
        strays.add(sender, message, hops, nowNanos);
    }

    boolean hasStrays() {
        return !strays.isEmpty();
    }

    /** Whether strays may wait a little longer; if so, they do. */
    boolean letStraysWait(long nowNanos) {
        return strays.waitOn(nowNanos);
    }

    List<Strays.Stray<M>> takeStrays() {
        return strays.take();
    }

    long straysDueNanos() {
        return strays.dueNanos();
    }

    // ---- For others.

    void passOnAll(Optional<PartitionEntry> row, long nowNanos) {
        for (M message = line.poll(); message != null; message = line.poll()) {
            passOn(row, message, 0, nowNanos);
        }
    }

    void passOn(Optional<PartitionEntry> row, M message, int hops, long nowNanos) {
        boolean isElsewhere = isElsewhere(row);
        if (isElsewhere && isBehind && row.filter(Homeless::keepsOrder).isPresent()) {
            hands.drop(message, Drop.OUT_OF_ORDER);
        } else if (isElsewhere && hops < PartitionGate.MOST_HOPS) {
            hands.passOn(message, hops + 1).ifPresent(to -> passedOn.add(to, nowNanos));
        } else {
            hands.drop(message, Drop.STOPPED);
        }
    }

    /** Whether anybody else hosts it. */
    boolean isElsewhere(Optional<PartitionEntry> row) {
        return row.filter(it -> it.instances().stream().anyMatch(host -> !host.equals(self)))
                .isPresent();
    }

    /** Whether the messages of each sender have to come in order. Those of several instances need not. */
    private static boolean keepsOrder(PartitionEntry row) {
        return row.spec().most() == 1 && row.spec().policy().arrival() == Arrival.BUFFER;
    }

    /** All that was sent before the question with this number has come there. */
    void onArrived(NodeId at, long number) {
        passedOn.onArrived(at, number);
    }

    /** Whether this node should wait until it knows that what it passed on has come. */
    boolean isArrivalAwaited() {
        return passedOn.isAwaited();
    }

    /** Whatever was passed on, nobody is there to take it. */
    void forgetArrivals() {
        passedOn.forgetAll();
    }

    /** This node is about to go for good. */
    void goes(long nowNanos) {
        passedOn.goes(nowNanos);
    }

    void tick(SortedSet<NodeId> members, long nowNanos) {
        passedOn.tick(members, nowNanos);
    }

    /** When it has to be asked again what has come. */
    long nextAskNanos() {
        return passedOn.nextWakeUpNanos();
    }

    // ---- Looking in from outside.

    boolean isEmpty() {
        return line.isEmpty() && strays.isEmpty();
    }

    void addTo(List<M> all) {
        line.addTo(all);
        strays.addTo(all);
    }
}
