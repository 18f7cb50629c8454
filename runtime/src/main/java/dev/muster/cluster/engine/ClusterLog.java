package dev.muster.cluster.engine;

import dev.muster.actor.ActorRef;
import dev.muster.cluster.Cluster;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.environment.TransportException;
import dev.muster.wire.Texts;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the core makes known, as lines that an operator can read on their own. */
final class ClusterLog {
    private final Logger log = LoggerFactory.getLogger("dev.muster.cluster");
    private final Supplier<String> self;

    ClusterLog(Supplier<String> self) {
        this.self = self;
    }

    void started(NodeId id) {
        log.info("{}: started as {} (uid {})", self.get(), id.address(), id.uid());
    }

    void event(ClusterEvent event) {
        if (event instanceof ClusterEvent.MemberEvent member) {
            memberEvent(member);
        } else if (event instanceof ClusterEvent.UnreachableMember unreachable) {
            log.warn("{}: {} is unreachable", self.get(), name(unreachable.member()));
        } else if (event instanceof ClusterEvent.ReachableMember reachable) {
            log.info("{}: {} is reachable again", self.get(), name(reachable.member()));
        } else if (event instanceof ClusterEvent.LeaderChanged leader) {
            log.info(
                    "{}: the leader is {}",
                    self.get(),
                    leader.leader().map(id -> id.address().hostAndPort()).orElse("nobody"));
        } else if (event instanceof ClusterEvent.PartitionChanged changed) {
            log.debug("{}: {}", self.get(), changed.entry());
        } else if (event instanceof ClusterEvent.Notice notice) {
            notice(notice);
        }
    }

    private void memberEvent(ClusterEvent.MemberEvent event) {
        String who = name(event.member());
        if (event instanceof ClusterEvent.MemberJoined) {
            log.info(
                    "{}: {} is joining, roles {}",
                    self.get(),
                    who,
                    event.member().roles());
        } else if (event instanceof ClusterEvent.MemberWeaklyUp) {
            log.info("{}: {} is weakly up, until everybody can be reached", self.get(), who);
        } else if (event instanceof ClusterEvent.MemberUp) {
            log.info("{}: {} is up, number {}", self.get(), who, event.member().upNumber());
        } else if (event instanceof ClusterEvent.MemberLeft) {
            log.info("{}: {} is leaving", self.get(), who);
        } else if (event instanceof ClusterEvent.MemberExited) {
            log.info("{}: {} is exiting", self.get(), who);
        } else if (event instanceof ClusterEvent.MemberDowned) {
            log.warn("{}: {} is down", self.get(), who);
        } else if (event instanceof ClusterEvent.MemberRemoved removed) {
            log.info(
                    "{}: {} was removed, it was {}",
                    self.get(),
                    who,
                    removed.previousStatus().displayName());
        }
    }

    private void notice(ClusterEvent.Notice notice) {
        if (notice instanceof ClusterEvent.StillJoining still) {
            log.warn(
                    "{}: not a member yet after {} attempts; no help from {}. Trying on",
                    self.get(),
                    still.attempts(),
                    still.silentSeeds().stream().map(NodeAddress::hostAndPort).collect(Collectors.joining(", ")));
        } else if (notice instanceof ClusterEvent.ClusterFormed formed) {
            log.info("{}: formed a new cluster: {}", self.get(), formed.why());
        } else if (notice instanceof ClusterEvent.JoinRefused refused) {
            log.warn(
                    "{}: join refused between this node and {}: {}",
                    self.get(),
                    refused.peer().hostAndPort(),
                    String.join("; ", refused.reasons()));
        } else if (notice instanceof ClusterEvent.IslandSuspected island) {
            log.error("{}: {}", self.get(), island.evidence());
        } else if (notice instanceof ClusterEvent.DowningDecided decided) {
            log.warn("{}: downing by {}: {} - {}", self.get(), decided.strategy(), decided.down(), decided.reason());
        } else if (notice instanceof ClusterEvent.CommandRefused refused) {
            log.warn("{}: {} refused: {}", self.get(), refused.command(), refused.reason());
        } else if (notice instanceof ClusterEvent.PartitionRefused refused) {
            log.error("{}: there will be no partition {}: {}", self.get(), refused.path(), refused.reason());
        } else if (notice instanceof ClusterEvent.PartitionsOverlap overlap) {
            log.warn(
                    "{}: the partitions {} lie inside the partition {}, created where nobody knew of the other; all go "
                            + "on, so end those that are not to be",
                    self.get(),
                    overlap.inner(),
                    overlap.outer());
        } else if (notice instanceof ClusterEvent.MemberDrained drained) {
            drained(drained);
        } else if (notice instanceof ClusterEvent.LocalPauseNoticed pause) {
            log.warn(
                    "{}: this process was held up for {} ms; it accuses nobody for a while",
                    self.get(),
                    pause.lateByNanos() / 1_000_000);
        } else {
            log.debug("{}: {}", self.get(), notice);
        }
    }

    private void drained(ClusterEvent.MemberDrained drained) {
        if (drained.left().isEmpty()) {
            log.info("{}: {} has handed over all that others can host", self.get(), name(drained.member()));
        } else {
            log.warn(
                    "{}: {} goes although it has not handed over {}; its drain-timeout has passed, a leader that is "
                            + "not Muster did not wait, or it ends before the cluster could let it go",
                    self.get(),
                    name(drained.member()),
                    drained.left());
        }
    }

    void unknownPartition(PartitionPath path) {
        log.warn(
                "{}: the partition {} is to run here, but this node does not know it; call Cluster.host on every node "
                        + "that may host it, or give it a role that this node does not have",
                self.get(),
                path);
    }

    void held(boolean isHeld, String reason) {
        if (isHeld) {
            log.warn("{}: instances of which there may be only one do nothing here: {}", self.get(), reason);
        } else {
            log.info("{}: instances of which there may be only one act again", self.get());
        }
    }

    void partitionFailed(PartitionPath path, Throwable failure) {
        log.error("{}: the partition {} could not be started here", self.get(), path, failure);
    }

    /** The exception says what the function returned, and the remedy. */
    void cannotTolerate(PartitionPath path, int nodes, PartitionSpec before, Throwable wrong) {
        log.error(
                "{}: with {} nodes it cannot be said how many instances the partition {} needs, so there are {}; "
                        + "correct the function given to Partition.tolerating on all nodes: {}",
                self.get(),
                nodes,
                path,
                before == null ? "as few as may be" : "still " + before.instances(),
                wrong.toString());
    }

    void cannotRoute(PartitionPath path, String routing, String problem) {
        log.warn(
                "{}: the function given to Routing.{} for the partition {} {}; what it cannot tell goes to one "
                        + "instance after the other, so correct it on all nodes. This is said once",
                self.get(),
                routing,
                path,
                problem);
    }

    void unwritable(ActorRef<?> recipient, RuntimeException problem) {
        log.error(
                "{}: a message to {} cannot be sent to another node: {}", self.get(), recipient, problem.getMessage());
    }

    void tooLargeToForward(ActorRef<?> recipient, int bytes) {
        log.error(
                "{}: a message to {} of {} bytes does not fit a frame together with what says that it was forwarded; "
                        + "raise muster.remote.artery.advanced.maximum-frame-size, or that for large messages if the "
                        + "partition is among large-message-destinations, or send it in parts",
                self.get(),
                recipient,
                bytes);
    }

    void unreadableForwarded(ActorRef<?> recipient, String problem) {
        log.error("{}: a message to {} that was handed over cannot be read: {}", self.get(), recipient, problem);
    }

    void cannotLeaveState(PartitionPath path, Throwable why) {
        log.error("{}: the partition {} cannot move and stays here: {}", self.get(), path, why.toString());
    }

    void doNotSwitch(PartitionPath path, List<NodeId> silent) {
        log.warn(
                "{}: {} have not said for a long time that they know the new host of the partition {}; what they send "
                        + "to it waits there until they do or are declared down",
                self.get(),
                silent,
                path);
    }

    void handoverCutShort(List<Cluster.MoveInFlight> moves) {
        log.warn("{}: leaves although not all is handed over: {}", self.get(), moves);
    }

    void givesUpHandingOver(String why) {
        log.warn("{}: does not wait any longer for others to take over what runs here: {}", self.get(), why);
    }

    void forged(ClusterEvent.MessageRefused refused) {
        log.error(
                "{}: {} sent gossip that no healthy member sends ({}: {}); it was refused whole. "
                        + "Find out what runs at that address",
                self.get(),
                refused.from(),
                refused.refusal(),
                refused.detail());
    }

    void unreadable(NodeId from, String manifest, RuntimeException bad) {
        log.warn(
                "{}: a message {} of {} cannot be read: {}", self.get(), Texts.shown(manifest), from, bad.getMessage());
    }

    void cannotBeginYet(TransportException problem) {
        log.warn("{}: cannot begin anew yet, trying again: {}", self.get(), problem.getMessage());
    }

    void discoveryFailed(Throwable failure) {
        log.warn("{}: seed nodes were not found, trying again: {}", self.get(), failure.getMessage());
    }

    void stopped(String reason) {
        log.info("{}: membership has ended: {}", self.get(), reason);
    }

    void rejoining(int attempt, long waitMillis) {
        log.info("{}: joins again as a new incarnation in {} ms (number {})", self.get(), waitMillis, attempt);
    }

    void givesWay(NodeAddress other) {
        log.warn("{}: leaves this cluster to join that of {}, which is the larger one", self.get(), other);
    }

    void gaveUp(String reason) {
        log.error("{}: {}", self.get(), reason);
    }

    void bug(Throwable bug) {
        log.error("{}: a mistake in Muster itself; this node stops. Please report it with this trace", self.get(), bug);
    }

    private static String name(Member member) {
        return member.id().address().hostAndPort();
    }

    void tooLate() {
        log.debug("{}: something that was to be done later came after the end", self.get());
    }
}
