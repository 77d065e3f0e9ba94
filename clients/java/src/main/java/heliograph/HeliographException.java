package heliograph;

/** Base of the errors of this client. */
public class HeliographException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HeliographException(String message, Throwable cause) {
        super(message, cause);
    }
}
