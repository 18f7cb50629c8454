package dev.muster.actor;

import com.typesafe.config.Config;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The settings below {@code muster} that an actor system reads. {@code reference.conf} says what each one trades.
 *
 * @param askTimeout {@code muster.actor.ask-timeout}
 * @param mailboxCapacity {@code muster.actor.mailbox-capacity}
 * @param logDeadLetters {@code muster.actor.log-dead-letters}
 * @param logDeadLettersInterval {@code muster.actor.log-dead-letters-interval}
 * @param phaseTimeouts {@code muster.coordinated-shutdown.phases.<phase>.timeout}
 */
public record ActorSettings(
        Duration askTimeout,
        int mailboxCapacity,
        int logDeadLetters,
        Duration logDeadLettersInterval,
        Map<CoordinatedShutdown.Phase, Duration> phaseTimeouts) {

    public ActorSettings {
        requirePositive("muster.actor.ask-timeout", askTimeout);
        requirePositive("muster.actor.log-dead-letters-interval", logDeadLettersInterval);
        if (mailboxCapacity < 1) {
            throw new IllegalArgumentException(
                    "muster.actor.mailbox-capacity must be positive, was " + mailboxCapacity);
        }
        if (logDeadLetters < 0) {
            throw new IllegalArgumentException(
                    "muster.actor.log-dead-letters must not be negative, was " + logDeadLetters);
        }
        phaseTimeouts = new EnumMap<>(phaseTimeouts);
        for (CoordinatedShutdown.Phase phase : CoordinatedShutdown.Phase.values()) {
            requirePositive("muster.coordinated-shutdown.phases." + phase.key() + ".timeout", phaseTimeouts.get(phase));
        }
    }

    /** What {@code reference.conf} says. */
    public static ActorSettings defaults() {
        return from(com.typesafe.config.ConfigFactory.defaultReference());
    }

    /** Reads a configuration that has Muster's {@code reference.conf} in it. */
    public static ActorSettings from(Config config) {
        Map<CoordinatedShutdown.Phase, Duration> timeouts = new EnumMap<>(CoordinatedShutdown.Phase.class);
        for (CoordinatedShutdown.Phase phase : CoordinatedShutdown.Phase.values()) {
            timeouts.put(phase, config.getDuration("muster.coordinated-shutdown.phases." + phase.key() + ".timeout"));
        }
        return new ActorSettings(
                config.getDuration("muster.actor.ask-timeout"),
                config.getInt("muster.actor.mailbox-capacity"),
                config.getInt("muster.actor.log-dead-letters"),
                config.getDuration("muster.actor.log-dead-letters-interval"),
                timeouts);
    }

    /** How long one phase of the shutdown may take. */
    public Duration timeoutOf(CoordinatedShutdown.Phase phase) {
        return phaseTimeouts.get(phase);
    }

    private static void requirePositive(String key, Duration value) {
        Objects.requireNonNull(value, key);
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(key + " must be positive, was " + value);
        }
    }
}
