/**
 * A deterministic world for many nodes: virtual time, faults, checkers, and a seed that replays it all. And the same
 * idea for users' own tests: actors in virtual time, in an order that a seed decides.
 *
 * <p>Its signatures speak of the types of core and runtime, so who reads this module reads those too.
 */
module dev.muster.simulator {
    requires transitive dev.muster.core;
    requires transitive dev.muster.runtime;

    exports dev.muster.simulator;
    exports dev.muster.simulator.chance;
    exports dev.muster.simulator.check;
    exports dev.muster.simulator.experiment;
    exports dev.muster.simulator.fault;
    exports dev.muster.simulator.plan;
    exports dev.muster.simulator.script;
    exports dev.muster.simulator.trace;
    exports dev.muster.testkit;
    exports dev.muster.testkit.relay;
}
