package dev.muster.serialization;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.muster.actor.ActorRef;
import java.lang.annotation.Annotation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.sym.PropertyNameMatcher;
import tools.jackson.core.util.Named;

/**
 * Makes codecs from the declared types of messages, and lists what cannot travel.
 *
 * <p>It goes through everything that a message can contain. What it has made is what will run, so a type that passes
 * here cannot turn out to be unreadable later.
 *
 * <p>Used by one thread, at the start.
 */
final class CodecCompiler {

    /** A record that contains itself with ever larger type parameters would never end. */
    private static final int DEEPEST_TYPE = 20;

    private final TokenStreamFactory factory;
    private final Set<String> problems;

    /**
     * Records and sealed types only, which can contain themselves. Others are made anew, with problems of their own.
     */
    private final Map<Shape, Codec> known = new HashMap<>();

    CodecCompiler(TokenStreamFactory factory, Set<String> problems) {
        this.factory = factory;
        this.problems = problems;
    }

    /** The codec of a message; its problems are in the list given at first, and it must not be used then. */
    Codec compile(Class<?> message) {
        return codecOf(Shape.of(message), message.getName());
    }

    private Codec codecOf(Shape shape, String path) {
        Codec codec = known.get(shape);
        return codec == null ? make(shape, path) : codec;
    }

    private Codec make(Shape shape, String path) {
        Class<?> type = shape.raw();
        if (type == null) {
            return problem(path, "nobody says what " + shape + " is; give the type parameter a type");
        }
        if (shape.nesting() > DEEPEST_TYPE) {
            return problem(path, "the type contains itself with ever larger type parameters");
        }
        Codec scalar = Scalars.of(type);
        if (scalar != null) {
            return scalar;
        }
        if (type == ActorRef.class) {
            return new RefCodec();
        }
        if (type.isArray()) {
            return new ArrayCodec(type.getComponentType(), codecOf(shape.element(), path + "[]"));
        }
        if (type.isEnum()) {
            return new EnumCodec(type);
        }
        if (type.isRecord()) {
            return record(shape, path);
        }
        if (type.isSealed()) {
            return sealed(shape, path);
        }
        return container(shape, path);
    }

    private Codec container(Shape shape, String path) {
        Class<?> type = shape.raw();
        boolean isSet = type == Set.class || type == SortedSet.class || type == NavigableSet.class;
        boolean isMap = type == Map.class || type == SortedMap.class || type == NavigableMap.class;
        boolean isList = type == List.class || type == Collection.class;
        if (!isSet && !isMap && !isList && type != Optional.class) {
            return problem(path, whyNot(type));
        }
        if (shape.arguments().isEmpty()) {
            return problem(
                    path, "a raw " + type.getSimpleName() + " does not say what is in it; give it type parameters");
        }
        Shape first = shape.arguments().get(0);
        if (isMap) {
            return new MapCodec(key(first, path), codecOf(shape.arguments().get(1), path + "{}"), type != Map.class);
        }
        if (type == Optional.class) {
            return first.raw() == Optional.class
                    ? problem(path, "an Optional of an Optional looks like one when it is empty")
                    : new OptionalCodec(codecOf(first, path + "?"));
        }
        Codec element = codecOf(first, path + "[]");
        if (isList) {
            return CollectionCodec.list(element);
        }
        return type == Set.class ? CollectionCodec.set(element) : CollectionCodec.sortedSet(element);
    }

    private static String whyNot(Class<?> type) {
        if (type == Object.class) {
            return "Object says nothing about what is in it; use a record or a sealed interface";
        }
        if (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
            return type.getName() + " is one way to make a collection; use List, Set or Map";
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return type.getName() + " can be anything; make it sealed";
        }
        return type.getName() + " is no record; make it one, or give a MessageSerializer for the whole message";
    }

    private TextCodec key(Shape shape, String path) {
        TextCodec key = shape.raw() == null ? null : Scalars.asKey(shape.raw());
        if (key != null) {
            return key;
        }
        if (shape.raw() != null && shape.raw().isEnum()) {
            return new EnumCodec(shape.raw()).asKey();
        }
        problem(path + "{}", shape + " cannot be the key of a map; use a simple type, or a list of records");
        return Scalars.asKey(String.class);
    }

    private Codec sealed(Shape shape, String path) {
        SealedCodec codec = new SealedCodec();
        known.put(shape, codec);
        addAlternatives(codec, shape, path, new LinkedHashSet<>());
        return codec;
    }

    private void addAlternatives(SealedCodec codec, Shape shape, String path, Set<Class<?>> seen) {
        for (Class<?> permitted : shape.raw().getPermittedSubclasses()) {
            if (!seen.add(permitted)) {
                continue;
            }
            Shape alternative = shape.subtype(permitted);
            if (permitted.isSealed() && !permitted.isEnum()) {
                addAlternatives(codec, alternative, path, seen);
            } else if (codecOf(alternative, path + "(" + permitted.getSimpleName() + ")") instanceof Alternative made) {
                String tag = Manifests.tagOf(permitted);
                if (!codec.add(tag, permitted, made)) {
                    problem(
                            path,
                            "two types permitted by " + shape + " have the tag " + tag
                                    + "; give one of them @Manifest(\"...\")");
                }
            }
        }
    }

    private Codec record(Shape shape, String path) {
        Class<?> type = shape.raw();
        RecordComponent[] declared = type.getRecordComponents();
        Constructor<?> constructor = constructorOf(type, declared);
        RecordCodec codec = new RecordCodec(constructor);
        known.put(shape, codec);
        refuseAnnotations(type, path);
        makeAccessible(type, constructor, path);

        List<RecordCodec.Component> components = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<Integer> componentOfName = new ArrayList<>();
        for (RecordComponent component : declared) {
            Method accessor = component.getAccessor();
            String inside = path + "." + component.getName();
            refuseAnnotations(accessor, inside);
            for (String name : namesOf(component)) {
                if (names.contains(name) || name.equals(SealedCodec.TAG)) {
                    problem(inside, "the name " + name + " is already taken");
                }
                names.add(name);
                componentOfName.add(components.size());
            }
            makeAccessible(type, accessor, inside);
            Codec content = codecOf(Shape.of(component.getGenericType(), shape.parameters()), inside);
            components.add(new RecordCodec.Component(
                    new SerializedString(namesOf(component).get(0)), accessor, content));
        }
        codec.complete(
                components,
                matcherOf(names),
                componentOfName.stream().mapToInt(Integer::intValue).toArray());
        return codec;
    }

    private PropertyNameMatcher matcherOf(List<String> names) {
        return factory.constructNameMatcher(
                names.stream().map(Named::fromString).toList(), false);
    }

    private static Constructor<?> constructorOf(Class<?> type, RecordComponent[] components) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types);
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException("a record without its constructor: " + type.getName(), impossible);
        }
    }

    private void makeAccessible(Class<?> type, AccessibleObject member, String path) {
        try {
            member.setAccessible(true);
        } catch (InaccessibleObjectException closed) {
            problem(
                    path,
                    "its module is closed to reflection; add \"opens " + type.getPackageName()
                            + " to dev.muster.runtime;\" to the module-info of "
                            + type.getModule().getName());
        }
    }

    /** What a component is called on the wire: first its own name, then the aliases that are understood. */
    private static List<String> namesOf(RecordComponent component) {
        List<String> names = new ArrayList<>();
        JsonProperty renamed = component.getAccessor().getAnnotation(JsonProperty.class);
        names.add(renamed == null || renamed.value().isEmpty() ? component.getName() : renamed.value());
        JsonAlias aliases = component.getAccessor().getAnnotation(JsonAlias.class);
        if (aliases != null) {
            names.addAll(List.of(aliases.value()));
        }
        return names;
    }

    /** Better a refusal than bytes that are not what an annotation seems to promise. */
    private void refuseAnnotations(AnnotatedElement element, String path) {
        for (Annotation annotation : element.getAnnotations()) {
            Class<?> type = annotation.annotationType();
            boolean isJackson = type.getName().startsWith("com.fasterxml.jackson.")
                    || type.getName().startsWith("tools.jackson.");
            if (isJackson && type != JsonProperty.class && type != JsonAlias.class) {
                problem(
                        path,
                        "@" + type.getSimpleName() + " has no effect here; of Jackson's annotations only"
                                + " @JsonProperty and @JsonAlias on components are understood");
            }
        }
    }

    /** Remembers the problem and goes on, to find the others, with a codec that will never be used. */
    private Codec problem(String path, String what) {
        problems.add(path + ": " + what);
        return Scalars.of(String.class);
    }
}
