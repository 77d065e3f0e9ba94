using System;
using System.Collections.Generic;

namespace Heliograph
{
    /// <summary>Base of the errors of this client.</summary>
    public class HeliographException : Exception
    {
        internal HeliographException(string message, Exception cause = null) : base(message, cause) { }
    }

    /// <summary>Error that the API answered. Its message is a sentence for people.</summary>
    public sealed class ApiException : HeliographException
    {
        internal ApiException(int status, Problem problem, TimeSpan? retryAfter)
            : base(problem.Message ?? "The API answered " + status + ".")
        {
            Status = status;
            Problem = problem;
            RetryAfter = retryAfter;
        }

        /// <summary>HTTP status.</summary>
        public int Status { get; }

        /// <summary>Whole body of the answer, as RFC 9457 defines it.</summary>
        public Problem Problem { get; }

        /// <summary>Time to wait; null if the answer named none.</summary>
        public TimeSpan? RetryAfter { get; }

        /// <summary>Code for programs; null if a proxy answered instead of the API.</summary>
        public string Code => Problem.Code;

        /// <summary>Sentences by field, such as <c>recipients.3.to</c>.</summary>
        public IDictionary<string, IList<string>> Errors => Problem.Errors ?? new Dictionary<string, IList<string>>();

        /// <summary>Id of the call, to name in a support request; null if a proxy answered instead of the API.</summary>
        public string RequestId => Problem.RequestId;
    }

    /// <summary>No answer came: it is unknown whether the request was processed.</summary>
    public sealed class ConnectionException : HeliographException
    {
        internal ConnectionException(string message, bool timeout, Exception cause) : base(message, cause)
        {
            Timeout = timeout;
        }

        /// <summary>True if the answer took too long.</summary>
        public bool Timeout { get; }
    }

    /// <summary>A callback that is not from the platform: answer 400.</summary>
    public sealed class WebhookException : HeliographException
    {
        internal WebhookException(string message, Exception cause = null) : base(message, cause) { }
    }
}
