package dev.muster.node.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Seeds from first to last, both included, written {@code 1..1500}. */
record SeedRange(long first, long last) {

    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\.\\.(\\d{1,18})");

    long count() {
        return last - first + 1;
    }

    boolean isOne() {
        return first == last;
    }

    @Override
    public String toString() {
        return isOne() ? Long.toString(first) : first + ".." + last;
    }

    static final class Converter implements ITypeConverter<SeedRange> {

        @Override
        public SeedRange convert(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "'" + text + "' is no range of seeds; write first..last, like 1..100");
            }
            var range = new SeedRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
            if (range.last < range.first) {
                throw new TypeConversionException(
                        "'" + text + "' ends before it begins; write " + range.last + ".." + range.first);
            }
            return range;
        }
    }
}
