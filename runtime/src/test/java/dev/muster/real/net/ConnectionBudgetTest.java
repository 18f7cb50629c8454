package dev.muster.real.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionBudgetTest {

    private final ConnectionBudget budget = new ConnectionBudget(3);
    private final List<String> log = new ArrayList<>();

    @Test
    void whoComesTooLateWaitsUntilTheLongestSilentIsGone() {
        Fake older = open("older", 10, false);
        Fake oldest = open("oldest", 5, false);
        Fake young = open("young", 20, false);
        Fake late = new Fake("late", 30, false);

        budget.ask(late);
        assertThat(log).containsExactly("dial older", "dial oldest", "dial young", "close oldest");
        budget.over(oldest);

        assertThat(log).endsWith("dial late");
        assertThat(List.of(older, young)).noneMatch(it -> log.contains("close " + it.name));
    }

    @Test
    void whatIsUsedAgainAndAgainStaysLonger() {
        long now = System.nanoTime();
        open("regular", now - 2_000, true);
        open("once", now - 1_000, false);
        open("another", now, false);

        budget.ask(new Fake("late", now, false));

        assertThat(log).endsWith("close once");
    }

    @Test
    void nobodyIsClosedTwiceForOneWhoWaits() {
        Fake first = open("first", 1, false);
        open("second", 2, false);
        open("third", 3, false);

        budget.ask(new Fake("late", 4, false));
        budget.ask(new Fake("later", 5, false));

        assertThat(log).endsWith("close first", "close second");
        budget.over(first);
        assertThat(log).endsWith("dial late");
    }

    @Test
    void whoGaveUpWaitingIsNotDialled() {
        Fake first = open("first", 1, false);
        open("second", 2, false);
        open("third", 3, false);
        Fake late = new Fake("late", 4, false);
        budget.ask(late);

        assertThat(budget.withdraw(late)).isTrue();
        budget.over(first);

        assertThat(log).doesNotContain("dial late");
        assertThat(budget.withdraw(late)).isFalse();
    }

    @Test
    void roomIsLeftForOtherDescriptors() {
        assertThat(ConnectionBudget.ofDescriptors(20_000)).isEqualTo(7_800);
        assertThat(ConnectionBudget.ofDescriptors(100)).isEqualTo(64);
    }

    private Fake open(String name, long lastWriteNanos, boolean isRegular) {
        Fake connection = new Fake(name, lastWriteNanos, isRegular);
        budget.ask(connection);
        budget.stands(connection);
        return connection;
    }

    private final class Fake implements ConnectionBudget.Client {
        private final String name;
        private final long lastWriteNanos;
        private final boolean isRegular;

        Fake(String name, long lastWriteNanos, boolean isRegular) {
            this.name = name;
            this.lastWriteNanos = lastWriteNanos;
            this.isRegular = isRegular;
        }

        @Override
        public void dial() {
            log.add("dial " + name);
        }

        @Override
        public void close() {
            log.add("close " + name);
        }

        @Override
        public long lastWriteNanos() {
            return lastWriteNanos;
        }

        @Override
        public boolean isRegular() {
            return isRegular;
        }
    }
}
