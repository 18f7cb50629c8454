package dev.muster.simulator.check;

import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;

/**
 * R5: nobody stays accused by mistake. Once the network has been whole for the time of detection and agreement, no
 * running node still holds another running one unreachable, whether or not the ring makes it watch that one by now.
 */
final class NoOrphanAccusation extends PeriodicChecker {

    NoOrphanAccusation() {
        super(2);
    }

    @Override
    void look(WorldView world) {
        long bound = Bounds.detectionNanos(world.facts().settings())
                + Bounds.convergenceNanos(
                        world.facts().settings(), world.runningNodes().size());
        if (world.quietForNanos() < bound) {
            return;
        }
        for (NodeView node : world.runningNodes()) {
            if (!node.state().reachability().rows().isEmpty() && Health.isMember(node)) {
                node.state().reachability().rowOf(node.id()).ifPresent(row -> judge(world, node, row));
            }
        }
    }

    private static void judge(WorldView world, NodeView node, ReachabilityRow row) {
        for (ReachabilityRow.Observation record : row.records()) {
            world.countChecks(1);
            boolean stands = record.status() == ReachabilityStatus.UNREACHABLE
                    && world.node(record.subject())
                            .filter(subject -> subject.isRunning() && !subject.isPaused())
                            .isPresent()
                    && world.canSend(node.address(), record.subject().address())
                    && world.canSend(record.subject().address(), node.address());
            if (stands) {
                world.report(
                        "R5",
                        "still holds " + record.subject() + " unreachable after " + world.quietForNanos() / 1_000_000
                                + " ms in which they could talk",
                        node);
            }
        }
    }
}
