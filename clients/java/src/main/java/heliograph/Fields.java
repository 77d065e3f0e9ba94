package heliograph;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Fields of a request, by the names of the API: those that were set. Setting null where null has no meaning is the same as
 * setting nothing.
 *
 * @param <F> the request itself
 */
public abstract class Fields<F extends Fields<F>> implements Cloneable {
    private Map<String, Object> values = new LinkedHashMap<>();

    Fields() {}

    final F set(String name, Object value) {
        if (value == null) {
            values.remove(name);
        } else {
            values.put(name, value);
        }
        return self();
    }

    final F setOrNull(String name, Object value) {
        values.put(name, value);
        return self();
    }

    /** Returns a request with the same fields, which may be changed. */
    @SuppressWarnings("unchecked")
    public final F copy() {
        try {
            Fields<F> other = (Fields<F>) clone();
            other.values = new LinkedHashMap<>(values);
            return other.self();
        } catch (CloneNotSupportedException never) {
            throw new IllegalStateException(never);
        }
    }

    final Map<String, Object> values() {
        return Collections.unmodifiableMap(values);
    }

    @SuppressWarnings("unchecked")
    private F self() {
        return (F) this;
    }

    /** Returns the fields as JSON. */
    @Override
    public final String toString() {
        return Json.write(this);
    }
}
