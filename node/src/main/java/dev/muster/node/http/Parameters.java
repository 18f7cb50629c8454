package dev.muster.node.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads names and values from a query, a form or a flat JSON object. A name given twice is refused. */
final class Parameters {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([A-Za-z0-9'()+_,./:=? -]{1,70})\"?");
    private static final Pattern FIELD_NAME =
            Pattern.compile("(?i)content-disposition:[^\r\n]*\\bname=\"([^\"\r\n]+)\"");
    private static final int MOST_PARAMETERS = 50;

    private final Map<String, String> found = new LinkedHashMap<>();

    private Parameters() {}

    static Map<String, String> of(Request request) {
        Parameters query = new Parameters();
        query.readForm(request.query());
        Parameters body = new Parameters();
        if (!request.isRead()) {
            body.readBody(type(request), new String(request.body().read(), StandardCharsets.UTF_8));
        }
        query.found.putAll(body.found);
        return query.found;
    }

    /** Whether the body is of a kind that a web page of somebody else could not send unasked, given our header too. */
    static boolean hasKnownType(Request request) {
        String type = type(request).toLowerCase(Locale.ROOT);
        return type.startsWith("application/json")
                || type.startsWith("application/x-www-form-urlencoded")
                || type.startsWith("multipart/form-data");
    }

    private static String type(Request request) {
        return request.header("content-type").orElse("");
    }

    private void readBody(String type, String text) {
        if (text.isBlank()) {
            return;
        }
        String kind = type.toLowerCase(Locale.ROOT);
        if (kind.startsWith("application/json")) {
            readJson(text);
        } else if (kind.startsWith("application/x-www-form-urlencoded")) {
            readForm(text);
        } else if (kind.startsWith("multipart/form-data")) {
            readParts(type, text);
        } else {
            throw new RefusedRequest(415, "the body must be a form or JSON; say which in Content-Type");
        }
    }

    private void readForm(String text) {
        for (String pair : text.split("&")) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                add(
                        decoded(equals < 0 ? pair : pair.substring(0, equals)),
                        equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
    }

    private void readJson(String text) {
        try {
            JsonNode object = JSON.readTree(text);
            if (!object.isObject()) {
                throw new RefusedRequest(400, "the body must be a JSON object, like {\"address\": \"...\"}");
            }
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                if (!field.getValue().isValueNode()) {
                    throw new RefusedRequest(400, "the fields of the JSON object must be texts, numbers or booleans");
                }
                add(field.getKey(), field.getValue().asString());
            }
        } catch (JacksonException unreadable) {
            throw new RefusedRequest(400, "the body is not JSON, although its Content-Type says so");
        }
    }

    /** What {@code curl -F operation=Leave} sends, and so what scripts written for Akka's management send. */
    private void readParts(String type, String text) {
        Matcher boundary = BOUNDARY.matcher(type);
        if (!boundary.find()) {
            throw new RefusedRequest(400, "the Content-Type multipart/form-data names no boundary");
        }
        for (String part : text.split(Pattern.quote("--" + boundary.group(1)))) {
            int blank = part.indexOf("\r\n\r\n");
            Matcher name = FIELD_NAME.matcher(blank < 0 ? "" : part.substring(0, blank));
            if (name.find()) {
                add(name.group(1), part.substring(blank + 4).strip());
            }
        }
    }

    private void add(String name, String value) {
        if (found.putIfAbsent(name, value) != null) {
            throw new RefusedRequest(400, "a parameter is given twice; give it once");
        }
        if (found.size() > MOST_PARAMETERS) {
            throw new RefusedRequest(400, "more than " + MOST_PARAMETERS + " parameters");
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new RefusedRequest(400, "a percent sign in a parameter is not followed by two hex digits");
        }
    }
}
