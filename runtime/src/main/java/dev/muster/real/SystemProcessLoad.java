package dev.muster.real;

import com.sun.management.OperatingSystemMXBean;
import dev.muster.environment.ProcessLoad;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What the virtual machine says about itself. */
final class SystemProcessLoad implements ProcessLoad {

    @Override
    public Usage usage() {
        return new Usage(cpuNanos(), gcNanos(), Runtime.getRuntime().availableProcessors());
    }

    private static long cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? Math.max(0, system.getProcessCpuTime())
                : 0;
    }

    private static long gcNanos() {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        long millis = collectors.stream()
                .filter(collector -> standsStill(collector.getName()))
                .mapToLong(collector -> Math.max(0, collector.getCollectionTime()))
                .sum();
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Collectors that work beside the program count their cycles too; for these only their pauses matter. */
    private static boolean standsStill(String collector) {
        return !collector.endsWith("Cycles");
    }
}
