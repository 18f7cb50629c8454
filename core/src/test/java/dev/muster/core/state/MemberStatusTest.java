package dev.muster.core.state;

import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.EXITING;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.PREPARING_FOR_SHUTDOWN;
import static dev.muster.core.state.MemberStatus.READY_FOR_SHUTDOWN;
import static dev.muster.core.state.MemberStatus.REMOVED;
import static dev.muster.core.state.MemberStatus.UP;
import static dev.muster.core.state.MemberStatus.WEAKLY_UP;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemberStatusTest {

    @Test
    void areRankedAsAMergePrefersThem() {
        assertThat(MemberStatus.values())
                .containsExactly(
                        JOINING,
                        WEAKLY_UP,
                        UP,
                        PREPARING_FOR_SHUTDOWN,
                        LEAVING,
                        EXITING,
                        DOWN,
                        READY_FOR_SHUTDOWN,
                        REMOVED);
        assertThat(UP.isFurtherThan(JOINING)).isTrue();
        assertThat(UP.isFurtherThan(UP)).isFalse();
        assertThat(UP.isFurtherThan(DOWN)).isFalse();
    }

    /** One row per status, one column per status that may follow, both in rank order. */
    @ParameterizedTest
    @CsvSource({
        //                      J W U P L E D R x
        "JOINING,                1 1 1 1 1 1 1 1 1",
        "WEAKLY_UP,              0 1 1 1 1 1 1 1 1",
        "UP,                     0 0 1 1 1 1 1 1 1",
        "PREPARING_FOR_SHUTDOWN, 0 0 0 1 1 1 1 1 1",
        "LEAVING,                0 0 0 0 1 1 1 1 1",
        "EXITING,                0 0 0 0 0 1 1 1 1",
        "DOWN,                   0 0 0 0 0 0 1 0 1",
        "READY_FOR_SHUTDOWN,     0 0 0 0 0 0 1 1 1",
        "REMOVED,                0 0 0 0 0 0 0 0 1",
    })
    void aLifeNeverGoesBack(MemberStatus from, String row) {
        List<Boolean> expected = Arrays.stream(row.split(" ")).map("1"::equals).toList();

        assertThat(Arrays.stream(MemberStatus.values()).map(from::mayBecome)).containsExactlyElementsOf(expected);
    }

    @ParameterizedTest
    @CsvSource({
        //                       counts not-yet-up on-its-way-out
        "JOINING,                false, true,  false, Joining",
        "WEAKLY_UP,              false, true,  false, WeaklyUp",
        "UP,                     true,  false, false, Up",
        "PREPARING_FOR_SHUTDOWN, true,  false, false, PreparingForShutdown",
        "LEAVING,                true,  false, false, Leaving",
        "EXITING,                false, false, true,  Exiting",
        "DOWN,                   false, false, true,  Down",
        "READY_FOR_SHUTDOWN,     true,  false, false, ReadyForShutdown",
        "REMOVED,                false, false, false, Removed",
    })
    void whatEachStatusMeans(MemberStatus status, boolean counts, boolean notYetUp, boolean wayOut, String name) {
        assertThat(status.countsForConvergence()).isEqualTo(counts);
        assertThat(status.isNotYetUp()).isEqualTo(notYetUp);
        assertThat(status.isOnItsWayOut()).isEqualTo(wayOut);
        assertThat(status.displayName()).isEqualTo(name);
    }
}
