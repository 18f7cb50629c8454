package dev.muster.core.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureSettingsTest {

    @Test
    void theDefaultsAreThoseOfTheSpecification() {
        FailureSettings defaults = FailureSettings.defaults();

        assertThat(defaults.heartbeatInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(defaults.threshold()).isEqualTo(8);
        assertThat(defaults.acceptableHeartbeatPause()).isEqualTo(Duration.ofSeconds(3));
        assertThat(defaults.monitoredByNrOfMembers()).isEqualTo(5);
        assertThat(FailureSettings.cloud()).isEqualTo(defaults.withThreshold(12));
    }

    @ParameterizedTest
    @CsvSource({
        "PT1S, 300,  1, PT0.1S, PT0S, PT1S, 1",
        "PT1S, 1e-9, 1, PT0.1S, PT0S, PT1S, 1",
    })
    void theEdgesAreAllowed(
            Duration interval,
            double threshold,
            int samples,
            Duration deviation,
            Duration pause,
            Duration first,
            int by) {
        assertThat(new FailureSettings(interval, threshold, samples, deviation, pause, first, by))
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PT0S  | 8     | 1 | PT0.1S | PT3S  | PT1S  | 5 | heartbeat-interval must be positive, was PT0S",
                "PT-1S | 8     | 1 | PT0.1S | PT3S  | PT1S  | 5 | heartbeat-interval must be positive, was PT-1S",
                "PT1S  | 0     | 1 | PT0.1S | PT3S  | PT1S  | 5 | threshold must be above 0 and at most 300, was 0.0",
                "PT1S  | 300.1 | 1 | PT0.1S | PT3S  | PT1S  | 5 | threshold must be above 0 and at most 300, was 300.1",
                "PT1S  | NaN   | 1 | PT0.1S | PT3S  | PT1S  | 5 | threshold must be above 0 and at most 300, was NaN",
                "PT1S  | 8     | 0 | PT0.1S | PT3S  | PT1S  | 5 | max-sample-size must be at least 1, was 0",
                "PT1S  | 8     | 1 | PT0S   | PT3S  | PT1S  | 5 | min-std-deviation must be positive, was PT0S",
                "PT1S|8|1|PT0.1S|PT-3S|PT1S|5|acceptable-heartbeat-pause must not be negative, was PT-3S",
                "PT1S  | 8     | 1 | PT0.1S | PT3S  | PT-1S | 5 | expected-response-after must be positive, was PT-1S",
                "PT1S  | 8     | 1 | PT0.1S | PT3S  | PT1S  | 0 | monitored-by-nr-of-members must be at least 1, was 0",
            })
    void whatMakesNoSenseIsRefusedByName(
            Duration interval,
            double threshold,
            int samples,
            Duration deviation,
            Duration pause,
            Duration first,
            int watchers,
            String message) {
        assertThatThrownBy(() -> new FailureSettings(interval, threshold, samples, deviation, pause, first, watchers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("failure-detector." + message);
    }
}
