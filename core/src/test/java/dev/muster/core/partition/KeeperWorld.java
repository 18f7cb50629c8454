package dev.muster.core.partition;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.LoadMessage;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Keepers of several members and a network between them that may lose and reorder; all agree on the members. */
final class KeeperWorld {
    static final long SECOND = 1_000_000_000L;

    static NodeId node(int number) {
        return new NodeId(new NodeAddress("muster", "test", "n" + number, 1), number);
    }

    /** All up, and of one mind. */
    static ClusterState members(int... numbers) {
        return state(IntStream.of(numbers)
                .mapToObj(it -> new Member(node(it), MemberStatus.UP, it, List.of("dc-default", "muster-1"), "1"))
                .toList());
    }

    /** The same members, some of them with another status. */
    static ClusterState with(ClusterState before, MemberStatus status, int... numbers) {
        List<NodeId> chosen = IntStream.of(numbers).mapToObj(KeeperWorld::node).toList();
        return state(before.members().stream()
                .map(it -> chosen.contains(it.id())
                        ? new Member(it.id(), status, it.upNumber(), it.roles(), it.appVersion())
                        : it)
                .toList());
    }

    /** Members from 1 on, all up, each with a role; none where that is empty. */
    static ClusterState withRoles(String... roles) {
        return state(IntStream.range(0, roles.length)
                .mapToObj(i -> new Member(
                        node(i + 1),
                        MemberStatus.UP,
                        i + 1,
                        roles[i].isEmpty()
                                ? List.of("dc-default", "muster-1")
                                : List.of("dc-default", "muster-1", roles[i]),
                        "1"))
                .toList());
    }

    private static ClusterState state(List<Member> members) {
        return ClusterState.of(
                Members.of(members),
                Tombstones.NONE,
                Reachability.ALL_REACHABLE,
                VectorClock.of(new String[0], new long[0]),
                SeenSet.NOBODY);
    }

    private record Sent(NodeId from, NodeId to, CoreMessage message) {}

    private final TreeMap<NodeId, PartitionKeeper> keepers = new TreeMap<>();
    private final TreeMap<NodeId, TreeSet<PartitionPath>> running = new TreeMap<>();
    private final List<Sent> network = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private final List<ClusterEvent.PartitionsOverlap> overlaps = new ArrayList<>();
    private final List<String> moves = new ArrayList<>();
    private boolean movesEnd = true;
    private String movesFail = "";
    private final Random random;
    private final double loss;
    private final TreeMap<NodeId, Boolean> routing = new TreeMap<>();
    private NodeId deaf;
    private ClusterState state;
    private boolean isConverged = true;
    private long nowNanos = 1;
    private int messages;
    private int events;

    KeeperWorld(ClusterState state, long seed, double loss) {
        this.state = state;
        this.random = new Random(seed);
        this.loss = loss;
        become(state);
    }

    /** Members come and go; the keepers of those that have gone end. */
    void become(ClusterState next) {
        state = next;
        keepers.keySet().removeIf(node -> !state.members().has(node));
        running.keySet().removeIf(node -> !state.members().has(node));
        state.members().stream().filter(it -> it.isMuster()).forEach(it -> {
            keepers.computeIfAbsent(
                    it.id(),
                    id -> new PartitionKeeper(id, PartitionSettings.defaults(), new SplittableRandom(id.uid())));
            running.computeIfAbsent(it.id(), id -> new TreeSet<>());
        });
    }

    /** Takes over all keepers of another world, with what runs there. */
    void take(KeeperWorld other) {
        keepers.putAll(other.keepers);
        running.putAll(other.running);
    }

    /** Whom nothing reaches from now on; null for nobody. */
    void deafen(NodeId node) {
        deaf = node;
    }

    /** A gate says that it cannot start its instance. */
    void cannotStart(int node, PartitionPath path, String why) {
        Effects effects = new Effects();
        at(node(node)).cannotStart(state, path, why, nowNanos, effects);
        effects.list().forEach(effect -> carryOut(node(node), effect));
    }

    /** A gate says that its instance is gone, which had to end with its partition; none does so by itself. */
    void hasEnded(int node, PartitionPath path) {
        at(node(node)).hasEnded(path, at(node(node)).table().row(path).epoch());
    }

    void converged(boolean isSo) {
        isConverged = isSo;
    }

    PartitionKeeper at(NodeId node) {
        return keepers.get(node);
    }

    long now() {
        return nowNanos;
    }

    /** Lets this much time pass, with all that is said in it. */
    void pass(long nanos) {
        long end = nowNanos + nanos;
        settle();
        while (nowNanos < end) {
            long next = keepers.values().stream()
                    .mapToLong(PartitionKeeper::nextWakeUpNanos)
                    .min()
                    .orElse(end);
            if (next <= nowNanos) {
                throw new AssertionError("somebody wants to be woken at " + next + ", and it is " + nowNanos);
            }
            nowNanos = Math.min(end, next);
            settle();
        }
    }

    private void settle() {
        keepers.forEach((node, keeper) -> step(node, null));
        deliverAll();
        // What gates have said meanwhile is due at once.
        keepers.forEach((node, keeper) -> {
            if (keeper.nextWakeUpNanos() <= nowNanos) {
                step(node, null);
            }
        });
        deliverAll();
    }

    private void deliverAll() {
        while (!network.isEmpty()) {
            Sent sent = network.remove(random.nextInt(network.size()));
            NodeId to = sent.to();
            boolean isLost = random.nextDouble() < loss || to.equals(deaf);
            if (!isLost && keepers.containsKey(to) && state.isReachable(to)) {
                step(to, sent);
            }
        }
    }

    private void step(NodeId node, Sent sent) {
        Effects effects = new Effects();
        PartitionKeeper keeper = keepers.get(node);
        if (sent != null && sent.message() instanceof TableMessage message) {
            keeper.onMessage(state, sent.from(), message, nowNanos, effects);
        } else if (sent != null && sent.message() instanceof LoadMessage message) {
            keeper.onLoad(state, sent.from(), message, effects);
        }
        keeper.tick(state, it -> isConverged, nowNanos, effects);
        for (Effect effect : effects.list()) {
            carryOut(node, effect);
        }
    }

    private void carryOut(NodeId node, Effect effect) {
        if (effect instanceof Effect.SendMessage send) {
            messages++;
            if (send.message() instanceof TableMessage message) {
                network.add(new Sent(node, message.to(), message));
            } else if (send.message() instanceof LoadMessage message) {
                network.add(new Sent(node, message.to(), message));
            }
        } else if (effect instanceof Effect.FollowMembers follow) {
            routing.put(node, follow.mayRoute());
        } else if (effect instanceof Effect.FollowRow follow) {
            followRow(node, follow.row());
        } else if (effect instanceof Effect.PublishEvent event) {
            events++;
            if (event.event() instanceof ClusterEvent.PartitionRefused refused) {
                refusals.add(refused.path() + ": " + refused.reason());
            } else if (event.event() instanceof ClusterEvent.CommandRefused refused) {
                refusals.add(node + ": " + refused.reason());
            } else if (event.event() instanceof ClusterEvent.PartitionsOverlap overlap) {
                overlaps.add(overlap);
            }
        }
    }

    /** Gates without any messages: what is to move has moved as soon as its old host knows of it. */
    private void followRow(NodeId node, PartitionEntry row) {
        if (row.isOn(node)) {
            running.get(node).add(row.path());
        } else {
            running.get(node).remove(row.path());
        }
        row.pending().filter(it -> it.from().equals(node)).ifPresent(move -> {
            moves.add(row.path() + ": " + move.from() + " to " + move.to());
            if (!movesFail.isEmpty()) {
                keepers.get(node).report(row.path(), move.id(), movesFail, nowNanos);
            } else if (movesEnd) {
                keepers.get(node).report(row.path(), move.id(), "", nowNanos);
            }
        });
    }

    /** Whether a node may send to partitions. */
    boolean mayRoute(NodeId node) {
        return routing.getOrDefault(node, false);
    }

    /** All moves that began, in order. */
    List<String> moves() {
        return moves;
    }

    /** Whether old hosts ever say that they have handed over. */
    void movesEnd(boolean theyDo) {
        movesEnd = theyDo;
    }

    /** Why moves fail from now on; empty if they do not. */
    void movesFail(String why) {
        movesFail = why;
    }

    /** Those that have a table, in member order. */
    List<NodeId> nodes() {
        return List.copyOf(keepers.keySet());
    }

    /** What runs on a node. */
    SortedSet<PartitionPath> runningOn(NodeId node) {
        return Collections.unmodifiableSortedSet(running.get(node));
    }

    /** Who runs an instance of it. */
    List<NodeId> running(String path) {
        return running.entrySet().stream()
                .filter(it -> it.getValue().contains(new PartitionPath(path)))
                .map(it -> it.getKey())
                .toList();
    }

    /** The one table that all have; fails if they have several. */
    PartitionTable table() {
        List<PartitionTable> tables =
                keepers.values().stream().map(PartitionKeeper::table).distinct().toList();
        if (tables.size() != 1) {
            throw new AssertionError("there are " + tables.size() + " tables: " + tables);
        }
        return tables.get(0);
    }

    int messages() {
        return messages;
    }

    int events() {
        return events;
    }

    List<String> refusals() {
        return refusals;
    }

    /** What was said about partitions inside each other, by anybody. */
    List<ClusterEvent.PartitionsOverlap> overlaps() {
        return overlaps;
    }
}
