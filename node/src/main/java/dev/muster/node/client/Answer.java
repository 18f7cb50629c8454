package dev.muster.node.client;

import tools.jackson.databind.JsonNode;

/**
 * What a node answered.
 *
 * @param from which node
 * @param status HTTP's number
 * @param body the JSON object
 */
public record Answer(Target from, int status, JsonNode body) {

    public boolean isGood() {
        return status / 100 == 2;
    }

    /** What the node says about it. */
    public String message() {
        return body.path("message").asString("the node answered with status " + status);
    }
}
