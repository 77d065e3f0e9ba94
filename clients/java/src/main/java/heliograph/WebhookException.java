package heliograph;

/** A callback that is not from the platform: answer 400. */
public final class WebhookException extends HeliographException {
    private static final long serialVersionUID = 1L;

    WebhookException(String message, Throwable cause) {
        super(message, cause);
    }
}
