package dev.muster.serialization;

import dev.muster.actor.ActorRef;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** A protocol with everything in it that a protocol can have. */
final class Orders {

    private Orders() {}

    sealed interface Command permits Place, Cancel, Control, Everything, Grow {}

    record Place(String customer, List<Line> lines, ActorRef<Reply> replyTo) implements Command {}

    record Cancel(long order) implements Command {}

    sealed interface Control extends Command permits Pause, Switch {}

    record Pause() implements Control {}

    enum Switch implements Control {
        ON,
        OFF {
            @Override
            public String toString() {
                return "off, with a class of its own";
            }
        }
    }

    sealed interface Reply permits Placed, Refused {}

    record Placed(long order) implements Reply {}

    record Refused(String why) implements Reply {}

    record Line(String article, int count, BigDecimal price) {}

    sealed interface Tree permits Leaf, Branch, Marker {}

    record Leaf(int value) implements Tree {}

    record Branch(Tree left, Tree right) implements Tree {}

    enum Marker implements Tree {
        NOTHING
    }

    sealed interface Answer<T> permits Ok, Failed {}

    record Ok<T>(T value) implements Answer<T> {}

    record Failed<T>(String why) implements Answer<T> {}

    record Pair<A, B>(A first, B second) {}

    record Grow(Tree tree) implements Command {}

    record Numbers(
            int anInt,
            long aLong,
            short aShort,
            byte aByte,
            double aDouble,
            float aFloat,
            boolean aBoolean,
            char aChar,
            Integer boxedInt,
            Double boxedDouble,
            Character boxedChar,
            BigDecimal decimal,
            BigInteger integer) {}

    record Times(
            Instant instant,
            Duration duration,
            Period period,
            LocalDate date,
            LocalTime time,
            LocalDateTime dateTime,
            OffsetDateTime offset,
            ZonedDateTime zoned,
            ZoneId zone,
            Year year,
            YearMonth month,
            DayOfWeek day) {}

    record Collections(
            List<List<String>> lists,
            Set<Integer> set,
            SortedSet<String> sorted,
            Map<UUID, Line> map,
            SortedMap<Integer, Switch> sortedMap,
            Map<DayOfWeek, List<Optional<Long>>> byDay,
            Optional<String> present,
            Optional<String> empty,
            List<? extends Tree> trees,
            Map<Switch, String> bySwitch) {}

    record Everything(
            Numbers numbers,
            Times times,
            Collections collections,
            Answer<List<String>> ok,
            Answer<Integer> failed,
            Pair<Line, Pair<String, Long>> pair,
            UUID id,
            String nothing,
            ActorRef<?> ref)
            implements Command {}

    static Serialization serialization() {
        return Serialization.builder()
                .protocol(Command.class)
                .protocol(Reply.class)
                .build();
    }

    static Tree tree() {
        return new Branch(new Leaf(1), new Branch(Marker.NOTHING, new Leaf(-2)));
    }

    static Everything everything() {
        SortedMap<Integer, Switch> sortedMap = new TreeMap<>(Map.of(3, Switch.OFF, -1, Switch.ON));
        return new Everything(
                new Numbers(
                        Integer.MIN_VALUE,
                        Long.MAX_VALUE,
                        (short) -7,
                        (byte) -128,
                        Math.PI,
                        Float.MIN_VALUE,
                        true,
                        'ä',
                        null,
                        Double.NaN,
                        '\n',
                        new BigDecimal("-12345678901234567890.1200"),
                        BigInteger.TWO.pow(200).negate()),
                new Times(
                        Instant.ofEpochSecond(1_700_000_000L, 123_456_789),
                        Duration.ofMillis(-1),
                        Period.of(1, 2, 3),
                        LocalDate.of(2026, 2, 28),
                        LocalTime.of(23, 59, 59, 999_999_999),
                        LocalDateTime.of(2026, 1, 1, 0, 0),
                        OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.ofHours(-3)),
                        ZonedDateTime.of(2026, 7, 1, 12, 0, 0, 0, ZoneId.of("Europe/Vienna")),
                        ZoneId.of("Asia/Tokyo"),
                        Year.of(-44),
                        YearMonth.of(2026, 12),
                        DayOfWeek.FRIDAY),
                new Collections(
                        List.of(List.of("a", ""), List.of()),
                        Set.of(1, -1),
                        new TreeSet<>(Set.of("b", "a")),
                        Map.of(new UUID(1, 2), new Line("soap", 3, BigDecimal.ONE)),
                        sortedMap,
                        Map.of(DayOfWeek.MONDAY, List.of(Optional.of(1L), Optional.empty())),
                        Optional.of("here"),
                        Optional.empty(),
                        List.of(tree(), new Leaf(0)),
                        Map.of(Switch.OFF, "off")),
                new Ok<>(List.of("fine")),
                new Failed<>("for a reason"),
                new Pair<>(new Line("rope", 1, BigDecimal.TEN), new Pair<>("x", 9L)),
                new UUID(-1, 1),
                null,
                new Travel.NamedRef("muster://shop@127.0.0.1:2551/user/till#17"));
    }
}
