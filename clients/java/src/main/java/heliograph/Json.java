package heliograph;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** JSON as text, as plain values and as records. */
final class Json {
    private Json() {}

    /** Returns the value of a text. Numbers are exact: {@code Long}, {@code BigInteger} or {@code BigDecimal}. */
    static Object parse(String text) {
        return new JsonReader(text).whole();
    }

    /** Returns a plain value as a record, or as another type that an answer has. */
    static <T> T read(Class<T> type, Object value) {
        return type.cast(typed(type, value));
    }

    static <T> Page<T> readPage(Class<T> type, Object value) {
        Map<?, ?> page = (Map<?, ?>) value;
        List<T> data = new ArrayList<>();
        for (Object item : (List<?>) page.get("data")) {
            data.add(read(type, item));
        }
        return new Page<>(
                Collections.unmodifiableList(data),
                (String) page.get("next_cursor"),
                Boolean.TRUE.equals(page.get("has_more")));
    }

    private static Object typed(Type type, Object value) {
        if (value == null) {
            return type == long.class ? (Object) 0L : type == boolean.class ? (Object) false : null;
        }
        if (type == long.class || type == Long.class) {
            return new BigDecimal(value.toString()).longValueExact();
        }
        if (type == BigDecimal.class) {
            return new BigDecimal(value.toString());
        }
        if (type instanceof ParameterizedType generic) {
            Type item = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            return value instanceof Map<?, ?> map ? typedMap(item, map) : typedList(item, (List<?>) value);
        }
        return type instanceof Class<?> own && own.isRecord() ? record(own, (Map<?, ?>) value) : value;
    }

    private static Map<String, Object> typedMap(Type item, Map<?, ?> map) {
        Map<String, Object> typed = new LinkedHashMap<>();
        map.forEach((name, value) -> typed.put((String) name, typed(item, value)));
        return Collections.unmodifiableMap(typed);
    }

    private static List<Object> typedList(Type item, List<?> list) {
        List<Object> typed = new ArrayList<>();
        list.forEach(value -> typed.add(typed(item, value)));
        return Collections.unmodifiableList(typed);
    }

    private static Object record(Class<?> type, Map<?, ?> fields) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = typed(components[i].getGenericType(), fields.get(apiName(components[i].getName())));
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Returns the name that the API has for a component such as {@code clientRef} or {@code class_}. */
    private static String apiName(String name) {
        return name.replace("_", "").replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /** Returns a value as JSON. */
    static String write(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder text) {
        if (value instanceof Fields<?> fields) {
            write(fields.values(), text);
        } else if (value instanceof Map<?, ?> map) {
            String between = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                text.append(between);
                quote(entry.getKey().toString(), text);
                write(entry.getValue(), text.append(':'));
                between = ",";
            }
            text.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            String between = "";
            text.append('[');
            for (Object item : list) {
                write(item, text.append(between));
                between = ",";
            }
            text.append(']');
        } else if (value == null || value instanceof Boolean || isFinite(value)) {
            text.append(value);
        } else {
            quote(value.toString(), text);
        }
    }

    private static boolean isFinite(Object value) {
        if (value instanceof Double || value instanceof Float) {
            if (!Double.isFinite(((Number) value).doubleValue())) {
                throw new IllegalArgumentException(value + " is not a number that JSON can hold.");
            }
        }
        return value instanceof Number;
    }

    private static void quote(String value, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
