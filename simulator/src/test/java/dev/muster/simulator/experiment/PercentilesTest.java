package dev.muster.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class PercentilesTest {
    @Test
    void aPercentileIsAMeasuredValue() {
        Percentiles hundred = Percentiles.of(
                DoubleStream.iterate(100, it -> it - 1).limit(100).boxed().toList());

        assertThat(hundred.at(0.5)).isEqualTo(50);
        assertThat(hundred.at(0.99)).isEqualTo(99);
        assertThat(hundred.max()).isEqualTo(100);
    }

    @Test
    void whatWasNeverReachedIsWorseThanAnyTime() {
        assertThat(Percentiles.of(List.of(Double.NaN, 3.0, 1.0)).max()).isNaN();
        assertThat(Percentiles.of(List.of(Double.NaN, 3.0, 1.0)).at(0.5)).isEqualTo(3);
    }
}
