using System;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;

namespace Heliograph
{
    /// <summary>The API of a Heliograph platform. Every call tries again by itself if that is safe and can help. It may be used by
    /// several threads: make one and keep it.</summary>
    public sealed class HeliographClient : Calls, IDisposable
    {
        private readonly Connection _connection;

        /// <summary>Makes a client.</summary>
        /// <param name="url">Address of the platform, such as https://sms.example.com.</param>
        /// <param name="key">API key of the console.</param>
        /// <param name="http">Your own HTTP client, for example with a proxy. Its handler must not follow redirects, because a
        /// key is for one host.</param>
        public HeliographClient(string url, string key, HttpClient http = null)
        {
            Uri address;
            if (!Uri.TryCreate(url, UriKind.Absolute, out address) || !address.Scheme.StartsWith("http", StringComparison.Ordinal))
                throw new ArgumentException("The url must be like https://sms.example.com, not \"" + url + "\".", nameof(url));
            if (string.IsNullOrEmpty(key))
                throw new ArgumentException("The key is missing. Create one in the console, under API keys.", nameof(key));
            _connection = new Connection(address, key, http);
        }

        /// <summary>Longest wait for one answer; 30 seconds unless you change it.</summary>
        public TimeSpan Timeout
        {
            get { return _connection.Timeout; }
            set { _connection.Timeout = value; }
        }

        /// <summary>Most tries after the first; 4 unless you change it.</summary>
        public int Retries
        {
            get { return _connection.Retries; }
            set { _connection.Retries = value; }
        }

        /// <summary>Reads the items of all pages of a list: <c>client.Every(client.ListMessagesAsync, new ListMessagesQuery {
        /// BatchId = "5" })</c>.</summary>
        public AsyncSequence<T> Every<T, TQuery>(
            Func<TQuery, CancellationToken, Task<Page<T>>> call,
            TQuery query,
            CancellationToken cancellationToken = default(CancellationToken))
            where TQuery : PagedQuery
        {
            var pages = Pages(call, query, cancellationToken);
            return new AsyncSequence<T>(() => new ItemEnumerator<T>(pages.GetAsyncEnumerator()));
        }

        /// <summary>Reads the pages of a list. Store <c>NextCursor</c> of a page when you have processed its items.</summary>
        public AsyncSequence<Page<T>> Pages<T, TQuery>(
            Func<TQuery, CancellationToken, Task<Page<T>>> call,
            TQuery query,
            CancellationToken cancellationToken = default(CancellationToken))
            where TQuery : PagedQuery
        {
            return new AsyncSequence<Page<T>>(() => new PageEnumerator<T, TQuery>(call, query, cancellationToken));
        }

        /// <summary>Reads the events as they happen, without an end; the <c>Id</c> of an event is the cursor with which reading
        /// continues later. A connection that breaks is made again after the last event, so that none is missed.</summary>
        public AsyncSequence<Event> StreamEvents(
            StreamEventsQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return new AsyncSequence<Event>(
                () => new EventEnumerator(_connection, query ?? new StreamEventsQuery(), cancellationToken));
        }

        /// <summary>Closes the connections, unless they are of your own HTTP client.</summary>
        public void Dispose() { _connection.Dispose(); }

        internal override async Task<T> JsonAsync<T>(Call call, CancellationToken cancellationToken)
        {
            var content = await BytesAsync(call, cancellationToken).ConfigureAwait(false);
            try
            {
                return Json.Read<T>(content);
            }
            catch (JsonException error)
            {
                throw new HeliographException("The answer of the platform is not what this client expects.", error);
            }
        }

        internal override Task<byte[]> BytesAsync(Call call, CancellationToken cancellationToken)
        {
            return _connection.CallAsync(call, cancellationToken);
        }
    }
}
