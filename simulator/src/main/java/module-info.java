/**
 * A deterministic world for many nodes: virtual time, faults, checkers, and a seed that replays it all.
 *
 * <p>Its signatures speak of the core's types, so who reads this module reads the core too.
 */
module dev.muster.simulator {
    requires transitive dev.muster.core;

    exports dev.muster.simulator;
    exports dev.muster.simulator.chance;
    exports dev.muster.simulator.check;
    exports dev.muster.simulator.experiment;
    exports dev.muster.simulator.fault;
    exports dev.muster.simulator.plan;
    exports dev.muster.simulator.script;
    exports dev.muster.simulator.trace;
}
