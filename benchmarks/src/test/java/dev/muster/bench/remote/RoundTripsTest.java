package dev.muster.bench.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundTripsTest {

    @Test
    void whatIsNotToCountDoesNotAndAllElseDoes() throws InterruptedException {
        List<byte[]> sent = new ArrayList<>();
        RoundTrips trips = new RoundTrips(echoes -> message -> {
            sent.add(message);
            echoes.accept(message);
        });

        trips.run(5, 100_000, false);
        assertThat(trips.micros(100)).isZero();
        trips.run(20, 100_000, true);

        assertThat(sent).hasSize(25).allSatisfy(message -> assertThat(message).hasSize(100));
        assertThat(trips.micros(100)).isPositive();
    }
}
