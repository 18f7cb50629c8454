package dev.muster.node.http;

import dev.muster.core.partition.Move;
import dev.muster.core.partition.NodeLoad;
import dev.muster.core.partition.RebalancePlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Moves that could be made, and what they would change, as JSON fields. */
final class PlanView {
    private PlanView() {}

    static Map<String, Object> of(RebalancePlan plan) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("summary", plan.summary());
        fields.put("moves", moves(plan.moves()));
        fields.put("loads", plan.loads().stream().map(PlanView::load).toList());
        fields.put("refused", moves(plan.refused()));
        return fields;
    }

    static List<Map<String, Object>> moves(List<Move> moves) {
        return moves.stream().map(PlanView::move).toList();
    }

    private static Map<String, Object> move(Move move) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("path", move.path().text());
        fields.put("from", move.from().address().toString());
        fields.put("to", move.to().address().toString());
        fields.put("reason", move.reason());
        return fields;
    }

    private static Map<String, Object> load(NodeLoad load) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", load.node().address().toString());
        fields.put("before", carried(load.before()));
        fields.put("after", carried(load.after()));
        return fields;
    }

    private static Map<String, Object> carried(NodeLoad.Carried carried) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("instances", carried.instances());
        fields.put("load", rounded(carried.load()));
        return fields;
    }

    /** More digits would be noise. */
    static double rounded(double load) {
        return Math.rint(load * 1_000) / 1_000;
    }
}
