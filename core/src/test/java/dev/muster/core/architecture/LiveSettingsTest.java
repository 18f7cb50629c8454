package dev.muster.core.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every setting is read by something. A knob that is parsed, documented and tested but turns nothing is worse than
 * none: its users believe in it.
 *
 * <p>A setting counts as read if code outside the settings reads it, or calls a method of the settings that reads it.
 * Validation, copying ({@code withX}, presets) and {@code toString} do not count. See docs/architecture.md.
 */
class LiveSettingsTest {
    /** Gates are made by whoever runs a core, beside it. What is in these settings is checked like all others. */
    private static final String OF_GATES = "dev.muster.core.ClusterSettings.handoff";

    @Test
    void everySettingIsReadByCodeThatIsNoSettings() {
        List<JavaClass> settings = CoreClasses.all().stream()
                .filter(LiveSettingsTest::isSettings)
                .filter(JavaClass::isRecord)
                .toList();
        assertThat(settings).isNotEmpty();

        List<String> unread = settings.stream()
                .flatMap(LiveSettingsTest::components)
                .filter(component -> !component.getFullName().equals(OF_GATES) && !isRead(component))
                .map(JavaField::getFullName)
                .sorted()
                .toList();
        assertThat(unread)
                .as("settings that nothing reads: use them or remove them")
                .isEmpty();
    }

    private static Stream<JavaField> components(JavaClass settings) {
        return settings.getFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC));
    }

    private static boolean isRead(JavaField component) {
        return isUsedOutside(component.getAccessesToSelf(), new LinkedHashSet<>());
    }

    private static boolean isUsedOutside(Set<? extends JavaAccess<?>> accesses, Set<JavaCodeUnit> visited) {
        return accesses.stream().map(JavaAccess::getOrigin).anyMatch(reader -> {
            if (!isSettings(reader.getOwner())) {
                return true;
            }
            return passesOn(reader) && visited.add(reader) && isUsedOutside(reader.getAccessesToSelf(), visited);
        });
    }

    /** Whether a method of the settings hands on what it reads; otherwise it copies, checks or prints it. */
    private static boolean passesOn(JavaCodeUnit reader) {
        boolean copies = reader.getRawReturnType().equals(reader.getOwner());
        return !copies
                && !(reader instanceof JavaConstructor)
                && !List.of("toString", "hashCode", "equals").contains(reader.getName());
    }

    private static boolean isSettings(JavaClass candidate) {
        return candidate.getName().matches(".*Settings(\\$.*)?");
    }
}
