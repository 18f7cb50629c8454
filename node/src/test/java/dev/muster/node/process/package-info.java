/** Scenarios with nodes as real processes: kill, pause, cut off, restart. See docs/scenarios.md. */
package dev.muster.node.process;
