package dev.muster.simulator;

import dev.muster.core.state.NodeId;

/** The dial-back by which a node makes sure that a process with a certain uid really listens at an address. */
record Proof(NodeId claimed, boolean isAnswer) {}
