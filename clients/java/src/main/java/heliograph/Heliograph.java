package heliograph;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The API of a Heliograph platform. Every call tries again by itself if that is safe and can help. It may be used by several
 * threads; make one and keep it.
 */
public final class Heliograph extends Calls {
    private final Connection connection;

    /**
     * Makes a client, which waits 30 seconds for an answer and tries again four times.
     *
     * @param url address of the platform, such as https://sms.example.com
     * @param key API key of the console
     */
    public Heliograph(String url, String key) {
        this(new Connection(checked(url, key), key, defaultHttpClient(), Duration.ofSeconds(30), 4));
    }

    private Heliograph(Connection connection) {
        this.connection = connection;
    }

    /** Returns a client with another longest wait for one answer. */
    public Heliograph withTimeout(Duration timeout) {
        return new Heliograph(connection.with(connection.http(), timeout, connection.retries()));
    }

    /** Returns a client with another number of tries after the first. */
    public Heliograph withRetries(int retries) {
        return new Heliograph(connection.with(connection.http(), connection.timeout(), retries));
    }

    /** Returns a client that uses your own HTTP client, for example with a proxy. It must not follow redirects. */
    public Heliograph withHttpClient(HttpClient http) {
        if (http.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException("The HTTP client must not follow redirects: a key is for one host.");
        }
        return new Heliograph(connection.with(http, connection.timeout(), connection.retries()));
    }

    /**
     * Returns the items of all pages of a list: {@code client.every(client::listMessages, new
     * ListMessagesQuery().batchId("5"))}. The first page is read immediately, each other one when its items are needed.
     */
    public <T, Q extends PagedQuery<Q>> Stream<T> every(Function<Q, Page<T>> call, Q query) {
        return pages(call, query).flatMap(page -> page.data().stream());
    }

    /** Returns the pages of a list. Store {@code nextCursor} of a page when you have processed its items. */
    public <T, Q extends PagedQuery<Q>> Stream<Page<T>> pages(Function<Q, Page<T>> call, Q query) {
        return Stream.iterate(
                call.apply(query),
                page -> page != null,
                page -> page.hasMore() ? call.apply(query.copy().cursor(page.nextCursor())) : null);
    }

    /**
     * Returns the events as they happen, without an end; the {@code id} of an event is the cursor with which reading
     * continues later. A connection that breaks is made again after the last event, so that none is missed. Close it, for
     * example with try.
     */
    public Stream<Event> streamEvents(Api.StreamEventsQuery query) {
        EventStream events = new EventStream(connection, query);
        Spliterator<Event> all =
                Spliterators.spliteratorUnknownSize((Iterator<Event>) events, Spliterator.ORDERED | Spliterator.NONNULL);
        return StreamSupport.stream(all, false).onClose(events::close);
    }

    @Override
    <T> T json(Class<T> type, Call call) {
        return read(bytes(call), value -> Json.read(type, value));
    }

    @Override
    <T> Page<T> page(Class<T> type, Call call) {
        return read(bytes(call), value -> Json.readPage(type, value));
    }

    @Override
    byte[] bytes(Call call) {
        return connection.call(call);
    }

    private static <T> T read(byte[] content, Function<Object, T> made) {
        try {
            return made.apply(Json.parse(new String(content, StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException | ArithmeticException | ClassCastException error) {
            throw new HeliographException("The answer of the platform is not what this client expects.", error);
        }
    }

    private static URI checked(String url, String key) {
        if (!url.matches("https?://.+")) {
            throw new IllegalArgumentException("The url must be like https://sms.example.com, not \"" + url + "\".");
        }
        if (key == null || key.isEmpty()) {
            throw new IllegalArgumentException("The key is missing. Create one in the console, under API keys.");
        }
        return URI.create(url.replaceAll("/+$", ""));
    }

    /** Returns an HTTP client that refuses redirects, because a key is for one host only. */
    private static HttpClient defaultHttpClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }
}
