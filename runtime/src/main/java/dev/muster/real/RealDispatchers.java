package dev.muster.real;

import com.typesafe.config.Config;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Dispatchers;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The dispatchers of the configuration, each started when it is first asked for. */
final class RealDispatchers implements Dispatchers {

    /** Java 21 and later have threads that cost next to nothing while they wait. Null where there are none. */
    private static final MethodHandle VIRTUAL_THREADS = virtualThreads();

    private final String systemName;
    private final Map<String, DispatcherSettings> settings = new TreeMap<>();
    private final Map<String, Dispatcher> started = new ConcurrentHashMap<>();

    RealDispatchers(String systemName, Config dispatchers) {
        this.systemName = systemName;
        for (String name : dispatchers.root().keySet()) {
            settings.put(name, DispatcherSettings.from(name, dispatchers.getConfig(name)));
        }
    }

    @Override
    public Dispatcher named(String name) {
        DispatcherSettings wanted = settings.get(name);
        if (wanted == null) {
            throw new IllegalArgumentException("there is no dispatcher \"" + name + "\"; there are " + settings.keySet()
                    + ", and muster.actor.dispatchers." + name + " in the configuration would add it");
        }
        return isOwnedByCaller(name) ? start(name, wanted) : started.computeIfAbsent(name, n -> start(n, wanted));
    }

    @Override
    public boolean isOwnedByCaller(String name) {
        DispatcherSettings wanted = settings.get(name);
        return wanted != null && wanted.type() == DispatcherSettings.Type.PINNED;
    }

    private Dispatcher start(String name, DispatcherSettings wanted) {
        String threadName = systemName + "-" + name;
        return switch (wanted.type()) {
            case FORK_JOIN -> new ForkJoinDispatcher(threadName, threads(wanted), wanted.messagesPerTurn());
            case BLOCKING -> new ExecutorDispatcher(waiting(threadName, wanted), wanted.messagesPerTurn());
            case PINNED ->
                new ExecutorDispatcher(
                        Executors.newSingleThreadExecutor(MusterThreads.named(threadName)), wanted.messagesPerTurn());
        };
    }

    private static int threads(DispatcherSettings wanted) {
        return wanted.threads() > 0
                ? wanted.threads()
                : Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    private static ExecutorService waiting(String threadName, DispatcherSettings wanted) {
        if (VIRTUAL_THREADS != null) {
            try {
                return (ExecutorService) VIRTUAL_THREADS.invoke();
            } catch (Throwable failure) {
                throw new IllegalStateException("virtual threads cannot be started", failure);
            }
        }
        int threads = wanted.threads() > 0 ? wanted.threads() : 64;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), MusterThreads.named(threadName));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static MethodHandle virtualThreads() {
        if (Runtime.version().feature() < 21) {
            return null;
        }
        try {
            return MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public void shutdown() {
        started.values().forEach(Dispatcher::shutdown);
    }
}
