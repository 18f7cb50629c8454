package dev.muster.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quicktheories.core.Gen;

class PartitionPathTest {

    @Test
    void isNamesWithSlashesBetweenThem() {
        PartitionPath path = path("billing/invoices/2024");

        assertThat(path).hasToString("billing/invoices/2024").isEqualTo(path("billing/invoices/2024"));
        assertThat(path.segments()).containsExactly("billing", "invoices", "2024");
        assertThat(path("Counter").segments()).containsExactly("Counter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "azAZ09", "-_.*+:@&=,!~';", "Counter/17", "1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16"})
    void takesWhatActorsMayBeNamed(String text) {
        assertThat(path(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/a", "a/", "a//b"})
    void refusesEmptyNames(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> path(text))
                .withMessage("partition path '" + text
                        + "' has an empty name; write names with one slash between them, as in billing/invoices");
    }

    @ParameterizedTest
    @CsvSource({"a b,2", "a/b?,4", "ä,1", "a\\b,2", "a%20,2", "a/b/c#1,6", "a`,2", "{a,1", "[,1", "^,1", "a/$b,3"})
    void refusesOtherCharacters(String text, int place) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> path(text))
                .withMessageEndingWith(" has at place " + place
                        + " a character that no name may hold; use ASCII letters, digits and -_.*+:@&=,!~';");
    }

    @Test
    void refusesWhatIsTooLong() {
        assertThat(path("a".repeat(256)).text()).hasSize(256);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> path("a".repeat(257)))
                .withMessage("partition path '" + "a".repeat(80) + "...' has 257 characters; shorten it to 256");
    }

    @Test
    void refusesWhatIsTooDeep() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> path("a/".repeat(16) + "a"))
                .withMessage("partition path '" + "a/".repeat(16) + "a' has 17 names; use 16 at most");
    }

    @Test
    void showsHostileTextHarmlessly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> path("a\n\u001b~ "))
                .withMessageStartingWith("partition path 'a\\u000a\\u001b~ ' has at place 2 a character ");
        assertThatNullPointerException()
                .isThrownBy(() -> new PartitionPath(null))
                .withMessage("text");
    }

    @ParameterizedTest
    @CsvSource({
        "a,     a/b,   true",
        "a,     a/b/c, true",
        "a/b,   a/b/c, true",
        "a,     a,     false",
        "a/b,   a,     false",
        "a,     ab,    false",
        "a,     ab/c,  false",
        "a/b,   a/bc,  false",
        "ab,    a/b,   false",
        "ab,    xb/c,  false",
    })
    void liesBelowAnotherByWholeNames(String above, String below, boolean isPrefix) {
        assertThat(path(above).isPrefixOf(path(below))).isEqualTo(isPrefix);
    }

    @Test
    void comesDirectlyBeforeAllThatLieBelow() {
        List<PartitionPath> ordered = Stream.of("A", "a", "a/b", "a/b/c", "a/c", "a!", "a-b", "a-b/c", "aa", "b")
                .map(PartitionPathTest::path)
                .toList();

        assertThat(ordered.stream().sorted()).containsExactlyElementsOf(ordered);
        assertThat(path("a/b").compareTo(path("a-b"))).isNegative();
        assertThat(path("a-b").compareTo(path("a/b"))).isPositive();
        assertThat(path("a").compareTo(path("a"))).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "a,       'b c/d',       ''",
        "a,       'a b',         ''",
        "c,       'b c/d e',     c/d",
        "c/d/e,   'b c/d e',     c/d",
        "c/d/e,   'a c/b c/d-x', ''",
        "c,       'c-a c.a',     ''",
        "x/y,     'x/z x/y-',    ''",
        "a,       'a/b a/c a-d', 'a/b a/c'",
        "a/c/d,   'a a/b a/c',   'a a/c'",
        "a/b,     'a a/b a/b/c', 'a a/b/c'",
    })
    void findsAllThatItWouldOverlapWith(String text, String others, String overlaps) {
        TreeSet<PartitionPath> paths = new TreeSet<>();
        Stream.of(others.split(" ")).forEach(other -> paths.add(path(other)));

        assertThat(path(text).overlapsAmong(paths))
                .extracting(PartitionPath::text)
                .isEqualTo(overlaps.isEmpty() ? List.of() : List.of(overlaps.split(" ")));
    }

    @Test
    void findsOverlapsExactlyWhereThereAreSome() {
        qt().withFixedSeed(4711)
                .withExamples(500)
                .forAll(lists().of(paths()).ofSizeBetween(0, 12), paths())
                .checkAssert((candidates, added) -> {
                    TreeSet<PartitionPath> others = new TreeSet<>(candidates);
                    assertThat(added.overlapsAmong(others))
                            .containsExactlyElementsOf(others.stream()
                                    .filter(other -> other.isPrefixOf(added) || added.isPrefixOf(other))
                                    .toList());
                });
    }

    /** One to four names out of a few that sort before and after a slash. */
    private static Gen<PartitionPath> paths() {
        List<String> names = List.of("a", "a-", "b", "a.b");
        return lists().of(integers().between(0, names.size() - 1))
                .ofSizeBetween(1, 4)
                .map(picks ->
                        path(String.join("/", picks.stream().map(names::get).toList())));
    }

    private static PartitionPath path(String text) {
        return new PartitionPath(text);
    }
}
