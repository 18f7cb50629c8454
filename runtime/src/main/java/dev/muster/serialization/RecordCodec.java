package dev.muster.serialization;

import dev.muster.serialization.SerializationException.Reason;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.sym.PropertyNameMatcher;

/**
 * A record: an object with a property for each component.
 *
 * <p>Properties that the record does not have are passed over, and components that the sender did not write get a
 * default. So nodes of two versions understand each other while a cluster is upgraded.
 */
final class RecordCodec extends Codec implements Alternative {

    private final Constructor<?> constructor;

    /** Set before the first message: the codecs of a record that contains itself exist only after it. */
    private Component[] components;

    private PropertyNameMatcher names;

    /** By position in {@link #names}, which has more entries than there are components if some have aliases. */
    private int[] componentOfName;

    RecordCodec(Constructor<?> constructor) {
        this.constructor = constructor;
    }

    void complete(List<Component> ordered, PropertyNameMatcher matcher, int[] componentByName) {
        components = ordered.toArray(new Component[0]);
        names = matcher;
        componentOfName = componentByName;
    }

    @Override
    void write(Object value, JsonGenerator out, Trip trip) {
        trip.enter(2);
        out.writeStartObject(value, components.length);
        writeFields(value, out, trip);
        out.writeEndObject();
        trip.leave();
    }

    @Override
    public void writeFields(Object value, JsonGenerator out, Trip trip) {
        for (Component component : components) {
            out.writeName(component.name);
            component.codec.writeOrNull(component.valueIn(value), out, trip);
        }
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        expect(in, JsonToken.START_OBJECT);
        return readFields(in, trip);
    }

    @Override
    public Object readFields(JsonParser in, Trip trip) {
        Object[] values = new Object[components.length];
        boolean[] given = new boolean[components.length];
        int match = in.nextNameMatch(names);
        while (match != PropertyNameMatcher.MATCH_END_OBJECT) {
            if (match >= 0) {
                int index = componentOfName[match];
                in.nextToken();
                values[index] = components[index].codec.readOrNull(in, trip);
                given[index] = true;
            } else if (match == PropertyNameMatcher.MATCH_UNKNOWN_NAME) {
                in.nextToken();
                in.skipChildren();
            } else {
                throw malformed("the end of an object is missing");
            }
            match = in.nextNameMatch(names);
        }
        for (int i = 0; i < values.length; i++) {
            if (!given[i]) {
                values[i] = components[i].codec.absent();
            }
        }
        return construct(values);
    }

    private Object construct(Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            throw Failures.refused(
                    "the constructor of " + constructor.getDeclaringClass().getName(), refused);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("cannot construct " + constructor, impossible);
        }
    }

    /** One component: its name on the wire, how to get it and how it is written. */
    record Component(SerializedString name, Method accessor, Codec codec) {

        Object valueIn(Object value) {
            try {
                return accessor.invoke(value);
            } catch (InvocationTargetException refused) {
                throw Failures.refused(accessor.toString(), refused);
            } catch (IllegalAccessException impossible) {
                throw new IllegalStateException("cannot read " + accessor, impossible);
            }
        }
    }

    /** The failures of a user's own code. */
    private static final class Failures {

        private Failures() {}

        static RuntimeException refused(String what, InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            if (cause instanceof VirtualMachineError fatal && !(cause instanceof StackOverflowError)) {
                throw fatal;
            }
            return new SerializationException(
                    Reason.REFUSED, what + " failed: " + Printable.of(cause.toString()), cause);
        }
    }
}
