package dev.muster.actor;

import java.util.List;

/**
 * Where an actor is: the name of its system, the node if that is another one, the names from the root down to it, and
 * which incarnation of that name.
 *
 * @param system the actor system's name
 * @param node {@code host:port} of an actor on another node; empty for one of this system
 * @param elements the names from the root, for example {@code [user, a, b]}
 * @param uid tells apart actors that had the same name one after the other; 0 where no incarnation is meant
 */
public record ActorPath(String system, String node, List<String> elements, long uid) {

    /** The path of an actor of this system. */
    public ActorPath(String system, List<String> elements, long uid) {
        this(system, "", elements, uid);
    }

    public ActorPath {
        elements = List.copyOf(elements);
    }

    /** The last name. */
    public String name() {
        return elements.isEmpty() ? "" : elements.get(elements.size() - 1);
    }

    /** Without the system: {@code /user/a/b}. */
    public String local() {
        return "/" + String.join("/", elements);
    }

    /** {@code muster://system/user/a/b}, or {@code muster://system@host:port/user/a/b} on another node. */
    @Override
    public String toString() {
        return "muster://" + system + (node.isEmpty() ? "" : "@" + node) + local();
    }
}
