package dev.muster.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * What is logged unless a file says otherwise: what Muster tells, and warnings of others, on standard error.
 *
 * <p>Written as code because reading a file of settings would be a good part of a short command's time. With
 * {@code -Dlogback.configurationFile=...} that file counts instead; {@code -Dmuster.log.level=DEBUG} lets Muster tell
 * more, or less.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {

    private static final String LINE = "%d{HH:mm:ss.SSS} %-5level %msg%n%ex{short}";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(LINE);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setName("console");
        console.setTarget("System.err");
        console.setEncoder(encoder);
        console.start();
        context.getLogger("ROOT").setLevel(Level.WARN);
        context.getLogger("ROOT").addAppender(console);
        context.getLogger("dev.muster").setLevel(Level.toLevel(System.getProperty("muster.log.level"), Level.INFO));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
