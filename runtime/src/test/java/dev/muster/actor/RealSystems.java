package dev.muster.actor;

import com.typesafe.config.ConfigFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Actor systems on real threads, for the few tests that need them. */
final class RealSystems {

    private RealSystems() {}

    static ActorSystem ofThreads(String name, int threads) {
        return with(name, "muster.actor.dispatchers.default.threads = " + threads);
    }

    static ActorSystem with(String name, String settings) {
        return ActorSystem.create(
                name,
                ConfigFactory.parseString("muster.coordinated-shutdown.run-by-jvm-shutdown-hook = off\n" + settings));
    }

    /** Looks again until it holds; fails after half a minute. */
    @SuppressWarnings("ThreadPriorityCheck")
    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("it did not come about within 30 s");
            }
            Thread.yield();
        }
    }
}
