package dev.muster.core;

import dev.muster.core.ClusterSnapshot.Phase;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.HeartbeatMessage.Heartbeat;
import dev.muster.core.exchange.HeartbeatMessage.HeartbeatReply;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.Island;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.exchange.LoadMessage;
import dev.muster.core.exchange.Refusal;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.failure.HeartbeatMonitor;
import dev.muster.core.failure.Pulse;
import dev.muster.core.gossip.GossipChecks;
import dev.muster.core.gossip.GossipProtocol;
import dev.muster.core.membership.Commands;
import dev.muster.core.membership.Downing;
import dev.muster.core.membership.IslandWatch;
import dev.muster.core.membership.JoinAcceptance;
import dev.muster.core.membership.Leader;
import dev.muster.core.membership.Quarantines;
import dev.muster.core.membership.SeedJoining;
import dev.muster.core.membership.StateDifference;
import dev.muster.core.partition.LoadTable;
import dev.muster.core.partition.Move;
import dev.muster.core.partition.PartitionKeeper;
import dev.muster.core.partition.RebalancePlan;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * A node's whole protocol brain. It is told what happened and what time it is, and answers with a list of effects and
 * the next time at which it wants to be woken. It has no thread, socket, clock, logger or dice of its own: same inputs
 * and seed, same outputs.
 *
 * <p>This class only sequences; each idea has its own. Owned by one thread at a time.
 */
public final class ClusterCore {
    /** Lateness below this is ordinary scheduling noise. */
    private static final long NOISE_NANOS = 100_000_000L;

    /** One input can set off a few leader actions in a row, such as joining, up, and the next joiner. */
    private static final int MOST_ACTIONS_IN_A_ROW = 8;

    /** How often it is looked after members that leave when nothing happens. */
    private static final long DRAIN_LOOK_NANOS = 1_000_000_000L;

    private final NodeId self;
    private final ClusterSettings settings;
    private final ClusterRules rules;
    private final GossipProtocol gossip;
    private final HeartbeatMonitor monitor;
    private final Downing downing;
    private final Leading leading;
    private final SeedJoining joining;
    private final JoinAcceptance acceptance;
    private final IslandWatch islands;
    private final Commands commands;
    private final Quarantines quarantines;
    private final OwnFate fate;
    private final PartitionKeeper partitions;
    private final Standing standing;
    private final Recognition recognition;
    private final Ages ages = new Ages();
    private final EnumMap<Refusal, Long> refusals = new EnumMap<>(Refusal.class);

    private ClusterState state = ClusterState.EMPTY;
    private Phase phase = Phase.IDLE;
    private long wallClockAheadMillis;
    private long drainLookNanos;
    private Members lookedAt; // the members of whom these are true or not
    private boolean someoneLeaves;
    private boolean someoneComes;
    private boolean hasBegunToLeave;
    private boolean hasSaidOwnDrain;
    private long nextWakeUpNanos = Long.MAX_VALUE;

    public ClusterCore(NodeId self, ClusterSettings settings, RandomGenerator random, long nowNanos) {
        this(self, settings, ClusterRules.STANDARD, random, nowNanos);
    }

    public ClusterCore(
            NodeId self, ClusterSettings settings, ClusterRules rules, RandomGenerator random, long nowNanos) {
        this.self = self;
        this.settings = settings;
        this.rules = rules;
        JoinConfiguration configuration = settings.joinConfiguration();
        this.gossip = new GossipProtocol(self, settings.gossip(), rules::merge, random, nowNanos);
        this.monitor = new HeartbeatMonitor(self, settings.failure(), nowNanos);
        this.downing = new Downing(self, settings.downing(), rules::decideDowning);
        this.leading = new Leading(self, settings.lifecycle(), rules);
        this.joining = new SeedJoining(self, settings.join(), configuration, rules::mayForm);
        this.quarantines = new Quarantines(self);
        this.acceptance = new JoinAcceptance(self, settings.join(), configuration, quarantines);
        this.islands = new IslandWatch(self, settings.join(), configuration, nowNanos);
        this.commands = new Commands(self);
        this.fate = new OwnFate(self, gossip);
        this.partitions = new PartitionKeeper(self, settings.partitions(), random);
        this.standing = new Standing(
                self,
                settings.downing(),
                settings.partitions().downRemovalMargin().toNanos(),
                rules);
        this.recognition = new Recognition(self);
    }

    /** Tells this node that something happened. Everything it wants done is appended to {@code effects}. */
    public void handle(Input input, long nowNanos, Effects effects) {
        if (phase == Phase.STOPPED) {
            return;
        }
        ClusterState before = state;
        noticeOwnPause(nowNanos, effects);
        if (phase == Phase.STOPPED) {
            return;
        }
        react(input, nowNanos, effects);
        if (phase == Phase.MEMBER) {
            judgeOthers(before, nowNanos, effects);
            lead(nowNanos, effects);
            keepPartitions(nowNanos, effects);
        }
        if (phase == Phase.JOINING) {
            goOn(joining.tick(nowNanos, effects), nowNanos, effects);
        }
        conclude(before, input instanceof Input.MessageReceived, nowNanos, effects);
        // What is due already is done with the next input, whichever that is; nobody is late for it.
        nextWakeUpNanos = Math.max(nowNanos, computeNextWakeUpNanos());
    }

    // 0 ---- Was I asleep? Then what I know is old, and the silence I heard was my own.

    private void noticeOwnPause(long nowNanos, Effects effects) {
        long lateByNanos = nextWakeUpNanos == Long.MAX_VALUE ? 0 : rules.ownPauseNanos(nowNanos - nextWakeUpNanos);
        if (lateByNanos <= NOISE_NANOS) {
            return;
        }
        monitor.excusePause(lateByNanos, nowNanos);
        joining.excusePause(lateByNanos);
        if (2 * lateByNanos >= settings.failure().acceptableHeartbeatPause().toNanos()) {
            standing.wasHeldUp(state, nowNanos);
        }
        if (monitor.accusesNobodyUntilNanos() > nowNanos) {
            downing.distrustClock(nowNanos);
            effects.publish(new ClusterEvent.LocalPauseNoticed(lateByNanos));
        }
        if (lateByNanos >= settings.lifecycle().tombstoneRetention().toNanos()) {
            stop("this node was held up for longer than removed nodes are remembered; restart it", effects);
        }
    }

    // 1 ---- Exactly one component handles the input.

    private void react(Input input, long nowNanos, Effects effects) {
        if (input instanceof Input.MessageReceived received) {
            onMessage(received, nowNanos, effects);
        } else if (input instanceof Input.CommandGiven given) {
            onCommand(given.command(), nowNanos, effects);
        } else if (input instanceof Input.PeerQuarantined quarantined) {
            onQuarantined(quarantined.peer(), nowNanos, effects);
        } else if (input instanceof Input.IncarnationProved proved) {
            if (phase == Phase.MEMBER) {
                become(acceptance.onIncarnationProved(state, proved.newIncarnation()), nowNanos, effects);
            }
        } else if (input instanceof Input.ExitTasksDone) {
            onExitTasksDone(effects);
        } else if (input instanceof Input.ProcessEnds) {
            if (phase == Phase.MEMBER) {
                sayOwnDrain(effects);
            }
        } else if (input instanceof Input.LoadMeasured measured) {
            partitions.measured(measured.cpuLoad(), measured.gcShare(), measured.mailboxes());
        } else if (input instanceof Input.WallClockRead read) {
            wallClockAheadMillis = read.epochMillis() - nowNanos / 1_000_000;
        }
    }

    private void onMessage(Input.MessageReceived received, long nowNanos, Effects effects) {
        NodeId from = received.from();
        if (received.message() instanceof Heartbeat heartbeat) {
            onHeartbeat(from, heartbeat, effects);
        } else if (received.message() instanceof HeartbeatReply reply) {
            monitor.onReply(from, reply, received.receivedAtNanos());
            standing.onReply(state, from, reply);
        } else if (received.message() instanceof GossipMessage message) {
            onGossip(from, message, nowNanos - received.receivedAtNanos(), nowNanos, effects);
        } else if (received.message() instanceof JoinMessage message) {
            onJoinMessage(from, message, nowNanos, effects);
        } else if (received.message() instanceof TableMessage message) {
            if (isForMember(from, message.to(), "partition table", effects)) {
                partitions.onMessage(state, from, message, nowNanos, effects);
                if (mayAllowMore(from, message)) {
                    leading.lookAgain(); // somebody may go now, or come up
                }
            }
        } else if (received.message() instanceof LoadMessage message) {
            if (isForMember(from, message.to(), "load", effects)) {
                partitions.onLoad(state, from, message, effects);
            }
        }
    }

    private boolean mayAllowMore(NodeId from, TableMessage message) {
        boolean saysWhichTable = message instanceof TableMessage.TableStatus
                || message instanceof TableMessage.TableParts
                || message instanceof TableMessage.TableRows;
        return saysWhichTable && (leaves(from) || (leaves(self) || someoneComes()) && partitions.isSettled(state));
    }

    private boolean leaves(NodeId node) {
        return state.members().statusOf(node) == MemberStatus.LEAVING;
    }

    /**
     * Whoever still counts on this node but was removed here is told so before it is answered. Its own gossip may go to
     * others who know nothing either, for longer than the margin after which its partitions start elsewhere.
     */
    private void onHeartbeat(NodeId from, Heartbeat heartbeat, Effects effects) {
        if (phase == Phase.MEMBER && state.tombstones().has(from)) {
            gossip.sendState(state, from, effects);
        }
        effects.send(from.address(), new HeartbeatReply(heartbeat.sequence(), heartbeat.sentAtNanos()));
    }

    /** Whether it comes from a member and is meant for this incarnation of one; if not, it is refused. */
    private boolean isForMember(NodeId from, NodeId to, String what, Effects effects) {
        Optional<Refusal> refusal = phase == Phase.MEMBER
                ? GossipChecks.refuseSender(state, self, from, to)
                : Optional.of(Refusal.UNEXPECTED);
        refusal.ifPresent(it -> refuse(from, it, what, effects));
        return refusal.isEmpty();
    }

    private void onGossip(NodeId from, GossipMessage message, long waitedNanos, long nowNanos, Effects effects) {
        if (phase != Phase.MEMBER) {
            learnOfOwnRemovalWhileJoining(from, message, effects);
            return;
        }
        if (waitedNanos > settings.gossip().timeToLive().toNanos()) {
            refuse(from, Refusal.STALE, "waited " + waitedNanos / 1_000_000 + " ms", effects);
            return;
        }
        Optional<Refusal> refusal = GossipChecks.refuseSender(state, self, from, message.to());
        if (refusal.isPresent()) {
            refuse(from, refusal.get(), "gossip", effects);
            if (refusal.get() == Refusal.FROM_NON_MEMBER && countsOnMe(message)) {
                gossip.sendState(state, from, effects); // it does not know that it is no member here
            }
        } else if (message instanceof GossipMessage.GossipState full) {
            onFullState(from, full.state(), nowNanos, effects);
        } else if (message instanceof GossipMessage.GossipStatus status) {
            if (status.version().equals(state.version())) {
                recognition.onKnown(state, from); // who holds what I hold knows me
            }
            gossip.onStatus(state, from, status, effects);
        }
    }

    /** Two clusters that have removed each other must not tell each other so for ever. */
    private boolean countsOnMe(GossipMessage message) {
        return message.to().equals(self)
                && (!(message instanceof GossipMessage.GossipState full)
                        || full.state().members().has(self));
    }

    private void onFullState(NodeId from, ClusterState received, long nowNanos, Effects effects) {
        Optional<Refusal> refusal = GossipChecks.refuseContent(state, self, received);
        if (refusal.isEmpty()) {
            recognition.onKnown(received, from);
            ClusterState before = state;
            boolean wasConverged = leading.isConverged(before);
            become(gossip.onState(before, from, received, nowNanos), nowNanos, effects);
            boolean isNewHere = !wasConverged || !state.version().equals(before.version());
            if (isNewHere && !leading.wouldConverge(received)) {
                leading.leaderToTell(state).ifPresent(leader -> gossip.reportConvergence(state, leader, effects));
            }
        } else {
            refuse(from, refusal.get(), "gossip " + received.version(), effects);
            if (received.tombstones().has(self)) {
                stop("this node was removed from the cluster, as " + from + " says; restart it to join again", effects);
            } else if (refusal.get() == Refusal.WITHOUT_ME && recognition.isLostAfterUnknown(nowNanos)) {
                stop("nobody in the cluster knows this node, as " + from + " says; restart it to join again", effects);
            }
        }
    }

    /** Let in, declared down and removed before the welcome arrived: asking on and on would be in vain. */
    private void learnOfOwnRemovalWhileJoining(NodeId from, GossipMessage message, Effects effects) {
        boolean removed = message instanceof GossipMessage.GossipState full
                && joining.expectsWelcomeFrom(from)
                && full.state().tombstones().has(self);
        if (removed) {
            stop("this node was removed before it came in; restart it to join again", effects);
        } else {
            refuse(from, Refusal.UNEXPECTED, "gossip to a node that is no member", effects);
        }
    }

    private void onJoinMessage(NodeId from, JoinMessage message, long nowNanos, Effects effects) {
        if (message instanceof JoinMessage.SeedContact contact) {
            acceptance.onSeedContact(state, from, contact, effects);
            if (contact.fromMember() && phase == Phase.MEMBER) {
                islands.onSignOfMember(state, from, contact.from().orElse(Island.UNKNOWN), nowNanos, effects);
            }
        } else if (message instanceof JoinMessage.SeedWelcomes answer) {
            onSeedWelcomes(from, answer, nowNanos, effects);
        } else if (message instanceof JoinMessage.SeedIsNoMember) {
            if (phase == Phase.JOINING) {
                goOn(joining.onSeedIsNoMember(from, nowNanos), nowNanos, effects);
            }
        } else if (message instanceof JoinMessage.Join join) {
            onJoin(from, join, nowNanos, effects);
        } else if (message instanceof JoinMessage.Welcome welcome) {
            onWelcome(from, welcome, nowNanos, effects);
        } else if (message instanceof JoinMessage.ExitConfirmed) {
            onExitConfirmed(from, effects);
        }
    }

    private void onSeedWelcomes(NodeId from, JoinMessage.SeedWelcomes answer, long nowNanos, Effects effects) {
        if (phase == Phase.MEMBER) {
            islands.onSignOfMember(state, from, answer.island(), nowNanos, effects);
        } else if (phase == Phase.JOINING) {
            joining.onSeedWelcomes(from, answer, nowNanos, effects);
        }
    }

    private void onJoin(NodeId from, JoinMessage.Join join, long nowNanos, Effects effects) {
        JoinAcceptance.Answer answer = acceptance.onJoin(state, from, join, nowNanos, effects);
        become(answer.state(), nowNanos, effects);
        if (answer.refusal().isEmpty()) {
            state.members().find(from).ifPresent(newcomer -> partitions.greet(newcomer, effects));
        }
        answer.refusal().ifPresent(refusal -> refuse(from, refusal, answer.detail(), effects));
    }

    private void onWelcome(NodeId from, JoinMessage.Welcome welcome, long nowNanos, Effects effects) {
        Optional<Refusal> refusal = phase != Phase.JOINING || !joining.expectsWelcomeFrom(from)
                ? Optional.of(Refusal.UNEXPECTED)
                : welcome.to().equals(self)
                        ? GossipChecks.refuseContent(state, self, welcome.state())
                        : Optional.of(Refusal.NOT_FOR_ME);
        if (refusal.isPresent()) {
            refuse(from, refusal.get(), "welcome", effects);
            return;
        }
        joining.done();
        phase = Phase.MEMBER;
        become(welcome.state().seenBy(self), nowNanos, effects);
        gossip.sendState(state, from, effects);
    }

    private void onExitConfirmed(NodeId from, Effects effects) {
        if (state.members().statusOf(from) == MemberStatus.EXITING) {
            leading.onExitConfirmed(from);
        } else {
            refuse(from, Refusal.UNEXPECTED, "confirmation of an exit that nobody asked for", effects);
        }
    }

    private void onQuarantined(NodeId peer, long nowNanos, Effects effects) {
        quarantines.add(peer);
        become(quarantines.markedIn(state), nowNanos, effects);
    }

    private void onExitTasksDone(Effects effects) {
        if (phase == Phase.MEMBER && fate.isExiting()) {
            fate.confirmExit(state, effects);
            stop("this node has left the cluster", effects);
        }
    }

    private void onCommand(Command command, long nowNanos, Effects effects) {
        if (command instanceof Command.JoinSeeds seeds) {
            if (mayStartJoining(command, effects)) {
                goOn(joining.startWithSeeds(seeds.processWasMember(), nowNanos, effects), nowNanos, effects);
            }
        } else if (command instanceof Command.JoinTo joinTo) {
            if (mayStartJoining(command, effects)) {
                goOn(joining.startWith(joinTo.address(), nowNanos, effects), nowNanos, effects);
            }
        } else if (command instanceof Command.WantPartition want) {
            partitions.want(want.path(), want.spec(), nowNanos); // also before it is a member
        } else if (phase != Phase.MEMBER) {
            Commands.refuse(state, command, "this node is no member of a cluster", effects);
        } else if (command instanceof Command.Leave leave) {
            leave(leave, nowNanos, effects);
        } else if (command instanceof Command.EndPartition end) {
            partitions.end(end.path(), nowNanos);
        } else if (command instanceof Command.ReportMove report) {
            partitions.report(report.path(), report.move(), report.failure(), nowNanos);
        } else if (command instanceof Command.ReportEnd end) {
            partitions.hasEnded(end.path(), end.epoch());
        } else if (command instanceof Command.ReportFailedStart failed) {
            partitions.cannotStart(state, failed.path(), failed.failure(), nowNanos, effects);
        } else if (command instanceof Command.Migrate migrate) {
            partitions
                    .migrate(state, migrate, nowNanos)
                    .ifPresent(why -> Commands.refuse(state, command, why, effects));
        } else if (command instanceof Command.Rebalance) {
            partitions.rebalance(nowNanos);
        } else if (command instanceof Command.Down down) {
            become(commands.down(state, down, effects), nowNanos, effects);
        } else if (command instanceof Command.DownIncarnation down) {
            become(commands.down(state, down, effects), nowNanos, effects);
        }
    }

    private void leave(Command.Leave leave, long nowNanos, Effects effects) {
        for (Member member : state.members().at(leave.address())) {
            if (partitions.handsOverFirst(state, member.id())) {
                partitions.depart(member.id(), nowNanos);
                effects.publish(new ClusterEvent.CommandCarriedOut(leave, member.id()));
                return;
            }
        }
        become(commands.leave(state, leave, effects), nowNanos, effects);
    }

    private boolean mayStartJoining(Command command, Effects effects) {
        if (phase == Phase.MEMBER) {
            Commands.refuse(state, command, "this node is a member already", effects);
            return false;
        }
        if (command instanceof Command.JoinTo to && !to.address().sameSystemAs(self.address())) {
            Commands.refuse(state, command, to.address() + " is another system than " + self.address(), effects);
            return false;
        }
        phase = Phase.JOINING;
        return true;
    }

    private void goOn(SeedJoining.Next next, long nowNanos, Effects effects) {
        switch (next) {
            case KEEP_LOOKING -> {
                // it will ask again by itself
            }
            case FORM_CLUSTER -> formCluster(nowNanos, effects);
            case START_OVER ->
                stop(
                        "this node asked to be let in under its present uid, and nobody knows of that cluster any "
                                + "more; restart it so that it gets a new one",
                        effects);
        }
    }

    private void formCluster(long nowNanos, Effects effects) {
        effects.publish(new ClusterEvent.ClusterFormed(joining.whyForming()));
        joining.done();
        phase = Phase.MEMBER;
        become(ClusterState.EMPTY.withMember(self, acceptance.asFirstMember()), nowNanos, effects);
        lead(nowNanos, effects);
    }

    // 2 ---- Who seems gone, and who must go.

    private void judgeOthers(ClusterState before, long nowNanos, Effects effects) {
        if (state.members() != before.members()) {
            if (state.members().at(self.address()).size() > 1) {
                become(JoinAcceptance.withOthersDown(state, self, self), nowNanos, effects);
            }
            become(quarantines.markedIn(state), nowNanos, effects);
        }
        monitor.follow(state, nowNanos);
        if (nowNanos >= monitor.nextWakeUpNanos()) {
            askHowThisNodeStands(nowNanos, effects);
        }
        become(monitor.tick(state, nowNanos, effects), nowNanos, effects);
        become(downing.perform(state, nowNanos, effects), nowNanos, effects);
        islands.tick(state, nowNanos, effects);
    }

    /** Just before the heartbeats. Whoever is not among those that get one gets it here. */
    private void askHowThisNodeStands(long nowNanos, Effects effects) {
        List<NodeId> targets = monitor.targets();
        for (NodeId witness : standing.toAsk(state, targets)) {
            gossip.sendStatus(state, witness, effects);
            if (!targets.contains(witness)) {
                effects.send(witness.address(), new Heartbeat(0, nowNanos));
            }
        }
    }

    // 3 ---- Lead, if that is on us.

    private void lead(long nowNanos, Effects effects) {
        for (int i = 0; i < MOST_ACTIONS_IN_A_ROW; i++) {
            become(acceptance.letInThoseWithRoom(state, nowNanos, effects), nowNanos, effects);
            ClusterState led = leading.leadOnce(
                    state, it -> mayMoveOn(it, nowNanos, effects), nowNanos, wallClockMillis(nowNanos));
            if (led == state) {
                return;
            }
            become(led, nowNanos, effects);
        }
    }

    /** What leaves may have been handed over by now, and then whoever has nothing more to give may go on. */
    private void keepPartitions(long nowNanos, Effects effects) {
        PartitionTable before = partitions.table();
        followStanding(nowNanos, effects); // who wakes holds back before it follows what has come meanwhile
        partitions.tick(state, leading::isConverged, nowNanos, effects);
        letDrainedLeave(nowNanos, effects);
        if (someoneLeaves() && (partitions.table() != before || nowNanos >= drainLookNanos)) {
            drainLookNanos = nowNanos + DRAIN_LOOK_NANOS;
            leading.lookAgain();
            lead(nowNanos, effects);
            partitions.tick(state, leading::isConverged, nowNanos, effects);
        }
        followStanding(nowNanos, effects);
    }

    private void followStanding(long nowNanos, Effects effects) {
        if (!partitions.table().isEmpty()) {
            standing.follow(state, nowNanos, effects);
        }
    }

    private void letDrainedLeave(long nowNanos, Effects effects) {
        for (NodeId drained : partitions.departing(state, nowNanos)) {
            if (drained.equals(self)) {
                sayOwnDrain(effects);
            }
            become(commands.leave(state, drained), nowNanos, effects);
        }
    }

    private boolean someoneLeaves() {
        look();
        return someoneLeaves;
    }

    private boolean someoneComes() {
        look();
        return someoneComes;
    }

    private void look() {
        if (state.members() != lookedAt) {
            lookedAt = state.members();
            someoneLeaves = lookedAt.stream().anyMatch(it -> it.status() == MemberStatus.LEAVING);
            someoneComes = lookedAt.stream().anyMatch(it -> it.status().isNotYetUp());
        }
    }

    private boolean mayMoveOn(Member member, long nowNanos, Effects effects) {
        return member.status().isNotYetUp()
                ? partitions.mayComeUp(state, member)
                : mayExit(member.id(), nowNanos, effects);
    }

    private boolean mayExit(NodeId leaving, long nowNanos, Effects effects) {
        boolean mayGo = partitions.mayGo(state, leaving, nowNanos);
        if (mayGo && !leaving.equals(self) && !partitions.table().isEmpty()) {
            publishDrained(leaving, effects);
        }
        return mayGo;
    }

    /** Whoever leaves says itself with what it goes, once, whoever has decided that it may. */
    private void sayOwnDrain(Effects effects) {
        if (!hasSaidOwnDrain && !partitions.table().isEmpty()) {
            hasSaidOwnDrain = true;
            publishDrained(self, effects);
        }
    }

    private void publishDrained(NodeId who, Effects effects) {
        state.members()
                .find(who)
                .ifPresent(member ->
                        effects.publish(new ClusterEvent.MemberDrained(member, partitions.leftOn(state, who))));
    }

    /** Every single change is published, so that nobody who listens misses a station of anybody's life. */
    private void become(ClusterState next, long nowNanos, Effects effects) {
        ClusterState before = state;
        if (next == before) {
            return;
        }
        state = next;
        rules.verify(self, before, next);
        int firstEvent = effects.list().size();
        StateDifference.publish(before, next, self, effects);
        partWithTheGone(firstEvent, hasChangedSince(before), effects);
        hasBegunToLeave |= next.members().statusOf(self) == MemberStatus.LEAVING;
        if (next.members().statusOf(self) == MemberStatus.EXITING) {
            sayOwnDrain(effects);
        }
        leading.follow(before, next, nowNanos);
        ages.follow(before, next, nowNanos);
    }

    // 4 ---- Tell everybody concerned, and check that all is well.

    private void conclude(ClusterState before, boolean moreMayFollow, long nowNanos, Effects effects) {
        if (phase == Phase.STOPPED) {
            return;
        }
        if (state != before) {
            leading.forgetTheGone(state);
            noteNews(before, moreMayFollow, nowNanos);
        }
        if (phase == Phase.MEMBER) {
            Optional<String> end = fate.follow(state, effects);
            if (end.isPresent()) {
                stop(end.get(), effects);
            } else {
                gossip.tick(state, leading.isConverged(state), nowNanos, effects);
            }
        }
    }

    /** Whether this node itself changed something, rather than learned of it. */
    private boolean hasChangedSince(ClusterState before) {
        return state.version().counterOf(self.clockKey()) > before.version().counterOf(self.clockKey());
    }

    private void noteNews(ClusterState before, boolean mayWait, long nowNanos) {
        if (hasChangedSince(before)) {
            gossip.newsOfMyOwn(state, mayWait, nowNanos);
        } else if (state.version() != before.version()
                || state.seen() != before.seen() && !leading.isConverged(state)) {
            gossip.newsFromOthers(mayWait, nowNanos);
        }
    }

    /** Those that were just declared down should hear it first-hand; those removed after that never again. */
    private void partWithTheGone(int firstEvent, boolean byMe, Effects effects) {
        int end = effects.list().size();
        for (int i = firstEvent; i < end; i++) {
            ClusterEvent event = ((Effect.PublishEvent) effects.list().get(i)).event();
            if (byMe
                    && event instanceof ClusterEvent.MemberDowned downed
                    && !downed.member().id().equals(self)) {
                gossip.sendState(state, downed.member().id(), effects);
            } else if (event instanceof ClusterEvent.MemberRemoved removed
                    && removed.previousStatus() == MemberStatus.DOWN) {
                effects.add(new Effect.QuarantinePeer(removed.member().id(), "it was declared down and removed"));
            }
        }
    }

    private void stop(String reason, Effects effects) {
        if (hasBegunToLeave || partitions.departs()) {
            sayOwnDrain(effects); // whoever wanted it to hand over first learns that it has not
        }
        phase = Phase.STOPPED;
        joining.done();
        effects.add(new Effect.StopNode(reason));
    }

    private void refuse(NodeId from, Refusal refusal, String detail, Effects effects) {
        refusals.merge(refusal, 1L, Long::sum);
        effects.publish(new ClusterEvent.MessageRefused(from, refusal, detail));
    }

    private long wallClockMillis(long nowNanos) {
        return wallClockAheadMillis + nowNanos / 1_000_000;
    }

    // ---- Looking in from outside.

    /** The latest time by which {@link Input.TimePassed} should be handled, whatever else happens. */
    public long nextWakeUpNanos() {
        return nextWakeUpNanos;
    }

    private long computeNextWakeUpNanos() {
        if (phase == Phase.STOPPED) {
            return Long.MAX_VALUE;
        }
        long next = joining.nextWakeUpNanos();
        if (phase == Phase.MEMBER) {
            next = Math.min(next, gossip.nextWakeUpNanos(state));
            next = Math.min(next, monitor.nextWakeUpNanos());
            next = Math.min(next, downing.nextWakeUpNanos());
            next = Math.min(next, islands.nextWakeUpNanos());
            next = Math.min(next, partitions.nextWakeUpNanos());
            next = Math.min(next, standing.nextWakeUpNanos());
            if (drainLookNanos > 0 && someoneLeaves() && !partitions.table().isEmpty()) {
                next = Math.min(next, drainLookNanos);
            }
        }
        return next;
    }

    /** What this node holds now: cheap, unlike a snapshot. */
    public ClusterState state() {
        return state;
    }

    /** Where each partition runs, as this node knows: cheap. */
    public PartitionTable partitions() {
        return partitions.table();
    }

    /** How busy nodes are, as far as this one knows: cheap. */
    public LoadTable loads() {
        return partitions.loads();
    }

    public ClusterSnapshot snapshot() {
        return new ClusterSnapshot(
                self,
                state,
                phase,
                state.members().statusOf(self),
                phase == Phase.MEMBER ? Leader.of(state, self) : Optional.empty(),
                phase == Phase.MEMBER && leading.isConverged(state),
                new TreeSet<>(leading.exitConfirmed()),
                new EnumMap<>(refusals),
                monitor.detectors(),
                monitor.accusesNobodyUntilNanos(),
                partitions.table(),
                partitions.isKnownToAll(state));
    }

    /** What the failure detector thinks now of the nodes that this one watches. */
    public List<Pulse> pulses(long nowNanos) {
        return monitor.pulses(nowNanos);
    }

    /** Why a partition is where it is, in sentences. */
    public List<String> explainPartition(PartitionPath path, long nowNanos) {
        List<String> reasons = new ArrayList<>(partitions.explain(state, leading.isConverged(state), path, nowNanos));
        partitions
                .table()
                .find(path)
                .filter(row -> row.isOn(self) && row.spec().policy().isExclusive())
                .flatMap(row -> standing.whyHeld())
                .ifPresent(why -> reasons.add("its instance on this node does nothing now: " + why));
        return reasons;
    }

    /** What a rebalancing would do now, as far as this node knows. */
    public RebalancePlan rebalancePlan() {
        return partitions.rebalancePlan(state);
    }

    /** What moving an instance of this partition there would do. */
    public RebalancePlan migrationPlan(Command.Migrate wish) {
        return partitions.migrationPlan(state, wish);
    }

    /** Why partitions are on the move, by path, if this node leads the table and decided it. */
    public SortedMap<PartitionPath, String> reasonsOfMoves() {
        return partitions.reasonsOfMoves();
    }

    /** Moves that wait for their turn, if this node leads the table. */
    public List<Move> waitingMoves() {
        return List.copyOf(partitions.waitingMoves());
    }

    /** Answers why, in sentences. */
    public Explanation explain(long nowNanos) {
        return new Explanation(
                self,
                state,
                leading.exitConfirmed(),
                leading.duties(),
                joining,
                acceptance,
                downing,
                monitor,
                ages,
                partitions::isInformed,
                partitions.withoutTable(state),
                nowNanos);
    }
}
