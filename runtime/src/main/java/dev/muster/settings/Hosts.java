package dev.muster.settings;

import java.util.Locale;
import java.util.regex.Pattern;

/** What can be said about a host by its name alone, without asking anybody. */
final class Hosts {

    private static final Pattern LOOPBACK_NUMBER = Pattern.compile("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");

    private Hosts() {}

    /** Whether only processes on the same machine can reach it. In doubt, no. */
    static boolean isLoopback(String host) {
        String name = withoutBrackets(host).toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || name.equals("::1")
                || name.equals("0:0:0:0:0:0:0:1")
                || LOOPBACK_NUMBER.matcher(name).matches();
    }

    /** Whether it means all interfaces, where one can listen but which nobody can dial. */
    static boolean isEverywhere(String host) {
        String name = withoutBrackets(host);
        return name.equals("0.0.0.0") || name.equals("::") || name.equals("0:0:0:0:0:0:0:0");
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
