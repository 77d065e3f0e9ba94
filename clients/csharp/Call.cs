namespace Heliograph
{
    /// <summary>One call of the API.</summary>
    internal sealed class Call
    {
        internal Call(string method, string path)
        {
            Method = method;
            Path = path;
        }

        internal string Method { get; }

        internal string Path { get; }

        internal object Query { get; set; }

        internal object Body { get; set; }

        /// <summary>Idempotency key.</summary>
        internal string Key { get; set; }

        /// <summary>It does nothing twice if it is made again.</summary>
        internal bool Repeatable { get; set; } = true;
    }
}
