package dev.muster.node.http;

import java.util.Map;
import java.util.Optional;

/**
 * A request that was let in, in the words of its route.
 *
 * @param subject what stood in the place of the route's variable, decoded once; empty when it has none
 * @param parameters of the query and of the body; the body wins
 * @param acceptsHtml whether a browser asks
 */
record Call(String subject, Map<String, String> parameters, boolean acceptsHtml) {

    Call {
        parameters = Map.copyOf(parameters);
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** The value of a parameter that must be there. */
    String needed(String name, String example) {
        return parameter(name)
                .filter(value -> !value.isBlank())
                .orElseThrow(() -> new RefusedRequest(400, name + " is missing; give it like " + name + "=" + example));
    }

    /**
     * Whether only to say what would happen. Names that a route does not know are ignored; but whoever writes this one
     * in another way means it, and must not get what was only to be tried.
     */
    boolean isDryRun() {
        for (String name : parameters.keySet()) {
            if (!name.equals("dryRun") && name.replaceAll("[-_]", "").equalsIgnoreCase("dryRun")) {
                throw new RefusedRequest(400, "it is spelled dryRun, not " + name + "; nothing was done");
            }
        }
        String value = parameter("dryRun").orElse("false");
        return switch (value) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw new RefusedRequest(400, "dryRun is true or false");
        };
    }
}
