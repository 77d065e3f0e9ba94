// Made by scripts/generate-clients.ts.

namespace Heliograph
{
    internal static class Version
    {
        /// <summary>Version of the platform that this client was made for.</summary>
        internal const string Number = "0.2.0";
    }
}
