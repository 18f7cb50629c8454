package dev.muster.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** The commands that a demo proposes, while nodes come and go. */
class DemoHintsTest {

    @Test
    void commandsAskTheFirstNodeThatLives() {
        DemoPlan plan = new DemoPlan(4, 3551, 9558, true);

        assertThat(hints(plan, Set.of(0, 1, 2, 3)))
                .anyMatch(line -> line.contains("./muster members --at 127.0.0.1:9558 "));
        assertThat(hints(plan, Set.of(1, 2)))
                .anyMatch(line -> line.contains("./muster members --at 127.0.0.1:9559 "))
                .anyMatch(line -> line.contains("--to 127.0.0.1:3553 --at 127.0.0.1:9559 "))
                .anyMatch(line -> line.contains("--all --at 127.0.0.1:9559 --at 127.0.0.1:9560 "))
                .noneMatch(line -> line.contains("9558") || line.contains("9561"));
    }

    @Test
    void whereCommandsLookByThemselvesTheyNeedNotBeTold() {
        DemoPlan usual = new DemoPlan(7, 2551, 8558, true);

        assertThat(hints(usual, Set.of(4, 5)))
                .anyMatch(line -> line.contains("./muster members "))
                .anyMatch(line -> line.contains("--all --at 127.0.0.1:8562 --at 127.0.0.1:8563 "));
        assertThat(hints(usual, Set.of(5, 6)))
                .as("the sixth is beyond the ports that are tried")
                .anyMatch(line -> line.contains("./muster members --at 127.0.0.1:8563 "));
        assertThat(hints(usual, Set.of(0, 4))).noneMatch(line -> line.contains("--at"));
    }

    @Test
    void whatACommandDoesIsNoPartOfIt() {
        assertThat(hints(new DemoPlan(4, 3551, 9558, true), Set.of(1, 2)))
                .contains("  ./muster migrate clock --to 127.0.0.1:3553 --at 127.0.0.1:9559 "
                        + "# move the clock; it goes on counting")
                .filteredOn(line -> line.contains("./muster "))
                .allMatch(line -> line.contains(" # "));
    }

    @Test
    void aNodeIsStartedAgainByTheWayOfOneThatLives() {
        DemoPlan plan = new DemoPlan(4, 2551, 8558, true);
        DemoHints hints = new DemoHints(plan, new Living(Set.of(2, 3)), Ansi.OFF);

        assertThat(hints.restartCommand(0)).contains("--port 2551", "--seed 127.0.0.1:2553");
        assertThat(hints.lines(List.of(1)))
                .anyMatch(line -> line.contains("--port 2552") && line.contains("--seed 127.0.0.1:2553"));
    }

    private static List<String> hints(DemoPlan plan, Set<Integer> alive) {
        return new DemoHints(plan, new Living(alive), Ansi.OFF).lines(List.of());
    }

    /** Nodes of which some live. */
    private record Living(Set<Integer> alive) implements DemoNodes {

        @Override
        public void start() {
            throw new UnsupportedOperationException("nothing is started in these tests");
        }

        @Override
        public OptionalLong pid(int index) {
            return isAlive(index) ? OptionalLong.of(1_000 + index) : OptionalLong.empty();
        }

        @Override
        public boolean isAlive(int index) {
            return alive.contains(index);
        }

        @Override
        public List<String> obituaries() {
            return List.of();
        }

        @Override
        public String logPlace() {
            return "";
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException("nothing is ended in these tests");
        }
    }
}
