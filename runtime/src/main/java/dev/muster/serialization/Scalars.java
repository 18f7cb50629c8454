package dev.muster.serialization;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The codecs of the simple types of the JDK, in the form that Jackson's own data binding gives them: numbers as
 * numbers, times as texts of ISO 8601.
 */
final class Scalars {

    private static final Map<Class<?>, TextCodec> TEXTS = texts();
    private static final Map<Class<?>, TextCodec> KEYS = keys();
    private static final Map<Class<?>, Codec> ALL = all();

    private Scalars() {}

    /** The codec of a simple type; null for any other. */
    static Codec of(Class<?> type) {
        return ALL.get(type);
    }

    /** How a simple type is written where only a text can stand; null for any other. */
    static TextCodec asKey(Class<?> type) {
        return KEYS.get(type);
    }

    private static Map<Class<?>, Codec> all() {
        Map<Class<?>, Codec> all = new HashMap<>(TEXTS);
        number(all, int.class, ScalarCodec.of(Integer.class, JsonGenerator::writeNumber, Scalars::readInt), 0);
        number(all, long.class, ScalarCodec.of(Long.class, JsonGenerator::writeNumber, Scalars::readLong), 0L);
        number(all, short.class, ScalarCodec.of(Short.class, JsonGenerator::writeNumber, Scalars::readShort), (short)
                0);
        number(
                all,
                byte.class,
                ScalarCodec.of(Byte.class, (out, value) -> out.writeNumber((int) value), Scalars::readByte),
                (byte) 0);
        number(all, double.class, ScalarCodec.of(Double.class, JsonGenerator::writeNumber, Scalars::readDouble), 0.0);
        number(all, float.class, ScalarCodec.of(Float.class, JsonGenerator::writeNumber, Scalars::readFloat), 0.0f);
        number(
                all,
                boolean.class,
                ScalarCodec.of(Boolean.class, JsonGenerator::writeBoolean, Scalars::readBoolean),
                false);
        number(
                all,
                char.class,
                ScalarCodec.of(
                        Character.class, (out, value) -> out.writeString(value.toString()), Scalars::readCharacter),
                '\0');
        all.put(
                BigInteger.class,
                ScalarCodec.of(BigInteger.class, JsonGenerator::writeNumber, Scalars::readBigInteger));
        all.put(
                BigDecimal.class,
                ScalarCodec.of(BigDecimal.class, JsonGenerator::writeNumber, Scalars::readBigDecimal));
        all.put(byte[].class, new BytesCodec());
        all.put(UUID.class, new UuidCodec());
        return Map.copyOf(all);
    }

    private static void number(Map<Class<?>, Codec> all, Class<?> primitive, ScalarCodec boxed, Object zero) {
        all.put(zero.getClass(), boxed);
        all.put(primitive, boxed.orZero(zero));
    }

    private static Map<Class<?>, TextCodec> texts() {
        Map<Class<?>, TextCodec> texts = new HashMap<>();
        texts.put(String.class, TextCodec.of(String.class, text -> text, text -> text));
        texts.put(UUID.class, TextCodec.of(UUID.class, UUID::toString, UUID::fromString));
        texts.put(Locale.class, TextCodec.of(Locale.class, Locale::toLanguageTag, Scalars::localeOf));
        texts.put(Instant.class, TextCodec.of(Instant.class, Instant::toString, Instant::parse));
        texts.put(Duration.class, TextCodec.of(Duration.class, Duration::toString, Duration::parse));
        texts.put(Period.class, TextCodec.of(Period.class, Period::toString, Period::parse));
        texts.put(LocalDate.class, TextCodec.of(LocalDate.class, LocalDate::toString, LocalDate::parse));
        texts.put(LocalTime.class, TextCodec.of(LocalTime.class, LocalTime::toString, LocalTime::parse));
        texts.put(
                LocalDateTime.class, TextCodec.of(LocalDateTime.class, LocalDateTime::toString, LocalDateTime::parse));
        texts.put(
                OffsetDateTime.class,
                TextCodec.of(OffsetDateTime.class, OffsetDateTime::toString, OffsetDateTime::parse));
        texts.put(OffsetTime.class, TextCodec.of(OffsetTime.class, OffsetTime::toString, OffsetTime::parse));
        texts.put(
                ZonedDateTime.class, TextCodec.of(ZonedDateTime.class, ZonedDateTime::toString, ZonedDateTime::parse));
        texts.put(ZoneId.class, TextCodec.of(ZoneId.class, ZoneId::getId, ZoneId::of));
        texts.put(ZoneOffset.class, TextCodec.of(ZoneOffset.class, ZoneOffset::getId, ZoneOffset::of));
        texts.put(Year.class, TextCodec.of(Year.class, Year::toString, Year::parse));
        texts.put(YearMonth.class, TextCodec.of(YearMonth.class, YearMonth::toString, YearMonth::parse));
        texts.put(MonthDay.class, TextCodec.of(MonthDay.class, MonthDay::toString, MonthDay::parse));
        texts.put(DayOfWeek.class, TextCodec.of(DayOfWeek.class, DayOfWeek::name, DayOfWeek::valueOf));
        texts.put(Month.class, TextCodec.of(Month.class, Month::name, Month::valueOf));
        return texts;
    }

    private static Map<Class<?>, TextCodec> keys() {
        Map<Class<?>, TextCodec> keys = new HashMap<>(TEXTS);
        keys.put(Integer.class, TextCodec.of(Integer.class, Object::toString, Integer::valueOf));
        keys.put(Long.class, TextCodec.of(Long.class, Object::toString, Long::valueOf));
        keys.put(Short.class, TextCodec.of(Short.class, Object::toString, Short::valueOf));
        keys.put(Byte.class, TextCodec.of(Byte.class, Object::toString, Byte::valueOf));
        keys.put(Character.class, TextCodec.of(Character.class, Object::toString, Scalars::characterOf));
        keys.put(Boolean.class, TextCodec.of(Boolean.class, Object::toString, Scalars::booleanOf));
        return Map.copyOf(keys);
    }

    private static int readInt(JsonParser in) {
        Codec.expect(in, JsonToken.VALUE_NUMBER_INT);
        return in.getIntValue();
    }

    private static long readLong(JsonParser in) {
        Codec.expect(in, JsonToken.VALUE_NUMBER_INT);
        return in.getLongValue();
    }

    private static short readShort(JsonParser in) {
        int value = readInt(in);
        if (value != (short) value) {
            throw Codec.malformed(value + " is out of the range of a short");
        }
        return (short) value;
    }

    private static byte readByte(JsonParser in) {
        int value = readInt(in);
        if (value != (byte) value) {
            throw Codec.malformed(value + " is out of the range of a byte");
        }
        return (byte) value;
    }

    private static double readDouble(JsonParser in) {
        return isNotFinite(in)
                ? Double.parseDouble(in.getString())
                : numeric(in).getDoubleValue();
    }

    private static float readFloat(JsonParser in) {
        return isNotFinite(in) ? Float.parseFloat(in.getString()) : numeric(in).getFloatValue();
    }

    /** JSON has no numbers for these and writes them as texts. */
    private static boolean isNotFinite(JsonParser in) {
        if (in.currentToken() != JsonToken.VALUE_STRING) {
            return false;
        }
        String text = in.getString();
        return text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity");
    }

    private static BigDecimal readBigDecimal(JsonParser in) {
        return numeric(in).getDecimalValue();
    }

    private static BigInteger readBigInteger(JsonParser in) {
        Codec.expect(in, JsonToken.VALUE_NUMBER_INT);
        return in.getBigIntegerValue();
    }

    private static JsonParser numeric(JsonParser in) {
        if (in.currentToken() != JsonToken.VALUE_NUMBER_INT && in.currentToken() != JsonToken.VALUE_NUMBER_FLOAT) {
            throw Codec.malformed("expected a number, found " + in.currentToken());
        }
        return in;
    }

    private static boolean readBoolean(JsonParser in) {
        if (in.currentToken() == JsonToken.VALUE_TRUE) {
            return true;
        }
        Codec.expect(in, JsonToken.VALUE_FALSE);
        return false;
    }

    /** Jackson 2 writes {@code de_AT} where the standard has {@code de-AT}. */
    private static Locale localeOf(String text) {
        return Locale.forLanguageTag(text.replace('_', '-'));
    }

    private static char readCharacter(JsonParser in) {
        Codec.expect(in, JsonToken.VALUE_STRING);
        return characterOf(in.getString());
    }

    private static char characterOf(String text) {
        if (text.length() != 1) {
            throw Codec.malformed("expected one character, found " + text.length());
        }
        return text.charAt(0);
    }

    private static boolean booleanOf(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw Codec.malformed("expected true or false as key");
        }
        return text.equals("true");
    }
}
