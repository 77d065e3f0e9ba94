// Made by scripts/generate-clients.ts.

package heliograph;

final class Version {
    /** Version of the platform that this client was made for. */
    static final String NUMBER = "0.2.0";

    private Version() {}
}
