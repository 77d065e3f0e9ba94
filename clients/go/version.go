// Made by scripts/generate-clients.ts.

package heliograph

// Version is that of the platform that this client was made for.
const Version = "0.2.0"
