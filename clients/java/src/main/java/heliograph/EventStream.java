package heliograph;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Events as they happen, over one connection after the other. */
final class EventStream implements Iterator<Event>, AutoCloseable {
    /** The platform sends a line every 15 seconds. */
    private static final Duration SILENCE = Duration.ofSeconds(45);

    private final Connection connection;
    private final Api.StreamEventsQuery query;
    private final ScheduledExecutorService guard =
            Executors.newSingleThreadScheduledExecutor(
                    work -> {
                        Thread thread = new Thread(work, "heliograph-events");
                        thread.setDaemon(true);
                        return thread;
                    });
    private Duration wait = Duration.ofSeconds(2);
    private volatile InputStream answer;
    private volatile long heardAt;
    private volatile boolean closed;
    private BufferedReader lines;
    private Event next;

    EventStream(Connection connection, Api.StreamEventsQuery query) {
        this.connection = connection;
        this.query = query.copy();
        guard.scheduleWithFixedDelay(this::endSilence, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public boolean hasNext() {
        while (next == null && !closed) {
            if (lines == null) {
                connect();
            }
            try {
                next = read();
            } catch (IOException broken) {
                // It broke off, or fell silent.
                closeAnswer();
                lines = null;
                if (!closed) {
                    connection.pause(wait);
                }
            }
        }
        return next != null;
    }

    @Override
    public Event next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Event event = next;
        next = null;
        return event;
    }

    @Override
    public void close() {
        closed = true;
        guard.shutdownNow();
        closeAnswer();
    }

    private void connect() {
        Call call = new Call("GET", "/v1/events/stream").query(query);
        answer =
                connection.tried(
                        true,
                        () ->
                                connection.checked(
                                        connection.send(call, HttpResponse.BodyHandlers.ofInputStream(), SILENCE),
                                        EventStream::all));
        heardAt = System.nanoTime();
        lines = new BufferedReader(new InputStreamReader(answer, StandardCharsets.UTF_8));
    }

    /** Returns the event of the next frame. */
    private Event read() throws IOException {
        Map<String, String> fields = new HashMap<>();
        while (true) {
            String line = lines.readLine();
            if (line == null) {
                throw new IOException("The stream ended.");
            }
            heardAt = System.nanoTime();
            if (!line.isEmpty()) {
                int colon = line.indexOf(':');
                String value = colon < 0 ? "" : line.substring(colon + 1);
                fields.put(colon < 0 ? line : line.substring(0, colon), value.startsWith(" ") ? value.substring(1) : value);
                continue;
            }
            if (fields.getOrDefault("retry", "").matches("[0-9]{1,9}")) {
                wait = Duration.ofMillis(Long.parseLong(fields.get("retry")));
            }
            if (fields.containsKey("id") && fields.containsKey("data")) {
                query.cursor(fields.get("id"));
                return Event.of(fields.get("id"), fields.get("data"));
            }
            fields.clear();
        }
    }

    private void endSilence() {
        if (answer != null && System.nanoTime() - heardAt > SILENCE.toNanos()) {
            closeAnswer();
        }
    }

    private void closeAnswer() {
        InputStream open = answer;
        answer = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException broken) {
                // It is closed then.
            }
        }
    }

    private static byte[] all(InputStream content) {
        try (content) {
            return content.readAllBytes();
        } catch (IOException broken) {
            return new byte[0];
        }
    }
}
