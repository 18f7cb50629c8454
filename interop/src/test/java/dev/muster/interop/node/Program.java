package dev.muster.interop.node;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A node that does what it is told on its standard input, one line each, and answers on its standard output with lines
 * that begin with {@value #MARK}. All other lines are its log. Both kinds speak the same words.
 */
public abstract class Program {
    static final String MARK = "@ ";

    /** The state as this node sees it: {@code self=Up leader=2551 members=2551:Up,2552:Joining unreachable=2552}. */
    protected abstract String state();

    protected abstract void leave(String address);

    protected abstract void down(String address);

    /** Sends a text to whoever lives there; what comes back is said as {@code answer}. */
    protected abstract void ask(String path, String text);

    /** Orders something from the shop there, in CBOR; what it says is said as {@code placed}. */
    protected abstract void order(String path, String customer);

    /** Sends a text inside of a message that protobuf writes; what comes back is said as {@code struct}. */
    protected abstract void struct(String path, String text);

    /** Sends so many numbered texts; each that comes back is counted. */
    protected abstract void flood(String path, int count);

    /** Says {@code terminated path} when that actor is gone. */
    protected abstract void watch(String path);

    /** Stops this node's own actor {@code echo}. */
    protected abstract void stopEcho();

    /** Asks for a partition of so many instances; only nodes of Muster can. */
    protected void host(String path, int instances) {
        throw new UnsupportedOperationException("this kind has no partitions");
    }

    /** Asks for a partition of which there is one instance at a time. */
    protected void hostAlone(String path) {
        throw new UnsupportedOperationException("this kind has no partitions");
    }

    /** Sends a text to the partition; what comes back is said as {@code answer}. */
    protected void askPartition(String path, String text) {
        throw new UnsupportedOperationException("this kind has no partitions");
    }

    /** The partition table, as {@code billing@2552,2554}, or empty. */
    protected String table() {
        throw new UnsupportedOperationException("this kind has no partitions");
    }

    /** Leaves in good order, as when the process gets a signal, and ends. */
    protected abstract void end();

    protected final Flow flow = new Flow();

    protected static Struct struct(String text) {
        return Struct.newBuilder()
                .putFields("text", Value.newBuilder().setStringValue(text).build())
                .putFields(
                        "length",
                        Value.newBuilder().setNumberValue(text.length()).build())
                .build();
    }

    protected static String text(Struct struct) {
        return "struct " + struct.getFieldsOrThrow("text").getStringValue() + " "
                + (int) struct.getFieldsOrThrow("length").getNumberValue();
    }

    protected static synchronized void say(String line) {
        System.out.println(MARK + line);
        System.out.flush();
    }

    protected final void listen() throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", 3);
            switch (words[0]) {
                case "state" -> say("state " + state());
                case "leave" -> leave(words[1]);
                case "down" -> down(words[1]);
                case "ask" -> ask(words[1], words[2]);
                case "order" -> order(words[1], words[2]);
                case "struct" -> struct(words[1], words[2]);
                case "flow" -> flow.to(words[1], this::ask);
                case "flow-end" -> say(flow.end());
                case "flood" -> flood(words[1], Integer.parseInt(words[2]));
                case "watch" -> watch(words[1]);
                case "host" -> host(words[1], Integer.parseInt(words[2]));
                case "host-alone" -> hostAlone(words[1]);
                case "flow-partition" -> flow.to(words[1], this::askPartition);
                case "ask-partition" -> askPartition(words[1], words[2]);
                case "table" -> say("table " + table());
                case "stop-echo" -> stopEcho();
                case "end" -> end();
                default -> throw new IllegalArgumentException("nobody knows what to do with: " + line);
            }
        }
        Runtime.getRuntime().halt(3); // the test has gone
    }
}
