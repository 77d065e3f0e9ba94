// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

using System.Collections.Generic;
using System.ComponentModel;
using Newtonsoft.Json;

namespace Heliograph
{
    public sealed class Problem
    {
        public const string ReasonDatabaseUnreachable = "database_unreachable";
        public const string ReasonDatabaseRestarting = "database_restarting";
        public const string ReasonDatabaseReadOnly = "database_read_only";
        public const string ReasonDatabaseConnections = "database_connections";
        public const string ReasonDatabaseLocked = "database_locked";
        public const string ReasonDatabaseTooSlow = "database_too_slow";
        public const string ReasonDatabaseOutOfMemory = "database_out_of_memory";
        public const string ReasonDatabaseFull = "database_full";
        public const string ReasonDatabaseFault = "database_fault";
        public const string ReasonStorageUnreachable = "storage_unreachable";
        public const string ReasonStorageFull = "storage_full";
        public const string ReasonOverloaded = "overloaded";
        public const string ReasonStopping = "stopping";

        /// <summary>Address of a page about this kind of error, relative to the address of the call.</summary>
        [JsonProperty("type")]
        public string Type { get; set; }

        /// <summary>Name of this kind of error, the same each time.</summary>
        [JsonProperty("title")]
        public string Title { get; set; }

        [JsonProperty("status")]
        public long Status { get; set; }

        [JsonProperty("code")]
        public string Code { get; set; }

        /// <summary>Cause of the code <c>unavailable</c>, if it is known. The header Retry-After has the seconds to wait. One of <c>database_unreachable</c>, <c>database_restarting</c>, <c>database_read_only</c>, <c>database_connections</c>, <c>database_locked</c>, <c>database_too_slow</c>, <c>database_out_of_memory</c>, <c>database_full</c>, <c>database_fault</c>, <c>storage_unreachable</c>, <c>storage_full</c>, <c>overloaded</c>, <c>stopping</c>. May be null.</summary>
        [JsonProperty("reason")]
        public string Reason { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("detail")]
        public string Detail { get; set; }

        /// <summary>Id of the call. Include it when you ask about the call.</summary>
        [JsonProperty("request_id")]
        public string RequestId { get; set; }

        [JsonProperty("message")]
        public string Message { get; set; }

        /// <summary>Sentences by field; <c>recipients.3.to</c> is the <c>to</c> of the fourth recipient. May be null.</summary>
        [JsonProperty("errors")]
        public IDictionary<string, IList<string>> Errors { get; set; }
    }

    public sealed class SendMessageRequest
    {
        public const string EncodingAuto = "auto";
        public const string EncodingGsm = "gsm";
        public const string EncodingUcs2 = "ucs2";
        public const string ClassOtp = "otp";
        public const string ClassTransactional = "transactional";
        public const string ClassBulk = "bulk";

        /// <summary>Required. Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>Required. At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several.</summary>
        [JsonProperty("text")]
        public string Text { get; set; }

        /// <summary>Required. One of your sender IDs, as phones show it: 1 to 11 characters, or a number.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary><c>gsm</c> refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: <c>"auto"</c>. One of <c>auto</c>, <c>gsm</c>, <c>ucs2</c>.</summary>
        [JsonProperty("encoding", NullValueHandling = NullValueHandling.Ignore)]
        public string Encoding { get; set; }

        /// <summary>Shown immediately and not kept by the phone. Your account must allow it. Default: <c>false</c>.</summary>
        [JsonProperty("flash", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Flash { get; set; }

        /// <summary><c>otp</c> (sign-in codes) is sent first, <c>bulk</c> last. Nothing is added to the text of an <c>otp</c> message. Default: <c>"transactional"</c>. One of <c>otp</c>, <c>transactional</c>, <c>bulk</c>.</summary>
        [JsonProperty("class", NullValueHandling = NullValueHandling.Ignore)]
        public string Class { get; set; }

        /// <summary>Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately.</summary>
        [JsonProperty("send_at", NullValueHandling = NullValueHandling.Ignore)]
        public string SendAt { get; set; }

        /// <summary>Minutes after which the message is not delivered any more. The maximum of your account is also the default.</summary>
        [JsonProperty("validity", NullValueHandling = NullValueHandling.Ignore)]
        public long? Validity { get; set; }

        /// <summary>Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way.</summary>
        [JsonProperty("callback_url", NullValueHandling = NullValueHandling.Ignore)]
        public string CallbackUrl { get; set; }

        /// <summary>Values of parameters that carriers ask for, by the names that the operator gave them, such as <c>dlt_template_id</c>. Your account must allow it. Default: <c>{}</c>.</summary>
        [JsonProperty("parameters", NullValueHandling = NullValueHandling.Ignore)]
        public IDictionary<string, string> Parameters { get; set; }

        /// <summary>True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup.</summary>
        [JsonProperty("skip_dead", NullValueHandling = NullValueHandling.Ignore)]
        public bool? SkipDead { get; set; }

        /// <summary>Your own labels, returned in answers and callbacks. Default: <c>[]</c>.</summary>
        [JsonProperty("tags", NullValueHandling = NullValueHandling.Ignore)]
        public IList<string> Tags { get; set; }

        /// <summary>Your own reference, returned in answers and callbacks.</summary>
        [JsonProperty("client_ref", NullValueHandling = NullValueHandling.Ignore)]
        public string ClientRef { get; set; }

        /// <summary>If true, a <c>client_ref</c> that another message of this key has is refused. Default: <c>false</c>.</summary>
        [JsonProperty("unique_ref", NullValueHandling = NullValueHandling.Ignore)]
        public bool? UniqueRef { get; set; }
    }

    public sealed class SendMessageReply
    {
        public const string StatePending = "pending";
        public const string StateScheduled = "scheduled";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Only digits. Masked, such as <c>63917•••••67</c>, if the owner or the maker of the key may not see numbers.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>One of <c>pending</c>, <c>scheduled</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        [JsonProperty("parts")]
        public long Parts { get; set; }

        /// <summary>Reserved amount. Your account decides when it is charged.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("send_at")]
        public string SendAt { get; set; }

        [JsonProperty("expires_at")]
        public string ExpiresAt { get; set; }

        /// <summary>Sent with a test key: it goes to a test link and costs nothing.</summary>
        [JsonProperty("test")]
        public bool Test { get; set; }
    }

    public sealed class EstimateMessageRequest
    {
        public const string EncodingAuto = "auto";
        public const string EncodingGsm = "gsm";
        public const string EncodingUcs2 = "ucs2";
        public const string ClassOtp = "otp";
        public const string ClassTransactional = "transactional";
        public const string ClassBulk = "bulk";

        /// <summary>Required.</summary>
        [JsonProperty("to")]
        public IList<string> To { get; set; }

        /// <summary>Required. At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several.</summary>
        [JsonProperty("text")]
        public string Text { get; set; }

        /// <summary>Required. One of your sender IDs, as phones show it: 1 to 11 characters, or a number.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary><c>gsm</c> refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: <c>"auto"</c>. One of <c>auto</c>, <c>gsm</c>, <c>ucs2</c>.</summary>
        [JsonProperty("encoding", NullValueHandling = NullValueHandling.Ignore)]
        public string Encoding { get; set; }

        /// <summary>Shown immediately and not kept by the phone. Your account must allow it. Default: <c>false</c>.</summary>
        [JsonProperty("flash", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Flash { get; set; }

        /// <summary><c>otp</c> (sign-in codes) is sent first, <c>bulk</c> last. Nothing is added to the text of an <c>otp</c> message. Default: <c>"transactional"</c>. One of <c>otp</c>, <c>transactional</c>, <c>bulk</c>.</summary>
        [JsonProperty("class", NullValueHandling = NullValueHandling.Ignore)]
        public string Class { get; set; }

        /// <summary>True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup.</summary>
        [JsonProperty("skip_dead", NullValueHandling = NullValueHandling.Ignore)]
        public bool? SkipDead { get; set; }
    }

    public sealed class EstimateMessageReply
    {
        public const string EncodingGsm = "gsm";
        public const string EncodingUcs2 = "ucs2";

        /// <summary>Text with the signature and the opt-out notice. Null if all recipients are refused.</summary>
        [JsonProperty("text")]
        public string Text { get; set; }

        /// <summary>One of <c>gsm</c>, <c>ucs2</c>. May be null.</summary>
        [JsonProperty("encoding")]
        public string Encoding { get; set; }

        /// <summary>Number of messages that would be accepted.</summary>
        [JsonProperty("messages")]
        public long Messages { get; set; }

        [JsonProperty("parts")]
        public long Parts { get; set; }

        /// <summary>Amount with three decimals, as a decimal string.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        [JsonProperty("recipients")]
        public IList<EstimateMessageReplyRecipientsItem> Recipients { get; set; }

        [JsonProperty("rejected")]
        public IList<EstimateMessageReplyRejectedItem> Rejected { get; set; }
    }

    public sealed class EstimateMessageReplyRecipientsItem
    {
        [JsonProperty("index")]
        public long Index { get; set; }

        [JsonProperty("to")]
        public string To { get; set; }

        [JsonProperty("parts")]
        public long Parts { get; set; }

        /// <summary>Amount with three decimals, as a decimal string.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }
    }

    public sealed class EstimateMessageReplyRejectedItem
    {
        [JsonProperty("code")]
        public string Code { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("field")]
        public string Field { get; set; }

        [JsonProperty("detail")]
        public string Detail { get; set; }

        /// <summary>Position in the request, from 0.</summary>
        [JsonProperty("index")]
        public long Index { get; set; }

        [JsonProperty("to")]
        public string To { get; set; }
    }

    public sealed class GetMessageReply
    {
        public const string StatePending = "pending";
        public const string StateSubmitted = "submitted";
        public const string StateDelivered = "delivered";
        public const string StateExpired = "expired";
        public const string StateCancelled = "cancelled";
        public const string StateFailedInternal = "failed_internal";
        public const string StateFailedBilling = "failed_billing";
        public const string StateFailedSubmit = "failed_submit";
        public const string StateFailedOther = "failed_other";
        public const string StateBlocked = "blocked";
        public const string StateScheduled = "scheduled";
        public const string ClassOtp = "otp";
        public const string ClassTransactional = "transactional";
        public const string ClassBulk = "bulk";
        public const string EncodingGsm = "gsm";
        public const string EncodingUcs2 = "ucs2";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary>Number of the recipient. Masked, such as <c>63917•••••67</c>, if the owner or the maker of the key may not see numbers.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>Text as it was sent. Null if the owner of the key may not see texts.</summary>
        [JsonProperty("text")]
        public string Text { get; set; }

        /// <summary>One of <c>pending</c>, <c>submitted</c>, <c>delivered</c>, <c>expired</c>, <c>cancelled</c>, <c>failed_internal</c>, <c>failed_billing</c>, <c>failed_submit</c>, <c>failed_other</c>, <c>blocked</c>, <c>scheduled</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>Error code of the carrier, or <c>moderation</c> if the platform rejected the message. May be null.</summary>
        [JsonProperty("error_code")]
        public string ErrorCode { get; set; }

        /// <summary>One of <c>otp</c>, <c>transactional</c>, <c>bulk</c>.</summary>
        [JsonProperty("class")]
        public string Class { get; set; }

        /// <summary>One of <c>gsm</c>, <c>ucs2</c>.</summary>
        [JsonProperty("encoding")]
        public string Encoding { get; set; }

        [JsonProperty("flash")]
        public bool Flash { get; set; }

        [JsonProperty("parts")]
        public long Parts { get; set; }

        /// <summary>Amount with three decimals, as a decimal string.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        [JsonProperty("tags")]
        public IList<string> Tags { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("callback_url")]
        public string CallbackUrl { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("batch_id")]
        public string BatchId { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("send_at")]
        public string SendAt { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("expires_at")]
        public string ExpiresAt { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>Time of the final state. May be null.</summary>
        [JsonProperty("done_at")]
        public string DoneAt { get; set; }

        [JsonProperty("test")]
        public bool Test { get; set; }
    }

    public sealed class SendBatchRequest
    {
        public const string EncodingAuto = "auto";
        public const string EncodingGsm = "gsm";
        public const string EncodingUcs2 = "ucs2";
        public const string ClassOtp = "otp";
        public const string ClassTransactional = "transactional";
        public const string ClassBulk = "bulk";

        /// <summary>Text for every recipient without its own text. It may contain <c>{name}</c> and <c>{param1}</c> to <c>{param9}</c>.</summary>
        [JsonProperty("text", NullValueHandling = NullValueHandling.Ignore)]
        public string Text { get; set; }

        /// <summary>Required.</summary>
        [JsonProperty("recipients")]
        public IList<SendBatchRecipient> Recipients { get; set; }

        /// <summary>Required. One of your sender IDs, as phones show it: 1 to 11 characters, or a number.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary><c>gsm</c> refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: <c>"auto"</c>. One of <c>auto</c>, <c>gsm</c>, <c>ucs2</c>.</summary>
        [JsonProperty("encoding", NullValueHandling = NullValueHandling.Ignore)]
        public string Encoding { get; set; }

        /// <summary>Shown immediately and not kept by the phone. Your account must allow it. Default: <c>false</c>.</summary>
        [JsonProperty("flash", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Flash { get; set; }

        /// <summary><c>otp</c> (sign-in codes) is sent first, <c>bulk</c> last. Nothing is added to the text of an <c>otp</c> message. Default: <c>"transactional"</c>. One of <c>otp</c>, <c>transactional</c>, <c>bulk</c>.</summary>
        [JsonProperty("class", NullValueHandling = NullValueHandling.Ignore)]
        public string Class { get; set; }

        /// <summary>Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately.</summary>
        [JsonProperty("send_at", NullValueHandling = NullValueHandling.Ignore)]
        public string SendAt { get; set; }

        /// <summary>Minutes after which the message is not delivered any more. The maximum of your account is also the default.</summary>
        [JsonProperty("validity", NullValueHandling = NullValueHandling.Ignore)]
        public long? Validity { get; set; }

        /// <summary>Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way.</summary>
        [JsonProperty("callback_url", NullValueHandling = NullValueHandling.Ignore)]
        public string CallbackUrl { get; set; }

        /// <summary>Values of parameters that carriers ask for, by the names that the operator gave them, such as <c>dlt_template_id</c>. Your account must allow it. Default: <c>{}</c>.</summary>
        [JsonProperty("parameters", NullValueHandling = NullValueHandling.Ignore)]
        public IDictionary<string, string> Parameters { get; set; }

        /// <summary>True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup.</summary>
        [JsonProperty("skip_dead", NullValueHandling = NullValueHandling.Ignore)]
        public bool? SkipDead { get; set; }

        /// <summary>Your own labels, returned in answers and callbacks. Default: <c>[]</c>.</summary>
        [JsonProperty("tags", NullValueHandling = NullValueHandling.Ignore)]
        public IList<string> Tags { get; set; }

        /// <summary>Your own reference for the batch.</summary>
        [JsonProperty("client_ref", NullValueHandling = NullValueHandling.Ignore)]
        public string ClientRef { get; set; }

        /// <summary>If true, a <c>client_ref</c> that another message of this key has is refused. Default: <c>false</c>.</summary>
        [JsonProperty("unique_ref", NullValueHandling = NullValueHandling.Ignore)]
        public bool? UniqueRef { get; set; }
    }

    public sealed class SendBatchRecipient
    {
        /// <summary>Required. Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>Text for this recipient instead of the common one. It is sent unchanged.</summary>
        [JsonProperty("text", NullValueHandling = NullValueHandling.Ignore)]
        public string Text { get; set; }

        /// <summary>Values for <c>{name}</c> and <c>{param1}</c> to <c>{param9}</c> in the text.</summary>
        [JsonProperty("params", NullValueHandling = NullValueHandling.Ignore)]
        public SendBatchParams Params { get; set; }

        /// <summary>Your own reference, returned in answers and callbacks.</summary>
        [JsonProperty("client_ref", NullValueHandling = NullValueHandling.Ignore)]
        public string ClientRef { get; set; }
    }

    public sealed class SendBatchParams
    {
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        [JsonProperty("param1", NullValueHandling = NullValueHandling.Ignore)]
        public string Param1 { get; set; }

        [JsonProperty("param2", NullValueHandling = NullValueHandling.Ignore)]
        public string Param2 { get; set; }

        [JsonProperty("param3", NullValueHandling = NullValueHandling.Ignore)]
        public string Param3 { get; set; }

        [JsonProperty("param4", NullValueHandling = NullValueHandling.Ignore)]
        public string Param4 { get; set; }

        [JsonProperty("param5", NullValueHandling = NullValueHandling.Ignore)]
        public string Param5 { get; set; }

        [JsonProperty("param6", NullValueHandling = NullValueHandling.Ignore)]
        public string Param6 { get; set; }

        [JsonProperty("param7", NullValueHandling = NullValueHandling.Ignore)]
        public string Param7 { get; set; }

        [JsonProperty("param8", NullValueHandling = NullValueHandling.Ignore)]
        public string Param8 { get; set; }

        [JsonProperty("param9", NullValueHandling = NullValueHandling.Ignore)]
        public string Param9 { get; set; }
    }

    public sealed class SendBatchReply
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        [JsonProperty("total")]
        public long Total { get; set; }

        [JsonProperty("accepted")]
        public long Accepted { get; set; }

        [JsonProperty("parts")]
        public long Parts { get; set; }

        /// <summary>Sum of the reserved amounts, as a decimal string.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        [JsonProperty("tags")]
        public IList<string> Tags { get; set; }

        /// <summary>Recipients that were not accepted. They cost nothing.</summary>
        [JsonProperty("rejected")]
        public IList<EstimateMessageReplyRejectedItem> Rejected { get; set; }

        [JsonProperty("test")]
        public bool Test { get; set; }
    }

    public sealed class GetBatchReply
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        [JsonProperty("total")]
        public long Total { get; set; }

        [JsonProperty("accepted")]
        public long Accepted { get; set; }

        [JsonProperty("parts")]
        public long Parts { get; set; }

        /// <summary>Sum of the reserved amounts, as a decimal string.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        [JsonProperty("tags")]
        public IList<string> Tags { get; set; }

        /// <summary>Recipients that were not accepted. They cost nothing.</summary>
        [JsonProperty("rejected")]
        public IList<EstimateMessageReplyRejectedItem> Rejected { get; set; }

        [JsonProperty("states")]
        public IDictionary<string, long> States { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }
    }

    public sealed class StartVerificationRequest
    {
        public const string LanguageEn = "en";
        public const string LanguageCn = "cn";
        public const string LanguageZh = "zh";
        public const string LanguageFp = "fp";

        /// <summary>Required. Verify service of your account; its id is on its page in the console.</summary>
        [JsonProperty("service")]
        public string Service { get; set; }

        /// <summary>Required. Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>Language of the text. Without it: that of the service. One of <c>en</c>, <c>cn</c>, <c>zh</c>, <c>fp</c>.</summary>
        [JsonProperty("language", NullValueHandling = NullValueHandling.Ignore)]
        public string Language { get; set; }

        /// <summary>Address of the person, not of your server. Stored for 30 days.</summary>
        [JsonProperty("client_ip", NullValueHandling = NullValueHandling.Ignore)]
        public string ClientIp { get; set; }

        /// <summary>Your own id of the device or session. Stored for 30 days.</summary>
        [JsonProperty("device", NullValueHandling = NullValueHandling.Ignore)]
        public string Device { get; set; }

        /// <summary>Your own reference, returned in answers and callbacks.</summary>
        [JsonProperty("client_ref", NullValueHandling = NullValueHandling.Ignore)]
        public string ClientRef { get; set; }
    }

    public sealed class StartVerificationReply
    {
        public const string StatusPending = "pending";
        public const string StatusApproved = "approved";
        public const string StatusFailed = "failed";
        public const string StatusExpired = "expired";
        public const string StatusCancelled = "cancelled";
        public const string LanguageEn = "en";
        public const string LanguageCn = "cn";
        public const string LanguageZh = "zh";
        public const string LanguageFp = "fp";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Verify service whose rules it follows.</summary>
        [JsonProperty("service")]
        public string Service { get; set; }

        /// <summary>Number. Masked, such as <c>63917•••••67</c>, if the key may not see numbers.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary><c>approved</c>: the right code was entered in time. <c>failed</c>: all tries were wrong. One of <c>pending</c>, <c>approved</c>, <c>failed</c>, <c>expired</c>, <c>cancelled</c>.</summary>
        [JsonProperty("status")]
        public string Status { get; set; }

        /// <summary>One of <c>en</c>, <c>cn</c>, <c>zh</c>, <c>fp</c>.</summary>
        [JsonProperty("language")]
        public string Language { get; set; }

        /// <summary>Codes that may still be checked.</summary>
        [JsonProperty("attempts_left")]
        public long AttemptsLeft { get; set; }

        [JsonProperty("resends_left")]
        public long ResendsLeft { get; set; }

        /// <summary>Earliest time of the next resend; null if there is none.</summary>
        [JsonProperty("resend_at")]
        public string ResendAt { get; set; }

        /// <summary>Messages with the code, the first one first.</summary>
        [JsonProperty("messages")]
        public IList<StartVerificationReplyMessagesItem> Messages { get; set; }

        /// <summary>Parts of all its messages.</summary>
        [JsonProperty("parts")]
        public long Parts { get; set; }

        /// <summary>Reserved amount of all its messages, with three decimals.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>Time until which the code is valid.</summary>
        [JsonProperty("expires_at")]
        public string ExpiresAt { get; set; }

        /// <summary>Time of the final status. May be null.</summary>
        [JsonProperty("done_at")]
        public string DoneAt { get; set; }

        [JsonProperty("test")]
        public bool Test { get; set; }
    }

    public sealed class StartVerificationReplyMessagesItem
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>State as in <c>GET /v1/messages/{id}</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("error_code")]
        public string ErrorCode { get; set; }
    }

    public sealed class CheckVerificationRequest
    {
        /// <summary>Required. Digits of the code. Blanks and dashes between them are ignored.</summary>
        [JsonProperty("code")]
        public string Code { get; set; }
    }

    public sealed class GetBalanceReply
    {
        [JsonProperty("billing_account")]
        public string BillingAccount { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("credit")]
        public string Credit { get; set; }

        /// <summary>Amount set aside for messages without a final state.</summary>
        [JsonProperty("reserved")]
        public string Reserved { get; set; }

        /// <summary>Amount by which the credit may go below zero.</summary>
        [JsonProperty("credit_limit")]
        public string CreditLimit { get; set; }

        /// <summary>Amount that can be spent now.</summary>
        [JsonProperty("available")]
        public string Available { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        [JsonProperty("suspended")]
        public bool Suspended { get; set; }
    }

    public sealed class ListInvoicesItem
    {
        public const string KindInvoice = "invoice";
        public const string KindCreditNote = "credit_note";
        public const string KindReceipt = "receipt";
        public const string StatusOpen = "open";
        public const string StatusPartPaid = "part_paid";
        public const string StatusOverdue = "overdue";
        public const string StatusPaid = "paid";
        public const string StatusCredited = "credited";
        public const string StatusIssued = "issued";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>One of <c>invoice</c>, <c>credit_note</c>, <c>receipt</c>.</summary>
        [JsonProperty("kind")]
        public string Kind { get; set; }

        [JsonProperty("number")]
        public string Number { get; set; }

        /// <summary><c>issued</c> is the state of credit notes and receipts. One of <c>open</c>, <c>part_paid</c>, <c>overdue</c>, <c>paid</c>, <c>credited</c>, <c>issued</c>.</summary>
        [JsonProperty("status")]
        public string Status { get; set; }

        [JsonProperty("seller")]
        public string Seller { get; set; }

        [JsonProperty("buyer")]
        public string Buyer { get; set; }

        [JsonProperty("issue_date")]
        public string IssueDate { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("due_date")]
        public string DueDate { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("period_from")]
        public string PeriodFrom { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("period_to")]
        public string PeriodTo { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("net")]
        public string Net { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("tax")]
        public string Tax { get; set; }

        /// <summary>Difference between the total and the sum with tax, if prices include tax.</summary>
        [JsonProperty("rounding")]
        public string Rounding { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("total")]
        public string Total { get; set; }

        /// <summary>Part of the total that you are expected to withhold and to pay to the tax authority.</summary>
        [JsonProperty("withholding")]
        public string Withholding { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("paid")]
        public string Paid { get; set; }

        /// <summary>Sum of the credit notes for it.</summary>
        [JsonProperty("credited")]
        public string Credited { get; set; }

        /// <summary>Still to be paid.</summary>
        [JsonProperty("open")]
        public string Open { get; set; }

        /// <summary>Account whose payments pay it. May be null.</summary>
        [JsonProperty("billing_account_id")]
        public string BillingAccountId { get; set; }

        [JsonProperty("issued_at")]
        public string IssuedAt { get; set; }
    }

    public sealed class GetInvoiceReply
    {
        public const string KindInvoice = "invoice";
        public const string KindCreditNote = "credit_note";
        public const string KindReceipt = "receipt";
        public const string StatusOpen = "open";
        public const string StatusPartPaid = "part_paid";
        public const string StatusOverdue = "overdue";
        public const string StatusPaid = "paid";
        public const string StatusCredited = "credited";
        public const string StatusIssued = "issued";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>One of <c>invoice</c>, <c>credit_note</c>, <c>receipt</c>.</summary>
        [JsonProperty("kind")]
        public string Kind { get; set; }

        [JsonProperty("number")]
        public string Number { get; set; }

        /// <summary><c>issued</c> is the state of credit notes and receipts. One of <c>open</c>, <c>part_paid</c>, <c>overdue</c>, <c>paid</c>, <c>credited</c>, <c>issued</c>.</summary>
        [JsonProperty("status")]
        public string Status { get; set; }

        [JsonProperty("seller")]
        public string Seller { get; set; }

        [JsonProperty("buyer")]
        public string Buyer { get; set; }

        [JsonProperty("issue_date")]
        public string IssueDate { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("due_date")]
        public string DueDate { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("period_from")]
        public string PeriodFrom { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("period_to")]
        public string PeriodTo { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("net")]
        public string Net { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("tax")]
        public string Tax { get; set; }

        /// <summary>Difference between the total and the sum with tax, if prices include tax.</summary>
        [JsonProperty("rounding")]
        public string Rounding { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("total")]
        public string Total { get; set; }

        /// <summary>Part of the total that you are expected to withhold and to pay to the tax authority.</summary>
        [JsonProperty("withholding")]
        public string Withholding { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("paid")]
        public string Paid { get; set; }

        /// <summary>Sum of the credit notes for it.</summary>
        [JsonProperty("credited")]
        public string Credited { get; set; }

        /// <summary>Still to be paid.</summary>
        [JsonProperty("open")]
        public string Open { get; set; }

        /// <summary>Account whose payments pay it. May be null.</summary>
        [JsonProperty("billing_account_id")]
        public string BillingAccountId { get; set; }

        [JsonProperty("issued_at")]
        public string IssuedAt { get; set; }

        /// <summary>Reason of a credit note. May be null.</summary>
        [JsonProperty("reason")]
        public string Reason { get; set; }

        /// <summary>Invoice that a credit note is about. May be null.</summary>
        [JsonProperty("credited_invoice_id")]
        public string CreditedInvoiceId { get; set; }

        /// <summary>The files can be downloaded, usually a few seconds after the issue.</summary>
        [JsonProperty("files_ready")]
        public bool FilesReady { get; set; }

        [JsonProperty("taxes")]
        public IList<GetInvoiceReplyTaxesItem> Taxes { get; set; }

        /// <summary>Parts of payments that paid it.</summary>
        [JsonProperty("payments")]
        public IList<GetInvoiceReplyPaymentsItem> Payments { get; set; }

        [JsonProperty("credit_notes")]
        public IList<GetInvoiceReplyCreditNotesItem> CreditNotes { get; set; }
    }

    public sealed class GetInvoiceReplyTaxesItem
    {
        public const string CategoryStandard = "standard";
        public const string CategoryZero = "zero";
        public const string CategoryExempt = "exempt";
        public const string CategoryOutside = "outside";

        /// <summary>One of <c>standard</c>, <c>zero</c>, <c>exempt</c>, <c>outside</c>.</summary>
        [JsonProperty("category")]
        public string Category { get; set; }

        /// <summary>Percentage.</summary>
        [JsonProperty("rate")]
        public string Rate { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("taxable")]
        public string Taxable { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("tax")]
        public string Tax { get; set; }
    }

    public sealed class GetInvoiceReplyPaymentsItem
    {
        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("amount")]
        public string Amount { get; set; }

        [JsonProperty("paid_at")]
        public string PaidAt { get; set; }
    }

    public sealed class GetInvoiceReplyCreditNotesItem
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        [JsonProperty("number")]
        public string Number { get; set; }

        [JsonProperty("issue_date")]
        public string IssueDate { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("total")]
        public string Total { get; set; }
    }

    public sealed class ListTopUpsItem
    {
        public const string StateCreated = "created";
        public const string StateAwaitingPayment = "awaiting_payment";
        public const string StateInReview = "in_review";
        public const string StatePaid = "paid";
        public const string StatePartlyRefunded = "partly_refunded";
        public const string StateRefunded = "refunded";
        public const string StateChargedBack = "charged_back";
        public const string StateFailed = "failed";
        public const string StateExpired = "expired";
        public const string StateRejected = "rejected";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>The account has the credit from <c>paid</c> on; refunds and chargebacks take it back. One of <c>created</c>, <c>awaiting_payment</c>, <c>in_review</c>, <c>paid</c>, <c>partly_refunded</c>, <c>refunded</c>, <c>charged_back</c>, <c>failed</c>, <c>expired</c>, <c>rejected</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("billing_account_id")]
        public string BillingAccountId { get; set; }

        /// <summary>Credit that the account gets.</summary>
        [JsonProperty("amount")]
        public string Amount { get; set; }

        /// <summary>Fee on top of it.</summary>
        [JsonProperty("fee")]
        public string Fee { get; set; }

        /// <summary>Amount that is paid: the credit and the fee.</summary>
        [JsonProperty("total")]
        public string Total { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>Name of the payment method.</summary>
        [JsonProperty("method")]
        public string Method { get; set; }

        /// <summary>A kept card was charged, because the account could spend less than a threshold.</summary>
        [JsonProperty("automatic")]
        public bool Automatic { get; set; }

        /// <summary>Our reference at the provider and on bank statements.</summary>
        [JsonProperty("reference")]
        public string Reference { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_reference")]
        public string ClientReference { get; set; }

        /// <summary>Money that went back to you.</summary>
        [JsonProperty("returned")]
        public string Returned { get; set; }

        /// <summary>Credit that the account lost with it.</summary>
        [JsonProperty("taken_back")]
        public string TakenBack { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("paid_at")]
        public string PaidAt { get; set; }
    }

    public sealed class GetTopUpReply
    {
        public const string StateCreated = "created";
        public const string StateAwaitingPayment = "awaiting_payment";
        public const string StateInReview = "in_review";
        public const string StatePaid = "paid";
        public const string StatePartlyRefunded = "partly_refunded";
        public const string StateRefunded = "refunded";
        public const string StateChargedBack = "charged_back";
        public const string StateFailed = "failed";
        public const string StateExpired = "expired";
        public const string StateRejected = "rejected";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>The account has the credit from <c>paid</c> on; refunds and chargebacks take it back. One of <c>created</c>, <c>awaiting_payment</c>, <c>in_review</c>, <c>paid</c>, <c>partly_refunded</c>, <c>refunded</c>, <c>charged_back</c>, <c>failed</c>, <c>expired</c>, <c>rejected</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("billing_account_id")]
        public string BillingAccountId { get; set; }

        /// <summary>Credit that the account gets.</summary>
        [JsonProperty("amount")]
        public string Amount { get; set; }

        /// <summary>Fee on top of it.</summary>
        [JsonProperty("fee")]
        public string Fee { get; set; }

        /// <summary>Amount that is paid: the credit and the fee.</summary>
        [JsonProperty("total")]
        public string Total { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>Name of the payment method.</summary>
        [JsonProperty("method")]
        public string Method { get; set; }

        /// <summary>A kept card was charged, because the account could spend less than a threshold.</summary>
        [JsonProperty("automatic")]
        public bool Automatic { get; set; }

        /// <summary>Our reference at the provider and on bank statements.</summary>
        [JsonProperty("reference")]
        public string Reference { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_reference")]
        public string ClientReference { get; set; }

        /// <summary>Money that went back to you.</summary>
        [JsonProperty("returned")]
        public string Returned { get; set; }

        /// <summary>Credit that the account lost with it.</summary>
        [JsonProperty("taken_back")]
        public string TakenBack { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("paid_at")]
        public string PaidAt { get; set; }

        [JsonProperty("returns")]
        public IList<GetTopUpReplyReturnsItem> Returns { get; set; }
    }

    public sealed class GetTopUpReplyReturnsItem
    {
        public const string KindRefund = "refund";
        public const string KindChargeback = "chargeback";
        public const string StateAsked = "asked";
        public const string StatePending = "pending";
        public const string StateDone = "done";
        public const string StateFailed = "failed";
        public const string StateOpen = "open";
        public const string StateLost = "lost";
        public const string StateWon = "won";
        public const string StateReversed = "reversed";

        /// <summary>One of <c>refund</c>, <c>chargeback</c>.</summary>
        [JsonProperty("kind")]
        public string Kind { get; set; }

        /// <summary>One of <c>asked</c>, <c>pending</c>, <c>done</c>, <c>failed</c>, <c>open</c>, <c>lost</c>, <c>won</c>, <c>reversed</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("amount")]
        public string Amount { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("reason")]
        public string Reason { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }
    }

    public sealed class ListInboundItem
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Number of the phone. Masked, such as <c>63917•••••67</c>, if the owner or the maker of the key may not see numbers.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary>Short code, number or sender ID that the phone sent to.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        [JsonProperty("text")]
        public string Text { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("keyword")]
        public string Keyword { get; set; }

        /// <summary>The text is hexadecimal.</summary>
        [JsonProperty("binary")]
        public bool Binary { get; set; }

        /// <summary>Parameters that the carrier added, by name, or by tag such as <c>0x1401</c> and in hexadecimal.</summary>
        [JsonProperty("parameters")]
        public IDictionary<string, string> Parameters { get; set; }

        [JsonProperty("received_at")]
        public string ReceivedAt { get; set; }
    }

    public sealed class GetConversationReply
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Number of the phone. Masked, such as <c>63917•••••67</c>, if the owner or the maker of the key may not see numbers.</summary>
        [JsonProperty("number")]
        public string Number { get; set; }

        /// <summary>Short code, number or sender ID that the phone sent to last.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>False after somebody closed it. A new message of the phone opens it again.</summary>
        [JsonProperty("open")]
        public bool Open { get; set; }

        /// <summary>Number of unread messages.</summary>
        [JsonProperty("unread")]
        public long Unread { get; set; }

        /// <summary>User in charge. May be null.</summary>
        [JsonProperty("assigned_to")]
        public string AssignedTo { get; set; }

        /// <summary>Time of the latest message, or of the latest answer by a person.</summary>
        [JsonProperty("last_at")]
        public string LastAt { get; set; }
    }

    public sealed class ListConversationMessagesItem
    {
        public const string DirectionIn = "in";
        public const string DirectionOut = "out";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary><c>in</c> from the phone, <c>out</c> to it. One of <c>in</c>, <c>out</c>.</summary>
        [JsonProperty("direction")]
        public string Direction { get; set; }

        /// <summary>Null if your user may not read texts.</summary>
        [JsonProperty("text")]
        public string Text { get; set; }

        /// <summary>Short code, number or sender ID on your side.</summary>
        [JsonProperty("number")]
        public string Number { get; set; }

        /// <summary>The text is hexadecimal.</summary>
        [JsonProperty("binary")]
        public bool Binary { get; set; }

        /// <summary>State of a message to the phone. May be null.</summary>
        [JsonProperty("status")]
        public string Status { get; set; }

        [JsonProperty("at")]
        public string At { get; set; }
    }

    public sealed class UpdateConversationRequest
    {
        [JsonProperty("open", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Open { get; set; }

        private string _assignedTo;
        private bool _assignedToWasSet;

        /// <summary>User who may read the inbox; null for nobody.</summary>
        [JsonProperty("assigned_to")]
        public string AssignedTo
        {
            get { return _assignedTo; }
            set { _assignedTo = value; _assignedToWasSet = true; }
        }

        [EditorBrowsable(EditorBrowsableState.Never)]
        public bool ShouldSerializeAssignedTo() { return _assignedToWasSet; }
    }

    public sealed class ListConsentsReply
    {
        [JsonProperty("data")]
        public IList<AddConsentReply> Data { get; set; }
    }

    public sealed class AddConsentReply
    {
        public const string KindOptIn = "opt_in";
        public const string KindAsked = "asked";
        public const string KindOptOut = "opt_out";
        public const string SourceForm = "form";
        public const string SourceKeyword = "keyword";
        public const string SourceImport = "import";
        public const string SourceApi = "api";
        public const string SourcePerson = "person";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Number of the person. Masked, such as <c>63917•••••67</c>, if the owner or the maker of the key may not see numbers.</summary>
        [JsonProperty("number")]
        public string Number { get; set; }

        /// <summary>One of <c>opt_in</c>, <c>asked</c>, <c>opt_out</c>.</summary>
        [JsonProperty("kind")]
        public string Kind { get; set; }

        /// <summary>One of <c>form</c>, <c>keyword</c>, <c>import</c>, <c>api</c>, <c>person</c>.</summary>
        [JsonProperty("source")]
        public string Source { get; set; }

        /// <summary>Sender ID that the event is about; null for all.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("wording")]
        public string Wording { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("proof")]
        public string Proof { get; set; }

        [JsonProperty("at")]
        public string At { get; set; }
    }

    public sealed class AddConsentRequest
    {
        public const string KindOptIn = "opt_in";
        public const string KindAsked = "asked";
        public const string KindOptOut = "opt_out";

        /// <summary>Required.</summary>
        [JsonProperty("number")]
        public string Number { get; set; }

        /// <summary>Required. One of <c>opt_in</c>, <c>asked</c>, <c>opt_out</c>.</summary>
        [JsonProperty("kind")]
        public string Kind { get; set; }

        private string _from;
        private bool _fromWasSet;

        /// <summary>Sender ID that the event is about; null for all. Default: <c>null</c>.</summary>
        [JsonProperty("from")]
        public string From
        {
            get { return _from; }
            set { _from = value; _fromWasSet = true; }
        }

        [EditorBrowsable(EditorBrowsableState.Never)]
        public bool ShouldSerializeFrom() { return _fromWasSet; }

        private string _wording;
        private bool _wordingWasSet;

        /// <summary>Wording that the person agreed to. Default: <c>null</c>.</summary>
        [JsonProperty("wording")]
        public string Wording
        {
            get { return _wording; }
            set { _wording = value; _wordingWasSet = true; }
        }

        [EditorBrowsable(EditorBrowsableState.Never)]
        public bool ShouldSerializeWording() { return _wordingWasSet; }

        private string _proof;
        private bool _proofWasSet;

        /// <summary>Evidence, such as the address of a form. Default: <c>null</c>.</summary>
        [JsonProperty("proof")]
        public string Proof
        {
            get { return _proof; }
            set { _proof = value; _proofWasSet = true; }
        }

        [EditorBrowsable(EditorBrowsableState.Never)]
        public bool ShouldSerializeProof() { return _proofWasSet; }

        /// <summary>Time of the event; not in the future. Now by default.</summary>
        [JsonProperty("at", NullValueHandling = NullValueHandling.Ignore)]
        public string At { get; set; }
    }

    public sealed class GetContactReply
    {
        public const string ConsentOptIn = "opt_in";
        public const string ConsentAsked = "asked";
        public const string ConsentOptOut = "opt_out";
        public const string ConsentNone = "none";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Number of the person. Masked, such as <c>63917•••••67</c>, if the owner or the maker of the key may not see numbers.</summary>
        [JsonProperty("number")]
        public string Number { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("name")]
        public string Name { get; set; }

        [JsonProperty("tags")]
        public IList<string> Tags { get; set; }

        /// <summary>Values by the keys of the fields. Fields without a value are left out.</summary>
        [JsonProperty("fields")]
        public IDictionary<string, object> Fields { get; set; }

        /// <summary>Consent of the person to your corporation, from the recorded events; <c>none</c> if nothing is recorded. One of <c>opt_in</c>, <c>asked</c>, <c>opt_out</c>, <c>none</c>.</summary>
        [JsonProperty("consent")]
        public string Consent { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        [JsonProperty("updated_at")]
        public string UpdatedAt { get; set; }
    }

    public sealed class SaveContactRequest
    {
        /// <summary>Required.</summary>
        [JsonProperty("number")]
        public string Number { get; set; }

        private string _name;
        private bool _nameWasSet;

        [JsonProperty("name")]
        public string Name
        {
            get { return _name; }
            set { _name = value; _nameWasSet = true; }
        }

        [EditorBrowsable(EditorBrowsableState.Never)]
        public bool ShouldSerializeName() { return _nameWasSet; }

        /// <summary>All tags of the contact.</summary>
        [JsonProperty("tags", NullValueHandling = NullValueHandling.Ignore)]
        public IList<string> Tags { get; set; }

        /// <summary>Values by the keys of their fields. Dates are such as 2026-01-31.</summary>
        [JsonProperty("fields", NullValueHandling = NullValueHandling.Ignore)]
        public IDictionary<string, object> Fields { get; set; }
    }

    public sealed class SaveContactsRequest
    {
        /// <summary>Required.</summary>
        [JsonProperty("contacts")]
        public IList<SaveContactRequest> Contacts { get; set; }
    }

    public sealed class SaveContactsReply
    {
        [JsonProperty("saved")]
        public IList<SaveContactsReplySavedItem> Saved { get; set; }

        [JsonProperty("rejected")]
        public IList<SaveContactsReplyRejectedItem> Rejected { get; set; }
    }

    public sealed class SaveContactsReplySavedItem
    {
        /// <summary>Position in the request, from 0.</summary>
        [JsonProperty("index")]
        public long Index { get; set; }

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }
    }

    public sealed class SaveContactsReplyRejectedItem
    {
        [JsonProperty("code")]
        public string Code { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("field")]
        public string Field { get; set; }

        [JsonProperty("detail")]
        public string Detail { get; set; }

        /// <summary>Position in the request, from 0.</summary>
        [JsonProperty("index")]
        public long Index { get; set; }
    }

    public sealed class DeleteContactReply
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }
    }

    public sealed class ListContactFieldsReply
    {
        [JsonProperty("data")]
        public IList<ListContactFieldsItem> Data { get; set; }
    }

    public sealed class ListContactFieldsItem
    {
        public const string TypeText = "text";
        public const string TypeNumber = "number";
        public const string TypeDate = "date";
        public const string TypeChoice = "choice";
        public const string TypeYesNo = "yes_no";

        /// <summary>Id of the field in rules of segments.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Name of the field in <c>fields</c> of a contact.</summary>
        [JsonProperty("key")]
        public string Key { get; set; }

        [JsonProperty("name")]
        public string Name { get; set; }

        /// <summary>One of <c>text</c>, <c>number</c>, <c>date</c>, <c>choice</c>, <c>yes_no</c>.</summary>
        [JsonProperty("type")]
        public string Type { get; set; }

        /// <summary>Values that a field of the type <c>choice</c> may have.</summary>
        [JsonProperty("choices")]
        public IList<string> Choices { get; set; }
    }

    public sealed class AddConversionRequest
    {
        /// <summary>Required. Your own reference, such as an order number. Each is counted once. Only its hash is stored.</summary>
        [JsonProperty("reference")]
        public string Reference { get; set; }

        /// <summary>Required. Event, such as <c>purchase</c>: letters, digits, <c>_</c>, <c>.</c> and <c>-</c>, at most 40.</summary>
        [JsonProperty("name")]
        public string Name { get; set; }

        /// <summary>Number of the person in international form.</summary>
        [JsonProperty("number", NullValueHandling = NullValueHandling.Ignore)]
        public string Number { get; set; }

        /// <summary>Code of the short link, as in <c>link.clicked</c>.</summary>
        [JsonProperty("code", NullValueHandling = NullValueHandling.Ignore)]
        public string Code { get; set; }

        private string _value;
        private bool _valueWasSet;

        /// <summary>What it was worth: a decimal string. With <c>currency</c>. Default: <c>null</c>.</summary>
        [JsonProperty("value")]
        public string Value
        {
            get { return _value; }
            set { _value = value; _valueWasSet = true; }
        }

        [EditorBrowsable(EditorBrowsableState.Never)]
        public bool ShouldSerializeValue() { return _valueWasSet; }

        private string _currency;
        private bool _currencyWasSet;

        /// <summary>Default: <c>null</c>.</summary>
        [JsonProperty("currency")]
        public string Currency
        {
            get { return _currency; }
            set { _currency = value; _currencyWasSet = true; }
        }

        [EditorBrowsable(EditorBrowsableState.Never)]
        public bool ShouldSerializeCurrency() { return _currencyWasSet; }

        /// <summary>Time of the event; not in the future. Now by default.</summary>
        [JsonProperty("at", NullValueHandling = NullValueHandling.Ignore)]
        public string At { get; set; }
    }

    public sealed class AddConversionReply
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        [JsonProperty("name")]
        public string Name { get; set; }

        /// <summary>Decimal string with three decimals. May be null.</summary>
        [JsonProperty("value")]
        public string Value { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }

        [JsonProperty("at")]
        public string At { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }
    }

    public sealed class GetSegmentReply
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        [JsonProperty("name")]
        public string Name { get; set; }

        /// <summary>Rule, as it is written in requests.</summary>
        [JsonProperty("rule")]
        public IDictionary<string, object> Rule { get; set; }

        /// <summary>Rule as a sentence, in the language of the maker of the key.</summary>
        [JsonProperty("explanation")]
        public string Explanation { get; set; }

        /// <summary>Records that the rule needs and that are gone or not visible. The segment finds nobody then.</summary>
        [JsonProperty("lacks")]
        public IList<ListSegmentsItemLacksItem> Lacks { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        [JsonProperty("updated_at")]
        public string UpdatedAt { get; set; }
    }

    public sealed class ListSegmentsItemLacksItem
    {
        public const string KindField = "field";
        public const string KindList = "list";
        public const string KindCampaign = "campaign";
        public const string KindNumber = "number";

        /// <summary>One of <c>field</c>, <c>list</c>, <c>campaign</c>, <c>number</c>.</summary>
        [JsonProperty("kind")]
        public string Kind { get; set; }

        [JsonProperty("id")]
        public long Id { get; set; }
    }

    public sealed class CreateSegmentRequest
    {
        /// <summary>Required.</summary>
        [JsonProperty("name")]
        public string Name { get; set; }

        /// <summary>Required. Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. <c>not</c> turns a condition around: it then finds contacts without a value too.</summary>
        [JsonProperty("rule")]
        public CreateSegmentRequestRule Rule { get; set; }
    }

    public sealed class CreateSegmentRequestRule
    {
        public const string MatchAll = "all";
        public const string MatchAny = "any";
        public const string MatchNone = "none";

        /// <summary>Default: <c>1</c>.</summary>
        [JsonProperty("version", NullValueHandling = NullValueHandling.Ignore)]
        public long? Version { get; set; }

        /// <summary>Required. One of <c>all</c>, <c>any</c>, <c>none</c>.</summary>
        [JsonProperty("match")]
        public string Match { get; set; }

        /// <summary>Required.</summary>
        [JsonProperty("rules")]
        public IList<object> Rules { get; set; }
    }

    public sealed class ChangeSegmentRequest
    {
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. <c>not</c> turns a condition around: it then finds contacts without a value too.</summary>
        [JsonProperty("rule", NullValueHandling = NullValueHandling.Ignore)]
        public CreateSegmentRequestRule Rule { get; set; }
    }

    public sealed class CountSegmentContactsReply
    {
        [JsonProperty("contacts")]
        public long Contacts { get; set; }
    }

    public sealed class GetJourneyReply
    {
        public const string StateDraft = "draft";
        public const string StateRunning = "running";
        public const string StatePaused = "paused";
        public const string StateStopped = "stopped";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        [JsonProperty("name")]
        public string Name { get; set; }

        /// <summary>People enter and go on only while it is <c>running</c>. One of <c>draft</c>, <c>running</c>, <c>paused</c>, <c>stopped</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>Number of the version that people enter; null for none.</summary>
        [JsonProperty("version")]
        public long? Version { get; set; }

        /// <summary>Cause for which people enter, as a sentence in the language of the maker of the key.</summary>
        [JsonProperty("trigger")]
        public string Trigger { get; set; }

        /// <summary>People who ever entered.</summary>
        [JsonProperty("entered")]
        public long Entered { get; set; }

        /// <summary>Cost of the messages so far.</summary>
        [JsonProperty("spent")]
        public string Spent { get; set; }

        /// <summary>Most that the messages may cost; null for no budget.</summary>
        [JsonProperty("budget")]
        public string Budget { get; set; }

        [JsonProperty("currency")]
        public string Currency { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        [JsonProperty("updated_at")]
        public string UpdatedAt { get; set; }
    }

    public sealed class EnterJourneyReply
    {
        [JsonProperty("entered")]
        public bool Entered { get; set; }
    }

    public sealed class MoveEventGroupRequest
    {
        /// <summary>Required. <c>next_cursor</c> of a page, or <c>id</c> of an event of the stream.</summary>
        [JsonProperty("cursor")]
        public string Cursor { get; set; }

        /// <summary>Part of the events that the program reads. Default: <c>"1/1"</c>.</summary>
        [JsonProperty("share", NullValueHandling = NullValueHandling.Ignore)]
        public string Share { get; set; }
    }

    public sealed class MoveEventGroupReply
    {
        [JsonProperty("group")]
        public string Group { get; set; }

        [JsonProperty("share")]
        public string Share { get; set; }

        [JsonProperty("cursor")]
        public string Cursor { get; set; }

        [JsonProperty("stored_at")]
        public string StoredAt { get; set; }
    }

    public sealed class SampleEventsReply
    {
        [JsonProperty("data")]
        public IList<Event> Data { get; set; }
    }

    public sealed class ListCallbacksReply
    {
        [JsonProperty("data")]
        public IList<ListCallbacksItem> Data { get; set; }
    }

    public sealed class ListCallbacksItem
    {
        public const string TypesMessageDelivered = "message.delivered";
        public const string TypesMessageFailed = "message.failed";
        public const string TypesMessageExpired = "message.expired";
        public const string TypesMessageCorrected = "message.corrected";
        public const string TypesMessageReceived = "message.received";
        public const string TypesCampaignFinished = "campaign.finished";
        public const string TypesLinkClicked = "link.clicked";
        public const string TypesJourneyStep = "journey.step";
        public const string TypesVerificationApproved = "verification.approved";
        public const string TypesVerificationFailed = "verification.failed";
        public const string TypesVerificationExpired = "verification.expired";
        public const string TypesBalanceLow = "balance.low";
        public const string TypesPaymentReceived = "payment.received";
        public const string TypesInvoiceIssued = "invoice.issued";
        public const string StatusActive = "active";
        public const string StatusFailing = "failing";
        public const string StatusPaused = "paused";
        public const string StatusDisabled = "disabled";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        [JsonProperty("url")]
        public string Url { get; set; }

        /// <summary>One of <c>message.delivered</c>, <c>message.failed</c>, <c>message.expired</c>, <c>message.corrected</c>, <c>message.received</c>, <c>campaign.finished</c>, <c>link.clicked</c>, <c>journey.step</c>, <c>verification.approved</c>, <c>verification.failed</c>, <c>verification.expired</c>, <c>balance.low</c>, <c>payment.received</c>, <c>invoice.issued</c>.</summary>
        [JsonProperty("types")]
        public IList<string> Types { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("description")]
        public string Description { get; set; }

        /// <summary><c>failing</c>: the last calls did not arrive, and are tried again. <c>paused</c>: nothing arrived for three days, or the address answered 410. One of <c>active</c>, <c>failing</c>, <c>paused</c>, <c>disabled</c>.</summary>
        [JsonProperty("status")]
        public string Status { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }
    }

    public sealed class AddCallbackRequest
    {
        public const string TypesMessageDelivered = "message.delivered";
        public const string TypesMessageFailed = "message.failed";
        public const string TypesMessageExpired = "message.expired";
        public const string TypesMessageCorrected = "message.corrected";
        public const string TypesMessageReceived = "message.received";
        public const string TypesCampaignFinished = "campaign.finished";
        public const string TypesLinkClicked = "link.clicked";
        public const string TypesJourneyStep = "journey.step";
        public const string TypesVerificationApproved = "verification.approved";
        public const string TypesVerificationFailed = "verification.failed";
        public const string TypesVerificationExpired = "verification.expired";
        public const string TypesBalanceLow = "balance.low";
        public const string TypesPaymentReceived = "payment.received";
        public const string TypesInvoiceIssued = "invoice.issued";

        /// <summary>Required. Public https address.</summary>
        [JsonProperty("url")]
        public string Url { get; set; }

        /// <summary>Required. Types of events to send. One of <c>message.delivered</c>, <c>message.failed</c>, <c>message.expired</c>, <c>message.corrected</c>, <c>message.received</c>, <c>campaign.finished</c>, <c>link.clicked</c>, <c>journey.step</c>, <c>verification.approved</c>, <c>verification.failed</c>, <c>verification.expired</c>, <c>balance.low</c>, <c>payment.received</c>, <c>invoice.issued</c>.</summary>
        [JsonProperty("types")]
        public IList<string> Types { get; set; }

        /// <summary>What receives the events, for people in the console.</summary>
        [JsonProperty("description", NullValueHandling = NullValueHandling.Ignore)]
        public string Description { get; set; }
    }

    public sealed class AddCallbackReply
    {
        public const string TypesMessageDelivered = "message.delivered";
        public const string TypesMessageFailed = "message.failed";
        public const string TypesMessageExpired = "message.expired";
        public const string TypesMessageCorrected = "message.corrected";
        public const string TypesMessageReceived = "message.received";
        public const string TypesCampaignFinished = "campaign.finished";
        public const string TypesLinkClicked = "link.clicked";
        public const string TypesJourneyStep = "journey.step";
        public const string TypesVerificationApproved = "verification.approved";
        public const string TypesVerificationFailed = "verification.failed";
        public const string TypesVerificationExpired = "verification.expired";
        public const string TypesBalanceLow = "balance.low";
        public const string TypesPaymentReceived = "payment.received";
        public const string TypesInvoiceIssued = "invoice.issued";
        public const string StatusActive = "active";
        public const string StatusFailing = "failing";
        public const string StatusPaused = "paused";
        public const string StatusDisabled = "disabled";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        [JsonProperty("url")]
        public string Url { get; set; }

        /// <summary>One of <c>message.delivered</c>, <c>message.failed</c>, <c>message.expired</c>, <c>message.corrected</c>, <c>message.received</c>, <c>campaign.finished</c>, <c>link.clicked</c>, <c>journey.step</c>, <c>verification.approved</c>, <c>verification.failed</c>, <c>verification.expired</c>, <c>balance.low</c>, <c>payment.received</c>, <c>invoice.issued</c>.</summary>
        [JsonProperty("types")]
        public IList<string> Types { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("description")]
        public string Description { get; set; }

        /// <summary><c>failing</c>: the last calls did not arrive, and are tried again. <c>paused</c>: nothing arrived for three days, or the address answered 410. One of <c>active</c>, <c>failing</c>, <c>paused</c>, <c>disabled</c>.</summary>
        [JsonProperty("status")]
        public string Status { get; set; }

        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>Secret that signs the calls, by Standard Webhooks.</summary>
        [JsonProperty("secret")]
        public string Secret { get; set; }
    }

    public sealed class ListHandsetsReply
    {
        [JsonProperty("data")]
        public IList<ListHandsetsItem> Data { get; set; }
    }

    public sealed class ListHandsetsItem
    {
        /// <summary>Number of the handset. Masked, such as <c>63917•••••67</c>, if the key may not see numbers.</summary>
        [JsonProperty("number")]
        public string Number { get; set; }

        /// <summary>Messages that it received.</summary>
        [JsonProperty("messages")]
        public long Messages { get; set; }

        [JsonProperty("last_at")]
        public string LastAt { get; set; }
    }

    public sealed class ListHandsetMessagesReply
    {
        [JsonProperty("data")]
        public IList<ListHandsetMessagesItem> Data { get; set; }
    }

    public sealed class ListHandsetMessagesItem
    {
        public const string DirectionReceived = "received";
        public const string DirectionSent = "sent";
        public const string StatePending = "pending";
        public const string StateSubmitted = "submitted";
        public const string StateDelivered = "delivered";
        public const string StateExpired = "expired";
        public const string StateCancelled = "cancelled";
        public const string StateFailedInternal = "failed_internal";
        public const string StateFailedBilling = "failed_billing";
        public const string StateFailedSubmit = "failed_submit";
        public const string StateFailedOther = "failed_other";
        public const string StateBlocked = "blocked";
        public const string StateScheduled = "scheduled";

        /// <summary>As the phone sees it. One of <c>received</c>, <c>sent</c>.</summary>
        [JsonProperty("direction")]
        public string Direction { get; set; }

        /// <summary>Id of the message, or of the message from the phone.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Sender ID or number on the other side.</summary>
        [JsonProperty("with")]
        public string With { get; set; }

        /// <summary>Empty if the key may not see texts.</summary>
        [JsonProperty("text")]
        public string Text { get; set; }

        /// <summary>Parts that have arrived.</summary>
        [JsonProperty("parts")]
        public long Parts { get; set; }

        /// <summary>State of the message; null for an answer of the phone. One of <c>pending</c>, <c>submitted</c>, <c>delivered</c>, <c>expired</c>, <c>cancelled</c>, <c>failed_internal</c>, <c>failed_billing</c>, <c>failed_submit</c>, <c>failed_other</c>, <c>blocked</c>, <c>scheduled</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        [JsonProperty("at")]
        public string At { get; set; }
    }

    public sealed class ReplyFromHandsetRequest
    {
        /// <summary>Required. Number of a handset that has received a message.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary>Required.</summary>
        [JsonProperty("text")]
        public string Text { get; set; }
    }

    public sealed class ReplyFromHandsetReply
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Number of the handset. Masked, such as <c>63917•••••67</c>, if the key may not see numbers.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary>Sender ID of the last message that the handset received.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        [JsonProperty("received_at")]
        public string ReceivedAt { get; set; }
    }

    public sealed class MoveSandboxTimeRequest
    {
        /// <summary>Required.</summary>
        [JsonProperty("seconds")]
        public long Seconds { get; set; }
    }

    public sealed class MoveSandboxTimeReply
    {
        [JsonProperty("seconds")]
        public long Seconds { get; set; }

        /// <summary>Receipts and answers of handsets that waited.</summary>
        [JsonProperty("receipts")]
        public long Receipts { get; set; }

        /// <summary>Messages that waited.</summary>
        [JsonProperty("messages")]
        public long Messages { get; set; }

        /// <summary>Verifications that waited.</summary>
        [JsonProperty("verifications")]
        public long Verifications { get; set; }
    }

    public sealed class MessageDeliveredCallbackData
    {
        public const string StatePending = "pending";
        public const string StateSubmitted = "submitted";
        public const string StateDelivered = "delivered";
        public const string StateExpired = "expired";
        public const string StateCancelled = "cancelled";
        public const string StateFailedInternal = "failed_internal";
        public const string StateFailedBilling = "failed_billing";
        public const string StateFailedSubmit = "failed_submit";
        public const string StateFailedOther = "failed_other";
        public const string StateBlocked = "blocked";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>One of <c>pending</c>, <c>submitted</c>, <c>delivered</c>, <c>expired</c>, <c>cancelled</c>, <c>failed_internal</c>, <c>failed_billing</c>, <c>failed_submit</c>, <c>failed_other</c>, <c>blocked</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>Error code of the carrier, or <c>moderation</c> if the platform rejected the message. May be null.</summary>
        [JsonProperty("error_code")]
        public string ErrorCode { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("parts")]
        public long? Parts { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        [JsonProperty("tags")]
        public IList<string> Tags { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("batch_id")]
        public string BatchId { get; set; }

        /// <summary>Campaign of a message that was sent in the console. May be null.</summary>
        [JsonProperty("campaign_id")]
        public string CampaignId { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>Parameters of the carrier’s receipt, by the names that the operator gave them.</summary>
        [JsonProperty("parameters")]
        public IDictionary<string, string> Parameters { get; set; }

        /// <summary>Time of the final state.</summary>
        [JsonProperty("done_at")]
        public string DoneAt { get; set; }
    }

    public sealed class MessageFailedCallbackData
    {
        public const string StatePending = "pending";
        public const string StateSubmitted = "submitted";
        public const string StateDelivered = "delivered";
        public const string StateExpired = "expired";
        public const string StateCancelled = "cancelled";
        public const string StateFailedInternal = "failed_internal";
        public const string StateFailedBilling = "failed_billing";
        public const string StateFailedSubmit = "failed_submit";
        public const string StateFailedOther = "failed_other";
        public const string StateBlocked = "blocked";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>One of <c>pending</c>, <c>submitted</c>, <c>delivered</c>, <c>expired</c>, <c>cancelled</c>, <c>failed_internal</c>, <c>failed_billing</c>, <c>failed_submit</c>, <c>failed_other</c>, <c>blocked</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>Error code of the carrier, or <c>moderation</c> if the platform rejected the message. May be null.</summary>
        [JsonProperty("error_code")]
        public string ErrorCode { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("parts")]
        public long? Parts { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        [JsonProperty("tags")]
        public IList<string> Tags { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("batch_id")]
        public string BatchId { get; set; }

        /// <summary>Campaign of a message that was sent in the console. May be null.</summary>
        [JsonProperty("campaign_id")]
        public string CampaignId { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>Parameters of the carrier’s receipt, by the names that the operator gave them.</summary>
        [JsonProperty("parameters")]
        public IDictionary<string, string> Parameters { get; set; }

        /// <summary>Time of the final state.</summary>
        [JsonProperty("done_at")]
        public string DoneAt { get; set; }
    }

    public sealed class MessageExpiredCallbackData
    {
        public const string StatePending = "pending";
        public const string StateSubmitted = "submitted";
        public const string StateDelivered = "delivered";
        public const string StateExpired = "expired";
        public const string StateCancelled = "cancelled";
        public const string StateFailedInternal = "failed_internal";
        public const string StateFailedBilling = "failed_billing";
        public const string StateFailedSubmit = "failed_submit";
        public const string StateFailedOther = "failed_other";
        public const string StateBlocked = "blocked";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>One of <c>pending</c>, <c>submitted</c>, <c>delivered</c>, <c>expired</c>, <c>cancelled</c>, <c>failed_internal</c>, <c>failed_billing</c>, <c>failed_submit</c>, <c>failed_other</c>, <c>blocked</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>Error code of the carrier, or <c>moderation</c> if the platform rejected the message. May be null.</summary>
        [JsonProperty("error_code")]
        public string ErrorCode { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("parts")]
        public long? Parts { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        [JsonProperty("tags")]
        public IList<string> Tags { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("batch_id")]
        public string BatchId { get; set; }

        /// <summary>Campaign of a message that was sent in the console. May be null.</summary>
        [JsonProperty("campaign_id")]
        public string CampaignId { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>Parameters of the carrier’s receipt, by the names that the operator gave them.</summary>
        [JsonProperty("parameters")]
        public IDictionary<string, string> Parameters { get; set; }

        /// <summary>Time of the final state.</summary>
        [JsonProperty("done_at")]
        public string DoneAt { get; set; }
    }

    public sealed class MessageCorrectedCallbackData
    {
        public const string StatePending = "pending";
        public const string StateSubmitted = "submitted";
        public const string StateDelivered = "delivered";
        public const string StateExpired = "expired";
        public const string StateCancelled = "cancelled";
        public const string StateFailedInternal = "failed_internal";
        public const string StateFailedBilling = "failed_billing";
        public const string StateFailedSubmit = "failed_submit";
        public const string StateFailedOther = "failed_other";
        public const string StateBlocked = "blocked";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>State that the carrier now reports. The state of the message itself does not change. One of <c>pending</c>, <c>submitted</c>, <c>delivered</c>, <c>expired</c>, <c>cancelled</c>, <c>failed_internal</c>, <c>failed_billing</c>, <c>failed_submit</c>, <c>failed_other</c>, <c>blocked</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>Error code of the carrier, or <c>moderation</c> if the platform rejected the message. May be null.</summary>
        [JsonProperty("error_code")]
        public string ErrorCode { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("parts")]
        public long? Parts { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        [JsonProperty("tags")]
        public IList<string> Tags { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("batch_id")]
        public string BatchId { get; set; }

        /// <summary>Campaign of a message that was sent in the console. May be null.</summary>
        [JsonProperty("campaign_id")]
        public string CampaignId { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>Parameters of the carrier’s receipt, by the names that the operator gave them.</summary>
        [JsonProperty("parameters")]
        public IDictionary<string, string> Parameters { get; set; }

        /// <summary>Time of the report by the carrier.</summary>
        [JsonProperty("done_at")]
        public string DoneAt { get; set; }
    }

    public sealed class MessageReceivedCallbackData
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>Number of the phone. May be null.</summary>
        [JsonProperty("from")]
        public string From { get; set; }

        /// <summary>Short code, number or sender ID that the phone sent to. May be null.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("text")]
        public string Text { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("keyword")]
        public string Keyword { get; set; }

        /// <summary>The text is hexadecimal.</summary>
        [JsonProperty("binary")]
        public bool Binary { get; set; }

        /// <summary>Parameters that the carrier added, by name, or by tag such as <c>0x1401</c> and in hexadecimal.</summary>
        [JsonProperty("parameters")]
        public IDictionary<string, string> Parameters { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("received_at")]
        public string ReceivedAt { get; set; }
    }

    public sealed class CampaignFinishedCallbackData
    {
        public const string StateCompleted = "completed";
        public const string StateStopped = "stopped";
        public const string StateFailed = "failed";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("name")]
        public string Name { get; set; }

        /// <summary>One of <c>completed</c>, <c>stopped</c>, <c>failed</c>.</summary>
        [JsonProperty("state")]
        public string State { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("messages")]
        public long? Messages { get; set; }

        [JsonProperty("submitted")]
        public long Submitted { get; set; }

        [JsonProperty("delivered")]
        public long Delivered { get; set; }

        [JsonProperty("failed")]
        public long Failed { get; set; }

        [JsonProperty("expired")]
        public long Expired { get; set; }

        /// <summary>Messages that were never handed to a carrier. They are not counted as failed.</summary>
        [JsonProperty("blocked")]
        public long Blocked { get; set; }

        [JsonProperty("cancelled")]
        public long Cancelled { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("charged")]
        public string Charged { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }
    }

    public sealed class LinkClickedCallbackData
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("campaign_id")]
        public string CampaignId { get; set; }

        /// <summary>Name of the campaign. May be null.</summary>
        [JsonProperty("campaign")]
        public string Campaign { get; set; }

        /// <summary>Place of the link in the text, from 1. May be null.</summary>
        [JsonProperty("link")]
        public long? Link { get; set; }

        /// <summary>Address that the link leads to. May be null.</summary>
        [JsonProperty("url")]
        public string Url { get; set; }

        /// <summary>Code of the short link. It is the same in the text of the message and in conversions.</summary>
        [JsonProperty("code")]
        public string Code { get; set; }

        /// <summary>Number of the recipient; null if the corporation does not name who clicks, or the number was removed.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>Time of the first click. May be null.</summary>
        [JsonProperty("clicked_at")]
        public string ClickedAt { get; set; }
    }

    public sealed class JourneyStepCallbackData
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("journey_id")]
        public string JourneyId { get; set; }

        /// <summary>Name of the journey. May be null.</summary>
        [JsonProperty("journey")]
        public string Journey { get; set; }

        /// <summary>Id of the step.</summary>
        [JsonProperty("step")]
        public long Step { get; set; }

        /// <summary>Name that the step has for programs.</summary>
        [JsonProperty("name")]
        public string Name { get; set; }

        /// <summary>Number of the person; null if the contact was deleted.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>Contact of the person; null if it was deleted. In the feed also null without the scope <c>contacts:read</c>.</summary>
        [JsonProperty("contact")]
        public JourneyStepCallbackDataContact Contact { get; set; }
    }

    public sealed class JourneyStepCallbackDataContact
    {
        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("name")]
        public string Name { get; set; }

        /// <summary>Values by the keys of the fields, as they are now.</summary>
        [JsonProperty("fields")]
        public IDictionary<string, object> Fields { get; set; }
    }

    public sealed class VerificationApprovedCallbackData
    {
        public const string StatusApproved = "approved";
        public const string StatusFailed = "failed";
        public const string StatusExpired = "expired";
        public const string LanguageEn = "en";
        public const string LanguageCn = "cn";
        public const string LanguageZh = "zh";
        public const string LanguageFp = "fp";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("service")]
        public string Service { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>One of <c>approved</c>, <c>failed</c>, <c>expired</c>.</summary>
        [JsonProperty("status")]
        public string Status { get; set; }

        /// <summary>One of <c>en</c>, <c>cn</c>, <c>zh</c>, <c>fp</c>. May be null.</summary>
        [JsonProperty("language")]
        public string Language { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("parts")]
        public long? Parts { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("done_at")]
        public string DoneAt { get; set; }

        [JsonProperty("test")]
        public bool Test { get; set; }
    }

    public sealed class VerificationFailedCallbackData
    {
        public const string StatusApproved = "approved";
        public const string StatusFailed = "failed";
        public const string StatusExpired = "expired";
        public const string LanguageEn = "en";
        public const string LanguageCn = "cn";
        public const string LanguageZh = "zh";
        public const string LanguageFp = "fp";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("service")]
        public string Service { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>One of <c>approved</c>, <c>failed</c>, <c>expired</c>.</summary>
        [JsonProperty("status")]
        public string Status { get; set; }

        /// <summary>One of <c>en</c>, <c>cn</c>, <c>zh</c>, <c>fp</c>. May be null.</summary>
        [JsonProperty("language")]
        public string Language { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("parts")]
        public long? Parts { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("done_at")]
        public string DoneAt { get; set; }

        [JsonProperty("test")]
        public bool Test { get; set; }
    }

    public sealed class VerificationExpiredCallbackData
    {
        public const string StatusApproved = "approved";
        public const string StatusFailed = "failed";
        public const string StatusExpired = "expired";
        public const string LanguageEn = "en";
        public const string LanguageCn = "cn";
        public const string LanguageZh = "zh";
        public const string LanguageFp = "fp";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("service")]
        public string Service { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("to")]
        public string To { get; set; }

        /// <summary>One of <c>approved</c>, <c>failed</c>, <c>expired</c>.</summary>
        [JsonProperty("status")]
        public string Status { get; set; }

        /// <summary>One of <c>en</c>, <c>cn</c>, <c>zh</c>, <c>fp</c>. May be null.</summary>
        [JsonProperty("language")]
        public string Language { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("parts")]
        public long? Parts { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("price")]
        public string Price { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_ref")]
        public string ClientRef { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("created_at")]
        public string CreatedAt { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("done_at")]
        public string DoneAt { get; set; }

        [JsonProperty("test")]
        public bool Test { get; set; }
    }

    public sealed class BalanceLowCallbackData
    {
        public const string LimitLowBalance = "low_balance";
        public const string LimitCostWarning = "cost_warning";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("billing_account_id")]
        public string BillingAccountId { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("name")]
        public string Name { get; set; }

        /// <summary>Limit of the account that was passed. One of <c>low_balance</c>, <c>cost_warning</c>.</summary>
        [JsonProperty("limit")]
        public string Limit { get; set; }

        /// <summary>Decimal string with three decimals.</summary>
        [JsonProperty("balance")]
        public string Balance { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }
    }

    public sealed class PaymentReceivedCallbackData
    {
        /// <summary>Top-up; null for a payment that a person entered.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("billing_account_id")]
        public string BillingAccountId { get; set; }

        /// <summary>What the account got. May be null.</summary>
        [JsonProperty("amount")]
        public string Amount { get; set; }

        /// <summary>What was paid, with the fee. May be null.</summary>
        [JsonProperty("total")]
        public string Total { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>Name of the payment method. May be null.</summary>
        [JsonProperty("method")]
        public string Method { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("reference")]
        public string Reference { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("client_reference")]
        public string ClientReference { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("paid_at")]
        public string PaidAt { get; set; }
    }

    public sealed class InvoiceIssuedCallbackData
    {
        public const string KindInvoice = "invoice";
        public const string KindCreditNote = "credit_note";
        public const string KindReceipt = "receipt";

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("id")]
        public string Id { get; set; }

        /// <summary>One of <c>invoice</c>, <c>credit_note</c>, <c>receipt</c>. May be null.</summary>
        [JsonProperty("kind")]
        public string Kind { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("number")]
        public string Number { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("issue_date")]
        public string IssueDate { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("due_date")]
        public string DueDate { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("total")]
        public string Total { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("currency")]
        public string Currency { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("billing_account_id")]
        public string BillingAccountId { get; set; }

        /// <summary>Invoice that a credit note is about. May be null.</summary>
        [JsonProperty("credited_invoice_id")]
        public string CreditedInvoiceId { get; set; }
    }

    /// <summary>Limits of <c>ListMessages</c>.</summary>
    public sealed class ListMessagesQuery : PagedQuery
    {
        /// <summary>Your own reference, returned in answers and callbacks.</summary>
        [JsonProperty("client_ref", NullValueHandling = NullValueHandling.Ignore)]
        public string ClientRef { get; set; }

        /// <summary>Id, as a decimal string.</summary>
        [JsonProperty("batch_id", NullValueHandling = NullValueHandling.Ignore)]
        public string BatchId { get; set; }

        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }
    }

    /// <summary>Limits of <c>ListInvoices</c>.</summary>
    public sealed class ListInvoicesQuery : PagedQuery
    {
        public const string KindInvoice = "invoice";
        public const string KindCreditNote = "credit_note";
        public const string KindReceipt = "receipt";
        public const string StatusOpen = "open";
        public const string StatusPartPaid = "part_paid";
        public const string StatusOverdue = "overdue";
        public const string StatusPaid = "paid";
        public const string StatusCredited = "credited";
        public const string StatusIssued = "issued";

        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }

        /// <summary>One of <c>invoice</c>, <c>credit_note</c>, <c>receipt</c>.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public string Kind { get; set; }

        /// <summary>One of <c>open</c>, <c>part_paid</c>, <c>overdue</c>, <c>paid</c>, <c>credited</c>, <c>issued</c>.</summary>
        [JsonProperty("status", NullValueHandling = NullValueHandling.Ignore)]
        public string Status { get; set; }

        /// <summary>First day of issue.</summary>
        [JsonProperty("from", NullValueHandling = NullValueHandling.Ignore)]
        public string From { get; set; }

        /// <summary>Last day of issue.</summary>
        [JsonProperty("to", NullValueHandling = NullValueHandling.Ignore)]
        public string To { get; set; }
    }

    /// <summary>Limits of <c>ListTopUps</c>.</summary>
    public sealed class ListTopUpsQuery : PagedQuery
    {
        public const string StateCreated = "created";
        public const string StateAwaitingPayment = "awaiting_payment";
        public const string StateInReview = "in_review";
        public const string StatePaid = "paid";
        public const string StatePartlyRefunded = "partly_refunded";
        public const string StateRefunded = "refunded";
        public const string StateChargedBack = "charged_back";
        public const string StateFailed = "failed";
        public const string StateExpired = "expired";
        public const string StateRejected = "rejected";

        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }

        /// <summary>One of <c>created</c>, <c>awaiting_payment</c>, <c>in_review</c>, <c>paid</c>, <c>partly_refunded</c>, <c>refunded</c>, <c>charged_back</c>, <c>failed</c>, <c>expired</c>, <c>rejected</c>.</summary>
        [JsonProperty("state", NullValueHandling = NullValueHandling.Ignore)]
        public string State { get; set; }

        [JsonProperty("billing_account_id", NullValueHandling = NullValueHandling.Ignore)]
        public long? BillingAccountId { get; set; }

        /// <summary>First day on which they began.</summary>
        [JsonProperty("from", NullValueHandling = NullValueHandling.Ignore)]
        public string From { get; set; }

        /// <summary>Last day on which they began.</summary>
        [JsonProperty("to", NullValueHandling = NullValueHandling.Ignore)]
        public string To { get; set; }
    }

    /// <summary>Limits of <c>ListInbound</c>.</summary>
    public sealed class ListInboundQuery : PagedQuery
    {
        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }
    }

    /// <summary>Limits of <c>ListConversations</c>.</summary>
    public sealed class ListConversationsQuery : PagedQuery
    {
        public const string StateOpen = "open";
        public const string StateClosed = "closed";

        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }

        /// <summary>One of <c>open</c>, <c>closed</c>.</summary>
        [JsonProperty("state", NullValueHandling = NullValueHandling.Ignore)]
        public string State { get; set; }

        /// <summary>Number of a phone, in international form.</summary>
        [JsonProperty("number", NullValueHandling = NullValueHandling.Ignore)]
        public string Number { get; set; }
    }

    /// <summary>Limits of <c>ListConversationMessages</c>.</summary>
    public sealed class ListConversationMessagesQuery : PagedQuery
    {
        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }
    }

    /// <summary>Limits of <c>ListConsents</c>.</summary>
    public sealed class ListConsentsQuery
    {
        /// <summary>Required. Number in international form.</summary>
        [JsonProperty("number")]
        public string Number { get; set; }
    }

    /// <summary>Limits of <c>ListContacts</c>.</summary>
    public sealed class ListContactsQuery : PagedQuery
    {
        /// <summary>Number in international form.</summary>
        [JsonProperty("number", NullValueHandling = NullValueHandling.Ignore)]
        public string Number { get; set; }

        /// <summary>Tag, exactly as written.</summary>
        [JsonProperty("tag", NullValueHandling = NullValueHandling.Ignore)]
        public string Tag { get; set; }

        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }
    }

    /// <summary>Limits of <c>ListSegments</c>.</summary>
    public sealed class ListSegmentsQuery : PagedQuery
    {
        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }
    }

    /// <summary>Limits of <c>ListJourneys</c>.</summary>
    public sealed class ListJourneysQuery : PagedQuery
    {
        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }
    }

    /// <summary>Limits of <c>ListEvents</c>.</summary>
    public sealed class ListEventsQuery : PagedQuery
    {
        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }

        /// <summary>Types, separated by commas. Without it: all.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Begin with the events of this time, up to 7 days ago. <c>cursor</c>, if given, decides instead.</summary>
        [JsonProperty("since", NullValueHandling = NullValueHandling.Ignore)]
        public string Since { get; set; }

        /// <summary>One part of the events, for up to 64 programs that work side by side: <c>2/4</c> is the second of four. All events of one message are in the same part.</summary>
        [JsonProperty("share", NullValueHandling = NullValueHandling.Ignore)]
        public string Share { get; set; }

        /// <summary>Begin after the place that the platform stores for this group, if it stores one. <c>cursor</c> and <c>since</c> decide instead, if given.</summary>
        [JsonProperty("group", NullValueHandling = NullValueHandling.Ignore)]
        public string Group { get; set; }
    }

    /// <summary>Limits of <c>StreamEvents</c>.</summary>
    public sealed class StreamEventsQuery
    {
        /// <summary><c>id</c> of the last event that you have. <c>now</c>: only new events. Without it: from the oldest.</summary>
        [JsonProperty("cursor", NullValueHandling = NullValueHandling.Ignore)]
        public string Cursor { get; set; }

        /// <summary>Types, separated by commas. Without it: all.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Begin with the events of this time, up to 7 days ago. <c>cursor</c>, if given, decides instead.</summary>
        [JsonProperty("since", NullValueHandling = NullValueHandling.Ignore)]
        public string Since { get; set; }

        /// <summary>One part of the events, for up to 64 programs that work side by side: <c>2/4</c> is the second of four. All events of one message are in the same part.</summary>
        [JsonProperty("share", NullValueHandling = NullValueHandling.Ignore)]
        public string Share { get; set; }

        /// <summary>Begin after the place that the platform stores for this group, if it stores one. <c>cursor</c> and <c>since</c> decide instead, if given.</summary>
        [JsonProperty("group", NullValueHandling = NullValueHandling.Ignore)]
        public string Group { get; set; }
    }

    /// <summary>Limits of <c>SampleEvents</c>.</summary>
    public sealed class SampleEventsQuery
    {
        public const string TypeMessageDelivered = "message.delivered";
        public const string TypeMessageFailed = "message.failed";
        public const string TypeMessageExpired = "message.expired";
        public const string TypeMessageCorrected = "message.corrected";
        public const string TypeMessageReceived = "message.received";
        public const string TypeCampaignFinished = "campaign.finished";
        public const string TypeLinkClicked = "link.clicked";
        public const string TypeJourneyStep = "journey.step";
        public const string TypeVerificationApproved = "verification.approved";
        public const string TypeVerificationFailed = "verification.failed";
        public const string TypeVerificationExpired = "verification.expired";
        public const string TypeBalanceLow = "balance.low";
        public const string TypePaymentReceived = "payment.received";
        public const string TypeInvoiceIssued = "invoice.issued";

        /// <summary>Only this type. One of <c>message.delivered</c>, <c>message.failed</c>, <c>message.expired</c>, <c>message.corrected</c>, <c>message.received</c>, <c>campaign.finished</c>, <c>link.clicked</c>, <c>journey.step</c>, <c>verification.approved</c>, <c>verification.failed</c>, <c>verification.expired</c>, <c>balance.low</c>, <c>payment.received</c>, <c>invoice.issued</c>.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }
    }

    /// <summary>Limits of <c>ListHandsets</c>.</summary>
    public sealed class ListHandsetsQuery
    {
        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }
    }

    /// <summary>Limits of <c>ListHandsetMessages</c>.</summary>
    public sealed class ListHandsetMessagesQuery
    {
        /// <summary>Required. Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.</summary>
        [JsonProperty("number")]
        public string Number { get; set; }

        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public long? Limit { get; set; }
    }
}
