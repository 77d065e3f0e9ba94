package heliograph;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests to the platform, and their tries. */
record Connection(URI url, String key, HttpClient http, Duration timeout, int retries) {
    private static final long FIRST_WAIT_MS = 500;
    private static final long LONGEST_WAIT_MS = 20_000;
    /** A longer Retry-After makes the call fail immediately. */
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(120);

    Connection with(HttpClient client, Duration wait, int tries) {
        return new Connection(url, key, client, wait, tries);
    }

    /** Returns the body of the answer. */
    byte[] call(Call call) {
        return tried(call.repeatable(), () -> checked(send(call, HttpResponse.BodyHandlers.ofByteArray(), timeout), body -> body));
    }

    /** Makes a call until it succeeds or no further try can help. */
    <T> T tried(boolean repeatable, Supplier<T> once) {
        for (int tries = 0; ; tries++) {
            try {
                return once.get();
            } catch (ApiException | ConnectionException error) {
                Duration wait = waitOf(error, tries, repeatable);
                if (wait == null || tries >= retries) {
                    throw error;
                }
                pause(wait);
            }
        }
    }

    /** Returns the body of an answer that is not an error. */
    <T> T checked(HttpResponse<T> response, Function<T, byte[]> bytes) {
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
            return response.body();
        }
        Duration advised = retryAfter(response.headers().firstValue("Retry-After").orElse(""));
        throw new ApiException(status, problem(bytes.apply(response.body())), advised);
    }

    /** Sends a request, and waits for its answer. */
    <T> HttpResponse<T> send(Call call, HttpResponse.BodyHandler<T> handler, Duration longest) {
        CompletableFuture<HttpResponse<T>> answer = http.sendAsync(request(call), handler);
        try {
            return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException error) {
            answer.cancel(true);
            throw failed(error);
        } catch (InterruptedException error) {
            answer.cancel(true);
            throw interrupted(error);
        } catch (ExecutionException error) {
            if (error.getCause() instanceof IOException cause) {
                throw failed(cause);
            }
            throw new HeliographException(String.valueOf(error.getCause().getMessage()), error.getCause());
        }
    }

    void pause(Duration wait) {
        try {
            Thread.sleep(wait.toMillis());
        } catch (InterruptedException error) {
            throw interrupted(error);
        }
    }

    private HeliographException interrupted(InterruptedException error) {
        Thread.currentThread().interrupt();
        return new HeliographException("The thread was interrupted while it waited for " + url.getAuthority() + ".", error);
    }

    private ConnectionException failed(Exception cause) {
        if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
            return new ConnectionException(url.getAuthority() + " did not answer in time.", true, cause);
        }
        String why = cause.getMessage() != null ? cause.getMessage() : cause.getClass().getSimpleName();
        return new ConnectionException(url.getAuthority() + " could not be reached: " + why + ".", false, cause);
    }

    private HttpRequest request(Call call) {
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        for (Map.Entry<String, Object> each : call.query().entrySet()) {
            query.add(each.getKey() + "=" + URLEncoder.encode(each.getValue().toString(), StandardCharsets.UTF_8));
        }
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + call.path() + query))
                        .header("Authorization", "Bearer " + key)
                        .header("User-Agent", "heliograph-java/" + Version.NUMBER);
        if (call.key() != null) {
            request.header("Idempotency-Key", call.key());
        }
        if (call.body() == null) {
            return request.method(call.method(), HttpRequest.BodyPublishers.noBody()).build();
        }
        return request.header("Content-Type", "application/json")
                .method(call.method(), HttpRequest.BodyPublishers.ofString(Json.write(call.body())))
                .build();
    }

    /** Returns the time before another try; null if no try can help, or if one may do something twice. */
    private static Duration waitOf(HeliographException error, int tries, boolean repeatable) {
        double random = 0.5 + ThreadLocalRandom.current().nextDouble() / 2;
        long usual = Math.min(FIRST_WAIT_MS << Math.min(tries, 10), LONGEST_WAIT_MS);
        Duration wait = Duration.ofMillis((long) (usual * random));
        if (!(error instanceof ApiException refused)) {
            return repeatable ? wait : null;
        }
        boolean again = refused.status() == 429 || "idempotency_in_flight".equals(refused.code());
        if (!again && !(refused.status() >= 500 && repeatable)) {
            return null;
        }
        Duration advised = refused.retryAfter();
        if (advised == null) {
            return wait;
        }
        return advised.compareTo(LONGEST_RETRY_AFTER) > 0 ? null : advised.compareTo(wait) > 0 ? advised : wait;
    }

    /** Reads a Retry-After header, which holds seconds or a date; null if there is none. */
    private static Duration retryAfter(String header) {
        if (header.matches("[0-9]{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(header));
        }
        try {
            Instant at = ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            Duration wait = Duration.between(Instant.now(), at);
            return wait.isNegative() ? Duration.ZERO : wait;
        } catch (DateTimeException noDate) {
            return null;
        }
    }

    private static Api.Problem problem(byte[] content) {
        try {
            if (Json.parse(new String(content, StandardCharsets.UTF_8)) instanceof Map<?, ?> problem) {
                return Json.read(Api.Problem.class, problem);
            }
        } catch (IllegalArgumentException | ClassCastException proxy) {
            // A proxy answered instead of the API.
        }
        return Json.read(Api.Problem.class, Map.of());
    }
}
