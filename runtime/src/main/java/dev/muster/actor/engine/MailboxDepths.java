package dev.muster.actor.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * How much waits in the mailboxes of each type, found by going through the tree when somebody asks: actors do not count
 * it all the time.
 */
final class MailboxDepths {

    private final Map<TypeMetrics, long[]> sumAndDeepest = new HashMap<>();

    static MailboxDepths below(LocalActorRef<?> root) {
        MailboxDepths depths = new MailboxDepths();
        Deque<LocalActorRef<?>> toVisit = new ArrayDeque<>();
        toVisit.add(root);
        while (!toVisit.isEmpty()) {
            LocalActorRef<?> actor = toVisit.poll();
            ActorCell<?> cell = actor.cell();
            if (cell != null) {
                depths.note(cell.metrics, actor.waiting());
                ChildTable children = cell.childTable();
                if (children != null) {
                    toVisit.addAll(children.all());
                }
            }
        }
        return depths;
    }

    private void note(TypeMetrics type, int waiting) {
        if (type != null && waiting > 0) {
            long[] both = sumAndDeepest.computeIfAbsent(type, t -> new long[2]);
            both[0] += waiting;
            both[1] = Math.max(both[1], waiting);
        }
    }

    long waiting(TypeMetrics type) {
        return sumAndDeepest.containsKey(type) ? sumAndDeepest.get(type)[0] : 0;
    }

    int deepest(TypeMetrics type) {
        return sumAndDeepest.containsKey(type) ? (int) sumAndDeepest.get(type)[1] : 0;
    }
}
