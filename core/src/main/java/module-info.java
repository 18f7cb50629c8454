/**
 * The cluster protocol, pure: told what happened and what time it is, it answers with what should be done.
 *
 * <p>Needs nothing but {@code java.base}. Start reading at {@link dev.muster.core.ClusterCore}.
 */
module dev.muster.core {
    exports dev.muster.core;
    exports dev.muster.core.exchange;
    exports dev.muster.core.failure;
    exports dev.muster.core.gossip;
    exports dev.muster.core.handoff;
    exports dev.muster.core.membership;
    exports dev.muster.core.partition;
    exports dev.muster.core.state;
}
