package dev.muster.core.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;

/** The compiled classes of {@code core} without its tests, read once for all rules. */
final class CoreClasses {

    static final String ROOT = "dev.muster.core";

    private static final JavaClasses ALL =
            new ClassFileImporter().importPath(Repository.module("core").resolve(Path.of("target", "classes")));

    private CoreClasses() {}

    static JavaClasses all() {
        if (ALL.isEmpty()) {
            throw new IllegalStateException(
                    "core/target/classes is empty, so every rule would hold; compile core first");
        }
        return ALL;
    }
}
