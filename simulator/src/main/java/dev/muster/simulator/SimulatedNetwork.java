package dev.muster.simulator;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.plan.LinkProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The wires between places, as TCP shows them to a program.
 *
 * <p>A program never sees a lost packet: it sees a stream that stands still while the system repeats the packet after
 * 0.2, 0.4, 0.8 ... seconds, with everything behind it waiting. Messages vanish only when a connection breaks, which it
 * does after about fifteen seconds without progress; then a new one is made a little later.
 */
public final class SimulatedNetwork {
    static final long GIVE_UP_NANOS = 15_000_000_000L;
    private static final long OLDEST_REPLAY_NANOS = 15_000_000_000L;
    private static final long FIRST_STALL_NANOS = 200_000_000L;
    private static final long SHORTEST_BACK_OFF_NANOS = 100_000_000L;
    private static final long LONGEST_BACK_OFF_NANOS = 2_000_000_000L;
    private static final int MOST_HELD = 256;

    private final World world;
    private final Dice dice;
    private final LinkProfile profile;
    private final boolean remembers;
    private final List<Place> places = new ArrayList<>();
    private final Map<NodeAddress, Place> byAddress = new HashMap<>(); // looked up only, never walked through
    private double lossEverywhere;
    private SlowLinks slowEverywhere = SlowLinks.NONE;
    private boolean isLossy;
    private long sent;

    /** @param remembers whether the last messages of each link are kept, so that they can be repeated */
    SimulatedNetwork(World world, Dice dice, LinkProfile profile, boolean remembers) {
        this.world = world;
        this.dice = dice;
        this.profile = profile;
        this.remembers = remembers;
    }

    Place place(NodeAddress address) {
        Place known = byAddress.get(address);
        if (known == null) {
            known = new Place(places.size(), address);
            places.add(known);
            byAddress.put(address, known);
        }
        return known;
    }

    Link link(Place from, Place to) {
        Link link = from.linksOut.find(to.index);
        if (link == null) {
            link = new Link(from, to);
            from.linksOut.add(link);
        }
        return link;
    }

    /** How many messages were sent so far, lost ones included. */
    public long sent() {
        return sent;
    }

    // --- Messages
    // -----------------------------------------------------------------------------------------------------

    void send(SimulatedNode sender, NodeAddress to, Object content) {
        send(sender, sender.id(), to, content);
    }

    /** Sends in the name of {@code from}, which an honest sender is. */
    void send(SimulatedNode sender, NodeId from, NodeAddress to, Object content) {
        Place target = byAddress.get(to);
        if (target == null) {
            world.lost(sender, content, "nobody ever listened there");
            return;
        }
        sent++;
        Link link = link(sender.place(), target);
        if (world.nowNanos() < link.losesUntilNanos) {
            world.lost(sender, content, "the connection stalls");
            return;
        }
        Object travelling = sender.wire().written(from, to, content);
        Transit transit = new Transit(this, link, sender, from, travelling, world.nowNanos(), false);
        world.departed(sender, content);
        schedule(transit);
    }

    private void schedule(Transit transit) {
        Link link = transit.link;
        long now = world.nowNanos();
        long arrival = Math.max(now, link.connectedAtNanos) + delay(link);
        if (isLossy) {
            long stall = drawStall(lossOf(link));
            if (stall >= GIVE_UP_NANOS) {
                link.losesUntilNanos = now + GIVE_UP_NANOS;
                link.connectedAtNanos = link.losesUntilNanos + backOff();
                transit.isLost("the connection stalled for too long");
                return;
            }
            transit.waited = stall > 0;
            arrival += stall;
        }
        addInOrder(transit, arrival);
    }

    private void addInOrder(Transit transit, long arrivalNanos) {
        long arrival = Math.max(arrivalNanos, transit.link.lastArrivalNanos);
        transit.link.lastArrivalNanos = arrival;
        world.add(transit, arrival);
    }

    private long drawStall(double loss) {
        long stall = 0;
        for (int k = 0; loss > 0 && stall < GIVE_UP_NANOS && dice.chance(loss); k++) {
            stall += FIRST_STALL_NANOS << k;
        }
        return stall;
    }

    private long delay(Link link) {
        SlowLinks slow =
                slowEverywhere.isSlow() ? slowEverywhere : link.from.slow.isSlow() ? link.from.slow : link.to.slow;
        return slow.isSlow()
                ? dice.between(slow.lowNanos(), slow.highNanos())
                : profile.baseNanos() + (long) (dice.unit() * profile.jitterNanos());
    }

    private double lossOf(Link link) {
        return 1 - (1 - lossEverywhere) * (1 - link.from.lossOut) * (1 - link.to.lossIn);
    }

    private long backOff() {
        return dice.between(SHORTEST_BACK_OFF_NANOS, LONGEST_BACK_OFF_NANOS);
    }

    void arrived(Transit transit) {
        Link link = transit.link;
        if (link.isCut() && link.heldCount() >= MOST_HELD) {
            transit.isLost("too much waits behind a cut");
        } else if (link.isCut() || world.nowNanos() < link.resumesAtNanos) {
            // After a cut, too: what was sent before it healed is still behind what waits for the retransmission.
            link.hold(transit);
        } else {
            land(transit);
        }
    }

    private void land(Transit transit) {
        Link link = transit.link;
        if (reaches(transit)) {
            if (remembers && !transit.isReplay && !(transit.content instanceof Parcel)) {
                link.remember(transit);
            }
            link.to.process.receive(transit);
        } else {
            transit.isLost(link.to.process == null ? "the process there has ended" : "the connection broke");
        }
    }

    /**
     * The sender's retransmission gets through, and everything that waited comes at once, unless there is a new cut.
     */
    private void resume(Link link) {
        while (!link.isCut() && world.nowNanos() >= link.resumesAtNanos && link.heldCount() > 0) {
            Transit transit = link.nextHeld();
            transit.waited = true;
            land(transit);
        }
    }

    void lost(Transit transit, String how) {
        world.landed(transit.sender, transit.content);
        world.lost(transit.sender, transit.content, how);
    }

    private static boolean reaches(Transit transit) {
        Link link = transit.link;
        SimulatedNode target = link.to.process;
        return target != null
                // Bytes under way die with the process they were meant for.
                && target.startedAtNanos() <= transit.sentAtNanos
                && (transit.isReplay || transit.sentAtNanos >= link.lostBeforeNanos)
                && !(transit.waited && !transit.sender.isRunning());
    }

    // --- Faults
    // -------------------------------------------------------------------------------------------------------

    void cut(Place from, Place to) {
        Link link = link(from, to);
        if (link.cuts++ == 0) {
            link.cutSinceNanos = world.nowNanos();
        }
    }

    /** Takes one cut away. What waited goes on if the connection has survived. */
    void heal(Place from, Place to) {
        Link link = link(from, to);
        if (--link.cuts > 0) {
            return;
        }
        long now = world.nowNanos();
        long lasted = now - link.cutSinceNanos;
        long pause;
        if (lasted >= GIVE_UP_NANOS) {
            link.lostBeforeNanos = Math.max(link.lostBeforeNanos, link.cutSinceNanos + GIVE_UP_NANOS);
            pause = backOff();
        } else {
            pause = dice.between(0, Math.min(lasted, 2 * FIRST_STALL_NANOS << 3) + 1);
        }
        // What waited behind the cut before may not have gone on yet.
        link.resumesAtNanos = Math.max(link.resumesAtNanos, now + pause);
        world.add(Happening.of(() -> resume(link)), link.resumesAtNanos);
        // One later than what waits, because of two at one moment the one added first goes first.
        link.lastArrivalNanos = Math.max(link.lastArrivalNanos, link.resumesAtNanos + 1);
    }

    /** Breaks all connections from and to a place, or all there are when it is null. */
    void reset(Place place, boolean losesInFlight, boolean replays) {
        for (Place from : places) {
            from.linksOut.forEach(link -> {
                if (place == null || link.from == place || link.to == place) {
                    reset(link, losesInFlight, replays);
                }
            });
        }
    }

    private void reset(Link link, boolean losesInFlight, boolean replays) {
        long now = world.nowNanos();
        if (now < link.connectedAtNanos) {
            return; // there is no connection to break yet
        }
        if (losesInFlight) {
            link.lostBeforeNanos = now;
        }
        link.connectedAtNanos = now + backOff() / 2;
        if (replays) {
            for (Transit delivered : link.recent()) {
                if (now - delivered.sentAtNanos > OLDEST_REPLAY_NANOS) {
                    continue; // nobody keeps for longer what was never acknowledged
                }
                Transit again = delivered.again();
                again.waited = true;
                addInOrder(again, link.connectedAtNanos + delay(link));
            }
        }
    }

    void setLoss(double everywhere) {
        lossEverywhere = everywhere;
        isLossy = everywhere > 0;
        for (Place place : places) {
            isLossy |= place.lossIn > 0 || place.lossOut > 0;
        }
    }

    void setSlowEverywhere(SlowLinks slow) {
        slowEverywhere = slow;
    }

    /** Whether a message sent now would arrive without much ado. */
    boolean canSend(NodeAddress from, NodeAddress to) {
        Place sender = byAddress.get(from);
        Place receiver = byAddress.get(to);
        if (sender == null || receiver == null) {
            return false;
        }
        Link known = sender.linksOut.find(receiver.index);
        // Asking must not add a link: that would change the order in which later faults walk through them.
        Link link = known == null ? new Link(sender, receiver) : known;
        long soon = world.nowNanos() + SHORTEST_BACK_OFF_NANOS;
        return !link.isCut()
                && lossOf(link) < 0.02
                && link.lastArrivalNanos <= soon + profile.mostNanos()
                && link.connectedAtNanos <= soon;
    }

    /** All places, in the order in which they were first heard of. */
    List<Place> places() {
        return places;
    }
}
