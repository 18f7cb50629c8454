package dev.muster.node.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Members as one node sees them, read from {@code /cluster/members}.
 *
 * @param unreachable by the node, who cannot reach it
 */
public record ClusterView(
        String selfNode, List<Row> members, Map<String, List<String>> unreachable, Optional<String> leader) {

    public ClusterView {
        members = List.copyOf(members);
        unreachable = Map.copyOf(unreachable);
    }

    /** Before anybody has answered. */
    public static final ClusterView NOTHING = new ClusterView("", List.of(), Map.of(), Optional.empty());

    /** One member. */
    public record Row(String node, String uid, String status, List<String> roles) {

        /** Which incarnation this is; two at one address are two members. */
        String key() {
            return node + "#" + uid;
        }

        public boolean isSameAs(Row other) {
            return key().equals(other.key());
        }

        /** Without what is the same for all. */
        public String shortName() {
            return shortened(node);
        }

        /** Without the data center, which everybody has one of, and without what says that it is a node of Muster. */
        public List<String> ownRoles() {
            return roles.stream()
                    .filter(role -> !role.startsWith("dc-") && !role.startsWith("muster-"))
                    .toList();
        }
    }

    public static ClusterView of(JsonNode json) {
        List<Row> rows = new ArrayList<>();
        for (JsonNode member : json.path("members")) {
            rows.add(new Row(
                    member.path("node").asString(""),
                    member.path("nodeUid").asString(""),
                    member.path("status").asString(""),
                    texts(member.path("roles"))));
        }
        Map<String, List<String>> unreachable = new LinkedHashMap<>();
        for (JsonNode entry : json.path("unreachable")) {
            unreachable.put(entry.path("node").asString(""), texts(entry.path("observedBy")));
        }
        String leader = json.path("leader").asString("");
        return new ClusterView(
                json.path("selfNode").asString(""),
                rows,
                unreachable,
                leader.isEmpty() ? Optional.empty() : Optional.of(leader));
    }

    /** Of {@code muster://system@host:port} only {@code host:port}. */
    public static String shortened(String node) {
        return node.substring(node.indexOf('@') + 1);
    }

    public long up() {
        return members.stream().filter(row -> row.status().equals("Up")).count();
    }

    /** Members that are up, and that nobody has trouble with. */
    public long upAndReachable() {
        return members.stream()
                .filter(row -> row.status().equals("Up") && !unreachable.containsKey(row.node()))
                .count();
    }

    public boolean isLeader(Row row) {
        return leader.isPresent() && leader.get().equals(row.node());
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asString("")));
        return texts;
    }
}
