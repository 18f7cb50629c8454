package dev.muster.remote;

import dev.muster.wire.ControlMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The numbers that we offer a peer for what it names often. Whoever receives decides: it counts, makes a table, offers
 * it, and understands the last few tables that it offered.
 */
final class InboundTables {
    private static final int MOST_ENTRIES = 256;
    private static final int KEPT_TABLES = 3;
    private static final int MOST_OFFERS = 4;
    private static final long OFFER_AGAIN_NANOS = 5_000_000_000L;
    private static final int HIGHEST_VERSION = 127;

    private final Association association;
    private final Remoting remoting;
    private final Kind refs = new Kind(true);
    private final Kind manifests = new Kind(false);

    InboundTables(Association association, Remoting remoting) {
        this.association = association;
        this.remoting = remoting;
    }

    Kind refs() {
        return refs;
    }

    Kind manifests() {
        return manifests;
    }

    void reset() {
        refs.reset();
        manifests.reset();
    }

    void tick(long nowNanos) {
        if (remoting.settings().compression() && association.isProven()) {
            refs.tick(nowNanos);
            manifests.tick(nowNanos);
        }
    }

    /** The table that nearly all frames use, to be had without a lock. */
    private record Newest(int version, List<String> texts) {
        static final Newest NONE = new Newest(0, List.of());
    }

    /** Refs, or manifests. */
    final class Kind {
        private final boolean isRefs;

        // Guarded by this.
        private final Set<String> news = new LinkedHashSet<>();
        private final Map<Integer, List<String>> tables = new HashMap<>();
        private int version;
        private SortedMap<String, Integer> offered = new TreeMap<>();
        private volatile Newest newest = Newest.NONE;
        private boolean isAcknowledged = true;
        private int offers;
        private long lastOfferNanos;

        Kind(boolean isRefs) {
            this.isRefs = isRefs;
        }

        /** A text comes often, written out. */
        synchronized void often(String text) {
            if (!offered.containsKey(text) && offered.size() + news.size() < MOST_ENTRIES) {
                news.add(text);
            }
        }

        /** What this number stands for in that version of the table; null if nobody was told so. */
        String text(int tableVersion, int number) {
            List<String> table = table(tableVersion);
            return number >= table.size() ? null : table.get(number);
        }

        /** That version of the table, always the same object for the same table; empty if nobody was told of it. */
        List<String> table(int tableVersion) {
            Newest last = newest;
            if (last.version() == tableVersion) {
                return last.texts();
            }
            synchronized (this) {
                return tables.getOrDefault(tableVersion, List.of());
            }
        }

        synchronized void onAck(int acknowledged) {
            if (acknowledged == version) {
                isAcknowledged = true;
            }
        }

        synchronized void reset() {
            news.clear();
            tables.clear();
            newest = Newest.NONE;
            offered = new TreeMap<>();
            version = 0;
            isAcknowledged = true;
        }

        synchronized void tick(long nowNanos) {
            if (isAcknowledged && !news.isEmpty()) {
                makeTable();
                offer(nowNanos);
            } else if (!isAcknowledged && nowNanos - lastOfferNanos >= OFFER_AGAIN_NANOS) {
                if (offers < MOST_OFFERS) {
                    offer(nowNanos);
                } else {
                    isAcknowledged = true;
                }
            }
        }

        private void makeTable() {
            List<String> texts = new ArrayList<>(offered.keySet());
            texts.addAll(news);
            news.clear();
            TreeMap<String, Integer> next = new TreeMap<>();
            for (int i = 0; i < texts.size(); i++) {
                next.put(texts.get(i), i);
            }
            version = version == HIGHEST_VERSION ? 1 : version + 1;
            offered = next;
            offers = 0;
            isAcknowledged = false;
            tables.put(version, texts);
            newest = new Newest(version, texts);
            tables.remove(Math.floorMod(version - KEPT_TABLES - 1, HIGHEST_VERSION) + 1);
        }

        private void offer(long nowNanos) {
            lastOfferNanos = nowNanos;
            offers++;
            long origin = association.peerId().uid();
            association.sendControl(
                    isRefs
                            ? new ControlMessage.RefTable(remoting.self(), origin, version, offered)
                            : new ControlMessage.ManifestTable(remoting.self(), origin, version, offered));
        }
    }
}
