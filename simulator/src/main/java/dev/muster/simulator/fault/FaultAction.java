package dev.muster.simulator.fault;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a fault does, in terms of slots: a slot is a place in the world, with one address, where processes follow each
 * other. Plain data, so that a schedule can be printed, shortened and replayed.
 */
public sealed interface FaultAction {
    /** Stands for every slot. */
    int EVERYBODY = -1;

    /** In a sentence, without the time. */
    String describe();

    /** How long until it heals by itself; 0 for what does not last. */
    default long durationNanos() {
        return 0;
    }

    /** Direction of traffic as seen from a node. */
    enum Direction {
        IN,
        OUT,
        BOTH
    }

    /** A link from one slot to another. */
    record DirectedLink(int from, int to) {
        @Override
        public String toString() {
            return slotName(from) + "->" + slotName(to);
        }
    }

    /**
     * Cuts the world into groups that cannot talk.
     *
     * @param groupOfSlot by slot; slots beyond the list belong to group {@code slot % groups}
     */
    record Split(List<Integer> groupOfSlot, int groups, long durationNanos) implements FaultAction {
        public Split {
            groupOfSlot = List.copyOf(groupOfSlot);
        }

        public int groupOf(int slot) {
            return slot < groupOfSlot.size() ? groupOfSlot.get(slot) : slot % groups;
        }

        @Override
        public String describe() {
            return "split "
                    + IntStream.range(0, groups)
                            .mapToObj(group -> IntStream.range(0, groupOfSlot.size())
                                    .filter(slot -> groupOfSlot.get(slot) == group)
                                    .mapToObj(FaultAction::slotName)
                                    .collect(Collectors.joining(" ")))
                            .collect(Collectors.joining(" | "));
        }
    }

    record CutLinks(List<DirectedLink> links, long durationNanos) implements FaultAction {
        public CutLinks {
            links = List.copyOf(links);
        }

        @Override
        public String describe() {
            return "cut " + links.stream().map(DirectedLink::toString).collect(Collectors.joining(" "));
        }
    }

    /** One node no longer hears, or is no longer heard. */
    record Isolate(int slot, Direction direction, long durationNanos) implements FaultAction {
        @Override
        public String describe() {
            return "isolate " + slotName(slot) + " " + direction.name().toLowerCase(Locale.ROOT);
        }
    }

    record Lose(int slot, Direction direction, double probability, long durationNanos) implements FaultAction {
        @Override
        public String describe() {
            return String.format(
                    Locale.ROOT,
                    "lose %.0f %% %s of %s",
                    probability * 100,
                    direction.name().toLowerCase(Locale.ROOT),
                    slotName(slot));
        }
    }

    /** One-way delays are drawn evenly between the two bounds. */
    record Slow(int slot, long lowNanos, long highNanos, long durationNanos) implements FaultAction {
        @Override
        public String describe() {
            return "delay " + lowNanos / 1_000_000 + ".." + highNanos / 1_000_000 + " ms at " + slotName(slot);
        }
    }

    /**
     * Breaks connections.
     *
     * @param losesInFlight whether what was under way is lost
     * @param replays whether the last few messages arrive once more after the reconnect
     */
    record ResetConnections(int slot, boolean losesInFlight, boolean replays) implements FaultAction {
        @Override
        public String describe() {
            return "reset connections of " + slotName(slot) + (losesInFlight ? ", losing what is in flight" : "")
                    + (replays ? ", repeating the last messages" : "");
        }
    }

    record Crash(int slot) implements FaultAction {
        @Override
        public String describe() {
            return "crash " + slotName(slot);
        }
    }

    /** The next node that carries out a leader's action dies in the middle of telling the others. */
    record CrashActingLeader() implements FaultAction {
        @Override
        public String describe() {
            return "crash the next leader that acts";
        }
    }

    /** Kills processes and starts new ones at the same addresses. */
    record Restart(List<Integer> slots, long afterNanos) implements FaultAction {
        public Restart {
            slots = List.copyOf(slots);
        }

        @Override
        public String describe() {
            return String.format(
                    Locale.ROOT,
                    "restart %s after %.3f s",
                    slots.stream().map(FaultAction::slotName).collect(Collectors.joining(" ")),
                    afterNanos / 1e9);
        }
    }

    record Pause(int slot, long durationNanos) implements FaultAction {
        @Override
        public String describe() {
            return "pause " + slotName(slot);
        }
    }

    record JumpWallClock(int slot, long millis) implements FaultAction {
        @Override
        public String describe() {
            return "jump wall clock of " + slotName(slot) + " by " + millis + " ms";
        }
    }

    record ChangeDrift(int slot, int partsPerMillion) implements FaultAction {
        @Override
        public String describe() {
            return "clock of " + slotName(slot) + " drifts by " + partsPerMillion + " ppm";
        }
    }

    /**
     * A message that no honest node would have sent.
     *
     * @param spoofed the sender pretends to be a member
     */
    record Forge(int target, Forgery forgery, boolean spoofed) implements FaultAction {
        @Override
        public String describe() {
            return "forge " + forgery.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " to " + slotName(target)
                    + (spoofed ? " in a member's name" : "");
        }
    }

    /** Somebody gives a command to the node in {@code slot} about the one in {@code target}. */
    record GiveOrder(int slot, Order order, int target) implements FaultAction {
        @Override
        public String describe() {
            return "at " + slotName(slot) + ": "
                    + order.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + slotName(target);
        }
    }

    /**
     * The node in {@code slot} gives up for good on the one in {@code peer}, because what must arrive did not.
     *
     * @param oldIncarnation it is the first process that ever ran there, which is usually gone
     */
    record Quarantine(int slot, int peer, boolean oldIncarnation) implements FaultAction {
        @Override
        public String describe() {
            return slotName(slot) + " quarantines " + (oldIncarnation ? "the first process of " : "") + slotName(peer);
        }
    }

    /**
     * A short-lived node.
     *
     * @param misconfigured it runs with another downing strategy and must be refused
     */
    record Visit(int slot, long stayNanos, boolean leavesInOrder, boolean misconfigured) implements FaultAction {
        @Override
        public String describe() {
            return String.format(
                    Locale.ROOT,
                    "visit of %s%s, %s after %.3f s",
                    misconfigured ? "misconfigured " : "",
                    slotName(slot),
                    leavesInOrder ? "leaves" : "crashes",
                    stayNanos / 1e9);
        }
    }

    /** What operators say. */
    enum Order {
        LEAVE,
        LEAVE_TWICE,
        DOWN,
        DOWN_UNKNOWN_ADDRESS,
        DOWN_OLD_INCARNATION,
        JOIN_AGAIN,
        JOIN_SEEDS_AGAIN
    }

    /** What hostile peers send. */
    enum Forgery {
        GOSSIP_WITHOUT_RECEIVER(true),
        GOSSIP_CLAIMING_RECEIVERS_CHANGES(true),
        GOSSIP_WITH_HUGE_CLOCK(true),
        GOSSIP_FOR_ANOTHER_INCARNATION(true),
        REPLAYED_GOSSIP(false),
        JOIN_FROM_ANOTHER_SYSTEM(false),
        JOIN_FROM_ANOTHER_DATA_CENTER(false),
        UNASKED_WELCOME(false),
        EXIT_CONFIRMED_BY_A_STRANGER(false),
        HEARTBEAT_OF_A_STRANGER(false);

        private final boolean mayBeSpoofed;

        Forgery(boolean mayBeSpoofed) {
            this.mayBeSpoofed = mayBeSpoofed;
        }

        /** Whether its content alone gives it away, so that it must be refused even in a member's name. */
        public boolean mayBeSpoofed() {
            return mayBeSpoofed;
        }
    }

    /** {@code n3}, or {@code all}. */
    static String slotName(int slot) {
        return slot == EVERYBODY ? "all" : "n" + slot;
    }
}
