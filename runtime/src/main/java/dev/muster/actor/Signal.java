package dev.muster.actor;

/** What the runtime itself tells an actor. */
public sealed interface Signal permits HandingOver, PostStop, PreRestart, Terminated {}
