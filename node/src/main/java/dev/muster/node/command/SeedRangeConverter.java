package dev.muster.node.command;

import dev.muster.simulator.SeedRange;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads seeds from first to last, both included, written {@code 1..1500}. */
final class SeedRangeConverter implements ITypeConverter<SeedRange> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\.\\.(\\d{1,18})");

    @Override
    public SeedRange convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is no range of seeds; write first..last, like 1..100");
        }
        long first = Long.parseLong(matcher.group(1));
        long last = Long.parseLong(matcher.group(2));
        if (last < first) {
            throw new TypeConversionException("'" + text + "' ends before it begins; write " + last + ".." + first);
        }
        return new SeedRange(first, last);
    }
}
