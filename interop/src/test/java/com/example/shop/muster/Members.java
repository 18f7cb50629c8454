package com.example.shop.muster;

import dev.muster.actor.ActorContext;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.Cluster;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.ClusterEvent.MemberUp;
import dev.muster.core.exchange.ClusterEvent.UnreachableMember;
import dev.muster.core.state.Member;

/** Tells the log who is up and who is out of reach. */
final class Members {
    private Members() {}

    static Behavior<ClusterEvent> members() {
        return Behaviors.setup(ctx -> {
            Cluster.get(ctx.system()).subscribe(ctx.self(), MemberUp.class, UnreachableMember.class);
            return Behaviors.receive(ClusterEvent.class)
                    .on(MemberUp.class, (c, it) -> tell(c, "shop sees up", it.member()))
                    .on(UnreachableMember.class, (c, it) -> tell(c, "shop misses", it.member()))
                    .otherwise((c, other) -> Behaviors.same())
                    .build();
        });
    }

    private static Behavior<ClusterEvent> tell(ActorContext<ClusterEvent> ctx, String what, Member who) {
        ctx.log().info("{}: {}", what, who.id().address());
        return Behaviors.same();
    }
}
