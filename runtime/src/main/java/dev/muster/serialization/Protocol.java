package dev.muster.serialization;

import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Set;

/** The messages of a sealed type. */
final class Protocol {

    private Protocol() {}

    /** The types at the bottom; a type that is not sealed is its own only message. */
    static Set<Class<?>> messagesOf(Class<?> type) {
        Set<Class<?>> messages = new LinkedHashSet<>();
        collect(type, messages);
        return messages;
    }

    private static void collect(Class<?> type, Set<Class<?>> messages) {
        // An enum whose constants have bodies is sealed, too, and still one message.
        if (!type.isSealed() || type.isEnum()) {
            messages.add(type);
            return;
        }
        if (!Modifier.isAbstract(type.getModifiers())) {
            messages.add(type);
        }
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            collect(permitted, messages);
        }
    }
}
