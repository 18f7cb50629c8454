package dev.muster.actor;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What is logged while it is open. */
public final class LogLines implements AutoCloseable {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent event) {
            // Else the context would be looked up when it is read, and is gone by then.
            event.prepareForDeferredProcessing();
            super.append(event);
        }
    };

    public LogLines(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        appender.start();
        logger.addAppender(appender);
    }

    static LogLines ofSystem(ActorSystem system) {
        return new LogLines(system.log().getName());
    }

    public List<String> lines() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    List<ILoggingEvent> events() {
        return List.copyOf(appender.list);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
