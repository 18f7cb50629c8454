package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a node remembers of moves that have ended there. */
class EndedMovesTest {
    private final EndedMoves moves = new EndedMoves();

    @Test
    void howMuchOfEachMoveWasTakenIsRemembered() {
        moves.add(3, 7);
        moves.add(5, 0);
        assertThat(moves.takenOf(3)).hasValue(7);
        assertThat(moves.takenOf(5)).hasValue(0);
        assertThat(moves.takenOf(4)).isEmpty();
    }

    @Test
    void theLatestCountsInWhateverOrderTheyEnd() {
        assertThat(moves.latest()).isZero();
        moves.add(5, 0);
        moves.add(3, 0);
        assertThat(moves.latest()).isEqualTo(5);
    }

    @Test
    void onlyTheLastSixteenAreRemembered() {
        for (int move = 1; move <= EndedMoves.MOST; move++) {
            moves.add(move, 1);
        }
        assertThat(moves.takenOf(1)).isPresent();
        moves.add(EndedMoves.MOST + 1, 1);
        assertThat(moves.takenOf(1)).isEmpty();
        assertThat(moves.takenOf(2)).isPresent();
    }
}
