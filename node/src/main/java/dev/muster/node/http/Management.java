package dev.muster.node.http;

import dev.muster.node.http.Route.Access;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests: checks them in one fixed order, then lets the route speak. Knows no socket.
 *
 * <p>Whatever goes wrong, the other side reads one sentence of ours, never a stack trace.
 */
final class Management {

    private static final Logger LOG = LoggerFactory.getLogger(Management.class);

    private final Router router;
    private final Guard guard;
    private final Audit audit;

    Management(HttpSettings settings, List<Route> routes, LongSupplier nanoTime) {
        this.router = new Router(routes);
        this.guard = new Guard(settings, nanoTime);
        this.audit = new Audit(nanoTime);
    }

    Response answer(Request request) {
        try {
            return serve(request);
        } catch (RefusedRequest refused) {
            if (!request.isRead()) {
                audit.refused(request, refused);
            }
            return refused.response();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Response.message(503, "this node is stopping");
        } catch (Exception unexpected) {
            LOG.warn("management request {} {} failed", request.method(), request.path(), unexpected);
            return Response.message(500, "this failed, and the log of the node says why");
        }
    }

    private Response serve(Request request) throws Exception {
        guard.requireKnownHost(request);
        Router.Match match = router.find(request.method(), request.path());
        String who = guard.admit(request, match.route().access());
        Map<String, String> parameters = Parameters.of(request);
        boolean acceptsHtml = request.header("accept").orElse("").contains("text/html");
        Response response = match.route().handler().handle(new Call(match.subject(), parameters, acceptsHtml));
        if (match.route().access() == Access.WRITE) {
            audit.done(request, who, response, parameters);
        }
        return response;
    }
}
