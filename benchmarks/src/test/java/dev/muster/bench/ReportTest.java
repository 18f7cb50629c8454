package dev.muster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {

    private static final Row SPEED = new Row("speed", "speed", "messages/s", true, 1);
    private static final Row COST = new Row("cost", "cost", "bytes", false, 0.01);

    @Test
    void theMiddleOfAllRoundsCounts() {
        assertThat(Figures.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new Figures(2, 1, 3, 3));
        assertThat(Figures.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new Figures(2.5, 1, 4, 4));
    }

    @Test
    void aRatioAboveOneIsBetterWhicheverWayTheFigureReads() {
        assertThat(SPEED.ratio(30, 10)).isEqualTo(3);
        assertThat(COST.ratio(10, 30)).isEqualTo(3);
    }

    @Test
    void aCostOfNothingIsBetterByAFiniteNumber() {
        assertThat(COST.ratio(0, 32)).isEqualTo(3200);
        assertThat(COST.ratio(0, 0.004)).isEqualTo(1);
    }

    @Test
    void jsonHasTheFieldsThatScriptsRelyOn() {
        JsonNode json = json(SPEED, Map.of(Side.MUSTER, figures(30), Side.PEKKO, figures(10)));

        assertThat(json.propertyNames()).containsExactly("name", "environment", "results");
        JsonNode result = json.get("results").get(0);
        assertThat(result.propertyNames())
                .containsExactly("what", "unit", "higherIsBetter", "muster", "pekko", "ratio");
        assertThat(result.get("muster").propertyNames()).containsExactly("median", "min", "max", "rounds");
        assertThat(result.get("ratio").asDouble()).isEqualTo(3);
    }

    @Test
    void eachOfSeveralPeersHasItsRatio() {
        JsonNode result = json(
                        COST, Map.of(Side.MUSTER, figures(10), Side.PEKKO, figures(30), Side.SCALECUBE, figures(20)))
                .get("results")
                .get(0);

        assertThat(result.get("ratio").asDouble()).isEqualTo(3);
        assertThat(result.get("ratios").get("pekko").asDouble()).isEqualTo(3);
        assertThat(result.get("ratios").get("scalecube").asDouble()).isEqualTo(2);
    }

    @Test
    void whoWasNotMeasuredLeavesItsPlaceEmpty() {
        Map<Row, Map<Side, Figures>> results = new LinkedHashMap<>();
        results.put(SPEED, new EnumMap<>(Map.of(Side.MUSTER, figures(30))));
        results.put(COST, new EnumMap<>(Map.of(Side.MUSTER, figures(10), Side.PEKKO, figures(40))));
        StringWriter text = new StringWriter();

        new Report("formation", Map.of("rounds", 1, "javaOptions", List.of()), results).print(new PrintWriter(text));

        assertThat(text.toString().lines().filter(line -> line.startsWith("speed")))
                .singleElement()
                .asString()
                .endsWith("[30.00..30.00]");
        assertThat(text.toString().lines().filter(line -> line.startsWith("cost")))
                .singleElement()
                .asString()
                .endsWith(" 4.00");
    }

    @Test
    void withoutAPeerThereIsNoRatio() {
        JsonNode result =
                json(SPEED, Map.of(Side.MUSTER, figures(30))).get("results").get(0);

        assertThat(result.propertyNames()).containsExactly("what", "unit", "higherIsBetter", "muster");
    }

    private static Figures figures(double value) {
        return new Figures(value, value, value, 1);
    }

    private static JsonNode json(Row row, Map<Side, Figures> figures) {
        Report report = new Report("actors", Map.of("rounds", 1), Map.of(row, new EnumMap<>(figures)));
        return JsonMapper.builder().build().readTree(report.json());
    }
}
