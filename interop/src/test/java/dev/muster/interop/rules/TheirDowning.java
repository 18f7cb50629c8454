package dev.muster.interop.rules;

import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.sbr.DownAllNodes;
import org.apache.pekko.cluster.sbr.DowningStrategy.Decision;
import org.apache.pekko.cluster.sbr.DowningStrategy.DownAll$;
import org.apache.pekko.cluster.sbr.DowningStrategy.DownReachable$;
import org.apache.pekko.cluster.sbr.DowningStrategy.DownUnreachable$;
import org.apache.pekko.cluster.sbr.KeepMajority;
import org.apache.pekko.cluster.sbr.KeepOldest;
import org.apache.pekko.cluster.sbr.StaticQuorum;
import scala.Option;

/** One of Pekko's strategies, told what its resolver would have told it at a node that holds this state. */
final class TheirDowning {
    private static final String DATA_CENTER = "default";

    private final org.apache.pekko.cluster.sbr.DowningStrategy strategy;

    TheirDowning(ClusterState state, NodeId self, DowningStrategy like) {
        strategy = strategy(like, Theirs.node(self));
        var words = Theirs.words(state.reachability());
        SortedSet<NodeId> unreachable = Theirs.ours(words.allUnreachableOrTerminated());
        List<Address> seenBy = new ArrayList<>();
        for (Member member : state.members()) {
            boolean isLost = member.status() == MemberStatus.DOWN || unreachable.contains(member.id());
            if (isLost && !member.id().equals(self)) {
                strategy.addUnreachable(Theirs.member(member));
            } else {
                strategy.add(Theirs.member(member));
            }
            if (state.isSeenBy(member.id())) {
                seenBy.add(Theirs.address(member.id()));
            }
        }
        strategy.setReachability(words);
        strategy.setSeenBy(Theirs.set(seenBy));
    }

    /** A strategy that is asked about nothing but these: some are here, the others cannot be reached. */
    TheirDowning(List<Member> here, List<Member> elsewhere, NodeId self, DowningStrategy like) {
        strategy = strategy(like, Theirs.node(self));
        here.forEach(it -> strategy.add(Theirs.member(it)));
        elsewhere.forEach(it -> strategy.addUnreachable(Theirs.member(it)));
    }

    private static org.apache.pekko.cluster.sbr.DowningStrategy strategy(DowningStrategy like, UniqueAddress self) {
        if (like instanceof DowningStrategy.KeepMajority majority) {
            return new KeepMajority(DATA_CENTER, role(majority.role()), self);
        } else if (like instanceof DowningStrategy.StaticQuorum quorum) {
            return new StaticQuorum(DATA_CENTER, quorum.size(), role(quorum.role()), self);
        } else if (like instanceof DowningStrategy.KeepOldest oldest) {
            return new KeepOldest(DATA_CENTER, oldest.downIfAlone(), role(oldest.role()), self);
        } else if (like instanceof DowningStrategy.DownAll) {
            return new DownAllNodes(DATA_CENTER, self);
        }
        throw new IllegalArgumentException("they have no " + like.name());
    }

    private static Option<String> role(String role) {
        return role.isEmpty() ? Option.empty() : Option.apply(role);
    }

    /** Who goes. Nothing is decided while nobody is unreachable. */
    SortedSet<NodeId> down() {
        return strategy.unreachable().isEmpty() ? new TreeSet<>() : downBy(strategy.decide());
    }

    /** Whether this side goes on, as far as it is asked at all. */
    boolean goesOn() {
        return strategy.decide() == DownUnreachable$.MODULE$;
    }

    SortedSet<NodeId> downOfTheOthers() {
        return downBy(DownUnreachable$.MODULE$);
    }

    SortedSet<NodeId> downOfThisSide() {
        return downBy(DownReachable$.MODULE$);
    }

    SortedSet<NodeId> downOfAll() {
        return downBy(DownAll$.MODULE$);
    }

    private SortedSet<NodeId> downBy(Decision decision) {
        try {
            return Theirs.ours(strategy.nodesToDown(decision));
        } catch (IllegalStateException e) {
            return downOfAll(); // as the resolver does when a strategy contradicts itself
        }
    }
}
