package dev.muster.core.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The core answers only to its inputs: same inputs and same seed, same outputs, on every run and JDK.
 *
 * <p>Each rule bans one way in which the outside world, or the chance of one JVM run, could slip in.
 */
class PurityTest {

    private static final String CONSTRUCTOR = "<init>";
    private static final String SEE = ", see docs/architecture.md";

    @Test
    void timeIsAnArgument() {
        check(
                noAccess(
                        "a clock",
                        access -> is(access, System.class, "nanoTime", "currentTimeMillis")
                                || (owner(access).startsWith("java.time.")
                                        && name(access).equals("now"))
                                || owner(access).equals("java.time.Clock")),
                "a node is told what time it is, so that a simulated hour takes a second and replays exactly");
    }

    @Test
    void chanceIsAnArgument() {
        check(
                noAccess(
                        "a random source of its own",
                        access -> is(access, Math.class, "random")
                                || is(access, StrictMath.class, "random")
                                || is(access, UUID.class, "randomUUID")
                                || is(access, RandomGenerator.class, "getDefault", "of")
                                || owner(access).equals("java.util.random.RandomGeneratorFactory")
                                || (is(access, Collections.class, "shuffle") && arguments(access) == 1)
                                || (isOneOf(access, Random.class, SplittableRandom.class)
                                        && name(access).equals(CONSTRUCTOR)
                                        && arguments(access) == 0)),
                "dice are passed in as a RandomGenerator, so that one seed replays the whole run");
    }

    @Test
    void thereIsOneThread() {
        check(
                noClasses()
                        .should()
                        .dependOnClassesThat(resideInAnyPackage("java.util.concurrent..")
                                .or(oneOf(
                                        "java.lang.Thread",
                                        "java.lang.ThreadLocal",
                                        "java.lang.Process",
                                        "java.lang.ProcessBuilder",
                                        "java.util.Timer",
                                        "java.util.TimerTask"))),
                "a core is used by one thread at a time, and whose thread that is, is the shell's business");
    }

    @Test
    void nothingRunsInParallel() {
        check(
                noAccess(
                        "parallel streams or monitors",
                        access -> is(access, Collection.class, "parallelStream")
                                || (access.getTargetOwner().isAssignableTo(BaseStream.class)
                                        && name(access).equals("parallel"))
                                || is(access, Object.class, "wait", "notify", "notifyAll")),
                "a core is used by one thread at a time, and whose thread that is, is the shell's business");
    }

    @Test
    void nothingGoesInOrOutButInputsAndEffects() {
        DescribedPredicate<JavaClass> inputAndOutput = resideInAnyPackage(
                        "java.io..", "java.nio..", "java.net..", "javax..")
                // Strings have bytes in some charset; records and lambdas may mention Serializable. Neither does I/O.
                .and(DescribedPredicate.not(resideInAnyPackage("java.nio.charset..")))
                .and(DescribedPredicate.not(oneOf("java.io.Serializable")));
        check(
                noClasses().should().dependOnClassesThat(inputAndOutput),
                "what a node wants done to the world is an effect that the shell carries out");
    }

    @Test
    void nothingIsReadFromTheProcess() {
        check(
                noAccess(
                        "the environment of the process",
                        access -> is(
                                        access,
                                        System.class,
                                        "getenv",
                                        "getProperty",
                                        "getProperties",
                                        "lineSeparator",
                                        "exit",
                                        "gc")
                                || isOneOf(access, Runtime.class)
                                || is(access, Boolean.class, "getBoolean")
                                || is(access, Integer.class, "getInteger")
                                || is(access, Long.class, "getLong")),
                "what a node should know is in its settings");
    }

    @Test
    void theCoreDoesNotLog() {
        check(
                noClasses()
                        .should()
                        .dependOnClassesThat(resideInAnyPackage("java.util.logging..", "org.slf4j..")
                                .or(oneOf("java.lang.System$Logger", "java.lang.System$LoggerFinder"))),
                "the core publishes events; the shell decides what becomes a log line");
    }

    @Test
    void noCollectionHasAnOrderSaltedPerRun() {
        check(
                noAccess(
                        "collections with an order salted per JVM run",
                        access -> is(access, Set.class, "of", "copyOf")
                                || is(access, Map.class, "of", "ofEntries", "copyOf")
                                || is(access, Collectors.class, "toUnmodifiableSet", "toUnmodifiableMap")),
                "Set.of and Map.of iterate in another order in every JVM run; use sorted or linked collections");
    }

    @Test
    void noCollectionIsOrderedByHash() {
        check(
                noAccess(
                        "hash collections",
                        access -> name(access).equals(CONSTRUCTOR)
                                && isOneOf(
                                        access,
                                        HashMap.class,
                                        HashSet.class,
                                        IdentityHashMap.class,
                                        WeakHashMap.class)),
                "hash order depends on identity hashes of enums; use TreeMap, LinkedHashMap, EnumMap or Members");
    }

    @Test
    void noCollectorMakesAHashCollection() {
        check(
                noAccess(
                        "collectors into hash collections",
                        access -> is(access, Collectors.class, "toSet")
                                || (is(access, Collectors.class, "toMap") && arguments(access) < 4)
                                || (is(access, Collectors.class, "groupingBy") && arguments(access) < 3)
                                || is(access, Collectors.class, "toConcurrentMap", "groupingByConcurrent")),
                "they collect into hash collections; give toMap or groupingBy a TreeMap::new, or use toCollection");
    }

    @Test
    void noIdentityHashIsUsed() {
        check(
                noAccess("identity hashes", access -> is(access, System.class, "identityHashCode")),
                "identity hashes differ from run to run");
    }

    @Test
    void onlyTheStateHashes() {
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackage(CoreClasses.ROOT + ".state..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("java.security.."),
                "clock names and the ring are hashed in one place");
        check(
                noClasses()
                        .should()
                        .dependOnClassesThat(resideInAnyPackage("java.security..")
                                .and(DescribedPredicate.not(oneOf(
                                        "java.security.MessageDigest",
                                        "java.security.NoSuchAlgorithmException",
                                        "java.security.GeneralSecurityException")))),
                "of the security classes a digest is a pure function, and nothing else is");
    }

    private static void check(ArchRule rule, String reason) {
        rule.because(reason + SEE).allowEmptyShould(true).check(CoreClasses.all());
    }

    private static ArchRule noAccess(String what, Predicate<JavaAccess<?>> isBanned) {
        return classes().should(new ArchCondition<>("not use " + what) {
            @Override
            public void check(JavaClass user, ConditionEvents events) {
                // All accesses: calls, and method references such as HashMap::new.
                for (JavaAccess<?> access : user.getAccessesFromSelf()) {
                    if (isBanned.test(access)) {
                        events.add(SimpleConditionEvent.violated(user, access.getDescription()));
                    }
                }
            }
        });
    }

    private static boolean is(JavaAccess<?> access, Class<?> owner, String... names) {
        return isOneOf(access, owner) && List.of(names).contains(name(access));
    }

    private static boolean isOneOf(JavaAccess<?> access, Class<?>... owners) {
        return List.of(owners).stream().anyMatch(owner -> owner.getName().equals(owner(access)));
    }

    private static String owner(JavaAccess<?> access) {
        return access.getTargetOwner().getName();
    }

    private static String name(JavaAccess<?> access) {
        return access.getName();
    }

    private static int arguments(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget called
                ? called.getRawParameterTypes().size()
                : 0;
    }

    private static DescribedPredicate<JavaClass> oneOf(String... names) {
        return DescribedPredicate.describe(
                "are " + String.join(", ", names), used -> List.of(names).contains(used.getName()));
    }
}
