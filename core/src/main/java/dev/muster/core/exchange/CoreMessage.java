package dev.muster.core.exchange;

/** Anything that one core says to another. Who said it is known from the connection, never from the message. */
public sealed interface CoreMessage permits JoinMessage, GossipMessage, HeartbeatMessage, TableMessage, LoadMessage {}
