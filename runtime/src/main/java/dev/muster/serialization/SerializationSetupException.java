package dev.muster.serialization;

import java.util.List;

/** Why a {@link Serialization} cannot be built: every problem there is, not only the first. */
public final class SerializationSetupException extends IllegalArgumentException {

    private final transient List<String> problems;

    SerializationSetupException(List<String> problems) {
        super((problems.size() == 1 ? "1 problem" : problems.size() + " problems") + " with serialization:\n  - "
                + String.join("\n  - ", problems));
        this.problems = List.copyOf(problems);
    }

    /** One sentence for each. */
    public List<String> problems() {
        return problems;
    }
}
