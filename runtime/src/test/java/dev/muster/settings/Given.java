package dev.muster.settings;

import com.typesafe.config.ConfigFactory;
import dev.muster.settings.ConfigurationException.Problem;
import java.util.List;

/** Reads settings from lines, as if they stood in application.conf. */
final class Given {

    static final String SYSTEM = "Shop";

    private Given() {}

    static NodeSettings settings(String... lines) {
        return NodeSettings.from(ConfigFactory.parseString(String.join("\n", lines)), SYSTEM);
    }

    static List<Problem> problems(String... lines) {
        try {
            settings(lines);
        } catch (ConfigurationException refused) {
            return refused.problems();
        }
        throw new AssertionError("nothing was found wrong with " + List.of(lines));
    }

    static Problem problem(String... lines) {
        List<Problem> problems = problems(lines);
        if (problems.size() != 1) {
            throw new AssertionError("expected one problem, found " + problems);
        }
        return problems.get(0);
    }
}
