package dev.muster.serialization;

import java.util.ArrayList;
import java.util.List;

/**
 * What messages are called on the wire.
 *
 * <p>The name follows from the message's class alone, never from how it was registered, so that all nodes agree.
 */
final class Manifests {

    static final int LONGEST = 255;

    private Manifests() {}

    /**
     * {@code <protocol>.<Record>}. The protocol is the topmost sealed type of the message; where that is inside another
     * class, it is called as that class, because everybody calls the one inside "Command".
     */
    static String of(Class<?> message) {
        Manifest own = message.getAnnotation(Manifest.class);
        if (own != null) {
            return own.value();
        }
        Class<?> protocol = topmostSealed(message);
        if (protocol == null) {
            Class<?> outer = message.getEnclosingClass();
            return outer == null ? message.getSimpleName() : outer.getSimpleName() + "." + message.getSimpleName();
        }
        return nameOf(protocol) + "." + message.getSimpleName();
    }

    /** How a value is marked among the types that one sealed type permits. */
    static String tagOf(Class<?> permitted) {
        Manifest own = permitted.getAnnotation(Manifest.class);
        return own == null ? permitted.getSimpleName() : own.value();
    }

    /** Why a text cannot be a manifest; null if it can. */
    static String problemWith(String manifest) {
        if (manifest.isEmpty()) {
            return "a manifest cannot be empty";
        }
        if (manifest.length() > LONGEST) {
            return "a manifest can have " + LONGEST + " characters, not " + manifest.length();
        }
        return manifest.chars().allMatch(each -> each > ' ' && each <= '~')
                ? null
                : "a manifest has letters, digits and signs of ASCII only, not " + Printable.of(manifest);
    }

    private static String nameOf(Class<?> protocol) {
        Manifest own = protocol.getAnnotation(Manifest.class);
        if (own != null) {
            return own.value();
        }
        Class<?> outer = protocol.getEnclosingClass();
        return outer == null ? protocol.getSimpleName() : outer.getSimpleName();
    }

    /** The first one found going up, in the order in which interfaces are declared. */
    private static Class<?> topmostSealed(Class<?> type) {
        List<Class<?>> parents = new ArrayList<>(List.of(type.getInterfaces()));
        if (type.getSuperclass() != null) {
            parents.add(type.getSuperclass());
        }
        for (Class<?> parent : parents) {
            Class<?> above = topmostSealed(parent);
            if (above != null) {
                return above;
            }
            if (parent.isSealed()) {
                return parent;
            }
        }
        return null;
    }
}
