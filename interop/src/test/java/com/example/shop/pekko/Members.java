package com.example.shop.pekko;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberUp;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;

/** Tells the log who is up and who is out of reach. */
public final class Members extends AbstractActor {
    private final Cluster cluster = Cluster.get(getContext().getSystem());

    @Override
    public void preStart() {
        cluster.subscribe(getSelf(), ClusterEvent.initialStateAsEvents(), MemberUp.class, UnreachableMember.class);
    }

    @Override
    public void postStop() {
        cluster.unsubscribe(getSelf());
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(MemberUp.class, it -> tell("shop sees up", it.member().address()))
                .match(
                        UnreachableMember.class,
                        it -> tell("shop misses", it.member().address()))
                .build();
    }

    private void tell(String what, Object who) {
        getContext().getSystem().log().info("{}: {}", what, who);
    }
}
