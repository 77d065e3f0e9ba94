package heliograph;

/**
 * Limits of a list that is read page by page.
 *
 * @param <Q> the query itself
 */
public abstract class PagedQuery<Q extends PagedQuery<Q>> extends Fields<Q> {
    PagedQuery() {}

    /** {@code nextCursor} of the previous page. */
    public abstract Q cursor(String value);
}
