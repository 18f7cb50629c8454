package dev.muster.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.muster.environment.Turn;
import dev.muster.serialization.ByteSink;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Production and simulation run the same classes: what is impure lives in one package, behind one door. */
class ArchitectureTest {

    private static final String ACTOR = "dev.muster.actor";
    private static final String ENGINE = "dev.muster.actor.engine..";
    private static final String ENVIRONMENT = "dev.muster.environment..";
    private static final String VIRTUAL = "dev.muster.virtual..";
    private static final String REAL = "dev.muster.real..";
    private static final String SERIALIZATION = "dev.muster.serialization..";
    private static final String WHY = "the actors of a test are the actors of production, see docs/architecture.md";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(
                    "dev.muster.actor",
                    "dev.muster.environment",
                    "dev.muster.virtual",
                    "dev.muster.real",
                    "dev.muster.serialization",
                    "dev.muster.settings",
                    "dev.muster.discovery",
                    "dev.muster.wire",
                    "dev.muster.remote",
                    "dev.muster.cluster");

    private static final Set<String> IMPURE_TYPES = Set.of(
            "java.lang.Thread",
            "java.lang.ProcessHandle",
            "java.lang.ProcessBuilder",
            "java.util.Timer",
            "java.util.Random",
            "java.util.concurrent.ThreadLocalRandom",
            "java.security.SecureRandom",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ForkJoinPool",
            "java.util.concurrent.ThreadPoolExecutor",
            "java.util.concurrent.ScheduledThreadPoolExecutor",
            "java.util.concurrent.locks.LockSupport",
            "java.lang.Runtime");

    private static final Set<String> IMPURE_CALLS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.exit",
            "java.time.Instant.now",
            "java.time.Clock.systemUTC",
            "java.lang.Math.random",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.CompletableFuture.supplyAsync",
            "java.util.concurrent.CompletableFuture.runAsync",
            "java.util.concurrent.CompletableFuture.orTimeout",
            "java.util.concurrent.CompletableFuture.completeOnTimeout",
            "java.util.concurrent.CompletableFuture.delayedExecutor",
            "java.lang.Object.wait");

    private static final DescribedPredicate<JavaAccess<?>> IMPURE =
            DescribedPredicate.describe("threads, clocks or randomness", access -> {
                String type = access.getTargetOwner().getName();
                String call = type + "." + access.getTarget().getName();
                return IMPURE_TYPES.contains(type)
                        || IMPURE_CALLS.contains(call)
                        || type.startsWith("java.io.") && !isHarmless(access)
                        // The name of a file is only a name.
                        || type.startsWith("java.nio.")
                                && !type.startsWith("java.nio.charset.")
                                && !type.equals("java.nio.ByteOrder")
                                && !call.equals("java.nio.file.Path.of")
                        || type.startsWith("java.net.");
            });

    /** A byte array in memory extends OutputStream, because that is what others know how to write to. */
    private static boolean isHarmless(JavaAccess<?> access) {
        String type = access.getTargetOwner().getName();
        return type.equals("java.io.PrintStream")
                || type.equals("java.io.OutputStream")
                        && access.getOriginOwner().isEquivalentTo(ByteSink.class);
    }

    @Test
    void threadsClocksAndRandomnessAreUsedInTheRealEnvironmentOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage(REAL)
                .and(DescribedPredicate.not(
                        DescribedPredicate.describe("are Turn", (JavaClass type) -> type.isEquivalentTo(Turn.class))))
                .should()
                .accessTargetWhere(IMPURE)
                .because(WHY)
                .check(CLASSES);
    }

    @Test
    void theEnvironmentKnowsNobody() {
        noClasses()
                .that()
                .resideInAPackage(ENVIRONMENT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.muster.actor..", VIRTUAL, REAL)
                .because("it is the door between the actors and the world, and belongs to neither side")
                .check(CLASSES);
    }

    @Test
    void theVirtualEnvironmentKnowsNoActors() {
        noClasses()
                .that()
                .resideInAPackage(VIRTUAL)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.muster.actor..", REAL)
                .because("it is an environment like the real one and no part of what runs in it")
                .check(CLASSES);
    }

    @Test
    void theEngineKnowsNoParticularEnvironment() {
        noClasses()
                .that()
                .resideInAPackage(ENGINE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(VIRTUAL, REAL)
                .because(WHY)
                .check(CLASSES);
    }

    @Test
    void onlyStartingASystemReachesTheRealEnvironment() {
        noClasses()
                .that()
                .resideInAPackage(ACTOR)
                .and()
                .doNotHaveSimpleName("ActorSystem")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(REAL)
                .because(WHY)
                .check(CLASSES);
    }

    @Test
    void onlyAssemblyInTheRealEnvironmentKnowsActors() {
        noClasses()
                .that()
                .resideInAPackage(REAL)
                .and()
                .doNotHaveSimpleName("Production")
                .and()
                .doNotHaveSimpleName("LocalNodes")
                .and()
                .doNotHaveSimpleName("NodeParts")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.muster.actor..")
                .because("threads and timers do not care what runs on them")
                .check(CLASSES);
    }

    @Test
    void serializationKnowsTheInterfacesOfActorsOnly() {
        noClasses()
                .that()
                .resideInAPackage(SERIALIZATION)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ENGINE, ENVIRONMENT, VIRTUAL, REAL, "dev.muster.remote..", "dev.muster.cluster..")
                .because("bytes are the same wherever they go")
                .check(CLASSES);
    }

    @Test
    void classesAreFoundByNameInTheConfigurationOnly() {
        DescribedPredicate<JavaAccess<?>> lookup = DescribedPredicate.describe("classes by name", access -> {
            String call =
                    access.getTargetOwner().getName() + "." + access.getTarget().getName();
            return call.equals("java.lang.Class.forName")
                    || call.equals("java.lang.ClassLoader.loadClass")
                    || call.equals("java.lang.invoke.MethodHandles$Lookup.findClass");
        });
        noClasses()
                .that()
                .doNotHaveSimpleName("SerializationSettings")
                .should()
                .accessTargetWhere(lookup)
                .because("a name from the wire must never become a class")
                .check(CLASSES);
    }

    @Test
    void settingsAndDiscoveryKnowNoParticularEnvironment() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.muster.settings..", "dev.muster.discovery..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(VIRTUAL, REAL, "io.netty..")
                .because("they say what is wanted; who does it is chosen where a node is put together")
                .check(CLASSES);
    }
}
