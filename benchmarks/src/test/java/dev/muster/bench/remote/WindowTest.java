package dev.muster.bench.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WindowTest {

    @Test
    void whatHasArrivedMakesRoomForMore() throws InterruptedException {
        Window window = new Window(2);
        window.take();
        window.take();
        CompletableFuture<Void> third = CompletableFuture.runAsync(() -> {
            try {
                window.take();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });

        window.give();
        third.join();
        window.give();
        window.give();
        window.await();

        assertThat(third).isCompleted();
    }
}
