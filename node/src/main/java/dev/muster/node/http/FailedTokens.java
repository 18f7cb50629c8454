package dev.muster.node.http;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts wrong tokens, so that nobody tries many. Each address may be wrong five times in a second; then it is not
 * heard until that second is over, not even with the right token, or guessing would go on unhindered.
 */
final class FailedTokens {

    private static final int MOST_PER_SECOND = 5;
    private static final int MOST_ADDRESSES = 1_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private final Map<InetAddress, Failures> byAddress = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Failures> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    FailedTokens(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private record Failures(long sinceNanos, int count) {}

    synchronized boolean areTooMany(InetAddress address) {
        Failures failures = byAddress.get(address);
        return failures != null && isRecent(failures) && failures.count() >= MOST_PER_SECOND;
    }

    synchronized void add(InetAddress address) {
        Failures before = byAddress.get(address);
        byAddress.put(
                address,
                before != null && isRecent(before)
                        ? new Failures(before.sinceNanos(), before.count() + 1)
                        : new Failures(nanoTime.getAsLong(), 1));
    }

    private boolean isRecent(Failures failures) {
        return nanoTime.getAsLong() - failures.sinceNanos() < SECOND;
    }
}
