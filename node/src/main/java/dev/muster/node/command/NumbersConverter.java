package dev.muster.node.command;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a list of numbers, written {@code 3,7,9}, or {@code none} for an empty one. */
final class NumbersConverter implements ITypeConverter<NumbersConverter.Numbers> {
    private static final Pattern FORM = Pattern.compile("\\d{1,6}(,\\d{1,6})*");

    /** A type of its own, because a bare list would be read as an option that may be given several times. */
    record Numbers(List<Integer> list) {}

    @Override
    public Numbers convert(String text) {
        if (text.equals("none")) {
            return new Numbers(List.of());
        }
        if (!FORM.matcher(text).matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is no list of numbers; write them with commas, like 3,7,9, or none");
        }
        return new Numbers(
                Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList());
    }
}
