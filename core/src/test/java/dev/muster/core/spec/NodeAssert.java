package dev.muster.core.spec;

import dev.muster.core.state.MemberStatus;
import org.assertj.core.api.AbstractAssert;

/** What tests say about a node: {@code assertThat(cluster.node("a")).sees("b", UP)}. */
public final class NodeAssert extends AbstractAssert<NodeAssert, TestNode> {
    private NodeAssert(TestNode node) {
        super(node, NodeAssert.class);
    }

    public static NodeAssert assertThat(TestNode node) {
        return new NodeAssert(node);
    }

    public NodeAssert hasConverged() {
        return holds(actual.hasConverged(), "should have converged");
    }

    public NodeAssert hasNotConverged() {
        return holds(!actual.hasConverged(), "should not have converged");
    }

    public NodeAssert sees(String other, MemberStatus status) {
        MemberStatus seen = actual.status(other);
        return holds(seen == status, "should see " + other + " as " + status + " but sees it as " + seen);
    }

    public NodeAssert reaches(String other) {
        return holds(actual.reaches(other), "should hold " + other + " reachable");
    }

    public NodeAssert doesNotReach(String other) {
        return holds(!actual.reaches(other), "should hold " + other + " unreachable");
    }

    public NodeAssert follows(String leader) {
        return holds(actual.leader().equals(leader), "should follow " + leader + " but follows " + actual.leader());
    }

    public NodeAssert isRunning() {
        return holds(actual.isRunning(), "should be running but stopped: " + actual.stopReason());
    }

    public NodeAssert hasStopped() {
        return holds(!actual.isRunning(), "should have stopped");
    }

    private NodeAssert holds(boolean claim, String otherwise) {
        if (!claim) {
            failWithMessage("%s", actual.name() + " " + otherwise + "\n" + actual);
        }
        return this;
    }
}
