package dev.muster.core.partition;

import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.LoadMessage;
import dev.muster.core.exchange.LoadMessage.AskLoad;
import dev.muster.core.exchange.LoadMessage.LoadSamples;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.LoadSample.Mailbox;
import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A node's part in the spreading of load.
 *
 * <p>In a small cluster everybody learns about everybody, because once in a round each node exchanges with another one
 * what only one of them knows. In a large one that would be far too much for what one leader wants to know. There each
 * node tells its neighbours in the ring how busy it is, and the leader asks a few nodes at a time, all around the ring:
 * a {@link RandomChord}.
 *
 * <p>Samples are believed whoever brings them, and of two the later one. Somebody who brings a wrong one with a number
 * far ahead could silence a node that way, so a node that hears such a thing about itself counts on from there, and
 * whoever hears from a node less than it knows of it tells that node.
 *
 * <p>Specification: "Additional Leader Responsibilities".
 */
public final class LoadGossip {
    /** Above this many members that have a table, a random chord takes the place of gossip. */
    static final int MOST_GOSSIPING = 32;

    /** More than this goes in several messages, so that each fits into the smallest frame that may be configured. */
    static final int BYTES_AT_ONCE = 24 * 1024;

    /** No node takes so many samples. To get to the end of all numbers in such steps takes billions of messages. */
    static final long GREATEST_LEAP = 1L << 32;

    private static final int BYTES_OF_A_SAMPLE = 80;
    private static final int BYTES_OF_A_MAILBOX = 16;

    private final NodeId self;
    private final LoadSettings settings;
    private final RandomGenerator random;
    /** While there is gossip: what each of the others knows, as far as this node has told it or heard from it. */
    private final TreeMap<NodeId, LoadTable> theirs = new TreeMap<>();

    /** With whom this node has begun to exchange what they know, in this round; null before the first one. */
    private NodeId partner;

    private LoadTable table = LoadTable.EMPTY;
    private Members known = Members.NONE;
    private Members ring = Members.NONE;
    private long sequence;
    private long nextRoundNanos = Long.MIN_VALUE;

    public LoadGossip(NodeId self, PartitionSettings settings, RandomGenerator random) {
        this.self = self;
        this.settings = settings.load();
        this.random = random;
    }

    /**
     * What this node knows about the load of members, itself included. In a large cluster only the leader knows much.
     */
    public LoadTable table() {
        return table;
    }

    /**
     * This node has measured how busy it is; the next round says so.
     *
     * @param mailboxes how many messages wait for each instance that it hosts
     */
    public void measured(double cpuLoad, double gcShare, SortedMap<PartitionPath, Long> mailboxes) {
        sequence = Math.max(sequence, sequence + 1); // at the end of all numbers it stays
        table = table.with(LoadSample.of(self, sequence, cpuLoad, gcShare, mailboxes));
    }

    // ---- What others say.

    /** Somebody asks or tells, a member; others are ignored. */
    public void onMessage(ClusterState state, NodeId from, LoadMessage message, Effects effects) {
        follow(state);
        if (!ring.has(from) || from.equals(self)) {
            return;
        }
        if (message instanceof LoadSamples samples) {
            onSamples(from, samples.samples(), effects);
        } else {
            send(from, RandomChord.answerOf(self, ring, table).samples(), effects);
        }
    }

    private void onSamples(NodeId from, List<LoadSample> samples, Effects effects) {
        List<LoadSample> believed = new ArrayList<>();
        for (LoadSample sample : samples) {
            if (sample.node().equals(self)) {
                hearAboutMyself(sample);
            } else if (ring.has(sample.node()) && isCredible(from, sample)) {
                believed.add(sample);
            }
        }
        LoadTable news = LoadTable.of(believed);
        table = table.merge(news);
        if (isGossiping()) {
            // What somebody has just said is what it knows, even if it was told more.
            theirs.merge(
                    from,
                    news,
                    (known, said) ->
                            known.onlyOf(node -> said.of(node).isEmpty()).merge(said));
            if (!from.equals(partner)) {
                tell(from, effects); // what the partner says is an answer already
            }
        } else if (news.of(from).isPresent() && !news.of(from).equals(table.of(from))) {
            send(from, List.of(table.of(from).orElseThrow()), effects);
        }
    }

    /** Somebody knows a later sample of this node than this node itself: nobody would listen to it any more. */
    private void hearAboutMyself(LoadSample sample) {
        if (sample.sequence() > sequence) {
            sequence = sample.sequence() - sequence > GREATEST_LEAP ? sequence + GREATEST_LEAP : sample.sequence();
        }
    }

    /** A node may say of itself what it likes. */
    private boolean isCredible(NodeId from, LoadSample sample) {
        long before = table.of(sample.node()).map(LoadSample::sequence).orElse(0L);
        return sample.node().equals(from) || sample.sequence() - before <= GREATEST_LEAP;
    }

    /** Tells somebody what it does not know, as far as this node has heard. */
    private void tell(NodeId whom, Effects effects) {
        LoadTable known = theirs.getOrDefault(whom, LoadTable.EMPTY);
        List<LoadSample> news = table.samples().stream()
                .filter(sample -> known.of(sample.node()).filter(sample::equals).isEmpty())
                .toList();
        theirs.put(whom, table);
        send(whom, news, effects);
    }

    // ---- As time goes by.

    /** Says what is to be said in this round, if it is time for one. */
    public void tick(ClusterState state, long nowNanos, Effects effects) {
        follow(state);
        if (nowNanos < nextRoundNanos) {
            return;
        }
        nextRoundNanos = nowNanos + settings.interval().toNanos();
        if (isGossiping()) {
            gossip(state, effects);
        } else {
            takePartInChord(state, effects);
        }
    }

    /** When the next round is; at once before the first one. */
    public long nextWakeUpNanos() {
        return nextRoundNanos;
    }

    /** Whether the cluster is so small that everybody learns about everybody. */
    boolean isGossiping() {
        return ring.size() <= MOST_GOSSIPING;
    }

    private void gossip(ClusterState state, Effects effects) {
        List<NodeId> others = ring.stream()
                .map(Member::id)
                .filter(id -> !id.equals(self) && state.isReachable(id))
                .toList();
        if (!others.isEmpty()) {
            partner = others.get(random.nextInt(others.size()));
            tell(partner, effects);
        }
    }

    private void takePartInChord(ClusterState state, Effects effects) {
        List<NodeId> neighbours = RandomChord.neighboursOf(self, ring);
        table.of(self)
                .ifPresent(own -> neighbours.stream()
                        .filter(state::isReachable)
                        .forEach(neighbour -> send(neighbour, List.of(own), effects)));
        if (TableMembers.leader(state, self).filter(self::equals).isPresent()) {
            RandomChord.whomToAsk(self, ring, settings.askedAtOnce(), state::isReachable, random)
                    .forEach(asked -> effects.send(asked.address(), new AskLoad(asked)));
        } else {
            // Should this node lead again one day, it must not decide by what it knew when it last did.
            table = table.onlyOf(node -> node.equals(self) || neighbours.contains(node));
        }
    }

    /** Whoever has gone is forgotten. */
    private void follow(ClusterState state) {
        if (state.members() == known) {
            return;
        }
        known = state.members();
        ring = Members.of(known.stream().filter(TableMembers::counts).toList());
        table = table.onlyOf(ring::has);
        theirs.keySet().removeIf(node -> !isGossiping() || !ring.has(node));
    }

    // ---- Messages of a size that fits.

    private static void send(NodeId to, Iterable<LoadSample> samples, Effects effects) {
        List<LoadSample> message = new ArrayList<>();
        int bytes = 0;
        for (LoadSample sample : samples) {
            int more = bytesOf(sample);
            if (bytes + more > BYTES_AT_ONCE) {
                effects.send(to.address(), new LoadSamples(to, message));
                message.clear();
                bytes = 0;
            }
            message.add(sample);
            bytes += more;
        }
        if (!message.isEmpty()) {
            effects.send(to.address(), new LoadSamples(to, message));
        }
    }

    /** A little more than it takes on the wire. */
    static int bytesOf(LoadSample sample) {
        NodeAddress address = sample.node().address();
        int bytes = BYTES_OF_A_SAMPLE
                + address.host().length()
                + address.system().length()
                + address.protocol().length();
        for (Mailbox mailbox : sample.busiest()) {
            bytes += BYTES_OF_A_MAILBOX + mailbox.path().text().length();
        }
        return bytes;
    }
}
