package dev.muster.cluster.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.engine.FencedDispatcher;
import dev.muster.actor.engine.Unread;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.Partition;
import dev.muster.cluster.Routing;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.handoff.Room;
import dev.muster.core.partition.LoadTable;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.environment.Dispatcher;
import dev.muster.remote.Place;
import dev.muster.remote.Places;
import dev.muster.remote.Remoting;
import dev.muster.wire.GateLetter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The posts of one incarnation of a node, one for each partition that it has heard of, and what they share. */
final class PartitionPosts implements Places {
    private static final Routing<Object> ONE_AFTER_THE_OTHER = Routing.roundRobin();
    private static final int LONGEST_NAME = 4_000;
    private static final long LONGEST_HANDOVER_NANOS = 10_000_000_000L;
    private static final long LOOK_AGAIN_NANOS = 1_000_000_000L;

    private final ClusterNode node;
    private final Remoting remoting;
    private final HandoffSettings settings;
    private final Room room;
    private final Consumer<Input> core;
    private final Dispatcher instances;
    private final InstanceStates states;
    private final Map<PartitionPath, PartitionPost> posts = new ConcurrentSkipListMap<>();
    private volatile boolean isHeld;
    private volatile boolean mayRoute;
    private volatile SortedSet<NodeId> unreachable = Collections.emptySortedSet();
    private volatile Supplier<LoadTable> loads = () -> LoadTable.EMPTY;

    // Guarded by this.
    private SortedSet<NodeId> members = new TreeSet<>();
    private boolean isOver;

    PartitionPosts(
            ClusterNode node, Remoting remoting, HandoffSettings settings, ResumeFence fence, Consumer<Input> core) {
        this.node = node;
        this.remoting = remoting;
        this.settings = settings;
        this.room = new Room(settings);
        this.core = core;
        this.instances = new FencedDispatcher(node.system().defaultDispatcher(), fence);
        this.states = new InstanceStates(node, remoting);
    }

    // --- What posts need
    // ------------------------------------------------------------------------------------------------------

    ClusterNode node() {
        return node;
    }

    NodeId self() {
        return remoting.self();
    }

    Remoting remoting() {
        return remoting;
    }

    HandoffSettings settings() {
        return settings;
    }

    /** For what waits at all posts. */
    Room room() {
        return room;
    }

    /** Where instances run. */
    Dispatcher instances() {
        return instances;
    }

    InstanceStates states() {
        return states;
    }

    /** Whether this node may send to partitions: not while it is only joining. */
    boolean mayRoute() {
        return mayRoute;
    }

    boolean isHeld() {
        return isHeld;
    }

    Partition<?> find(PartitionPath path) {
        return node.partitions().find(path);
    }

    Routing<?> routing(PartitionPath path) {
        Partition<?> known = find(path);
        return known == null ? ONE_AFTER_THE_OTHER : known.routing();
    }

    void setLoads(Supplier<LoadTable> next) {
        loads = next;
    }

    /** What that node was last heard to say about its load; null if nothing was. */
    LoadSample lastSampleOf(NodeId host) {
        return loads.get().of(host).orElse(null);
    }

    /** How many messages wait for each instance here. */
    SortedMap<PartitionPath, Long> mailboxes() {
        TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
        posts.forEach((path, post) -> {
            if (post.hasInstance()) {
                mailboxes.put(path, post.waiting());
            }
        });
        return mailboxes;
    }

    void count(String what) {
        node.counterTable().add(what);
    }

    /** Runs something of Muster's own soon, without the lock. */
    void run(Runnable task) {
        execute(node.workers(), task);
    }

    /** The same for what may run code of users. */
    void runUsers(Runnable task) {
        execute(node.system().defaultDispatcher(), task);
    }

    /** Goes through the motions of a move, so that the first real one need not wait for what this process lacks. */
    void rehearse() {
        run(() -> new HandoffRehearsal(
                        state -> remoting.write(node.messages().states(), state),
                        written -> remoting.read(node.messages().states(), written))
                .play());
    }

    private static void execute(Dispatcher dispatcher, Runnable task) {
        try {
            dispatcher.execute(task);
        } catch (RejectedExecutionException systemHasEnded) {
            // Nobody is left who could want it.
        }
    }

    void report(PartitionPath path, long move, Optional<String> failure) {
        count(failure.isEmpty() ? "partitions.handoffs-done" : "partitions.handoffs-failed");
        core.accept(new Input.CommandGiven(new Command.ReportMove(path, move, failure.orElse(""))));
    }

    void reportEnd(PartitionPath path, long epoch) {
        core.accept(new Input.CommandGiven(new Command.ReportEnd(path, epoch)));
    }

    void cannotStart(PartitionPath path, String why) {
        core.accept(new Input.CommandGiven(new Command.ReportFailedStart(path, why)));
    }

    void undelivered(Parcel parcel, ActorRef<?> recipient, DeadLetter.Reason reason) {
        Object content = parcel.content(remoting, recipient);
        if (content instanceof Unread unread) {
            runUsers(() -> {
                Object message = unread.read();
                if (message != null) {
                    node.system().deadLetterOffice().undelivered(message, parcel.replyTo(), recipient, reason);
                }
            });
        } else {
            node.system().deadLetterOffice().undelivered(content, parcel.replyTo(), recipient, reason);
        }
    }

    GateLetter letterOf(Parcel parcel) {
        return new GateLetter(Optional.of(parcel.bytes()), nameOf(parcel.replyTo()), parcel.isForAll());
    }

    private String nameOf(ActorRef<?> replyTo) {
        try {
            String name = replyTo == null ? "" : remoting.nameOf(replyTo);
            return name.length() <= LONGEST_NAME ? name : ""; // nobody would read it, and it would be sent for ever
        } catch (IllegalArgumentException ofAnotherSystem) {
            return ""; // it could not be answered from elsewhere either
        }
    }

    Parcel parcelOf(NodeId from, GateLetter letter) {
        if (letter.content().isEmpty()) {
            return letter.problem().isEmpty() ? Parcel.lost() : Parcel.unreadable(letter.problem());
        }
        Parcel parcel = Parcel.arrived(from, letter.content().get(), replyTo(letter));
        return letter.isForAll() ? parcel.markForAll() : parcel;
    }

    /** Null if nobody can be answered. That is no reason to refuse the message: it would only be sent again. */
    private ActorRef<?> replyTo(GateLetter letter) {
        try {
            return letter.sender().isEmpty() ? null : remoting.resolve(letter.sender());
        } catch (IllegalArgumentException noAddress) {
            count("partitions.senders-unreadable");
            return null;
        }
    }

    void unreadable(ActorRef<?> recipient, String problem) {
        count("partitions.messages-unreadable");
        node.log().unreadableForwarded(recipient, problem);
        node.system().deadLetterOffice().undelivered(problem, null, recipient, DeadLetter.Reason.UNREADABLE);
    }

    /** A row by which the partition is nowhere, and which nothing comes after. */
    static PartitionEntry nowhere(PartitionPath path, NodeId self) {
        return new PartitionEntry(
                path,
                PartitionEntry.HIGHEST_EPOCH,
                self,
                new PartitionSpec(1, "", HandoffPolicy.stateless()),
                List.of(),
                true);
    }

    // --- Finding posts
    // --------------------------------------------------------------------------------------------------------

    PartitionPost postFor(PartitionPath path) {
        PartitionPost known = posts.get(path);
        return known != null ? known : newPost(path);
    }

    private synchronized PartitionPost newPost(PartitionPath path) {
        return posts.computeIfAbsent(path, it -> {
            PartitionPost post = new PartitionPost(this, it);
            post.followMembers(members);
            post.hold(isHeld);
            if (isOver) {
                post.end();
            }
            return post;
        });
    }

    @Override
    public Place<?> find(NodeAddress address, String localPath, boolean isOneOfMany, String name) {
        PartitionPath path = PartitionHosts.pathOf(localPath);
        PartitionPost post = path == null ? null : posts.get(path);
        NodeAddress here = self().address();
        boolean isOurs =
                address.system().equals(here.system()) && address.protocol().equals(here.protocol());
        if (post == null || !isOurs) {
            return null;
        }
        return isOneOfMany ? new PartitionRef<>(node, post, address, name) : post.ref();
    }

    // --- What the core says
    // ---------------------------------------------------------------------------------------------------

    void follow(PartitionEntry row) {
        postFor(row.path()).follow(row);
    }

    void followMembers(SortedSet<NodeId> present, boolean isKnownToAll, SortedSet<NodeId> silent) {
        boolean areOthers;
        synchronized (this) {
            areOthers = !present.equals(members);
            members = present;
        }
        mayRoute = isKnownToAll;
        unreachable = silent;
        if (areOthers) {
            posts.values().forEach(post -> post.followMembers(present));
        }
    }

    /** Those of the hosts that can be reached, as far as is known; all, if none of them can. */
    List<NodeId> reachable(List<NodeId> hosts) {
        SortedSet<NodeId> silent = unreachable;
        if (silent.isEmpty()) {
            return hosts;
        }
        List<NodeId> others = hosts.stream()
                .filter(host -> host.equals(self()) || !silent.contains(host))
                .toList();
        return others.isEmpty() ? hosts : others;
    }

    void hold(boolean held) {
        synchronized (this) { // a post that is made just now has seen it, or is told below
            isHeld = held;
        }
        posts.values().forEach(post -> post.hold(held));
    }

    /**
     * A partition was made known here after the table, perhaps.
     *
     * @param replacesEnded whether another was known by this path, which had been ended
     */
    void onKnown(PartitionPath path, boolean replacesEnded) {
        postFor(path).onKnown(replacesEnded);
    }

    void end() {
        synchronized (this) {
            isOver = true;
        }
        posts.values().forEach(PartitionPost::end);
    }

    /** Done when nothing is handed over from here any more and no instance ends, or when that took too long. */
    CompletableFuture<Void> handedOver() {
        CompletableFuture<Void> handedOver = new CompletableFuture<>();
        completeWhenSettled(handedOver);
        long begunNanos = node.system().environment().clock().nanoTime();
        node.later(LONGEST_HANDOVER_NANOS, () -> cutShort(handedOver, begunNanos));
        return handedOver;
    }

    /** While one post was waited for, something may have come to another one that was ready before. */
    private void completeWhenSettled(CompletableFuture<Void> handedOver) {
        var unused = settled().thenRun(() -> {
            if (!handedOver.isDone() && posts.values().stream().anyMatch(PartitionPost::owes)) {
                completeWhenSettled(handedOver);
            } else {
                handedOver.complete(null);
            }
        });
    }

    /**
     * Others must not hold this node up for long. An instance that is at its last message may take as long as a drain.
     */
    private void cutShort(CompletableFuture<Void> handedOver, long begunNanos) {
        boolean isEnding = posts.values().stream().anyMatch(PartitionPost::isEnding);
        long passedNanos = node.system().environment().clock().nanoTime() - begunNanos;
        if (isEnding && !handedOver.isDone() && passedNanos < drainTimeoutNanos()) {
            node.later(LOOK_AGAIN_NANOS, () -> cutShort(handedOver, begunNanos));
        } else if (handedOver.complete(null)) {
            node.log().handoverCutShort(moves());
        }
    }

    long drainTimeoutNanos() {
        return node.settings().cluster().partitions().drainTimeout().toNanos();
    }

    /** Whether instances run here, or messages wait that have to go elsewhere. */
    boolean areBusy() {
        return posts.values().stream().anyMatch(PartitionPost::isBusy);
    }

    /** Done when nothing is handed over from here any more and no instance ends. */
    CompletableFuture<Void> settled() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (PartitionPost post : posts.values()) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            all.add(done);
            post.whenHandedOver(done);
        }
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
    }

    /** What is wrong with the instance here, in sentences. */
    List<String> troubles(PartitionPath path) {
        PartitionPost post = posts.get(path);
        return post == null ? List.of() : post.troubles();
    }

    /** What this node takes part in now. */
    List<Cluster.MoveInFlight> moves() {
        List<Cluster.MoveInFlight> moves = new ArrayList<>();
        posts.values()
                .forEach(post -> post.move().ifPresent(move -> moves.add(new Cluster.MoveInFlight(post.path(), move))));
        return moves;
    }
}
