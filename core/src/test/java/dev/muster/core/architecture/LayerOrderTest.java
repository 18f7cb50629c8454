package dev.muster.core.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import org.junit.jupiter.api.Test;

/**
 * The packages of {@code core} stand on each other in one order, so that each can be read knowing only those below.
 *
 * <pre>
 *   dev.muster.core
 *   partition   handoff
 *   membership
 *   gossip      failure
 *   exchange
 *   state
 * </pre>
 */
class LayerOrderTest {

    @Test
    void eachPackageUsesOnlyThePackagesBelowIt() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                // handoff is still to come.
                .withOptionalLayers(true)
                .layer("root")
                .definedBy(CoreClasses.ROOT)
                .layer("partition")
                .definedBy(below("partition"))
                .layer("handoff")
                .definedBy(below("handoff"))
                .layer("membership")
                .definedBy(below("membership"))
                .layer("gossip")
                .definedBy(below("gossip"))
                .layer("failure")
                .definedBy(below("failure"))
                .layer("exchange")
                .definedBy(below("exchange"))
                .layer("state")
                .definedBy(below("state"))
                .whereLayer("root")
                .mayOnlyAccessLayers("partition", "handoff", "membership", "gossip", "failure", "exchange", "state")
                .whereLayer("partition")
                .mayOnlyAccessLayers("membership", "gossip", "failure", "exchange", "state")
                .whereLayer("handoff")
                .mayOnlyAccessLayers("membership", "gossip", "failure", "exchange", "state")
                .whereLayer("membership")
                .mayOnlyAccessLayers("gossip", "failure", "exchange", "state")
                .whereLayer("gossip")
                .mayOnlyAccessLayers("exchange", "state")
                .whereLayer("failure")
                .mayOnlyAccessLayers("exchange", "state")
                .whereLayer("exchange")
                .mayOnlyAccessLayers("state")
                .whereLayer("state")
                .mayNotAccessAnyLayer()
                .because("a package knows only those below it and never its neighbour, see docs/architecture.md")
                .check(CoreClasses.all());
    }

    @Test
    void everyClassHasItsPlaceInTheOrder() {
        classes()
                .should()
                .resideInAnyPackage(
                        "",
                        CoreClasses.ROOT,
                        below("partition"),
                        below("handoff"),
                        below("membership"),
                        below("gossip"),
                        below("failure"),
                        below("exchange"),
                        below("state"))
                .because("a new package must be given its place in the order first, see docs/architecture.md")
                .allowEmptyShould(true)
                .check(CoreClasses.all());
    }

    private static String below(String name) {
        return CoreClasses.ROOT + "." + name + "..";
    }
}
