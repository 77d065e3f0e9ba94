using System.Globalization;
using System.IO;
using System.Text;
using Newtonsoft.Json;

namespace Heliograph
{
    /// <summary>JSON as the API writes it: numbers stay exact, and times stay texts.</summary>
    internal static class Json
    {
        /// <summary>Not that of JsonConvert, whose settings a program may change.</summary>
        internal static readonly JsonSerializer Serializer = JsonSerializer.Create(new JsonSerializerSettings
        {
            Culture = CultureInfo.InvariantCulture,
            DateParseHandling = DateParseHandling.None,
            FloatParseHandling = FloatParseHandling.Decimal,
            MaxDepth = 128,
            MetadataPropertyHandling = MetadataPropertyHandling.Ignore,
        });

        internal static T Read<T>(byte[] content)
        {
            using (var text = new StreamReader(new MemoryStream(content), new UTF8Encoding(false)))
            using (var reader = new JsonTextReader(text))
            {
                return Serializer.Deserialize<T>(reader);
            }
        }

        internal static byte[] Write(object value)
        {
            var text = new StringWriter(CultureInfo.InvariantCulture);
            Serializer.Serialize(text, value);
            return new UTF8Encoding(false).GetBytes(text.ToString());
        }
    }
}
