package dev.muster.real.dns;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real name server, run as a child process by whoever runs the tests, on loopback. */
final class Dnsmasq implements AutoCloseable {

    private static final int ATTEMPTS = 5;

    private final Process process;
    private final int port;

    private Dnsmasq(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Where the program is, if it is installed. */
    static Optional<Path> program() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), Stream.of("/usr/sbin", "/usr/local/sbin"))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "dnsmasq"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Somebody else may take the free port before it is used, so it is tried a few times. */
    static Dnsmasq start(Path directory, List<String> hosts, List<String> lines) throws IOException {
        Path hostsFile = Files.write(directory.resolve("hosts"), hosts);
        String said = "";
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = freePort();
            Path configuration = Files.write(directory.resolve("dnsmasq.conf"), configuration(port, hostsFile, lines));
            Process process = new ProcessBuilder(
                            program().orElseThrow().toString(), "--keep-in-foreground", "--conf-file=" + configuration)
                    .redirectErrorStream(true)
                    .start();
            StringBuilder output = new StringBuilder();
            if (hasStarted(process, output)) {
                return new Dnsmasq(process, port);
            }
            process.destroyForcibly();
            said = output.toString();
        }
        throw new IOException("dnsmasq does not start: " + said);
    }

    private static List<String> configuration(int port, Path hosts, List<String> lines) {
        List<String> all = new ArrayList<>(List.of(
                "port=" + port,
                "listen-address=127.0.0.1",
                "bind-interfaces",
                "no-resolv",
                "no-hosts",
                "addn-hosts=" + hosts,
                "local=/test/",
                "user=" + System.getProperty("user.name"),
                "pid-file=" + hosts.resolveSibling("pid"),
                "log-facility=-"));
        all.addAll(lines);
        return all;
    }

    /** It says so when it listens, or it ends. */
    private static boolean hasStarted(Process process, StringBuilder output) throws IOException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            output.append(line).append('\n');
            if (line.contains("read ") && line.contains("hosts")) {
                return true;
            }
        }
        return false;
    }

    private static int freePort() throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        try (ServerSocket stream = new ServerSocket(0, 1, loopback);
                DatagramSocket datagram = new DatagramSocket(stream.getLocalPort(), loopback)) {
            return datagram.getLocalPort();
        }
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted while dnsmasq ended", e);
        }
    }
}
