package dev.muster.bench.partitions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of all questions to one partition.
 *
 * @param lost questions that were never answered
 * @param doubled answers to a question that had been answered already
 * @param reordered questions that were handled after one with a higher number, by whichever instance
 * @param forgotten instances that did not know at their first question what had been handled before them
 * @param answers the first answer to each number
 * @param moves in order
 */
record PartitionRecord(
        long lost, long doubled, long reordered, long forgotten, SortedMap<Long, Received> answers, List<Move> moves) {

    /**
     * The answers came from one host, and then from another one.
     *
     * @param last the number that was the last one from the old host
     * @param first the number that was the first one from the new host
     */
    record Move(long last, long first) {}

    /** @param sent how many questions were asked, with the numbers from 1 */
    static PartitionRecord of(long sent, List<Received> all) {
        TreeMap<Long, Received> answers = new TreeMap<>();
        for (Received received : all) {
            answers.merge(received.answer().number(), received, (a, b) -> a.atNanos() <= b.atNanos() ? a : b);
        }
        List<Answer> handled = answers.values().stream()
                .map(Received::answer)
                .sorted(Comparator.comparingLong(Answer::handledAtNanos).thenComparingLong(Answer::number))
                .toList();
        return new PartitionRecord(
                sent - answers.size(),
                all.size() - answers.size(),
                reordered(handled),
                forgotten(handled),
                answers,
                moves(answers));
    }

    private static long reordered(List<Answer> handled) {
        long count = 0;
        long highest = 0;
        for (Answer answer : handled) {
            if (answer.number() < highest) {
                count++;
            }
            highest = Math.max(highest, answer.number());
        }
        return count;
    }

    private static long forgotten(List<Answer> handled) {
        long count = 0;
        for (int i = 1; i < handled.size(); i++) {
            Answer before = handled.get(i - 1);
            Answer answer = handled.get(i);
            if (answer.host() != before.host() && answer.before() < before.number()) {
                count++;
            }
        }
        return count;
    }

    private static List<Move> moves(TreeMap<Long, Received> answers) {
        List<Move> moves = new ArrayList<>();
        Answer before = null;
        for (Received received : answers.values()) {
            Answer answer = received.answer();
            if (before != null && before.host() != answer.host()) {
                moves.add(new Move(before.number(), answer.number()));
            }
            before = answer;
        }
        return moves;
    }
}
