package dev.muster.core.failure;

import dev.muster.core.state.NodeId;
import java.util.OptionalLong;

/**
 * How one watched node seems to be at one moment.
 *
 * @param phi how strange its silence is
 * @param silentForNanos since its last answer; empty before the first
 */
public record Pulse(NodeId subject, double phi, OptionalLong silentForNanos) {}
