package heliograph;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Error that the API answered. Its message is a sentence for people. */
public final class ApiException extends HeliographException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Api.Problem problem;
    private final Duration retryAfter;

    ApiException(int status, Api.Problem problem, Duration retryAfter) {
        super(problem.message() != null ? problem.message() : "The API answered " + status + ".", null);
        this.status = status;
        this.problem = problem;
        this.retryAfter = retryAfter;
    }

    /** HTTP status. */
    public int status() {
        return status;
    }

    /** Code for programs; null if a proxy answered instead of the API. */
    public String code() {
        return problem.code();
    }

    /** Sentences by field, such as {@code recipients.3.to}. */
    public Map<String, List<String>> errors() {
        return problem.errors() == null ? Map.of() : problem.errors();
    }

    /** Id of the call, to name in a support request; null if a proxy answered instead of the API. */
    public String requestId() {
        return problem.requestId();
    }

    /** Whole body of the answer, as RFC 9457 defines it. */
    public Api.Problem problem() {
        return problem;
    }

    /** Time to wait; null if the answer named none. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
