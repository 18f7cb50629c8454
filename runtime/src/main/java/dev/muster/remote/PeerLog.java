package dev.muster.remote;

import dev.muster.environment.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;

/** Log lines that peers can cause: at most one for each peer in ten seconds, so that nobody can fill a disk. */
final class PeerLog {
    private static final long INTERVAL_NANOS = 10_000_000_000L;
    private static final int MOST_PEERS = 1_000;

    private final Logger log;
    private final Clock clock;
    private final Map<String, Long> lastByPeer = new LinkedHashMap<>(16, 0.75f, false) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_PEERS;
        }
    };

    PeerLog(Logger log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    void warn(String peer, String what, Object... details) {
        if (mayLog(peer)) {
            log.warn(what, details);
        }
    }

    void info(String peer, String what, Object... details) {
        if (mayLog(peer)) {
            log.info(what, details);
        }
    }

    void error(String peer, String what, Throwable cause) {
        if (mayLog(peer)) {
            log.error(what, cause);
        }
    }

    synchronized boolean mayLog(String peer) {
        long now = clock.nanoTime();
        Long last = lastByPeer.get(peer);
        if (last != null && now - last < INTERVAL_NANOS) {
            return false;
        }
        lastByPeer.put(peer, now);
        return true;
    }
}
