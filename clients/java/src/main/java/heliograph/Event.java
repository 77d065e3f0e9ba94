package heliograph;

import java.util.Map;

/**
 * Something that happened: an item of the feed or of the stream, or a callback.
 *
 * @param id the same at every try of a callback: ignore one that you have processed. In the stream, the cursor with which
 *     reading continues later
 * @param type kind of the event, such as {@code message.delivered}
 * @param timestamp time of the event, RFC 3339
 * @param data fields by the type
 */
public record Event(String id, String type, String timestamp, Map<String, Object> data) {
    /** Returns the data as a record, such as {@code event.data(MessageDeliveredCallbackData.class)}. */
    public <T extends Record> T data(Class<T> type) {
        return Json.read(type, data);
    }

    static Event of(String id, String json) {
        Event event = Json.read(Event.class, Json.parse(json));
        return new Event(id, event.type, event.timestamp, event.data);
    }
}
