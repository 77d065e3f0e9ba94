// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

package heliograph;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One method for each call of the API. All throw {@link ApiException} and {@link ConnectionException}. */
public abstract class Calls {
    Calls() {}

    abstract <T> T json(Class<T> type, Call call);

    abstract <T> Page<T> page(Class<T> type, Call call);

    abstract byte[] bytes(Call call);

    private static String segment(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Send a message. */
    public Api.SendMessageReply sendMessage(Api.SendMessageRequest body) {
        return sendMessage(body, null);
    }

    /** Send a message. The key names the request, so that the same request after a restart does nothing twice. */
    public Api.SendMessageReply sendMessage(Api.SendMessageRequest body, String idempotencyKey) {
        return json(Api.SendMessageReply.class, new Call("POST", "/v1/messages").body(body).key(idempotencyKey));
    }

    /** Get the parts and the price of a message without sending it. */
    public Api.EstimateMessageReply estimateMessage(Api.EstimateMessageRequest body) {
        return json(Api.EstimateMessageReply.class, new Call("POST", "/v1/messages/estimate").body(body));
    }

    /** Get a message. */
    public Api.GetMessageReply getMessage(String id) {
        return json(Api.GetMessageReply.class, new Call("GET", "/v1/messages/" + segment(id)));
    }

    /** Find messages by your own reference or by batch. */
    public Page<Api.GetMessageReply> listMessages(Api.ListMessagesQuery query) {
        return page(Api.GetMessageReply.class, new Call("GET", "/v1/messages").query(query));
    }

    /** Cancel a scheduled message. */
    public Api.GetMessageReply cancelMessage(String id) {
        return json(Api.GetMessageReply.class, new Call("DELETE", "/v1/messages/" + segment(id)));
    }

    /** Send to many recipients. */
    public Api.SendBatchReply sendBatch(Api.SendBatchRequest body) {
        return sendBatch(body, null);
    }

    /** Send to many recipients. The key names the request, so that the same request after a restart does nothing twice. */
    public Api.SendBatchReply sendBatch(Api.SendBatchRequest body, String idempotencyKey) {
        return json(Api.SendBatchReply.class, new Call("POST", "/v1/batches").body(body).key(idempotencyKey));
    }

    /** Get a batch with the number of its messages by state. */
    public Api.GetBatchReply getBatch(String id) {
        return json(Api.GetBatchReply.class, new Call("GET", "/v1/batches/" + segment(id)));
    }

    /** Cancel the messages of a batch that were not sent yet. */
    public Api.GetBatchReply cancelBatch(String id) {
        return json(Api.GetBatchReply.class, new Call("DELETE", "/v1/batches/" + segment(id)));
    }

    /** Send a code to a number. */
    public Api.StartVerificationReply startVerification(Api.StartVerificationRequest body) {
        return startVerification(body, null);
    }

    /** Send a code to a number. The key names the request, so that the same request after a restart does nothing twice. */
    public Api.StartVerificationReply startVerification(Api.StartVerificationRequest body, String idempotencyKey) {
        return json(Api.StartVerificationReply.class, new Call("POST", "/v1/verifications").body(body).key(idempotencyKey));
    }

    /** Check the code that a person entered. */
    public Api.StartVerificationReply checkVerification(String id, Api.CheckVerificationRequest body) {
        return json(Api.StartVerificationReply.class, new Call("POST", "/v1/verifications/" + segment(id) + "/check").body(body).once());
    }

    /** Send the code once more. */
    public Api.StartVerificationReply resendVerification(String id) {
        return json(Api.StartVerificationReply.class, new Call("POST", "/v1/verifications/" + segment(id) + "/resend").body(Map.of()).once());
    }

    /** End a verification. */
    public Api.StartVerificationReply cancelVerification(String id) {
        return json(Api.StartVerificationReply.class, new Call("POST", "/v1/verifications/" + segment(id) + "/cancel").body(Map.of()).once());
    }

    /** Get a verification. */
    public Api.StartVerificationReply getVerification(String id) {
        return json(Api.StartVerificationReply.class, new Call("GET", "/v1/verifications/" + segment(id)));
    }

    /** Get the credit of the billing account that your messages are charged to. */
    public Api.GetBalanceReply getBalance() {
        return json(Api.GetBalanceReply.class, new Call("GET", "/v1/balance"));
    }

    /** List the invoices, credit notes and receipts that you received. */
    public Page<Api.ListInvoicesItem> listInvoices(Api.ListInvoicesQuery query) {
        return page(Api.ListInvoicesItem.class, new Call("GET", "/v1/invoices").query(query));
    }

    /** Get an invoice, credit note or receipt. */
    public Api.GetInvoiceReply getInvoice(String id) {
        return json(Api.GetInvoiceReply.class, new Call("GET", "/v1/invoices/" + segment(id)));
    }

    /** Download a document as PDF. */
    public byte[] getInvoicePdf(String id) {
        return bytes(new Call("GET", "/v1/invoices/" + segment(id) + "/pdf"));
    }

    /** Download the data of an invoice as XML. */
    public byte[] getInvoiceXml(String id) {
        return bytes(new Call("GET", "/v1/invoices/" + segment(id) + "/xml"));
    }

    /** List the top-ups of your accounts. */
    public Page<Api.ListTopUpsItem> listTopUps(Api.ListTopUpsQuery query) {
        return page(Api.ListTopUpsItem.class, new Call("GET", "/v1/top-ups").query(query));
    }

    /** Get a top-up with its refunds and chargebacks. */
    public Api.GetTopUpReply getTopUp(String id) {
        return json(Api.GetTopUpReply.class, new Call("GET", "/v1/top-ups/" + segment(id)));
    }

    /** Read messages from phones. */
    public Page<Api.ListInboundItem> listInbound(Api.ListInboundQuery query) {
        return page(Api.ListInboundItem.class, new Call("GET", "/v1/inbound").query(query));
    }

    /** List conversations with phones. */
    public Page<Api.GetConversationReply> listConversations(Api.ListConversationsQuery query) {
        return page(Api.GetConversationReply.class, new Call("GET", "/v1/conversations").query(query));
    }

    /** Get a conversation. */
    public Api.GetConversationReply getConversation(String id) {
        return json(Api.GetConversationReply.class, new Call("GET", "/v1/conversations/" + segment(id)));
    }

    /** Read the messages of a conversation. */
    public Page<Api.ListConversationMessagesItem> listConversationMessages(String id, Api.ListConversationMessagesQuery query) {
        return page(Api.ListConversationMessagesItem.class, new Call("GET", "/v1/conversations/" + segment(id) + "/messages").query(query));
    }

    /** Assign, close or reopen a conversation. */
    public Api.GetConversationReply updateConversation(String id, Api.UpdateConversationRequest body) {
        return json(Api.GetConversationReply.class, new Call("PATCH", "/v1/conversations/" + segment(id)).body(body));
    }

    /** Read the consents and opt-outs of one person. */
    public Api.ListConsentsReply listConsents(Api.ListConsentsQuery query) {
        return json(Api.ListConsentsReply.class, new Call("GET", "/v1/consents").query(query));
    }

    /** Record that a person opted in or out. */
    public Api.AddConsentReply addConsent(Api.AddConsentRequest body) {
        return json(Api.AddConsentReply.class, new Call("POST", "/v1/consents").body(body).once());
    }

    /** Read contacts. */
    public Page<Api.GetContactReply> listContacts(Api.ListContactsQuery query) {
        return page(Api.GetContactReply.class, new Call("GET", "/v1/contacts").query(query));
    }

    /** Read one contact. */
    public Api.GetContactReply getContact(String id) {
        return json(Api.GetContactReply.class, new Call("GET", "/v1/contacts/" + segment(id)));
    }

    /** Add a contact, or change the one with the number. */
    public Api.GetContactReply saveContact(Api.SaveContactRequest body) {
        return json(Api.GetContactReply.class, new Call("POST", "/v1/contacts").body(body));
    }

    /** Add or change many contacts. */
    public Api.SaveContactsReply saveContacts(Api.SaveContactsRequest body) {
        return json(Api.SaveContactsReply.class, new Call("POST", "/v1/contacts/batch").body(body));
    }

    /** Delete a contact. */
    public Api.DeleteContactReply deleteContact(String id) {
        return json(Api.DeleteContactReply.class, new Call("DELETE", "/v1/contacts/" + segment(id)));
    }

    /** Read the fields of contacts. */
    public Api.ListContactFieldsReply listContactFields() {
        return json(Api.ListContactFieldsReply.class, new Call("GET", "/v1/contact-fields"));
    }

    /** Report what a person did after a message. */
    public Api.AddConversionReply addConversion(Api.AddConversionRequest body) {
        return json(Api.AddConversionReply.class, new Call("POST", "/v1/conversions").body(body).once());
    }

    /** Read segments. */
    public Page<Api.GetSegmentReply> listSegments(Api.ListSegmentsQuery query) {
        return page(Api.GetSegmentReply.class, new Call("GET", "/v1/segments").query(query));
    }

    /** Read one segment. */
    public Api.GetSegmentReply getSegment(String id) {
        return json(Api.GetSegmentReply.class, new Call("GET", "/v1/segments/" + segment(id)));
    }

    /** Add a segment. */
    public Api.GetSegmentReply createSegment(Api.CreateSegmentRequest body) {
        return json(Api.GetSegmentReply.class, new Call("POST", "/v1/segments").body(body).once());
    }

    /** Change a segment. */
    public Api.GetSegmentReply changeSegment(String id, Api.ChangeSegmentRequest body) {
        return json(Api.GetSegmentReply.class, new Call("POST", "/v1/segments/" + segment(id)).body(body));
    }

    /** Delete a segment. */
    public Api.DeleteContactReply deleteSegment(String id) {
        return json(Api.DeleteContactReply.class, new Call("DELETE", "/v1/segments/" + segment(id)));
    }

    /** Count the contacts of a segment. */
    public Api.CountSegmentContactsReply countSegmentContacts(String id) {
        return json(Api.CountSegmentContactsReply.class, new Call("GET", "/v1/segments/" + segment(id) + "/count"));
    }

    /** Read journeys. */
    public Page<Api.GetJourneyReply> listJourneys(Api.ListJourneysQuery query) {
        return page(Api.GetJourneyReply.class, new Call("GET", "/v1/journeys").query(query));
    }

    /** Read one journey. */
    public Api.GetJourneyReply getJourney(String id) {
        return json(Api.GetJourneyReply.class, new Call("GET", "/v1/journeys/" + segment(id)));
    }

    /** Let a person enter a journey. */
    public Api.EnterJourneyReply enterJourney(String id, Api.SaveContactRequest body) {
        return json(Api.EnterJourneyReply.class, new Call("POST", "/v1/journeys/" + segment(id) + "/people").body(body).once());
    }

    /** Read events, instead of callbacks. */
    public Page<Event> listEvents(Api.ListEventsQuery query) {
        return page(Event.class, new Call("GET", "/v1/events").query(query));
    }

    /** Store how far a group of programs has processed the events. */
    public Api.MoveEventGroupReply moveEventGroup(String group, Api.MoveEventGroupRequest body) {
        return json(Api.MoveEventGroupReply.class, new Call("POST", "/v1/events/groups/" + segment(group)).body(body));
    }

    /** Get a made-up event of each type. */
    public Api.SampleEventsReply sampleEvents(Api.SampleEventsQuery query) {
        return json(Api.SampleEventsReply.class, new Call("GET", "/v1/events/samples").query(query));
    }

    /** List the addresses that programs have added for callbacks. */
    public Api.ListCallbacksReply listCallbacks() {
        return json(Api.ListCallbacksReply.class, new Call("GET", "/v1/callbacks"));
    }

    /** Have events sent to an address. */
    public Api.AddCallbackReply addCallback(Api.AddCallbackRequest body) {
        return json(Api.AddCallbackReply.class, new Call("POST", "/v1/callbacks").body(body).once());
    }

    /** Stop sending events to an address. */
    public Api.DeleteContactReply removeCallback(String id) {
        return json(Api.DeleteContactReply.class, new Call("DELETE", "/v1/callbacks/" + segment(id)));
    }

    /** List the virtual handsets. */
    public Api.ListHandsetsReply listHandsets(Api.ListHandsetsQuery query) {
        return json(Api.ListHandsetsReply.class, new Call("GET", "/v1/sandbox/handsets").query(query));
    }

    /** Read the conversation of a virtual handset. */
    public Api.ListHandsetMessagesReply listHandsetMessages(Api.ListHandsetMessagesQuery query) {
        return json(Api.ListHandsetMessagesReply.class, new Call("GET", "/v1/sandbox/messages").query(query));
    }

    /** Answer from a virtual handset. */
    public Api.ReplyFromHandsetReply replyFromHandset(Api.ReplyFromHandsetRequest body) {
        return json(Api.ReplyFromHandsetReply.class, new Call("POST", "/v1/sandbox/replies").body(body).once());
    }

    /** Let test time pass. */
    public Api.MoveSandboxTimeReply moveSandboxTime(Api.MoveSandboxTimeRequest body) {
        return json(Api.MoveSandboxTimeReply.class, new Call("POST", "/v1/sandbox/time").body(body).once());
    }
}
