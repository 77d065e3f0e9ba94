using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text;
using Newtonsoft.Json;

namespace Heliograph
{
    /// <summary>Signatures of callbacks, by Standard Webhooks 1.0.</summary>
    public static class Webhook
    {
        private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(5);

        /// <summary>Checks a callback and returns its event.</summary>
        /// <param name="payload">The body exactly as it arrived.</param>
        /// <param name="header">Returns a header by its name, such as <c>name => request.Headers[name]</c>.</param>
        /// <param name="secrets">The valid ones: one, or two while the secret changes.</param>
        /// <exception cref="WebhookException">It is not from the platform: answer 400.</exception>
        public static Event Verify(byte[] payload, Func<string, string> header, params string[] secrets)
        {
            return Verify(payload, header, secrets, Tolerance);
        }

        /// <summary>Checks a callback, whose time may differ by a tolerance, and returns its event.</summary>
        public static Event Verify(
            byte[] payload, Func<string, string> header, IEnumerable<string> secrets, TimeSpan tolerance)
        {
            var id = Required(header, "webhook-id");
            var stamp = Required(header, "webhook-timestamp");
            var signatures = Required(header, "webhook-signature");
            if (stamp.Length > 12 || stamp.Any(digit => digit < '0' || digit > '9'))
                throw new WebhookException("The header webhook-timestamp is not a number of seconds.");
            var age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(stamp, CultureInfo.InvariantCulture);
            if (Math.Abs(age) > tolerance.TotalSeconds)
                throw new WebhookException("The callback is too old, or the clock of this computer is wrong.");
            foreach (var secret in secrets)
            {
                var wanted = "v1," + Signature(secret, id + "." + stamp + ".", payload);
                if (signatures.Split(' ').Any(each => Same(wanted, each))) return EventOf(id, payload);
            }
            throw new WebhookException("No signature of the callback matches any of the secrets.");
        }

        private static string Required(Func<string, string> header, string name)
        {
            var value = header(name);
            if (string.IsNullOrEmpty(value)) throw new WebhookException("The header " + name + " is missing.");
            return value;
        }

        private static string Signature(string secret, string before, byte[] payload)
        {
            using (var mac = new HMACSHA256(KeyOf(secret)))
            {
                var signed = Encoding.UTF8.GetBytes(before).Concat(payload).ToArray();
                return Convert.ToBase64String(mac.ComputeHash(signed));
            }
        }

        /// <summary>Compares in a time that shows nothing about the wanted text.</summary>
        [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
        private static bool Same(string wanted, string given)
        {
            if (wanted.Length != given.Length) return false;
            var difference = 0;
            for (var i = 0; i < wanted.Length; i++) difference |= wanted[i] ^ given[i];
            return difference == 0;
        }

        private static byte[] KeyOf(string secret)
        {
            try
            {
                var begins = secret.StartsWith("whsec_", StringComparison.Ordinal);
                var key = Convert.FromBase64String(begins ? secret.Substring(6) : "");
                if (key.Length > 0) return key;
            }
            catch (FormatException)
            {
                // The same mistake as a secret without its beginning.
            }
            throw new WebhookException("The secret must be as the console showed it; it begins with whsec_.");
        }

        private static Event EventOf(string id, byte[] payload)
        {
            try
            {
                var read = Json.Read<Event>(payload) ?? new Event();
                read.Id = id;
                return read;
            }
            catch (JsonException error)
            {
                throw new WebhookException("The body of the callback is not JSON.", error);
            }
        }
    }
}
