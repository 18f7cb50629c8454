package dev.muster.core.exchange;

import dev.muster.core.state.LoadSample;
import dev.muster.core.state.NodeId;
import java.util.List;

/**
 * How members learn how busy the others are. Only members that have a partition table say and hear these. Each names
 * the incarnation it is meant for; any other ignores it. None of them must arrive: the next sample comes soon.
 */
public sealed interface LoadMessage extends CoreMessage {
    NodeId to();

    /** What I know about the load of these nodes. */
    record LoadSamples(NodeId to, List<LoadSample> samples) implements LoadMessage {

        public LoadSamples {
            samples = List.copyOf(samples);
        }
    }

    /** Tell me about yourself and your neighbours in the ring. */
    record AskLoad(NodeId to) implements LoadMessage {}
}
