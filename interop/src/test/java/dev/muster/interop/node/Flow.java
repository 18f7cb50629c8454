package dev.muster.interop.node;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Questions that go on and on, to whom the test says at the time. It counts those that come back, and those that come
 * back in another order than they were sent to the same one.
 */
final class Flow {
    private static final String PREFIX = "flow ";
    private static final long PAUSE_MILLIS = 5;
    private static final long PATIENCE_MILLIS = 10_000;

    private final Set<Integer> awaited = new HashSet<>();
    private final Map<Integer, Integer> lastOfTarget = new HashMap<>();
    private String path;
    private int target;
    private int sent;
    private int reordered;
    private boolean isOver;

    /** From now on they go there. */
    synchronized void to(String newPath, BiConsumer<String, String> sending) {
        boolean isFirst = path == null;
        path = newPath;
        target++;
        if (isFirst) {
            Thread thread = new Thread(() -> send(sending), "flow");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void send(BiConsumer<String, String> sending) {
        try {
            while (sendOne(sending)) {
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean sendOne(BiConsumer<String, String> sending) {
        if (isOver) {
            return false;
        }
        sent++;
        awaited.add(sent);
        sending.accept(path, PREFIX + target + " " + sent);
        return true;
    }

    /** Whether it was one of them. */
    synchronized boolean hears(String text) {
        if (!text.startsWith(PREFIX)) {
            return false;
        }
        String[] words = text.split(" ");
        int number = Integer.parseInt(words[2]);
        Integer before = lastOfTarget.put(Integer.valueOf(words[1]), number);
        reordered += before != null && before > number ? 1 : 0;
        awaited.remove(number);
        notifyAll();
        return true;
    }

    /** Stops sending, and says how it was when all are back or will not come any more. */
    synchronized String end() throws InterruptedException {
        isOver = true;
        long until = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        while (!awaited.isEmpty() && System.nanoTime() < until) {
            wait(100);
        }
        return "flowed " + sent + " missing " + awaited.size() + " reordered " + reordered;
    }
}
