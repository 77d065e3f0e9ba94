using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Heliograph
{
    /// <summary>Reads events as they happen, over one connection after the other.</summary>
    internal sealed class EventEnumerator : AsyncEnumerator<Event>
    {
        /// <summary>The platform sends a line every 15 seconds.</summary>
        private static readonly TimeSpan Silence = TimeSpan.FromSeconds(45);

        private readonly Connection _connection;
        private readonly StreamEventsQuery _query;
        private readonly CancellationToken _cancellation;
        private TimeSpan _wait = TimeSpan.FromSeconds(2);
        private HttpResponseMessage _answer;
        private StreamReader _lines;

        internal EventEnumerator(Connection connection, StreamEventsQuery query, CancellationToken cancellation)
        {
            _connection = connection;
            _cancellation = cancellation;
            _query = new StreamEventsQuery
            {
                Cursor = query.Cursor, Types = query.Types, Since = query.Since, Share = query.Share, Group = query.Group,
            };
        }

        public override async Task<bool> MoveNextAsync()
        {
            while (true)
            {
                if (_lines == null) await ConnectAsync().ConfigureAwait(false);
                var frame = await FrameAsync().ConfigureAwait(false);
                if (frame == null)
                {
                    // It broke off, or fell silent.
                    Close();
                    await Task.Delay(_wait, _cancellation).ConfigureAwait(false);
                    continue;
                }
                int milliseconds;
                string value;
                if (frame.TryGetValue("retry", out value) && int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out milliseconds))
                    _wait = TimeSpan.FromMilliseconds(milliseconds);
                string id;
                if (!frame.TryGetValue("id", out id) || !frame.TryGetValue("data", out value)) continue;
                var read = Json.Read<Event>(Encoding.UTF8.GetBytes(value));
                _query.Cursor = read.Id = id;
                Current = read;
                return true;
            }
        }

        public override Task DisposeAsync()
        {
            Close();
            return base.DisposeAsync();
        }

        private async Task ConnectAsync()
        {
            var call = new Call("GET", "/v1/events/stream") { Query = _query };
            _answer = await _connection.OpenAsync(call, Silence, _cancellation).ConfigureAwait(false);
            _lines = new StreamReader(await _answer.Content.ReadAsStreamAsync().ConfigureAwait(false), Encoding.UTF8);
        }

        /// <summary>Returns the fields of the next frame; null if the connection broke or is silent.</summary>
        private async Task<IDictionary<string, string>> FrameAsync()
        {
            var fields = new Dictionary<string, string>();
            while (true)
            {
                var line = await LineAsync().ConfigureAwait(false);
                if (line == null) return null;
                if (line.Length == 0)
                {
                    if (fields.Count > 0) return fields;
                    continue;
                }
                var colon = line.IndexOf(':');
                if (colon == 0) continue;
                var value = colon < 0 ? "" : line.Substring(colon + 1);
                fields[colon < 0 ? line : line.Substring(0, colon)] = value.StartsWith(" ", StringComparison.Ordinal) ? value.Substring(1) : value;
            }
        }

        private async Task<string> LineAsync()
        {
            using (var late = CancellationTokenSource.CreateLinkedTokenSource(_cancellation))
            {
                var reading = _lines.ReadLineAsync();
                var first = await Task.WhenAny(reading, Task.Delay(Silence, late.Token)).ConfigureAwait(false);
                late.Cancel();
                if (first != reading)
                {
                    Close();
                    Forget(reading);
                    _cancellation.ThrowIfCancellationRequested();
                    return null;
                }
                try
                {
                    return await reading.ConfigureAwait(false);
                }
                catch (Exception error) when (error is IOException || error is WebException || error is HttpRequestException || error is ObjectDisposedException)
                {
                    return null;
                }
            }
        }

        /// <summary>Takes note of the error of a task that nobody waits for.</summary>
        private static void Forget(Task task)
        {
            task.ContinueWith(ended => ended.Exception, TaskContinuationOptions.OnlyOnFaulted);
        }

        private void Close()
        {
            _answer?.Dispose();
            _answer = null;
            _lines = null;
        }
    }
}
