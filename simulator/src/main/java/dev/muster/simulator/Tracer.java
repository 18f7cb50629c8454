package dev.muster.simulator;

import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.HeartbeatMessage;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.VectorClock;
import dev.muster.simulator.check.ProcessChange;
import dev.muster.simulator.check.WorkStep;
import dev.muster.simulator.fault.FaultEvent;
import dev.muster.simulator.trace.Trace;
import java.util.List;

/** Puts what happens in a world into its trace: numbers for the hash, words for readers. */
final class Tracer {
    private final Trace trace;
    private final World world;

    Tracer(Trace trace, World world) {
        this.trace = trace;
        this.world = world;
    }

    void step(SimulatedNode node, Input input, ClusterState before, ClusterState after, List<Effect> effects) {
        trace.mix(world.nowNanos());
        trace.mix((long) node.number() << 8 | codeOf(input));
        if (input instanceof Input.MessageReceived received) {
            trace.mix(received.from().uid());
        }
        if (before != after) {
            mixState(after);
        }
        if (trace.isRead()) {
            write(node, input, before, after, effects);
        }
    }

    private void mixState(ClusterState state) {
        VectorClock version = state.version();
        long sum = state.members().size();
        for (int i = 0; i < version.size(); i++) {
            sum = sum * 31 + version.counter(i);
        }
        trace.mix(sum);
        trace.mix((long) state.seen().count() << 32
                | (long) state.tombstones().size() << 16
                | state.reachability().rows().size());
    }

    private void write(SimulatedNode node, Input input, ClusterState before, ClusterState after, List<Effect> effects) {
        trace.line(world.nowNanos(), node.name(), describe(input), false);
        if (before.version() != after.version()) {
            trace.line(world.nowNanos(), node.name(), "state " + after, false);
        }
        for (Effect effect : effects) {
            if (effect instanceof Effect.PublishEvent publish) {
                trace.line(world.nowNanos(), node.name(), "event " + publish.event(), true);
            } else if (effect instanceof Effect.SendMessage send) {
                trace.line(
                        world.nowNanos(),
                        node.name(),
                        "sends " + describe(send.message()) + " to " + send.to().hostAndPort(),
                        false);
            } else {
                trace.line(world.nowNanos(), node.name(), "wants " + effect, false);
            }
        }
    }

    void process(SimulatedNode node, ProcessChange.Kind kind, String words) {
        trace.mix(world.nowNanos());
        trace.mix((long) node.number() << 8 | 32 + kind.ordinal());
        trace.mix(node.id().uid());
        if (trace.isRead()) {
            trace.line(world.nowNanos(), node.name(), words, true);
        }
    }

    void work(SimulatedNode node, PartitionPath path, WorkStep.What what) {
        trace.mix(world.nowNanos());
        trace.mix((long) node.number() << 8 | 200);
        if (what instanceof WorkStep.Processed processed) {
            trace.mix(processed.after().hash());
        }
        if (trace.isRead()) {
            boolean isNotable = what instanceof WorkStep.MoveWentOn
                    || what instanceof WorkStep.DeadLetter
                    || what instanceof WorkStep.Lost
                    || what instanceof WorkStep.Refused;
            trace.line(world.nowNanos(), node.name(), path + " " + what, isNotable);
        }
    }

    void fault(FaultEvent event, boolean begins) {
        trace.mix(world.nowNanos());
        trace.mix((begins ? 64 : 128) + event.kind().ordinal());
        if (trace.isRead()) {
            String words = (begins ? "fault " : "healed ") + event.action().describe();
            trace.line(world.nowNanos(), "world", words, true);
        }
    }

    static String describe(Input input) {
        if (input instanceof Input.MessageReceived received) {
            return "received " + describe(received.message()) + " from " + received.from();
        }
        if (input instanceof Input.TimePassed) {
            return "woken";
        }
        return input.toString();
    }

    private static String describe(CoreMessage message) {
        String kind = message.getClass().getSimpleName();
        if (message instanceof GossipMessage.GossipStatus status) {
            return kind + " " + status.version() + forWhom(status.to());
        }
        if (message instanceof GossipMessage.GossipState state) {
            return kind + " " + state.state().version() + forWhom(state.to());
        }
        if (message instanceof JoinMessage.Welcome welcome) {
            return kind + " " + welcome.state().version();
        }
        return message instanceof HeartbeatMessage ? kind : message.toString();
    }

    private static String forWhom(NodeId to) {
        return " for " + to;
    }

    /** Small numbers that stay the same whatever classes are called. */
    private static int codeOf(Input input) {
        if (input instanceof Input.MessageReceived received) {
            return codeOf(received.message());
        }
        if (input instanceof Input.TimePassed) {
            return 16;
        }
        if (input instanceof Input.CommandGiven) {
            return 17;
        }
        if (input instanceof Input.WallClockRead) {
            return 18;
        }
        if (input instanceof Input.IncarnationProved) {
            return 19;
        }
        return input instanceof Input.ExitTasksDone ? 20 : 21;
    }

    private static int codeOf(CoreMessage message) {
        if (message instanceof HeartbeatMessage) {
            return message instanceof HeartbeatMessage.Heartbeat ? 0 : 1;
        }
        if (message instanceof GossipMessage) {
            return message instanceof GossipMessage.GossipStatus ? 2 : 3;
        }
        if (message instanceof JoinMessage.SeedContact) {
            return 4;
        }
        if (message instanceof JoinMessage.Join) {
            return 5;
        }
        return message instanceof JoinMessage.Welcome ? 6 : 7;
    }
}
