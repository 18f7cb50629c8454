package dev.muster.simulator.plan;

import dev.muster.simulator.fault.FaultEvent;
import dev.muster.simulator.fault.FaultSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Parts of a run that are to be kept, so that a failure that was made shorter can be run again: which of its faults,
 * which of its nodes, and up to when. Whatever is left open stays whole. All dice stay as the seed threw them.
 *
 * @param faults numbers of faults in the seed's schedule, from 1 on in the order of time
 * @param nodes slots of the initial nodes, from 0 on
 * @param until when the run ends, at a whole number of milliseconds
 */
public record Excerpt(Optional<List<Integer>> faults, Optional<List<Integer>> nodes, Optional<Duration> until) {
    public static final Excerpt WHOLE = new Excerpt(Optional.empty(), Optional.empty(), Optional.empty());

    private static final long MILLIS = 1_000_000;

    public Excerpt {
        faults = faults.map(list -> list.stream().distinct().sorted().toList());
        nodes = nodes.map(list -> list.stream().distinct().sorted().toList());
    }

    /** What is left of a plan that was made shorter. */
    static Excerpt between(RunPlan whole, RunPlan part) {
        boolean sameNodes = whole.usedSlots() == part.usedSlots();
        boolean sameLength = whole.lengthNanos() == part.lengthNanos();
        return new Excerpt(
                whole.schedule().equals(part.schedule())
                        ? Optional.empty()
                        : Optional.of(numbers(
                                whole.schedule().events(), part.schedule().events())),
                sameNodes ? Optional.empty() : Optional.of(usedSlots(part)),
                sameLength ? Optional.empty() : Optional.of(Duration.ofNanos(part.lengthNanos())));
    }

    /** Both are in the order of time, so each kept one is found behind the one before it. */
    private static List<Integer> numbers(List<FaultEvent> all, List<FaultEvent> kept) {
        List<Integer> numbers = new ArrayList<>();
        int at = 0;
        for (FaultEvent event : kept) {
            while (!all.get(at).equals(event)) {
                at++;
            }
            numbers.add(++at);
        }
        return numbers;
    }

    private static List<Integer> usedSlots(RunPlan plan) {
        List<Integer> used = new ArrayList<>();
        for (int slot = 0; slot < plan.slots().size(); slot++) {
            if (plan.slots().get(slot).isUsed()) {
                used.add(slot);
            }
        }
        return used;
    }

    /** The first end of a run, to the millisecond, that is not before this moment. */
    public static long wholeMillisFrom(long nanos) {
        return (nanos + MILLIS - 1) / MILLIS * MILLIS;
    }

    /** The plan with only these parts in it. */
    RunPlan of(RunPlan plan) {
        RunPlan kept = plan;
        if (faults.isPresent()) {
            kept = kept.withSchedule(chosen(plan.schedule()));
        }
        if (nodes.isPresent()) {
            kept = kept.withSlots(chosen(plan.slots()));
        }
        return until.isPresent() ? kept.withLengthNanos(until.get().toNanos()) : kept;
    }

    private FaultSchedule chosen(FaultSchedule schedule) {
        List<FaultEvent> all = schedule.events();
        requireAtMost("--only-faults", faults.orElseThrow(), 1, all.size());
        return new FaultSchedule(
                faults.get().stream().map(number -> all.get(number - 1)).toList());
    }

    private List<RunPlan.Slot> chosen(List<RunPlan.Slot> slots) {
        requireAtMost("--only-nodes", nodes.orElseThrow(), 0, slots.size() - 1);
        SortedSet<Integer> wanted = new TreeSet<>(nodes.get());
        List<RunPlan.Slot> kept = new ArrayList<>();
        for (int slot = 0; slot < slots.size(); slot++) {
            kept.add(wanted.contains(slot) ? slots.get(slot) : slots.get(slot).unused());
        }
        return kept;
    }

    private static void requireAtMost(String option, List<Integer> numbers, int first, int last) {
        for (int number : numbers) {
            if (number < first || number > last) {
                throw new IllegalArgumentException(
                        option + " names " + number + ", but in this run they are " + first + ".." + last);
            }
        }
    }

    /** As written on the command line, each with a space before it. */
    public String commandLine() {
        StringBuilder line = new StringBuilder();
        faults.ifPresent(list -> line.append(" --only-faults ").append(list(list)));
        nodes.ifPresent(list -> line.append(" --only-nodes ").append(list(list)));
        until.ifPresent(time -> line.append(" --until ").append(time.toMillis()).append("ms"));
        return line.toString();
    }

    private static String list(List<Integer> numbers) {
        return numbers.isEmpty()
                ? "none"
                : numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
