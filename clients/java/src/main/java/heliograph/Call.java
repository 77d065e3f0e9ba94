package heliograph;

import java.util.Map;
import java.util.UUID;

/** One call of the API. {@code repeatable} says that it does nothing twice if it is made again. */
record Call(String method, String path, Map<String, Object> query, Object body, String key, boolean repeatable) {
    Call(String method, String path) {
        this(method, path, Map.of(), null, null, true);
    }

    Call query(Fields<?> limits) {
        return new Call(method, path, limits.values(), body, key, repeatable);
    }

    Call body(Object content) {
        return new Call(method, path, query, content, key, repeatable);
    }

    /** Names the request; with null, by a new name, which all its tries have. */
    Call key(String name) {
        return new Call(method, path, query, body, name != null ? name : UUID.randomUUID().toString(), repeatable);
    }

    Call once() {
        return new Call(method, path, query, body, key, false);
    }
}
