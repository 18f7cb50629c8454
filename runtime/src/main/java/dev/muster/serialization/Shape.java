package dev.muster.serialization;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A type with all that is known of its parameters, such as {@code List<Line>}.
 *
 * @param raw the class; null for a type parameter that nobody has given a type to
 * @param arguments the types of its parameters; none for a raw type
 * @param unknown the name of the type parameter, where {@code raw} is null
 */
record Shape(Class<?> raw, List<Shape> arguments, String unknown) {

    static Shape of(Class<?> raw) {
        return new Shape(raw, List.of(), null);
    }

    /** What a type means where type parameters have the given meaning. */
    static Shape of(Type type, Map<TypeVariable<?>, Shape> known) {
        if (type instanceof Class<?> raw) {
            return of(raw);
        }
        if (type instanceof ParameterizedType generic) {
            List<Shape> arguments = Arrays.stream(generic.getActualTypeArguments())
                    .map(argument -> of(argument, known))
                    .toList();
            return new Shape((Class<?>) generic.getRawType(), arguments, null);
        }
        if (type instanceof WildcardType wildcard) {
            return of(wildcard.getUpperBounds()[0], known);
        }
        if (type instanceof GenericArrayType array) {
            Shape element = of(array.getGenericComponentType(), known);
            return element.raw == null ? element : new Shape(element.raw.arrayType(), List.of(element), null);
        }
        Shape meaning = known.get((TypeVariable<?>) type);
        return meaning == null ? new Shape(null, List.of(), type.getTypeName()) : meaning;
    }

    /** What the type parameters of this class mean inside of it. */
    Map<TypeVariable<?>, Shape> parameters() {
        Map<TypeVariable<?>, Shape> parameters = new HashMap<>();
        TypeVariable<?>[] variables = raw.getTypeParameters();
        for (int i = 0; i < arguments.size() && i < variables.length; i++) {
            parameters.put(variables[i], arguments.get(i));
        }
        return parameters;
    }

    /** The element of an array. */
    Shape element() {
        return arguments.isEmpty() ? of(raw.getComponentType()) : arguments.get(0);
    }

    /**
     * A direct subtype of this one, with type parameters as far as they follow from this one's: {@code Ok<String>} for
     * {@code Ok<T> implements Answer<T>} and {@code Answer<String>}.
     */
    Shape subtype(Class<?> subtype) {
        Map<TypeVariable<?>, Shape> known = new HashMap<>();
        for (Type parent : subtype.getGenericInterfaces()) {
            learn(parent, known);
        }
        if (subtype.getGenericSuperclass() != null) {
            learn(subtype.getGenericSuperclass(), known);
        }
        List<Shape> found = Arrays.stream(subtype.getTypeParameters())
                .map(variable -> of(variable, known))
                .toList();
        return new Shape(subtype, found, null);
    }

    private void learn(Type parent, Map<TypeVariable<?>, Shape> known) {
        if (parent instanceof ParameterizedType generic && generic.getRawType() == raw) {
            Type[] named = generic.getActualTypeArguments();
            for (int i = 0; i < named.length && i < arguments.size(); i++) {
                if (named[i] instanceof TypeVariable<?> variable) {
                    known.put(variable, arguments.get(i));
                }
            }
        }
    }

    /** How many types stand inside each other in it. */
    int nesting() {
        return 1 + arguments.stream().mapToInt(Shape::nesting).max().orElse(0);
    }

    @Override
    public String toString() {
        if (raw == null) {
            return unknown;
        }
        if (arguments.isEmpty() || raw.isArray()) {
            return raw.getTypeName();
        }
        return raw.getTypeName() + arguments.stream().map(Shape::toString).collect(Collectors.joining(", ", "<", ">"));
    }
}
