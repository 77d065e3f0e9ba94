using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;

namespace Heliograph
{
    /// <summary>Page of a list.</summary>
    public sealed class Page<T>
    {
        [JsonProperty("data")]
        public IList<T> Data { get; set; }

        /// <summary>Place of the next page: store it when you have processed the items.</summary>
        [JsonProperty("next_cursor")]
        public string NextCursor { get; set; }

        [JsonProperty("has_more")]
        public bool HasMore { get; set; }
    }

    /// <summary>Limits of a list that is read page by page.</summary>
    public abstract class PagedQuery
    {
        /// <summary><c>NextCursor</c> of the previous page.</summary>
        [JsonProperty("cursor", NullValueHandling = NullValueHandling.Ignore)]
        public string Cursor { get; set; }

        internal PagedQuery Copy() { return (PagedQuery)MemberwiseClone(); }
    }

    /// <summary>Items that are read when they are needed: <c>await foreach</c> of C# 8 reads them.</summary>
    public sealed class AsyncSequence<T>
    {
        private readonly Func<AsyncEnumerator<T>> _begin;

        internal AsyncSequence(Func<AsyncEnumerator<T>> begin) { _begin = begin; }

        /// <summary>Begins to read. Before C# 8, call this and <c>MoveNextAsync</c> yourself.</summary>
        public AsyncEnumerator<T> GetAsyncEnumerator() { return _begin(); }
    }

    /// <summary>Place in a sequence.</summary>
    public abstract class AsyncEnumerator<T>
    {
        internal AsyncEnumerator() { }

        /// <summary>The item that was read last.</summary>
        public T Current { get; internal set; }

        /// <summary>Reads the next item, and returns whether there is one.</summary>
        public abstract Task<bool> MoveNextAsync();

        /// <summary>Ends reading.</summary>
        public virtual Task DisposeAsync() { return Task.FromResult(true); }
    }

    internal sealed class PageEnumerator<T, TQuery> : AsyncEnumerator<Page<T>> where TQuery : PagedQuery
    {
        private readonly Func<TQuery, CancellationToken, Task<Page<T>>> _call;
        private readonly TQuery _query;
        private readonly CancellationToken _cancellation;

        internal PageEnumerator(
            Func<TQuery, CancellationToken, Task<Page<T>>> call, TQuery query, CancellationToken cancellation)
        {
            _call = call;
            _query = (TQuery)query.Copy();
            _cancellation = cancellation;
        }

        public override async Task<bool> MoveNextAsync()
        {
            if (Current != null)
            {
                if (!Current.HasMore) return false;
                _query.Cursor = Current.NextCursor;
            }
            Current = await _call(_query, _cancellation).ConfigureAwait(false);
            return true;
        }
    }

    internal sealed class ItemEnumerator<T> : AsyncEnumerator<T>
    {
        private readonly AsyncEnumerator<Page<T>> _pages;
        private int _next;

        internal ItemEnumerator(AsyncEnumerator<Page<T>> pages) { _pages = pages; }

        public override async Task<bool> MoveNextAsync()
        {
            while (_pages.Current == null || _next >= _pages.Current.Data.Count)
            {
                if (!await _pages.MoveNextAsync().ConfigureAwait(false)) return false;
                _next = 0;
            }
            Current = _pages.Current.Data[_next++];
            return true;
        }
    }
}
