package dev.muster.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import dev.muster.settings.ConfigurationException.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Reads one key after the other. A value that is wrong is noted, and the default stands in for it, so that reading goes
 * on and finds everything that is wrong.
 */
final class SettingsReader {

    static final ConfigRenderOptions CONCISE = ConfigRenderOptions.concise();

    private static final Set<String> OFF = Set.of("off", "false", "no");
    private static final Set<String> ON = Set.of("on", "true", "yes");
    private static final Duration LONGEST = Duration.ofDays(3650);
    private static final String A_DURATION = "write a number with its unit, such as 500ms, 3s or 1h";

    private final Sources sources;
    private final Config config;
    private final List<Problem> problems;
    private final List<String> warnings;

    SettingsReader(Sources sources, Config config) {
        this.sources = sources;
        this.config = config;
        this.problems = new ArrayList<>(sources.problems());
        this.warnings = new ArrayList<>(sources.warnings());
    }

    Duration positive(String path) {
        return read(
                path, "must be a positive duration; " + A_DURATION, Config::getDuration, SettingsReader::isPositive);
    }

    Duration notNegative(String path) {
        return read(
                path,
                "must be a duration that is not negative; " + A_DURATION,
                Config::getDuration,
                value -> value.isZero() || isPositive(value));
    }

    /** A positive duration, or nothing if the key says {@code word}. */
    Optional<Duration> positiveOr(String path, String word) {
        return read(
                path,
                "must be " + word + ", or a positive duration; " + A_DURATION,
                (from, key) -> isWord(from, key, Set.of(word)) ? Optional.empty() : Optional.of(from.getDuration(key)),
                value -> value.isEmpty() || isPositive(value.get()));
    }

    /** {@code off}, a duration, or {@code on} for the default one. */
    Optional<Duration> positiveOnOrOff(String path) {
        return read(
                path,
                "must be off, or a positive duration; " + A_DURATION,
                (from, key) -> isWord(from, key, OFF)
                        ? Optional.empty()
                        : Optional.of((isWord(from, key, ON) ? sources.reference() : from).getDuration(key)),
                value -> value.isEmpty() || isPositive(value.get()));
    }

    /** {@code off}, or a duration that may be zero. */
    Optional<Duration> notNegativeOrOff(String path) {
        return read(
                path,
                "must be off, or a duration; " + A_DURATION,
                (from, key) -> isWord(from, key, OFF) ? Optional.empty() : Optional.of(from.getDuration(key)),
                value -> value.isEmpty() || value.get().isZero() || isPositive(value.get()));
    }

    private static boolean isWord(Config from, String key, Set<String> words) {
        return words.contains(from.getString(key).toLowerCase(Locale.ROOT));
    }

    private static boolean isPositive(Duration value) {
        return !value.isZero() && !value.isNegative() && value.compareTo(LONGEST) <= 0;
    }

    int whole(String path, int least, int most) {
        String range = most == Integer.MAX_VALUE ? "at least " + least : "between " + least + " and " + most;
        return read(path, "must be a whole number, " + range, Config::getInt, value -> value >= least && value <= most);
    }

    Optional<Integer> wholeOrEmpty(String path, int least, int most) {
        return read(
                path,
                "must be empty, or a whole number between " + least + " and " + most,
                (from, key) -> from.getString(key).isEmpty() ? Optional.empty() : Optional.of(from.getInt(key)),
                value -> value.isEmpty() || value.get() >= least && value.get() <= most);
    }

    double number(String path, String range, Predicate<Double> isGood) {
        return read(path, "must be a number " + range, Config::getDouble, isGood);
    }

    int bytes(String path, int least) {
        return read(
                        path,
                        "must be a size of at least " + least + " bytes and below 2 GiB, such as 256 KiB",
                        Config::getBytes,
                        value -> value >= least && value <= Integer.MAX_VALUE)
                .intValue();
    }

    boolean flag(String path) {
        return read(path, "must be on or off", Config::getBoolean, value -> true);
    }

    String text(String path, String remedy, Predicate<String> isGood) {
        return read(path, remedy, Config::getString, isGood);
    }

    List<String> texts(String path, String remedy, Predicate<String> isGood) {
        return read(path, remedy, Config::getStringList, list -> list.stream().allMatch(isGood));
    }

    /** The value at a path whose content is not the same for everybody. */
    ConfigValue value(String path) {
        return config.getValue(Sources.ROOT + path);
    }

    boolean isGiven(String path) {
        return sources.isGiven(path);
    }

    private <T> T read(String path, String remedy, BiFunction<Config, String, T> how, Predicate<T> isGood) {
        Optional<T> value = attempt(Sources.ROOT + path, how).filter(isGood);
        if (value.isEmpty()) {
            refuse(path, remedy);
        }
        return value.orElseGet(() -> how.apply(sources.reference(), Sources.ROOT + path));
    }

    private <T> Optional<T> attempt(String key, BiFunction<Config, String, T> how) {
        try {
            return Optional.of(how.apply(config, key));
        } catch (ConfigException notThatType) {
            return Optional.empty();
        }
    }

    /** Notes that the value of this key cannot stay, alone or beside others. */
    void refuse(String path, String remedy) {
        ConfigValue value = value(path);
        refuse(sources.writtenAs(path), shown(value), originOf(value), remedy);
    }

    void refuse(String writtenPath, String shownValue, String origin, String remedy) {
        problems.add(new Problem(writtenPath, shownValue, origin, remedy));
    }

    /** The key as the user wrote it. */
    String nameOf(String path) {
        return sources.writtenAs(path);
    }

    static String originOf(ConfigValue value) {
        return value.origin().description();
    }

    /** A key in the place of its file's name must not end up in a log. */
    static String shown(ConfigValue value) {
        String text = value.render(CONCISE);
        if (text.contains("-----BEGIN")) {
            return "(hidden)";
        }
        return text.length() > 200 ? text.substring(0, 200) + "..." : text;
    }

    void warn(String warning) {
        warnings.add(warning);
    }

    List<String> warnings() {
        return warnings;
    }

    boolean hasProblems() {
        return !problems.isEmpty();
    }

    void throwIfWrong() {
        if (hasProblems()) {
            throw new ConfigurationException(problems);
        }
    }
}
