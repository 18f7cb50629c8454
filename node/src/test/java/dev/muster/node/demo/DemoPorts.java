package dev.muster.node.demo;

/** Where a demo may run in a test. */
final class DemoPorts {
    private DemoPorts() {}

    /** Two ranges of free ports. What was free a moment ago mostly still is; the range of the system is avoided. */
    static int[] freeRanges(int nodes) {
        for (int first = 20_000 + (int) (ProcessHandle.current().pid() % 500) * 20; first < 32_000; first += 20) {
            if (new DemoPlan(nodes, first, first + 10, true).firstTaken().isEmpty()) {
                return new int[] {first, first + 10};
            }
        }
        throw new AssertionError("no free ports below 32000");
    }
}
