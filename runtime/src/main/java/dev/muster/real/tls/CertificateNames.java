package dev.muster.real.tls;

import io.netty.util.NetUtil;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Which hosts a certificate speaks for: its subject alternative names, and nothing else. A name is compared with names,
 * a number with numbers. A star stands for exactly one first label.
 */
final class CertificateNames {

    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private CertificateNames() {}

    static boolean include(X509Certificate certificate, String host) {
        Collection<List<?>> names;
        try {
            names = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException unreadable) {
            return false;
        }
        if (names == null || host.isEmpty()) {
            return false;
        }
        byte[] number = NetUtil.createByteArrayFromIpAddressString(host);
        return names.stream().anyMatch(name -> number != null ? isNumber(name, number) : isName(name, host));
    }

    private static boolean isNumber(List<?> name, byte[] number) {
        return Integer.valueOf(IP_ADDRESS).equals(name.get(0))
                && name.get(1) instanceof String text
                && Arrays.equals(NetUtil.createByteArrayFromIpAddressString(text), number);
    }

    private static boolean isName(List<?> name, String host) {
        return Integer.valueOf(DNS_NAME).equals(name.get(0))
                && name.get(1) instanceof String text
                && matches(normal(text), normal(host));
    }

    private static String normal(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    static boolean matches(String pattern, String host) {
        if (!pattern.startsWith("*.")) {
            return pattern.equals(host) && !pattern.contains("*");
        }
        int dot = host.indexOf('.');
        String rest = pattern.substring(1);
        // "*.org" would speak for half of the world.
        return dot > 0
                && rest.indexOf('.', 1) > 0
                && !rest.contains("*")
                && host.substring(dot).equals(rest);
    }
}
