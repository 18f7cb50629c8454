package dev.muster.real.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.environment.Transport.Connection;
import dev.muster.environment.Transport.ConnectionUser;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LastWordsTest {

    @Test
    void aClosedTransportHasSentWhatWasWrittenHoweverBusyItsThreadsWere() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            NettyTransport transport = new NettyTransport(Optional.empty(), Duration.ofSeconds(5));
            Slow user = new Slow();
            Connection connection = transport.connect("127.0.0.1", server.getLocalPort(), user);
            try (Socket accepted = server.accept()) {
                user.isWriting.await();

                connection.close();
                transport.close();

                assertThat(user.hasWritten)
                        .as("it had time to say its last words")
                        .isTrue();
                assertThat(accepted.getInputStream().readAllBytes()).isEqualTo(Slow.WORDS);
            }
        }
    }

    /** Keeps the thread of its connection busy before it writes. */
    private static final class Slow implements ConnectionUser {
        static final byte[] WORDS = {1, 2, 3};

        final CountDownLatch isWriting = new CountDownLatch(1);
        final AtomicBoolean hasWritten = new AtomicBoolean();
        private Connection connection;

        @Override
        public void opened(Connection opened) {
            connection = opened;
        }

        @Override
        public void writable() {
            if (isWriting.getCount() == 1) {
                isWriting.countDown();
                beBusy();
                boolean unused = connection.write(WORDS, 0, WORDS.length);
                hasWritten.set(true);
            }
        }

        private static void beBusy() {
            try {
                boolean unused = new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void closed(String reason) {}
    }
}
