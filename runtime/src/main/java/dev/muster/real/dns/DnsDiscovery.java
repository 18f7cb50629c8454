package dev.muster.real.dns;

import dev.muster.core.state.NodeAddress;
import dev.muster.discovery.Discovery;
import dev.muster.discovery.DiscoveryException;
import dev.muster.discovery.DnsSettings;
import dev.muster.discovery.DnsSettings.RecordType;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import io.netty.util.ReferenceCountUtil;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks seed nodes up in the domain name system, at the name servers of the machine or at given ones. Every lookup asks
 * anew.
 *
 * <p>The order is the same for all who get the same answer: for service records by priority, then by host and port.
 * Weights are not used, as they are there to spread callers by chance. What DNS says is a hint, not a proof; who a node
 * is, TLS decides.
 */
public final class DnsDiscovery implements Discovery, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DnsDiscovery.class);

    private final DnsSettings settings;
    private final String protocol;
    private final String system;
    private final int port;
    private final NameServers servers;
    private final DnsNameResolver resolver;

    /**
     * @param protocol the protocol of the addresses to return
     * @param system the actor system of the addresses to return
     * @param ownPort the port of this node, for address records without a port in the settings
     * @param group whose event loops do the work; not closed by this
     */
    public DnsDiscovery(DnsSettings settings, String protocol, String system, int ownPort, EventLoopGroup group) {
        this.settings = settings;
        this.protocol = protocol;
        this.system = system;
        this.port = settings.port() == 0 ? ownPort : settings.port();
        this.servers = NameServers.of(settings);
        this.resolver = servers.resolver(group.next(), settings.timeout());
    }

    @Override
    public CompletionStage<List<NodeAddress>> lookup() {
        CompletableFuture<List<NodeAddress>> result = new CompletableFuture<>();
        DnsRecordType type = settings.type() == RecordType.SRV ? DnsRecordType.SRV : DnsRecordType.A;
        resolver.resolveAll(new DefaultDnsQuestion(settings.queriedName(), type))
                .addListener(answer -> {
                    if (answer.isSuccess()) {
                        @SuppressWarnings("unchecked") // That is what resolveAll promises a future of.
                        List<DnsRecord> records = (List<DnsRecord>) answer.getNow();
                        complete(result, records);
                    } else {
                        result.completeExceptionally(failure(reason(answer.cause()), answer.cause()));
                    }
                });
        return result;
    }

    private void complete(CompletableFuture<List<NodeAddress>> result, List<DnsRecord> records) {
        try {
            List<NodeAddress> found = addresses(records);
            if (found.size() < settings.requiredResults()) {
                result.completeExceptionally(failure(
                        found.size() + " found " + found + ", but muster.discovery.dns.required-results is "
                                + settings.requiredResults(),
                        null));
            } else {
                result.complete(found);
            }
        } catch (RuntimeException unreadable) {
            result.completeExceptionally(failure("the answer cannot be read: " + unreadable.getMessage(), unreadable));
        } finally {
            records.forEach(ReferenceCountUtil::release);
        }
    }

    private List<NodeAddress> addresses(List<DnsRecord> records) {
        return records.stream()
                .map(FoundNode::in)
                .flatMap(Optional::stream)
                .map(this::address)
                .flatMap(Optional::stream)
                .sorted(Comparator.comparingInt(Placed::priority).thenComparing(Placed::address))
                .map(Placed::address)
                .distinct()
                .limit(settings.maxResults())
                .toList();
    }

    private record Placed(int priority, NodeAddress address) {}

    private Optional<Placed> address(FoundNode node) {
        try {
            int chosenPort = node.port().orElse(port);
            return Optional.of(new Placed(node.priority(), new NodeAddress(protocol, system, node.host(), chosenPort)));
        } catch (IllegalArgumentException impossible) {
            LOG.warn(
                    "{} lists {}, which cannot be a node and is left out: {}",
                    settings.queriedName(),
                    node,
                    impossible.getMessage());
            return Optional.empty();
        }
    }

    private DiscoveryException failure(String reason, Throwable cause) {
        return new DiscoveryException(
                "lookup of " + settings.queriedName() + " (" + settings.type() + ") at " + servers + " failed: "
                        + reason,
                cause);
    }

    private String reason(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof DnsErrorCauseException said) {
                return "the answer was " + said.getCode();
            }
            if (cause instanceof DnsNameResolverTimeoutException) {
                return "no answer within " + settings.timeout().toMillis() + " ms";
            }
        }
        return thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    }

    /** Ends lookups that are under way. */
    @Override
    public void close() {
        resolver.close();
    }
}
