// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

using System;
using System.Threading;
using System.Threading.Tasks;

namespace Heliograph
{
    /// <summary>One method for each call of the API. All throw ApiException and ConnectionException.</summary>
    public abstract class Calls
    {
        internal Calls() { }

        internal abstract Task<T> JsonAsync<T>(Call call, CancellationToken cancellationToken);

        internal abstract Task<byte[]> BytesAsync(Call call, CancellationToken cancellationToken);

        private static string NewKey() { return Guid.NewGuid().ToString(); }

        /// <summary>Send a message.</summary>
        public Task<SendMessageReply> SendMessageAsync(SendMessageRequest body, string idempotencyKey = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<SendMessageReply>(new Call("POST", "/v1/messages") { Body = body, Key = idempotencyKey ?? NewKey() }, cancellationToken);
        }

        /// <summary>Get the parts and the price of a message without sending it.</summary>
        public Task<EstimateMessageReply> EstimateMessageAsync(EstimateMessageRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<EstimateMessageReply>(new Call("POST", "/v1/messages/estimate") { Body = body }, cancellationToken);
        }

        /// <summary>Get a message.</summary>
        public Task<GetMessageReply> GetMessageAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetMessageReply>(new Call("GET", "/v1/messages/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Find messages by your own reference or by batch.</summary>
        public Task<Page<GetMessageReply>> ListMessagesAsync(ListMessagesQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<Page<GetMessageReply>>(new Call("GET", "/v1/messages") { Query = query }, cancellationToken);
        }

        /// <summary>Cancel a scheduled message.</summary>
        public Task<GetMessageReply> CancelMessageAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetMessageReply>(new Call("DELETE", "/v1/messages/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Send to many recipients.</summary>
        public Task<SendBatchReply> SendBatchAsync(SendBatchRequest body, string idempotencyKey = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<SendBatchReply>(new Call("POST", "/v1/batches") { Body = body, Key = idempotencyKey ?? NewKey() }, cancellationToken);
        }

        /// <summary>Get a batch with the number of its messages by state.</summary>
        public Task<GetBatchReply> GetBatchAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetBatchReply>(new Call("GET", "/v1/batches/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Cancel the messages of a batch that were not sent yet.</summary>
        public Task<GetBatchReply> CancelBatchAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetBatchReply>(new Call("DELETE", "/v1/batches/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Send a code to a number.</summary>
        public Task<StartVerificationReply> StartVerificationAsync(StartVerificationRequest body, string idempotencyKey = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<StartVerificationReply>(new Call("POST", "/v1/verifications") { Body = body, Key = idempotencyKey ?? NewKey() }, cancellationToken);
        }

        /// <summary>Check the code that a person entered.</summary>
        public Task<StartVerificationReply> CheckVerificationAsync(string id, CheckVerificationRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<StartVerificationReply>(new Call("POST", "/v1/verifications/" + Uri.EscapeDataString(id) + "/check") { Body = body, Repeatable = false }, cancellationToken);
        }

        /// <summary>Send the code once more.</summary>
        public Task<StartVerificationReply> ResendVerificationAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<StartVerificationReply>(new Call("POST", "/v1/verifications/" + Uri.EscapeDataString(id) + "/resend") { Body = new object(), Repeatable = false }, cancellationToken);
        }

        /// <summary>End a verification.</summary>
        public Task<StartVerificationReply> CancelVerificationAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<StartVerificationReply>(new Call("POST", "/v1/verifications/" + Uri.EscapeDataString(id) + "/cancel") { Body = new object(), Repeatable = false }, cancellationToken);
        }

        /// <summary>Get a verification.</summary>
        public Task<StartVerificationReply> GetVerificationAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<StartVerificationReply>(new Call("GET", "/v1/verifications/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Get the credit of the billing account that your messages are charged to.</summary>
        public Task<GetBalanceReply> GetBalanceAsync(CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetBalanceReply>(new Call("GET", "/v1/balance"), cancellationToken);
        }

        /// <summary>List the invoices, credit notes and receipts that you received.</summary>
        public Task<Page<ListInvoicesItem>> ListInvoicesAsync(ListInvoicesQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<Page<ListInvoicesItem>>(new Call("GET", "/v1/invoices") { Query = query }, cancellationToken);
        }

        /// <summary>Get an invoice, credit note or receipt.</summary>
        public Task<GetInvoiceReply> GetInvoiceAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetInvoiceReply>(new Call("GET", "/v1/invoices/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Download a document as PDF.</summary>
        public Task<byte[]> GetInvoicePdfAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return BytesAsync(new Call("GET", "/v1/invoices/" + Uri.EscapeDataString(id) + "/pdf"), cancellationToken);
        }

        /// <summary>Download the data of an invoice as XML.</summary>
        public Task<byte[]> GetInvoiceXmlAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return BytesAsync(new Call("GET", "/v1/invoices/" + Uri.EscapeDataString(id) + "/xml"), cancellationToken);
        }

        /// <summary>List the top-ups of your accounts.</summary>
        public Task<Page<ListTopUpsItem>> ListTopUpsAsync(ListTopUpsQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<Page<ListTopUpsItem>>(new Call("GET", "/v1/top-ups") { Query = query }, cancellationToken);
        }

        /// <summary>Get a top-up with its refunds and chargebacks.</summary>
        public Task<GetTopUpReply> GetTopUpAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetTopUpReply>(new Call("GET", "/v1/top-ups/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Read messages from phones.</summary>
        public Task<Page<ListInboundItem>> ListInboundAsync(ListInboundQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<Page<ListInboundItem>>(new Call("GET", "/v1/inbound") { Query = query }, cancellationToken);
        }

        /// <summary>List conversations with phones.</summary>
        public Task<Page<GetConversationReply>> ListConversationsAsync(ListConversationsQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<Page<GetConversationReply>>(new Call("GET", "/v1/conversations") { Query = query }, cancellationToken);
        }

        /// <summary>Get a conversation.</summary>
        public Task<GetConversationReply> GetConversationAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetConversationReply>(new Call("GET", "/v1/conversations/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Read the messages of a conversation.</summary>
        public Task<Page<ListConversationMessagesItem>> ListConversationMessagesAsync(string id, ListConversationMessagesQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<Page<ListConversationMessagesItem>>(new Call("GET", "/v1/conversations/" + Uri.EscapeDataString(id) + "/messages") { Query = query }, cancellationToken);
        }

        /// <summary>Assign, close or reopen a conversation.</summary>
        public Task<GetConversationReply> UpdateConversationAsync(string id, UpdateConversationRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetConversationReply>(new Call("PATCH", "/v1/conversations/" + Uri.EscapeDataString(id)) { Body = body }, cancellationToken);
        }

        /// <summary>Read the consents and opt-outs of one person.</summary>
        public Task<ListConsentsReply> ListConsentsAsync(ListConsentsQuery query, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<ListConsentsReply>(new Call("GET", "/v1/consents") { Query = query }, cancellationToken);
        }

        /// <summary>Record that a person opted in or out.</summary>
        public Task<AddConsentReply> AddConsentAsync(AddConsentRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<AddConsentReply>(new Call("POST", "/v1/consents") { Body = body, Repeatable = false }, cancellationToken);
        }

        /// <summary>Read contacts.</summary>
        public Task<Page<GetContactReply>> ListContactsAsync(ListContactsQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<Page<GetContactReply>>(new Call("GET", "/v1/contacts") { Query = query }, cancellationToken);
        }

        /// <summary>Read one contact.</summary>
        public Task<GetContactReply> GetContactAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetContactReply>(new Call("GET", "/v1/contacts/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Add a contact, or change the one with the number.</summary>
        public Task<GetContactReply> SaveContactAsync(SaveContactRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetContactReply>(new Call("POST", "/v1/contacts") { Body = body }, cancellationToken);
        }

        /// <summary>Add or change many contacts.</summary>
        public Task<SaveContactsReply> SaveContactsAsync(SaveContactsRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<SaveContactsReply>(new Call("POST", "/v1/contacts/batch") { Body = body }, cancellationToken);
        }

        /// <summary>Delete a contact.</summary>
        public Task<DeleteContactReply> DeleteContactAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<DeleteContactReply>(new Call("DELETE", "/v1/contacts/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Read the fields of contacts.</summary>
        public Task<ListContactFieldsReply> ListContactFieldsAsync(CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<ListContactFieldsReply>(new Call("GET", "/v1/contact-fields"), cancellationToken);
        }

        /// <summary>Report what a person did after a message.</summary>
        public Task<AddConversionReply> AddConversionAsync(AddConversionRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<AddConversionReply>(new Call("POST", "/v1/conversions") { Body = body, Repeatable = false }, cancellationToken);
        }

        /// <summary>Read segments.</summary>
        public Task<Page<GetSegmentReply>> ListSegmentsAsync(ListSegmentsQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<Page<GetSegmentReply>>(new Call("GET", "/v1/segments") { Query = query }, cancellationToken);
        }

        /// <summary>Read one segment.</summary>
        public Task<GetSegmentReply> GetSegmentAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetSegmentReply>(new Call("GET", "/v1/segments/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Add a segment.</summary>
        public Task<GetSegmentReply> CreateSegmentAsync(CreateSegmentRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetSegmentReply>(new Call("POST", "/v1/segments") { Body = body, Repeatable = false }, cancellationToken);
        }

        /// <summary>Change a segment.</summary>
        public Task<GetSegmentReply> ChangeSegmentAsync(string id, ChangeSegmentRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetSegmentReply>(new Call("POST", "/v1/segments/" + Uri.EscapeDataString(id)) { Body = body }, cancellationToken);
        }

        /// <summary>Delete a segment.</summary>
        public Task<DeleteContactReply> DeleteSegmentAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<DeleteContactReply>(new Call("DELETE", "/v1/segments/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Count the contacts of a segment.</summary>
        public Task<CountSegmentContactsReply> CountSegmentContactsAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<CountSegmentContactsReply>(new Call("GET", "/v1/segments/" + Uri.EscapeDataString(id) + "/count"), cancellationToken);
        }

        /// <summary>Read journeys.</summary>
        public Task<Page<GetJourneyReply>> ListJourneysAsync(ListJourneysQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<Page<GetJourneyReply>>(new Call("GET", "/v1/journeys") { Query = query }, cancellationToken);
        }

        /// <summary>Read one journey.</summary>
        public Task<GetJourneyReply> GetJourneyAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<GetJourneyReply>(new Call("GET", "/v1/journeys/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>Let a person enter a journey.</summary>
        public Task<EnterJourneyReply> EnterJourneyAsync(string id, SaveContactRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<EnterJourneyReply>(new Call("POST", "/v1/journeys/" + Uri.EscapeDataString(id) + "/people") { Body = body, Repeatable = false }, cancellationToken);
        }

        /// <summary>Read events, instead of callbacks.</summary>
        public Task<Page<Event>> ListEventsAsync(ListEventsQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<Page<Event>>(new Call("GET", "/v1/events") { Query = query }, cancellationToken);
        }

        /// <summary>Store how far a group of programs has processed the events.</summary>
        public Task<MoveEventGroupReply> MoveEventGroupAsync(string group, MoveEventGroupRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<MoveEventGroupReply>(new Call("POST", "/v1/events/groups/" + Uri.EscapeDataString(group)) { Body = body }, cancellationToken);
        }

        /// <summary>Get a made-up event of each type.</summary>
        public Task<SampleEventsReply> SampleEventsAsync(SampleEventsQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<SampleEventsReply>(new Call("GET", "/v1/events/samples") { Query = query }, cancellationToken);
        }

        /// <summary>List the addresses that programs have added for callbacks.</summary>
        public Task<ListCallbacksReply> ListCallbacksAsync(CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<ListCallbacksReply>(new Call("GET", "/v1/callbacks"), cancellationToken);
        }

        /// <summary>Have events sent to an address.</summary>
        public Task<AddCallbackReply> AddCallbackAsync(AddCallbackRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<AddCallbackReply>(new Call("POST", "/v1/callbacks") { Body = body, Repeatable = false }, cancellationToken);
        }

        /// <summary>Stop sending events to an address.</summary>
        public Task<DeleteContactReply> RemoveCallbackAsync(string id, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<DeleteContactReply>(new Call("DELETE", "/v1/callbacks/" + Uri.EscapeDataString(id)), cancellationToken);
        }

        /// <summary>List the virtual handsets.</summary>
        public Task<ListHandsetsReply> ListHandsetsAsync(ListHandsetsQuery query = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<ListHandsetsReply>(new Call("GET", "/v1/sandbox/handsets") { Query = query }, cancellationToken);
        }

        /// <summary>Read the conversation of a virtual handset.</summary>
        public Task<ListHandsetMessagesReply> ListHandsetMessagesAsync(ListHandsetMessagesQuery query, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<ListHandsetMessagesReply>(new Call("GET", "/v1/sandbox/messages") { Query = query }, cancellationToken);
        }

        /// <summary>Answer from a virtual handset.</summary>
        public Task<ReplyFromHandsetReply> ReplyFromHandsetAsync(ReplyFromHandsetRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<ReplyFromHandsetReply>(new Call("POST", "/v1/sandbox/replies") { Body = body, Repeatable = false }, cancellationToken);
        }

        /// <summary>Let test time pass.</summary>
        public Task<MoveSandboxTimeReply> MoveSandboxTimeAsync(MoveSandboxTimeRequest body, CancellationToken cancellationToken = default(CancellationToken))
        {
            return JsonAsync<MoveSandboxTimeReply>(new Call("POST", "/v1/sandbox/time") { Body = body, Repeatable = false }, cancellationToken);
        }
    }
}
