package dev.muster.actor.engine;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of sealed protocols, found once for each and remembered.
 *
 * <p>A behavior that carries its state in its closures is built anew for every message, so checking it must cost next
 * to nothing.
 */
final class Protocols {

    /** The types at the bottom of a sealed protocol; none for a protocol that is not sealed. */
    private static final ClassValue<Class<?>[]> MESSAGES = new ClassValue<>() {
        @Override
        protected Class<?>[] computeValue(Class<?> protocol) {
            List<Class<?>> messages = new ArrayList<>();
            if (protocol.isSealed()) {
                collect(protocol, messages);
            }
            return messages.toArray(new Class<?>[0]);
        }
    };

    private Protocols() {}

    /** Refuses handlers that leave out a message of a sealed protocol. */
    static void requireComplete(Class<?> protocol, Class<?>[] handled) {
        for (Class<?> message : MESSAGES.get(protocol)) {
            if (!isHandled(message, handled)) {
                throw new IllegalArgumentException("protocol " + protocol.getName() + " permits " + message.getName()
                        + ", which has no handler; add .on(" + message.getSimpleName()
                        + ".class, ...) or .otherwise(...)");
            }
        }
    }

    /** Refuses a handler that can never be reached. */
    static void requireReachable(Class<?> protocol, Class<?>[] handled) {
        for (int later = 1; later < handled.length; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                if (handled[earlier].isAssignableFrom(handled[later])) {
                    throw new IllegalArgumentException("the handler for " + handled[later].getName() + " of protocol "
                            + protocol.getName() + " is never reached, because the one for "
                            + handled[earlier].getName() + " comes first");
                }
            }
        }
    }

    private static boolean isHandled(Class<?> message, Class<?>[] handled) {
        for (Class<?> type : handled) {
            if (type == message || type.isAssignableFrom(message)) {
                return true;
            }
        }
        return false;
    }

    /** A permitted type that is not sealed itself counts as one message: its handler takes all of its subtypes. */
    private static void collect(Class<?> type, List<Class<?>> messages) {
        if (!type.isSealed()) {
            messages.add(type);
            return;
        }
        if (!type.isInterface() && !Modifier.isAbstract(type.getModifiers())) {
            messages.add(type);
        }
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            collect(permitted, messages);
        }
    }
}
