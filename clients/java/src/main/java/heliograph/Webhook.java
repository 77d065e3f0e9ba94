package heliograph;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures of callbacks, by Standard Webhooks 1.0. */
public final class Webhook {
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private Webhook() {}

    /**
     * Checks a callback and returns its event. Throws {@link WebhookException}: then answer 400.
     *
     * @param payload the body exactly as it arrived
     * @param header returns a header by its name, such as {@code request::getHeader} of a servlet
     * @param secrets the valid ones: one, or two while the secret changes
     */
    public static Event verify(byte[] payload, Function<String, String> header, String... secrets) {
        return verify(payload, header, List.of(secrets), TOLERANCE);
    }

    /** Checks a callback, whose time may differ by a tolerance, and returns its event. */
    public static Event verify(
            byte[] payload, Function<String, String> header, Collection<String> secrets, Duration tolerance) {
        String id = required(header, "webhook-id");
        String stamp = required(header, "webhook-timestamp");
        String signatures = required(header, "webhook-signature");
        if (!stamp.matches("[0-9]{1,12}")) {
            throw new WebhookException("The header webhook-timestamp is not a number of seconds.", null);
        }
        Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(stamp)), Instant.now()).abs();
        if (age.compareTo(tolerance) > 0) {
            throw new WebhookException("The callback is too old, or the clock of this computer is wrong.", null);
        }
        for (String secret : secrets) {
            byte[] wanted = ("v1," + signature(secret, id + "." + stamp + ".", payload)).getBytes(StandardCharsets.UTF_8);
            for (String each : signatures.split(" ")) {
                if (MessageDigest.isEqual(wanted, each.getBytes(StandardCharsets.UTF_8))) {
                    return eventOf(id, payload);
                }
            }
        }
        throw new WebhookException("No signature of the callback matches any of the secrets.", null);
    }

    private static String required(Function<String, String> header, String name) {
        String value = header.apply(name);
        if (value == null || value.isEmpty()) {
            throw new WebhookException("The header " + name + " is missing.", null);
        }
        return value;
    }

    private static String signature(String secret, String before, byte[] payload) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(keyOf(secret), "HmacSHA256"));
            mac.update(before.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(payload));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static byte[] keyOf(String secret) {
        try {
            byte[] key = Base64.getDecoder().decode(secret.startsWith("whsec_") ? secret.substring(6) : "");
            if (key.length > 0) {
                return key;
            }
        } catch (IllegalArgumentException notBase64) {
            // The same mistake as a secret without its beginning.
        }
        throw new WebhookException("The secret must be as the console showed it; it begins with whsec_.", null);
    }

    private static Event eventOf(String id, byte[] payload) {
        try {
            return Event.of(id, new String(payload, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException error) {
            throw new WebhookException("The body of the callback is not JSON.", error);
        }
    }
}
