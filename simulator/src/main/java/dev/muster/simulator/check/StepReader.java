package dev.muster.simulator.check;

/** Reads each step once for all checkers that ask about it. */
final class StepReader {
    private Step last;
    private StepReading reading;

    StepReading read(Step step) {
        if (step != last) {
            last = step;
            reading = new StepReading(step);
        }
        return reading;
    }
}
