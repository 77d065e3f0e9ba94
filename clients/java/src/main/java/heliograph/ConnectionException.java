package heliograph;

/** No answer came: it is unknown whether the request was processed. */
public final class ConnectionException extends HeliographException {
    private static final long serialVersionUID = 1L;

    private final boolean timeout;

    ConnectionException(String message, boolean timeout, Throwable cause) {
        super(message, cause);
        this.timeout = timeout;
    }

    /** True if the answer took too long. */
    public boolean timeout() {
        return timeout;
    }
}
