package dev.muster.settings;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration cannot be used. Names every key that is wrong, so that one look is enough to mend them all. */
public final class ConfigurationException extends IllegalArgumentException {

    private final transient List<Problem> problems;

    ConfigurationException(List<Problem> problems) {
        super(problems.stream()
                .map(problem -> "\n  " + problem)
                .collect(Collectors.joining(
                        "",
                        "the configuration cannot be used, " + problems.size()
                                + (problems.size() == 1 ? " thing is wrong:" : " things are wrong:"),
                        "")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }

    /**
     * One key that is wrong.
     *
     * @param path the key as it was written
     * @param value what it says; empty if nothing
     * @param origin file and line
     * @param remedy what is wrong and what to write instead
     */
    public record Problem(String path, String value, String origin, String remedy) {
        @Override
        public String toString() {
            return path + (value.isEmpty() ? "" : " = " + value) + (origin.isEmpty() ? "" : " (" + origin + ")") + ": "
                    + remedy;
        }
    }
}
