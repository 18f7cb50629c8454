package dev.muster.cluster.engine;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.remote.Remoting;
import dev.muster.remote.RemotingUser;
import dev.muster.wire.ClusterCodec;
import dev.muster.wire.ClusterMessage;
import dev.muster.wire.WireDialect;
import dev.muster.wire.WireException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One life of a node under one uid: a core, and the connections in its name. When the core's membership has ended, all
 * of it is thrown away.
 */
final class Incarnation implements RemotingUser {
    private static final long MOST_WAITING_BYTES = 64 * 1024 * 1024;
    private static final long SHORTEST_PAUSE_NANOS = 100_000_000L;

    private final ClusterNode node;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Remoting remoting;
    private final ClusterCodec codec;
    private final CoreDriver driver;
    private final CorePost post;
    private final PartitionPosts partitions;
    private final LoadReports loads;
    private final CompletableFuture<Void> exiting = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    Incarnation(ClusterNode node, long uid, ClusterSettings settings) {
        this.node = node;
        // Peers may call before there is somebody to answer; they have to wait until this is complete.
        CompletableFuture<Incarnation> complete = new CompletableFuture<>();
        this.remoting = Remoting.start(
                node.system(),
                node.settings().remote(),
                node.transport(),
                node.messages()::present,
                node.counterTable(),
                node.workers(),
                uid,
                new Early(complete));
        NodeId self = remoting.self();
        this.codec = new ClusterCodec(self, settings.joinConfiguration(), WireDialect.of(self.address()));
        this.post = new CorePost(remoting, codec);
        Duration pause = settings.failure().acceptableHeartbeatPause();
        ResumeFence fence = new ResumeFence(
                node.system().environment().clock(),
                Math.max(SHORTEST_PAUSE_NANOS, pause.toNanos() / 2),
                () -> offer(new Input.TimePassed()));
        this.partitions = new PartitionPosts(node, remoting, settings.handoff(), fence, this::offer);
        this.driver = new CoreDriver(
                self, settings, node.system().environment(), node.workers(), this::carryOut, node::onBug, fence);
        this.loads = new LoadReports(
                node.system().environment(),
                settings.partitions().load().interval().toNanos(),
                partitions,
                driver);
        partitions.setLoads(driver::loads);
        remoting.setPlaces(partitions);
        remoting.setMembers(
                address -> !driver.snapshot().state().members().at(address).isEmpty());
        complete.complete(this);
    }

    NodeId self() {
        return remoting.self();
    }

    private void offer(Input input) {
        driver.offer(input);
    }

    PartitionPosts partitions() {
        return partitions;
    }

    CoreDriver driver() {
        return driver;
    }

    Remoting remoting() {
        return remoting;
    }

    /** Done when the others agree that this node may go, so that it can finish what it has to. */
    CompletableFuture<Void> exiting() {
        return exiting;
    }

    /** Done when the core has said its last word. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    // --- What the core wants
    // -----------------------------------------------------------------------------------------

    private void carryOut(Effect effect) {
        if (effect instanceof Effect.SendMessage send) {
            post.send(send.to(), send.message());
        } else if (effect instanceof Effect.PublishEvent published) {
            node.onEvent(this, published.event());
            if (published.event() instanceof ClusterEvent.MemberEvent) {
                node.partitions().followMembers(driver);
            }
        } else if (effect instanceof Effect.ProveIncarnation prove) {
            remoting.prove(prove.newIncarnation());
        } else if (effect instanceof Effect.QuarantinePeer quarantine) {
            remoting.quarantine(quarantine.peer(), quarantine.reason());
        } else if (effect instanceof Effect.FollowRow follow) {
            loads.begin();
            node.partitions().follow(follow.row());
            partitions.follow(follow.row());
        } else if (effect instanceof Effect.FollowMembers follow) {
            partitions.followMembers(follow.members(), follow.mayRoute(), follow.unreachable());
        } else if (effect instanceof Effect.HoldInstances hold) {
            node.log().held(hold.held(), hold.reason());
            partitions.hold(hold.held());
        } else if (effect instanceof Effect.RunExitTasks) {
            // What others still send here has to be carried over, and only this node can do that.
            var unused = partitions.handedOver().thenRun(() -> {
                exiting.complete(null);
                node.onExiting(this);
            });
        } else if (effect instanceof Effect.StopNode stop) {
            partitions.end();
            driver.stop();
            exiting.complete(null);
            ended.complete(null);
            node.onMembershipEnded(this, stop.reason());
        }
    }

    // --- What remoting learns
    // ----------------------------------------------------------------------------------------

    @Override
    public void coreMessage(NodeId from, String manifest, byte[] payload, long receivedAtNanos) {
        if (waitingBytes.addAndGet(payload.length) > MOST_WAITING_BYTES) {
            // Cores say important things more than once; nobody can make this node keep what it cannot read in time.
            waitingBytes.addAndGet(-payload.length);
            node.counterTable().add("cluster.messages-dropped");
            return;
        }
        driver.offerMade(() -> {
            waitingBytes.addAndGet(-payload.length);
            return decoded(from, manifest, payload, receivedAtNanos);
        });
    }

    private Input decoded(NodeId from, String manifest, byte[] payload, long receivedAtNanos) {
        try {
            ClusterMessage message = codec.decode(from, manifest, payload, 0, payload.length);
            if (message instanceof ClusterMessage.Core core) {
                CoreMessage content = core.message();
                return new Input.MessageReceived(from, content, receivedAtNanos);
            }
            // Commands by the wire would let anybody who can connect remove members; there is HTTP for that.
            node.counterTable().add("cluster.commands-by-wire-refused");
            return null;
        } catch (WireException bad) {
            node.counterTable().add("cluster.unreadable-messages");
            if (remoting.mayLogAbout(from.address())) {
                node.log().unreadable(from, manifest, bad);
            }
            return null;
        }
    }

    @Override
    public void peerProved(NodeId peer) {
        driver.offer(new Input.IncarnationProved(peer));
    }

    boolean mayLogAbout(NodeAddress peer) {
        return remoting.mayLogAbout(peer);
    }

    @Override
    public void quarantined(NodeId peer, String reason) {
        driver.offer(new Input.PeerQuarantined(peer));
    }

    /** A peer on its way out has closed its door to everybody; that says nothing about this node. */
    @Override
    public void quarantinedBy(NodeId peer) {
        driver.submit(() -> {
            var status = driver.snapshot().state().members().statusOf(peer);
            if (!status.isOnItsWayOut()) {
                remoting.quarantine(peer, "it has quarantined this node");
            }
        });
    }

    /** Nothing is sent any more in the name of this incarnation. */
    void stop() {
        partitions.end();
        driver.stop();
        remoting.stop();
    }

    /** As if the process had been killed. */
    void kill() {
        partitions.end();
        driver.stop();
        remoting.kill();
    }

    /** Holds back what peers say until there is somebody to hear it. */
    private record Early(CompletableFuture<Incarnation> complete) implements RemotingUser {
        @Override
        public void coreMessage(NodeId from, String manifest, byte[] payload, long receivedAtNanos) {
            var unused = complete.thenAccept(i -> i.coreMessage(from, manifest, payload, receivedAtNanos));
        }

        @Override
        public void peerProved(NodeId peer) {
            var unused = complete.thenAccept(i -> i.peerProved(peer));
        }

        @Override
        public void quarantined(NodeId peer, String reason) {
            var unused = complete.thenAccept(i -> i.quarantined(peer, reason));
        }

        @Override
        public void quarantinedBy(NodeId peer) {
            var unused = complete.thenAccept(i -> i.quarantinedBy(peer));
        }
    }
}
