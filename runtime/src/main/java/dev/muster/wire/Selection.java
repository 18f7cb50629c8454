package dev.muster.wire;

import java.util.List;

/**
 * A message to whoever is found when one walks along these elements, beginning at the frame's recipient. Other systems
 * address the cluster's own actors in this way.
 *
 * @param wildcardFanOut whether all that match get the message, where a pattern matches several
 */
public record Selection(Payload enclosed, List<Element> elements, boolean wildcardFanOut) {

    /** One step of the walk. */
    public enum Kind {
        PARENT,
        CHILD,
        PATTERN
    }

    /** @param matcher a name or a pattern; empty for the parent */
    public record Element(Kind kind, String matcher) {
        public static Element child(String name) {
            return new Element(Kind.CHILD, name);
        }
    }

    public Selection {
        elements = List.copyOf(elements);
    }

    /** Such as {@code /system/cluster/core/daemon} when all steps are names of children; empty when they are not. */
    public String path() {
        StringBuilder path = new StringBuilder();
        for (Element element : elements) {
            if (element.kind() != Kind.CHILD) {
                return "";
            }
            path.append('/').append(element.matcher());
        }
        return path.isEmpty() ? "/" : path.toString();
    }
}
