package dev.muster.wire;

import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.HeartbeatMessage;
import dev.muster.core.exchange.Island;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.exchange.LoadMessage;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.TableDigest;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/** Draws messages of every kind. The same seed draws the same ones. */
final class Samples {
    static final JoinConfiguration OWN = configuration("keep-majority of role backend");

    private static final List<List<String>> ROLE_LISTS = List.of(
            List.of("dc-default"), List.of("backend", "dc-default"), List.of("a", "backend", "dc-default", "zürich"));
    private static final MemberStatus[] STATUSES = {
        MemberStatus.JOINING, MemberStatus.WEAKLY_UP, MemberStatus.UP, MemberStatus.PREPARING_FOR_SHUTDOWN,
        MemberStatus.LEAVING, MemberStatus.EXITING, MemberStatus.DOWN, MemberStatus.READY_FOR_SHUTDOWN
    };

    private final Random random;

    Samples(long seed) {
        random = new Random(seed);
    }

    static JoinConfiguration configuration(String strategy) {
        TreeMap<String, String> values = new TreeMap<>();
        values.put("cluster.wire-version", "1");
        values.put(JoinConfigurationText.STRATEGY, strategy);
        values.put("cluster.split-brain-resolver.stable-after", "PT20S");
        return new JoinConfiguration(values);
    }

    static ClusterCodec codec(NodeId self) {
        return new ClusterCodec(self, OWN, WireDialect.of(self.address()));
    }

    Random random() {
        return random;
    }

    NodeAddress address() {
        String host = random.nextBoolean()
                ? "10." + random.nextInt(4) + "." + random.nextInt(256) + "." + random.nextInt(256)
                : "node-" + random.nextInt(1_000) + ".example.org";
        return new NodeAddress("pekko", "Sys", host, 1 + random.nextInt(65_535));
    }

    long uid() {
        return switch (random.nextInt(8)) {
            case 0 -> -1 - random.nextLong(3);
            case 1 -> random.nextInt(300);
            case 2 -> Integer.MIN_VALUE + (long) random.nextInt(2);
            case 3 -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
            default -> random.nextLong();
        };
    }

    NodeId node() {
        return new NodeId(address(), uid());
    }

    /** A state of this many members, with all that a state can have. */
    ClusterState state(int size) {
        TreeSet<NodeId> ids = new TreeSet<>();
        while (ids.size() < size) {
            ids.add(node());
        }
        List<Member> rows = new ArrayList<>();
        for (NodeId id : ids) {
            MemberStatus status = STATUSES[random.nextInt(STATUSES.length)];
            int upNumber = status.isNotYetUp() ? Member.NOT_YET_UP : 1 + random.nextInt(size * 2);
            rows.add(new Member(id, status, upNumber, pick(ROLE_LISTS), "1." + random.nextInt(3)));
        }
        return ClusterState.of(
                Members.of(rows), tombstones(random.nextInt(4)), reachability(rows), clock(rows), seen(size));
    }

    /** A cluster in which everybody is up and has seen everything. */
    ClusterState settledState(int size) {
        List<Member> rows = new ArrayList<>();
        String[] keys = new String[size];
        long[] counters = new long[size];
        SeenSet seen = SeenSet.NOBODY;
        for (int i = 0; i < size; i++) {
            NodeAddress address = new NodeAddress("muster", "orders", "10.0." + i / 250 + "." + i % 250, 2_552);
            NodeId id = new NodeId(address, random.nextLong());
            rows.add(new Member(id, MemberStatus.UP, i + 1, List.of("dc-default"), "0.0.0"));
            keys[i] = id.clockKey();
            counters[i] = 1L + random.nextInt(20);
            seen = seen.with(i);
        }
        return ClusterState.of(
                Members.of(rows), Tombstones.NONE, Reachability.ALL_REACHABLE, VectorClock.of(keys, counters), seen);
    }

    private Tombstones tombstones(int count) {
        TreeMap<NodeId, Long> stamps = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            stamps.put(new NodeId(new NodeAddress("pekko", "Sys", "gone" + i, 7), uid()), 1_700_000_000_000L + i);
        }
        return Tombstones.of(stamps);
    }

    private Reachability reachability(List<Member> rows) {
        Reachability reachability = Reachability.ALL_REACHABLE;
        for (int i = random.nextInt(6); i > 0 && !rows.isEmpty(); i--) {
            ReachabilityStatus[] words = ReachabilityStatus.values();
            reachability = reachability.marked(pick(rows).id(), pick(rows).id(), words[random.nextInt(words.length)]);
        }
        return reachability;
    }

    private VectorClock clock(List<Member> rows) {
        TreeMap<String, Long> entries = new TreeMap<>();
        for (Member row : rows) {
            if (random.nextInt(4) > 0) {
                entries.put(row.id().clockKey(), 1 + (random.nextLong() >>> 1 + random.nextInt(60)));
            }
        }
        return VectorClock.of(
                entries.keySet().toArray(new String[0]),
                entries.values().stream().mapToLong(Long::longValue).toArray());
    }

    private SeenSet seen(int size) {
        SeenSet seen = SeenSet.NOBODY;
        for (int i = 0; i < size; i++) {
            if (random.nextBoolean()) {
                seen = seen.with(i);
            }
        }
        return seen;
    }

    CoreMessage coreMessage(int size) {
        return switch (random.nextInt(16)) {
            case 0 ->
                new JoinMessage.SeedContact(
                        OWN, random.nextBoolean() ? Optional.of(new Island(5, "10.0.0.1:2551")) : Optional.empty());
            case 1 -> new JoinMessage.SeedWelcomes(List.of(), new Island(3, "10.0.0.1:2551"));
            case 2 -> new JoinMessage.SeedWelcomes(List.of("x is 'a' but 'b'", "another reason"));
            case 3 -> new JoinMessage.SeedIsNoMember();
            case 4 ->
                new JoinMessage.Join(pick(ROLE_LISTS), "2.1", random.nextBoolean() ? OWN : JoinConfiguration.UNKNOWN);
            case 5 -> new JoinMessage.Welcome(node(), state(size));
            case 6 -> new JoinMessage.ExitConfirmed();
            case 7 -> {
                ClusterState state = state(size);
                yield new GossipMessage.GossipStatus(node(), state.version(), state.seenDigest());
            }
            case 8 -> new GossipMessage.GossipState(node(), state(size));
            case 9, 10, 11 -> tableMessage();
            case 12, 13 -> loadMessage();
            default ->
                random.nextBoolean()
                        ? new HeartbeatMessage.Heartbeat(random.nextLong(), random.nextLong())
                        : new HeartbeatMessage.HeartbeatReply(random.nextLong(), random.nextLong());
        };
    }

    private TableMessage tableMessage() {
        TableDigest digest = new TableDigest(random.nextLong(), random.nextLong());
        return switch (random.nextInt(12)) {
            case 0 ->
                new TableMessage.TableStatus(
                        node(), digest, random.nextBoolean(), random.nextBoolean() ? 0 : random.nextInt());
            case 1 -> new TableMessage.TableParts(node(), digest, parts());
            case 2 -> new TableMessage.WantPartition(node(), path(), spec());
            case 3 -> new TableMessage.EndPartition(node(), path());
            case 4 -> new TableMessage.RefusedPartition(node(), path(), "for a reason");
            case 5 -> new TableMessage.Draining(node());
            case 6 -> new TableMessage.PleaseLeave(node());
            case 7 ->
                new TableMessage.WantMove(
                        node(),
                        path(),
                        address(),
                        random.nextBoolean() ? Optional.of(address()) : Optional.empty(),
                        random.nextLong());
            case 8 -> new TableMessage.WantRebalance(node(), random.nextLong());
            case 10 -> new TableMessage.InstanceEnded(node(), path(), random.nextLong());
            case 9 -> new TableMessage.CannotStart(node(), path(), random.nextBoolean() ? "" : "for a reason");
            default -> {
                List<NodeId> nodes = List.of(node(), node(), node());
                List<PartitionEntry> rows = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    boolean isDeleted = random.nextInt(4) == 0;
                    rows.add(new PartitionEntry(
                            path(),
                            1 + (random.nextLong() >>> 5 + random.nextInt(56)),
                            nodes.get(random.nextInt(3)),
                            spec(),
                            isDeleted ? List.of() : nodes.subList(0, random.nextInt(4)),
                            isDeleted));
                }
                yield new TableMessage.TableRows(node(), digest, rows, random.nextBoolean() ? List.of() : parts());
            }
        };
    }

    private LoadMessage loadMessage() {
        List<LoadSample> samples = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            samples.add(loadSample());
        }
        return random.nextInt(4) == 0 ? new LoadMessage.AskLoad(node()) : new LoadMessage.LoadSamples(node(), samples);
    }

    private LoadSample loadSample() {
        TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
        for (int i = random.nextInt(20); i > 0; i--) {
            mailboxes.put(path(), random.nextLong(LoadSample.MOST_WAITING / 20));
        }
        long sequence = random.nextLong() >>> 1 + random.nextInt(60);
        return LoadSample.of(node(), sequence, random.nextDouble(), random.nextInt(2), mailboxes);
    }

    private List<Long> parts() {
        return random.longs(PartitionTable.BUCKETS).boxed().toList();
    }

    /** What gates say to each other, of every kind. */
    GateMessage<GateLetter> gateMessage() {
        long move = 1 + random.nextLong(PartitionEntry.HIGHEST_EPOCH);
        return switch (random.nextInt(9)) {
            case 7 -> new GateMessage.ArrivalAsked<>(move);
            case 8 -> new GateMessage.Arrived<>(move);
            case 5 -> new GateMessage.Ended<>(move, random.nextInt(3));
            case 0 ->
                new GateMessage.Confirmed<>(
                        move,
                        random.nextInt(3),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean() ? "" : "for a reason in Zürich");
            case 1 -> new GateMessage.Asked<>(move);
            case 2 -> new GateMessage.RouteSwitched<>(move);
            case 3 -> new GateMessage.RouteAsked<>(move);
            case 4 -> new GateMessage.PassedOn<>(gateLetter(), random.nextInt(9));
            default -> new GateMessage.Handed<>(move, 1 + random.nextLong(1_000_000), gateItem());
        };
    }

    private GateMessage.Item<GateLetter> gateItem() {
        return switch (random.nextInt(6)) {
            case 0 -> new GateMessage.Item.Prepare<>(spec().policy(), random.nextBoolean());
            case 1 -> {
                byte[] part = new byte[random.nextInt(300)];
                random.nextBytes(part);
                yield new GateMessage.Item.StatePart<>(part, random.nextBoolean());
            }
            case 2 -> new GateMessage.Item.YourTurn<>();
            case 3 -> new GateMessage.Item.SenderSwitched<>(node());
            case 4 -> new GateMessage.Item.AllSwitched<>();
            default -> new GateMessage.Item.Message<>(gateLetter());
        };
    }

    private GateLetter gateLetter() {
        if (random.nextInt(8) == 0) {
            return GateLetter.LOST;
        }
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        Payload content = new Payload(random.nextInt(1_000), random.nextBoolean() ? "" : "Orders.Place", bytes);
        return new GateLetter(
                Optional.of(content), random.nextBoolean() ? "" : "pekko://Sys@a:1/user/b#7", random.nextBoolean());
    }

    private PartitionPath path() {
        return new PartitionPath("Counter/" + random.nextInt(1_000));
    }

    private PartitionSpec spec() {
        HandoffPolicy policy = new HandoffPolicy(
                HandoffPolicy.Migration.values()[random.nextInt(3)],
                HandoffPolicy.Arrival.values()[random.nextInt(2)],
                HandoffPolicy.Update.values()[random.nextInt(2)]);
        int least = 1 + random.nextInt(PartitionSpec.MOST_INSTANCES);
        int most = least + random.nextInt(PartitionSpec.MOST_INSTANCES - least + 1);
        int hint = random.nextBoolean() ? 0 : random.nextInt(PartitionSpec.MOST_INSTANCES + 1);
        return new PartitionSpec(least, most, hint, random.nextBoolean() ? "" : "backend", policy);
    }

    ControlMessage controlMessage() {
        return switch (random.nextInt(16)) {
            case 0 -> new ControlMessage.HandshakeReq(node(), address(), random.nextBoolean());
            case 1 -> new ControlMessage.HandshakeRsp(node());
            case 2 -> new ControlMessage.Quarantined(node(), node());
            case 3 -> new ControlMessage.Terminating(node());
            case 4 -> new ControlMessage.TerminatingAck(node());
            case 5 -> new ControlMessage.RefTable(node(), uid(), random.nextInt(129) - 1, table());
            case 6 -> new ControlMessage.RefTableAck(node(), random.nextInt(128));
            case 7 -> new ControlMessage.ManifestTable(node(), uid(), random.nextInt(128), table());
            case 8 -> new ControlMessage.ManifestTableAck(node(), -1);
            case 9 -> new ControlMessage.SystemEnvelope(payload(), 1 + (random.nextLong() >>> 2), node());
            case 10 -> new ControlMessage.SystemAck(random.nextInt(5), node());
            case 11 -> new ControlMessage.SystemNack(random.nextInt(5), node());
            case 12 -> new ControlMessage.WatcherHeartbeat();
            case 13 -> new ControlMessage.WatcherHeartbeatReply(uid());
            case 14 -> new ControlMessage.Flush();
            default -> new ControlMessage.FlushAck(random.nextInt(5));
        };
    }

    RemoteSystemMessage systemMessage() {
        String one = "pekko://Sys@" + address().hostAndPort() + "/user/a#" + random.nextInt();
        String other = "pekko://Sys@" + address().hostAndPort() + "/system/remote-watcher#" + random.nextInt();
        return switch (random.nextInt(4)) {
            case 0 -> new RemoteSystemMessage.Watch(one, other);
            case 1 -> new RemoteSystemMessage.Unwatch(one, other);
            case 2 -> new RemoteSystemMessage.DeathWatchNotification(one, random.nextBoolean(), random.nextBoolean());
            default -> new RemoteSystemMessage.Other(random.nextInt(6));
        };
    }

    Selection selection() {
        List<Selection.Element> elements = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            elements.add(
                    switch (random.nextInt(4)) {
                        case 0 -> new Selection.Element(Selection.Kind.PARENT, "");
                        case 1 -> new Selection.Element(Selection.Kind.PATTERN, "a*");
                        default -> Selection.Element.child("child" + i);
                    });
        }
        return new Selection(payload(), elements, random.nextBoolean());
    }

    MiscMessage miscMessage() {
        return random.nextBoolean()
                ? new MiscMessage.Identify(payload())
                : new MiscMessage.ActorIdentity(
                        payload(), random.nextBoolean() ? Optional.of("pekko://Sys@a:1/user/b#3") : Optional.empty());
    }

    Payload payload() {
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        return new Payload(20 + random.nextInt(20) - 40 * random.nextInt(2), random.nextBoolean() ? "" : "M", bytes);
    }

    private TreeMap<String, Integer> table() {
        TreeMap<String, Integer> table = new TreeMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            table.put("pekko://Sys@a:1/user/" + random.nextInt(), random.nextInt(65_536));
        }
        return table;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
