package dev.muster.remote;

import dev.muster.actor.ActorPath;
import dev.muster.core.state.NodeAddress;
import java.util.List;

/**
 * {@code protocol://system@host:port/a/b#7}, taken apart.
 *
 * @param uid the actor's incarnation; 0 if none is meant
 */
record RefTexts(NodeAddress address, String local, int uid) {
    /** The longest address of an actor that can be read. */
    static final int LONGEST = 4_000;

    private static final int DEEPEST = 200;

    /** @throws IllegalArgumentException if the text is no address of an actor, naming it */
    static RefTexts parse(String text) {
        int scheme = text.indexOf("://");
        int slash = scheme < 0 ? -1 : text.indexOf('/', scheme + 3);
        if (slash < 0 || text.length() > LONGEST) {
            throw noAddress(text, null);
        }
        NodeAddress address = node(text, slash);
        int hash = text.indexOf('#', slash);
        int uid = 0;
        if (hash >= 0) {
            try {
                uid = Integer.parseInt(text.substring(hash + 1));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("no incarnation after # in '" + shown(text) + "'", e);
            }
        }
        String local = text.substring(slash, hash < 0 ? text.length() : hash);
        if (local.chars().filter(c -> c == '/').count() > DEEPEST) {
            throw new IllegalArgumentException("an actor's path of more than " + DEEPEST + " names");
        }
        return new RefTexts(address, local, uid);
    }

    /** What is wrong with a node's address names all of it; a foreign one may be long, and goes to the log. */
    private static NodeAddress node(String text, int slash) {
        try {
            return NodeAddress.parse(text.substring(0, slash));
        } catch (IllegalArgumentException bad) {
            throw noAddress(text, bad);
        }
    }

    private static IllegalArgumentException noAddress(String text, IllegalArgumentException cause) {
        return new IllegalArgumentException(
                "not the address of an actor: '" + shown(text)
                        + "'; it is written as protocol://system@host:port/path#uid",
                cause);
    }

    private static String shown(String text) {
        return dev.muster.wire.Texts.shown(text);
    }

    ActorPath path(boolean isHere) {
        String below = local.substring(1);
        List<String> elements = below.isEmpty() ? List.of() : List.of(below.split("/", -1));
        return new ActorPath(address.system(), isHere ? "" : address.hostAndPort(), elements, uid);
    }
}
