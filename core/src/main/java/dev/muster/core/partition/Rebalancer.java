package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Plans the moves that even out what nodes carry, and the moves that a user asks for.
 *
 * <p>It evens out the number of instances where no weights are known, else their weights. A plan begins only when some
 * node carries clearly less than another that could give to it, and then goes on until they are close: what is even is
 * left alone, and small changes of the load move nothing. A plan made on the outcome of a plan is empty.
 *
 * <p>Instances on nodes that may not host them, and those that are missing, are none of its business:
 * {@link RingPlacement} sees to them first.
 *
 * <p>Specification: "Additional Leader Responsibilities".
 */
public final class Rebalancer {
    private final RebalanceSettings settings;

    public Rebalancer(RebalanceSettings settings) {
        this.settings = settings;
    }

    /** The moves worth making now. */
    public RebalancePlan plan(Layout layout) {
        Evening evening = new Evening(layout);
        List<NodeLoad.Carried> before = carried(evening.loads());
        SortedSet<String> versions = settings.freezing(layout.nodes());
        if (!versions.isEmpty()) {
            String frozen = "nothing moves while members run different versions of the application: "
                    + String.join(", ", versions);
            return new RebalancePlan(List.of(), loads(layout, before, before), frozen, List.of());
        }
        boolean byWeight = layout.weights().areKnown();
        // Numbers of instances do not waver, so once anything moves they may as well be made quite even.
        double goodEnough = byWeight ? settings.tolerance() / 2 : 0;
        evening.run(new Evening.Worth(settings.tolerance(), goodEnough), new Evening.Worth(goodEnough, 0));
        List<NodeLoad> loads = loads(layout, before, carried(evening.loads()));
        List<Move> moves = new ArrayList<>();
        for (Evening.Shift shift : evening.shifts()) {
            NodeLoad from = loads.get(shift.from());
            NodeLoad to = loads.get(shift.to());
            moves.add(new Move(shift.path(), from.node(), to.node(), reason(byWeight, from, to)));
        }
        return new RebalancePlan(moves, loads, summary(byWeight, moves), List.of());
    }

    private String summary(boolean byWeight, List<Move> moves) {
        String what = byWeight ? "the load" : "the number of instances";
        return moves.isEmpty()
                ? String.format(
                        Locale.ROOT,
                        "%s is as even as it can be, or within %.0f %% of it",
                        what,
                        settings.tolerance() * 100)
                : moves.size() + (moves.size() == 1 ? " move evens out " : " moves even out ") + what;
    }

    private static String reason(boolean byWeight, NodeLoad from, NodeLoad to) {
        return byWeight
                ? String.format(
                        Locale.ROOT,
                        "evens out the load: %s goes from %.3g to %.3g, %s from %.3g to %.3g",
                        from.node(),
                        from.before().load(),
                        from.after().load(),
                        to.node(),
                        to.before().load(),
                        to.after().load())
                : "evens out the number of instances: " + from.node() + " goes from "
                        + from.before().instances() + " to " + from.after().instances() + ", " + to.node() + " from "
                        + to.before().instances() + " to " + to.after().instances();
    }

    /**
     * The moves that a user asks for, as a plan like any other. Wishes are looked at one after the other, each as if
     * those before it were done. One that cannot be granted is refused with the reason, and the others stand.
     */
    public RebalancePlan migrate(Layout layout, List<Migration> wishes) {
        List<NodeLoad.Carried> before = carried(new Evening(layout).loads());
        Layout reached = layout;
        List<Move> moves = new ArrayList<>();
        List<Move> refused = new ArrayList<>();
        for (Migration wish : wishes) {
            Optional<String> objection = objection(reached, wish);
            Move move = new Move(wish.path(), wish.from(), wish.to(), objection.orElse("a user asked for it"));
            if (objection.isPresent()) {
                refused.add(move);
            } else {
                moves.add(move);
                reached = reached.withPlacement(reached.placement().after(List.of(move)));
            }
        }
        List<NodeLoad> loads = loads(layout, before, carried(new Evening(reached).loads()));
        return new RebalancePlan(moves, loads, moves.size() + " of " + wishes.size() + " moves as asked for", refused);
    }

    private static Optional<String> objection(Layout layout, Migration wish) {
        PartitionNeed need = layout.needs().get(wish.path());
        if (need == null) {
            return Optional.of("there is no partition " + wish.path());
        }
        List<NodeId> hosts = layout.placement().hostsOf(wish.path());
        if (!hosts.contains(wish.from())) {
            return Optional.of(wish.from() + " does not host " + wish.path() + "; it is on " + hosts);
        }
        if (hosts.contains(wish.to())) {
            return Optional.of(
                    hosts.size() == 1
                            ? wish.path() + " is there already, on " + wish.to()
                            : wish.to() + " already hosts " + wish.path()
                                    + ", and its instances must be on distinct nodes");
        }
        return layout.nodes().whyNot(wish.to(), need.role());
    }

    private static List<NodeLoad.Carried> carried(NodeLoads loads) {
        List<NodeLoad.Carried> carried = new ArrayList<>();
        for (int i = 0; i < loads.size(); i++) {
            carried.add(loads.carriedBy(i));
        }
        return carried;
    }

    private static List<NodeLoad> loads(Layout layout, List<NodeLoad.Carried> before, List<NodeLoad.Carried> after) {
        List<NodeLoad> loads = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            loads.add(new NodeLoad(layout.nodes().get(i), before.get(i), after.get(i)));
        }
        return loads;
    }
}
