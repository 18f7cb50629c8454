package dev.muster.bench.meter;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process uses, as the JVM and the operating system count it. */
public final class ProcessMeter {

    private static final UnixOperatingSystemMXBean SYSTEM =
            (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final Path OWN_IO = Path.of("/proc/self/io");

    private ProcessMeter() {}

    public static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    public static long descriptors() {
        return SYSTEM.getOpenFileDescriptorCount();
    }

    public static long cpuNanos() {
        return SYSTEM.getProcessCpuTime();
    }

    /**
     * What this process has handed to the system calls {@code write} and {@code writev}. That is all that an NIO
     * channel sends. What Netty sends by its own library goes by other calls and is not in here.
     */
    public static long writtenBytes() throws IOException {
        if (!Files.exists(OWN_IO)) {
            throw new IOException("there is no " + OWN_IO + "; bytes can be counted on Linux only");
        }
        return Files.readAllLines(OWN_IO).stream()
                .filter(line -> line.startsWith("wchar:"))
                .mapToLong(
                        line -> Long.parseLong(line.substring("wchar:".length()).strip()))
                .findFirst()
                .orElseThrow();
    }
}
