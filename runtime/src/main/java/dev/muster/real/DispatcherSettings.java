package dev.muster.real;

import com.typesafe.config.Config;
import java.util.Locale;

/**
 * One dispatcher, as {@code muster.actor.dispatchers.<name>} describes it.
 *
 * @param type what it runs on
 * @param threads how many threads; 0 for one for each core
 * @param messagesPerTurn see {@link dev.muster.environment.Dispatcher#messagesPerTurn()}
 */
record DispatcherSettings(Type type, int threads, int messagesPerTurn) {

    enum Type {
        FORK_JOIN,
        BLOCKING,
        PINNED
    }

    DispatcherSettings {
        if (threads < 0) {
            throw new IllegalArgumentException("threads must not be negative, was " + threads);
        }
        if (messagesPerTurn < 1) {
            throw new IllegalArgumentException("messages-per-turn must be positive, was " + messagesPerTurn);
        }
    }

    static DispatcherSettings from(String name, Config config) {
        String key = "muster.actor.dispatchers." + name;
        try {
            return new DispatcherSettings(
                    typeOf(config.getString("type")),
                    config.hasPath("threads") ? config.getInt("threads") : 0,
                    config.hasPath("messages-per-turn") ? config.getInt("messages-per-turn") : 256);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(key + ": " + wrong.getMessage(), wrong);
        }
    }

    private static Type typeOf(String text) {
        try {
            return Type.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException("type is one of fork-join, blocking, pinned; was " + text, unknown);
        }
    }
}
