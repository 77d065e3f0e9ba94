using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace Heliograph
{
    /// <summary>Something that happened: an item of the feed or of the stream, or a callback.</summary>
    public sealed class Event
    {
        /// <summary>The same at every try of a callback: ignore one that you have processed. In the stream, the cursor with
        /// which reading continues later.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Kind of the event, such as <c>message.delivered</c>.</summary>
        [JsonProperty("type")]
        public string Type { get; set; }

        /// <summary>Time of the event, RFC 3339.</summary>
        [JsonProperty("timestamp")]
        public string Timestamp { get; set; }

        /// <summary>Fields by the type.</summary>
        [JsonProperty("data")]
        public JObject Data { get; set; }

        /// <summary>Returns the data as a type, such as <c>DataAs&lt;MessageDeliveredCallbackData&gt;()</c>.</summary>
        public T DataAs<T>()
        {
            return Data.ToObject<T>(Json.Serializer);
        }
    }
}
