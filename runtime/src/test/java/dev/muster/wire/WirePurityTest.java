package dev.muster.wire;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Bytes in, values out: what is here could not open a file or a socket, look up a class or ask for the time. */
class WirePurityTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.muster.wire");

    @Test
    void codecsUseNothingButValuesAndArithmetic() {
        classes()
                .that()
                .resideInAPackage("dev.muster.wire")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.muster.wire",
                        "dev.muster.core.exchange",
                        "dev.muster.core.handoff",
                        "dev.muster.core.state",
                        "com.typesafe.config",
                        "java.lang",
                        "java.lang.invoke",
                        "java.lang.runtime",
                        "java.nio",
                        "java.nio.charset",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "java.util.zip")
                .because("they are the first to touch what an enemy sends, and must be testable by bytes alone")
                .check(CLASSES);
    }

    @Test
    void noClassIsLookedUpAndNoClockRead() {
        noClasses()
                .that()
                .resideInAPackage("dev.muster.wire")
                .should()
                .callMethod(Class.class, "forName", String.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.Thread")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .because("a name on the wire is a text, and the same bytes mean the same at any time")
                .check(CLASSES);
    }
}
