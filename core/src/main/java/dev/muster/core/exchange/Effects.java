package dev.muster.core.exchange;

import dev.muster.core.state.NodeAddress;
import java.util.ArrayList;
import java.util.List;

/** What one step wants done, in the order in which it is to be done. Reused from step to step by its one owner. */
public final class Effects {
    private final List<Effect> effects = new ArrayList<>();

    public void add(Effect effect) {
        effects.add(effect);
    }

    public void send(NodeAddress to, CoreMessage message) {
        effects.add(new Effect.SendMessage(to, message));
    }

    public void publish(ClusterEvent event) {
        effects.add(new Effect.PublishEvent(event));
    }

    public List<Effect> list() {
        return effects;
    }

    public void clear() {
        effects.clear();
    }
}
