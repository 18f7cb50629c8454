package dev.muster.serialization;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/** Prints how long round trips take on this machine. A program for people, no test: nothing depends on the numbers. */
public final class SerializationTimes {

    record Small(String name, int count, long size, double weight, boolean urgent) {}

    private static final int ROUND_TRIPS = 200_000;
    private static final int MEASUREMENTS = 15;

    private SerializationTimes() {}

    public static void main(String[] args) {
        Serialization serialization = Serialization.builder()
                .protocol(Small.class)
                .protocol(Orders.Command.class)
                .build();
        print(serialization, "text of 100 bytes", "x".repeat(100));
        print(serialization, "record of 5 fields", new Small("a small record", 7, 1L << 33, 2.5, true));
        Orders.Line line = new Orders.Line("soap", 2, new BigDecimal("1.50"));
        print(
                serialization,
                "record with a list of 3 records",
                new Orders.Place("Ada", List.of(line, line, line), null));
        print(serialization, "sealed tree of 5 nodes", new Orders.Grow(Orders.tree()));
    }

    private static void print(Serialization serialization, String what, Object message) {
        ByteSink out = new ByteSink();
        serialization.write(message, Travel.REFS, out);
        int size = out.length();
        double[] write = new double[MEASUREMENTS];
        double[] both = new double[MEASUREMENTS];
        for (int i = 0; i < MEASUREMENTS; i++) {
            write[i] = nanosPerRound(serialization, message, out, false);
            both[i] = nanosPerRound(serialization, message, out, true);
        }
        // The first ones are the compiler's.
        double[] lateWrite = Arrays.copyOfRange(write, MEASUREMENTS / 2, MEASUREMENTS);
        double[] lateBoth = Arrays.copyOfRange(both, MEASUREMENTS / 2, MEASUREMENTS);
        Arrays.sort(lateWrite);
        Arrays.sort(lateBoth);
        System.out.printf(
                "%-32s %5d bytes, write %6.0f ns, round trip %6.0f ns (best %.0f)%n",
                what, size, lateWrite[lateWrite.length / 2], lateBoth[lateBoth.length / 2], lateBoth[0]);
    }

    private static double nanosPerRound(Serialization serialization, Object message, ByteSink out, boolean alsoRead) {
        long start = System.nanoTime();
        for (int i = 0; i < ROUND_TRIPS; i++) {
            out.reset();
            Serialization.Label label = serialization.write(message, Travel.REFS, out);
            if (alsoRead) {
                Object read = serialization.read(
                        label.serializerId(), label.manifest(), out.array(), 0, out.length(), Travel.REFS);
                if (read == message) {
                    throw new IllegalStateException("nothing was read");
                }
            }
        }
        return (System.nanoTime() - start) / (double) ROUND_TRIPS;
    }
}
