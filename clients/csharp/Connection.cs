using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace Heliograph
{
    /// <summary>Requests to the platform, and their tries.</summary>
    internal sealed class Connection : IDisposable
    {
        private static readonly TimeSpan FirstWait = TimeSpan.FromMilliseconds(500);
        private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(20);

        /// <summary>A longer Retry-After makes the call fail immediately.</summary>
        private static readonly TimeSpan LongestRetryAfter = TimeSpan.FromSeconds(120);

        private static readonly Random Random = new Random();

        private readonly string _url;
        private readonly string _host;
        private readonly string _key;
        private readonly HttpClient _http;
        private readonly bool _own;

        internal Connection(Uri url, string key, HttpClient http)
        {
            _url = url.AbsoluteUri.TrimEnd('/');
            _host = url.Authority;
            _key = key;
            _own = http == null;
            // A key is for one host only, so redirects are refused.
            _http = http ?? new HttpClient(new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false })
            {
                Timeout = System.Threading.Timeout.InfiniteTimeSpan,
            };
        }

        internal TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(30);

        internal int Retries { get; set; } = 4;

        public void Dispose()
        {
            if (_own) _http.Dispose();
        }

        /// <summary>Returns the body of the answer.</summary>
        internal Task<byte[]> CallAsync(Call call, CancellationToken cancellation)
        {
            return TriedAsync(call, () => OnceAsync(call, cancellation), cancellation);
        }

        /// <summary>Returns an answer as soon as its head is there.</summary>
        internal Task<HttpResponseMessage> OpenAsync(Call call, TimeSpan longest, CancellationToken cancellation)
        {
            return TriedAsync(
                call,
                () => SendAsync(call, HttpCompletionOption.ResponseHeadersRead, longest, cancellation),
                cancellation);
        }

        private async Task<byte[]> OnceAsync(Call call, CancellationToken cancellation)
        {
            var complete = HttpCompletionOption.ResponseContentRead;
            using (var answer = await SendAsync(call, complete, Timeout, cancellation).ConfigureAwait(false))
            {
                return await answer.Content.ReadAsByteArrayAsync().ConfigureAwait(false);
            }
        }

        /// <summary>Makes a call until it succeeds or no further try can help.</summary>
        private async Task<T> TriedAsync<T>(Call call, Func<Task<T>> once, CancellationToken cancellation)
        {
            for (var tries = 0; ; tries++)
            {
                TimeSpan? wait;
                try
                {
                    return await once().ConfigureAwait(false);
                }
                catch (HeliographException error)
                {
                    wait = WaitOf(error, tries, call.Repeatable);
                    if (wait == null || tries >= Retries) throw;
                }
                await Task.Delay(wait.Value, cancellation).ConfigureAwait(false);
            }
        }

        /// <summary>Sends a request once. Anything but a success is an error.</summary>
        private async Task<HttpResponseMessage> SendAsync(
            Call call, HttpCompletionOption until, TimeSpan longest, CancellationToken cancellation)
        {
            using (var late = CancellationTokenSource.CreateLinkedTokenSource(cancellation))
            using (var request = RequestOf(call))
            {
                late.CancelAfter(longest);
                try
                {
                    var answer = await _http.SendAsync(request, until, late.Token).ConfigureAwait(false);
                    if (answer.IsSuccessStatusCode) return answer;
                    using (answer)
                    {
                        var content = await answer.Content.ReadAsByteArrayAsync().ConfigureAwait(false);
                        throw new ApiException((int)answer.StatusCode, ProblemOf(content), RetryAfter(answer.Headers.RetryAfter));
                    }
                }
                catch (OperationCanceledException error) when (!cancellation.IsCancellationRequested)
                {
                    throw new ConnectionException(_host + " did not answer in time.", true, error);
                }
                catch (Exception error) when (error is HttpRequestException || error is IOException || error is WebException)
                {
                    cancellation.ThrowIfCancellationRequested();
                    var cause = error.InnerException ?? error;
                    throw new ConnectionException(_host + " could not be reached: " + cause.Message.TrimEnd('.') + ".", false, error);
                }
            }
        }

        private HttpRequestMessage RequestOf(Call call)
        {
            var request = new HttpRequestMessage(new HttpMethod(call.Method), _url + call.Path + QueryOf(call.Query));
            request.Headers.TryAddWithoutValidation("Authorization", "Bearer " + _key);
            request.Headers.TryAddWithoutValidation("User-Agent", "heliograph-csharp/" + Version.Number);
            request.Headers.ExpectContinue = false;
            if (call.Key != null) request.Headers.TryAddWithoutValidation("Idempotency-Key", call.Key);
            if (call.Body != null)
            {
                request.Content = new ByteArrayContent(Json.Write(call.Body));
                request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
            }
            return request;
        }

        private static string QueryOf(object query)
        {
            if (query == null) return "";
            var fields = JObject.FromObject(query, Json.Serializer).Properties().Select(field =>
            {
                var value = ((JValue)field.Value).ToString(CultureInfo.InvariantCulture);
                return field.Name + "=" + Uri.EscapeDataString(field.Value.Type == JTokenType.Boolean ? value.ToLowerInvariant() : value);
            }).ToArray();
            return fields.Length == 0 ? "" : "?" + string.Join("&", fields);
        }

        /// <summary>Returns the time before another try; null if no try can help, or if one may do something twice.</summary>
        private static TimeSpan? WaitOf(HeliographException error, int tries, bool repeatable)
        {
            double random;
            lock (Random) random = 0.5 + Random.NextDouble() / 2;
            var usual = Math.Min(FirstWait.TotalSeconds * Math.Pow(2, tries), LongestWait.TotalSeconds);
            var wait = TimeSpan.FromSeconds(usual * random);
            var refused = error as ApiException;
            if (refused == null) return error is ConnectionException && repeatable ? wait : (TimeSpan?)null;
            var again = refused.Status == 429 || refused.Code == "idempotency_in_flight";
            if (!again && !(refused.Status >= 500 && repeatable)) return null;
            if (refused.RetryAfter == null) return wait;
            if (refused.RetryAfter > LongestRetryAfter) return null;
            return refused.RetryAfter > wait ? refused.RetryAfter : wait;
        }

        private static TimeSpan? RetryAfter(RetryConditionHeaderValue header)
        {
            if (header == null) return null;
            if (header.Delta != null) return header.Delta;
            var wait = header.Date.GetValueOrDefault() - DateTimeOffset.UtcNow;
            return wait > TimeSpan.Zero ? wait : TimeSpan.Zero;
        }

        private static Problem ProblemOf(byte[] content)
        {
            try
            {
                return Json.Read<Problem>(content) ?? new Problem();
            }
            catch (JsonException)
            {
                // A proxy answered instead of the API.
                return new Problem();
            }
        }
    }
}
