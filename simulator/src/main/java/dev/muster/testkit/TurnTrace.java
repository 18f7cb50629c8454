package dev.muster.testkit;

import dev.muster.actor.ActorRef;
import dev.muster.environment.Activation;
import dev.muster.virtual.VirtualEnvironment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** Remembers the last things that happened in a kit. Lines are put together only when somebody reads them. */
final class TurnTrace {

    private static final int MOST_LINES = 10_000;

    private final VirtualEnvironment world;
    private final Deque<Entry> entries = new ArrayDeque<>();

    TurnTrace(VirtualEnvironment world) {
        this.world = world;
    }

    /** Somebody is about to run: an actor, or a callback of a future. */
    void turnOf(Runnable turn) {
        add(turn instanceof Activation activation ? activation.whose() : turn, "turn");
    }

    /** A probe received something. Only its type is kept: a text may differ from run to run. */
    void received(ActorRef<?> probe, Object message) {
        add(probe, "received " + message.getClass().getSimpleName());
    }

    void note(String what) {
        add(null, what);
    }

    private void add(Object who, String what) {
        if (entries.size() == MOST_LINES) {
            entries.removeFirst();
        }
        entries.addLast(new Entry(world.elapsed(), who, what));
    }

    List<String> lines() {
        return entries.stream().map(Entry::line).toList();
    }

    private record Entry(Duration at, Object who, String what) {
        String line() {
            String name = who instanceof ActorRef<?> ref ? ref.path().local() : who == null ? "-" : "callback";
            return String.format(Locale.ROOT, "%5d.%09d  %-24s %s", at.toSeconds(), at.toNanosPart(), name, what);
        }
    }
}
