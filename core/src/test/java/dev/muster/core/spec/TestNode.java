package dev.muster.core.spec;

import dev.muster.core.ClusterCore;
import dev.muster.core.ClusterSettings;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.Nodes;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** One process of a {@link TestCluster}: a core, and what it did so far. */
public final class TestNode {
    private final TestCluster cluster;
    private final String name;
    private final NodeId id;
    private final ClusterCore core;
    private final Effects effects = new Effects();
    private final List<ClusterEvent> events = new ArrayList<>();
    private final List<Effect.SendMessage> sent = new ArrayList<>();
    private final TreeSet<NodeId> quarantined = new TreeSet<>();
    private boolean isRunning = true;
    private boolean isAsleep;
    private boolean finishesExitTasks = true;
    private String stopReason = "";

    TestNode(TestCluster cluster, String name, NodeId id, ClusterSettings settings, RandomGenerator random) {
        this.cluster = cluster;
        this.name = name;
        this.id = id;
        this.core = new ClusterCore(id, settings, random, cluster.now());
    }

    // ---- What a test tells it.

    public TestNode joinSeeds() {
        return give(new Command.JoinSeeds());
    }

    public TestNode joinTo(String other) {
        return give(new Command.JoinTo(Nodes.address(other)));
    }

    public TestNode leave(String other) {
        return give(new Command.Leave(Nodes.address(other)));
    }

    public TestNode down(String other) {
        return give(new Command.Down(Nodes.address(other)));
    }

    public TestNode give(Command command) {
        handle(new Input.CommandGiven(command));
        return this;
    }

    /** A message, whoever may have sent it. */
    public TestNode hears(NodeId from, CoreMessage message) {
        handle(new Input.MessageReceived(from, message, cluster.now()));
        return this;
    }

    /** The process is held up: it does nothing until it is woken. */
    public void fallAsleep() {
        isAsleep = true;
    }

    public void wakeUp() {
        isAsleep = false;
    }

    /** It takes for ever to finish what must be finished before leaving. */
    public void neverFinishesExitTasks() {
        finishesExitTasks = false;
    }

    public void handle(Input input) {
        if (!isRunning || isAsleep) {
            return;
        }
        core.handle(input, cluster.now(), effects);
        List<Effect> wanted = List.copyOf(effects.list());
        effects.clear();
        wanted.forEach(this::carryOut);
    }

    private void carryOut(Effect effect) {
        if (effect instanceof Effect.SendMessage send) {
            sent.add(send);
            cluster.send(this, send.to(), send.message());
        } else if (effect instanceof Effect.PublishEvent publish) {
            events.add(publish.event());
        } else if (effect instanceof Effect.ProveIncarnation prove) {
            if (cluster.lives(prove.newIncarnation(), this)) {
                handle(new Input.IncarnationProved(prove.newIncarnation()));
            }
        } else if (effect instanceof Effect.QuarantinePeer quarantine) {
            quarantined.add(quarantine.peer());
        } else if (effect instanceof Effect.RunExitTasks) {
            if (finishesExitTasks) {
                handle(new Input.ExitTasksDone());
            }
        } else if (effect instanceof Effect.FollowRow follow) {
            follow.row()
                    .pending()
                    .filter(move -> move.from().equals(id) && cluster.movesEnd())
                    .ifPresent(move -> give(new Command.ReportMove(follow.row().path(), move.id(), "")));
        } else if (effect instanceof Effect.StopNode stop) {
            stopReason = stop.reason();
            end();
        }
    }

    public List<Effect.SendMessage> sent() {
        return sent;
    }

    void end() {
        isRunning = false;
    }

    // ---- What a test asks.

    public NodeId id() {
        return id;
    }

    public String name() {
        return name;
    }

    public ClusterCore core() {
        return core;
    }

    public ClusterState state() {
        return core.state();
    }

    public ClusterSnapshot snapshot() {
        return core.snapshot();
    }

    public boolean isRunning() {
        return isRunning;
    }

    public String stopReason() {
        return stopReason;
    }

    public TreeSet<NodeId> quarantined() {
        return quarantined;
    }

    long wakesAtNanos() {
        return isRunning && !isAsleep ? core.nextWakeUpNanos() : Long.MAX_VALUE;
    }

    /** How it sees the present incarnation of another node; removed when it does not know it. */
    public MemberStatus status(String other) {
        return state().members().statusOf(cluster.node(other).id());
    }

    public Optional<Member> member(String other) {
        return state().members().find(cluster.node(other).id());
    }

    public boolean reaches(String other) {
        return state().isReachable(cluster.node(other).id());
    }

    public boolean hasConverged() {
        return snapshot().converged();
    }

    /** The name of the node it holds to be the leader; empty when there is none. */
    public String leader() {
        return snapshot().leader().map(leader -> leader.address().host()).orElse("");
    }

    public <T extends ClusterEvent> List<T> events(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public List<ClusterEvent> events() {
        return events;
    }

    public <T extends CoreMessage> List<T> sent(Class<T> kind) {
        return sent.stream()
                .map(Effect.SendMessage::message)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    public void forgetWhatWasSent() {
        sent.clear();
    }

    @Override
    public String toString() {
        return name + " " + snapshot().phase() + ": " + state() + (stopReason.isEmpty() ? "" : ", " + stopReason);
    }
}
