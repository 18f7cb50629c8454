package dev.muster.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.muster.node.http.Route.Access;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {

    private final Router router = new Router(List.of(
            route("GET", "/"),
            route("GET", "/cluster/members"),
            route("POST", "/cluster/members"),
            route("GET", "/cluster/members/{address}"),
            route("DELETE", "/cluster/members/{address}")));

    @Test
    void aRouteIsFoundByMethodAndPath() {
        assertThat(router.find("GET", "/cluster/members").route().path()).isEqualTo("/cluster/members");
        assertThat(router.find("POST", "/cluster/members").route().method()).isEqualTo("POST");
        assertThat(router.find("GET", "/").route().path()).isEqualTo("/");
    }

    @Test
    void headIsAnsweredLikeGet() {
        assertThat(router.find("HEAD", "/cluster/members").route().method()).isEqualTo("GET");
    }

    @Test
    void whatFollowsTheLastSlashIsTheVariableAndIsDecodedOnce() {
        assertThat(router.find("GET", "/cluster/members/muster%3A%2F%2Fs%40h%3A1")
                        .subject())
                .isEqualTo("muster://s@h:1");
        assertThat(router.find("GET", "/cluster/members/muster://s@h:1").subject())
                .isEqualTo("muster://s@h:1");
        assertThat(router.find("GET", "/cluster/members/%2561").subject()).isEqualTo("%61");
        assertThat(router.find("GET", "/cluster/members/a+b").subject()).isEqualTo("a+b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/cluster",
                "/cluster/",
                "/cluster/members/",
                "//cluster/members",
                "/cluster//members",
                "/cluster/./members",
                "/x/../cluster/members",
                "/CLUSTER/members",
                "/cluster%2Fmembers",
                "/clu%73ter/members",
                "/cluster/members;x=1",
                "/../../etc/passwd",
                "/%2e%2e/etc/passwd"
            })
    void anyOtherSpellingIsUnknown(String path) {
        assertThatThrownBy(() -> router.find("GET", path))
                .asInstanceOf(type(RefusedRequest.class))
                .extracting(RefusedRequest::status)
                .isEqualTo(404);
    }

    @Test
    void aWrongMethodIsToldTheRightOnes() {
        assertThatThrownBy(() -> router.find("PATCH", "/cluster/members"))
                .isInstanceOf(RefusedRequest.class)
                .satisfies(refused -> {
                    Response response = ((RefusedRequest) refused).response();
                    assertThat(response.status()).isEqualTo(405);
                    assertThat(response.headers()).containsEntry("Allow", "GET, HEAD, POST");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%4", "%zz", "a%", "%ff%fe", "%c0%af"})
    void aVariableThatCannotBeDecodedIsRefused(String text) {
        assertThatThrownBy(() -> router.find("GET", "/cluster/members/" + text))
                .asInstanceOf(type(RefusedRequest.class))
                .extracting(RefusedRequest::status)
                .isEqualTo(400);
    }

    private static Route route(String method, String path) {
        return new Route(method, path, Access.READ, "", call -> Response.text(200, "here"));
    }
}
