<?php

// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

declare(strict_types=1);

namespace Heliograph;

/** One method for each call of the API. */
abstract class Calls
{
    /**
     * @param array<string, string|int|bool|null> $query
     * @return array<string, mixed>
     */
    abstract protected function json(string $method, string $path, array $query = [], ?object $body = null, ?string $idempotencyKey = null, bool $repeatable = true): array;

    /** @param array<string, string|int|bool|null> $query */
    abstract protected function bytes(string $method, string $path, array $query = [], ?object $body = null, ?string $idempotencyKey = null, bool $repeatable = true): string;

    /** Returns a new idempotency key. */
    protected static function newKey(): string
    {
        return bin2hex(random_bytes(16));
    }

    /**
     * Send a message.
     *
     * @throws HeliographException
     */
    public function sendMessage(SendMessageRequest $body, ?string $idempotencyKey = null): SendMessageReply
    {
        return SendMessageReply::fromArray($this->json('POST', '/v1/messages', body: $body, idempotencyKey: $idempotencyKey ?? self::newKey()));
    }

    /**
     * Get the parts and the price of a message without sending it.
     *
     * @throws HeliographException
     */
    public function estimateMessage(EstimateMessageRequest $body): EstimateMessageReply
    {
        return EstimateMessageReply::fromArray($this->json('POST', '/v1/messages/estimate', body: $body));
    }

    /**
     * Get a message.
     *
     * @throws HeliographException
     */
    public function getMessage(string $id): GetMessageReply
    {
        return GetMessageReply::fromArray($this->json('GET', '/v1/messages/' . rawurlencode($id)));
    }

    /**
     * Find messages by your own reference or by batch.
     *
     * @param string|null $clientRef Your own reference, returned in answers and callbacks.
     * @param string|null $batchId Id, as a decimal string.
     * @param int|null $limit
     * @param string|null $cursor `next_cursor` of the previous page.
     * @return Page<GetMessageReply>
     * @throws HeliographException
     */
    public function listMessages(?string $clientRef = null, ?string $batchId = null, ?int $limit = null, ?string $cursor = null): Page
    {
        return Page::fromArray($this->json('GET', '/v1/messages', query: ['client_ref' => $clientRef, 'batch_id' => $batchId, 'limit' => $limit, 'cursor' => $cursor]), GetMessageReply::fromArray(...));
    }

    /**
     * Cancel a scheduled message.
     *
     * @throws HeliographException
     */
    public function cancelMessage(string $id): GetMessageReply
    {
        return GetMessageReply::fromArray($this->json('DELETE', '/v1/messages/' . rawurlencode($id)));
    }

    /**
     * Send to many recipients.
     *
     * @throws HeliographException
     */
    public function sendBatch(SendBatchRequest $body, ?string $idempotencyKey = null): SendBatchReply
    {
        return SendBatchReply::fromArray($this->json('POST', '/v1/batches', body: $body, idempotencyKey: $idempotencyKey ?? self::newKey()));
    }

    /**
     * Get a batch with the number of its messages by state.
     *
     * @throws HeliographException
     */
    public function getBatch(string $id): GetBatchReply
    {
        return GetBatchReply::fromArray($this->json('GET', '/v1/batches/' . rawurlencode($id)));
    }

    /**
     * Cancel the messages of a batch that were not sent yet.
     *
     * @throws HeliographException
     */
    public function cancelBatch(string $id): GetBatchReply
    {
        return GetBatchReply::fromArray($this->json('DELETE', '/v1/batches/' . rawurlencode($id)));
    }

    /**
     * Send a code to a number.
     *
     * @throws HeliographException
     */
    public function startVerification(StartVerificationRequest $body, ?string $idempotencyKey = null): StartVerificationReply
    {
        return StartVerificationReply::fromArray($this->json('POST', '/v1/verifications', body: $body, idempotencyKey: $idempotencyKey ?? self::newKey()));
    }

    /**
     * Check the code that a person entered.
     *
     * @throws HeliographException
     */
    public function checkVerification(string $id, CheckVerificationRequest $body): StartVerificationReply
    {
        return StartVerificationReply::fromArray($this->json('POST', '/v1/verifications/' . rawurlencode($id) . '/check', body: $body, repeatable: false));
    }

    /**
     * Send the code once more.
     *
     * @throws HeliographException
     */
    public function resendVerification(string $id): StartVerificationReply
    {
        return StartVerificationReply::fromArray($this->json('POST', '/v1/verifications/' . rawurlencode($id) . '/resend', body: (object) [], repeatable: false));
    }

    /**
     * End a verification.
     *
     * @throws HeliographException
     */
    public function cancelVerification(string $id): StartVerificationReply
    {
        return StartVerificationReply::fromArray($this->json('POST', '/v1/verifications/' . rawurlencode($id) . '/cancel', body: (object) [], repeatable: false));
    }

    /**
     * Get a verification.
     *
     * @throws HeliographException
     */
    public function getVerification(string $id): StartVerificationReply
    {
        return StartVerificationReply::fromArray($this->json('GET', '/v1/verifications/' . rawurlencode($id)));
    }

    /**
     * Get the credit of the billing account that your messages are charged to.
     *
     * @throws HeliographException
     */
    public function getBalance(): GetBalanceReply
    {
        return GetBalanceReply::fromArray($this->json('GET', '/v1/balance'));
    }

    /**
     * List the invoices, credit notes and receipts that you received.
     *
     * @param int|null $limit
     * @param string|null $cursor `next_cursor` of the previous page.
     * @param 'invoice'|'credit_note'|'receipt'|null $kind
     * @param 'open'|'part_paid'|'overdue'|'paid'|'credited'|'issued'|null $status
     * @param string|null $from First day of issue.
     * @param string|null $to Last day of issue.
     * @return Page<ListInvoicesItem>
     * @throws HeliographException
     */
    public function listInvoices(?int $limit = null, ?string $cursor = null, ?string $kind = null, ?string $status = null, ?string $from = null, ?string $to = null): Page
    {
        return Page::fromArray($this->json('GET', '/v1/invoices', query: ['limit' => $limit, 'cursor' => $cursor, 'kind' => $kind, 'status' => $status, 'from' => $from, 'to' => $to]), ListInvoicesItem::fromArray(...));
    }

    /**
     * Get an invoice, credit note or receipt.
     *
     * @throws HeliographException
     */
    public function getInvoice(string $id): GetInvoiceReply
    {
        return GetInvoiceReply::fromArray($this->json('GET', '/v1/invoices/' . rawurlencode($id)));
    }

    /**
     * Download a document as PDF.
     *
     * @throws HeliographException
     */
    public function getInvoicePdf(string $id): string
    {
        return $this->bytes('GET', '/v1/invoices/' . rawurlencode($id) . '/pdf');
    }

    /**
     * Download the data of an invoice as XML.
     *
     * @throws HeliographException
     */
    public function getInvoiceXml(string $id): string
    {
        return $this->bytes('GET', '/v1/invoices/' . rawurlencode($id) . '/xml');
    }

    /**
     * List the top-ups of your accounts.
     *
     * @param int|null $limit
     * @param string|null $cursor `next_cursor` of the previous page.
     * @param 'created'|'awaiting_payment'|'in_review'|'paid'|'partly_refunded'|'refunded'|'charged_back'|'failed'|'expired'|'rejected'|null $state
     * @param int|null $billingAccountId
     * @param string|null $from First day on which they began.
     * @param string|null $to Last day on which they began.
     * @return Page<ListTopUpsItem>
     * @throws HeliographException
     */
    public function listTopUps(?int $limit = null, ?string $cursor = null, ?string $state = null, ?int $billingAccountId = null, ?string $from = null, ?string $to = null): Page
    {
        return Page::fromArray($this->json('GET', '/v1/top-ups', query: ['limit' => $limit, 'cursor' => $cursor, 'state' => $state, 'billing_account_id' => $billingAccountId, 'from' => $from, 'to' => $to]), ListTopUpsItem::fromArray(...));
    }

    /**
     * Get a top-up with its refunds and chargebacks.
     *
     * @throws HeliographException
     */
    public function getTopUp(string $id): GetTopUpReply
    {
        return GetTopUpReply::fromArray($this->json('GET', '/v1/top-ups/' . rawurlencode($id)));
    }

    /**
     * Read messages from phones.
     *
     * @param int|null $limit
     * @param string|null $cursor `next_cursor` of the previous page.
     * @return Page<ListInboundItem>
     * @throws HeliographException
     */
    public function listInbound(?int $limit = null, ?string $cursor = null): Page
    {
        return Page::fromArray($this->json('GET', '/v1/inbound', query: ['limit' => $limit, 'cursor' => $cursor]), ListInboundItem::fromArray(...));
    }

    /**
     * List conversations with phones.
     *
     * @param int|null $limit
     * @param string|null $cursor `next_cursor` of the previous page.
     * @param 'open'|'closed'|null $state
     * @param string|null $number Number of a phone, in international form.
     * @return Page<GetConversationReply>
     * @throws HeliographException
     */
    public function listConversations(?int $limit = null, ?string $cursor = null, ?string $state = null, ?string $number = null): Page
    {
        return Page::fromArray($this->json('GET', '/v1/conversations', query: ['limit' => $limit, 'cursor' => $cursor, 'state' => $state, 'number' => $number]), GetConversationReply::fromArray(...));
    }

    /**
     * Get a conversation.
     *
     * @throws HeliographException
     */
    public function getConversation(string $id): GetConversationReply
    {
        return GetConversationReply::fromArray($this->json('GET', '/v1/conversations/' . rawurlencode($id)));
    }

    /**
     * Read the messages of a conversation.
     *
     * @param int|null $limit
     * @param string|null $cursor `next_cursor` of the previous page.
     * @return Page<ListConversationMessagesItem>
     * @throws HeliographException
     */
    public function listConversationMessages(string $id, ?int $limit = null, ?string $cursor = null): Page
    {
        return Page::fromArray($this->json('GET', '/v1/conversations/' . rawurlencode($id) . '/messages', query: ['limit' => $limit, 'cursor' => $cursor]), ListConversationMessagesItem::fromArray(...));
    }

    /**
     * Assign, close or reopen a conversation.
     *
     * @throws HeliographException
     */
    public function updateConversation(string $id, UpdateConversationRequest $body): GetConversationReply
    {
        return GetConversationReply::fromArray($this->json('PATCH', '/v1/conversations/' . rawurlencode($id), body: $body));
    }

    /**
     * Read the consents and opt-outs of one person.
     *
     * @param string $number Number in international form.
     * @throws HeliographException
     */
    public function listConsents(string $number): ListConsentsReply
    {
        return ListConsentsReply::fromArray($this->json('GET', '/v1/consents', query: ['number' => $number]));
    }

    /**
     * Record that a person opted in or out.
     *
     * @throws HeliographException
     */
    public function addConsent(AddConsentRequest $body): AddConsentReply
    {
        return AddConsentReply::fromArray($this->json('POST', '/v1/consents', body: $body, repeatable: false));
    }

    /**
     * Read contacts.
     *
     * @param string|null $number Number in international form.
     * @param string|null $tag Tag, exactly as written.
     * @param int|null $limit
     * @param string|null $cursor `next_cursor` of the page before.
     * @return Page<GetContactReply>
     * @throws HeliographException
     */
    public function listContacts(?string $number = null, ?string $tag = null, ?int $limit = null, ?string $cursor = null): Page
    {
        return Page::fromArray($this->json('GET', '/v1/contacts', query: ['number' => $number, 'tag' => $tag, 'limit' => $limit, 'cursor' => $cursor]), GetContactReply::fromArray(...));
    }

    /**
     * Read one contact.
     *
     * @throws HeliographException
     */
    public function getContact(string $id): GetContactReply
    {
        return GetContactReply::fromArray($this->json('GET', '/v1/contacts/' . rawurlencode($id)));
    }

    /**
     * Add a contact, or change the one with the number.
     *
     * @throws HeliographException
     */
    public function saveContact(SaveContactRequest $body): GetContactReply
    {
        return GetContactReply::fromArray($this->json('POST', '/v1/contacts', body: $body));
    }

    /**
     * Add or change many contacts.
     *
     * @throws HeliographException
     */
    public function saveContacts(SaveContactsRequest $body): SaveContactsReply
    {
        return SaveContactsReply::fromArray($this->json('POST', '/v1/contacts/batch', body: $body));
    }

    /**
     * Delete a contact.
     *
     * @throws HeliographException
     */
    public function deleteContact(string $id): DeleteContactReply
    {
        return DeleteContactReply::fromArray($this->json('DELETE', '/v1/contacts/' . rawurlencode($id)));
    }

    /**
     * Read the fields of contacts.
     *
     * @throws HeliographException
     */
    public function listContactFields(): ListContactFieldsReply
    {
        return ListContactFieldsReply::fromArray($this->json('GET', '/v1/contact-fields'));
    }

    /**
     * Report what a person did after a message.
     *
     * @throws HeliographException
     */
    public function addConversion(AddConversionRequest $body): AddConversionReply
    {
        return AddConversionReply::fromArray($this->json('POST', '/v1/conversions', body: $body, repeatable: false));
    }

    /**
     * Read segments.
     *
     * @param int|null $limit
     * @param string|null $cursor `next_cursor` of the page before.
     * @return Page<GetSegmentReply>
     * @throws HeliographException
     */
    public function listSegments(?int $limit = null, ?string $cursor = null): Page
    {
        return Page::fromArray($this->json('GET', '/v1/segments', query: ['limit' => $limit, 'cursor' => $cursor]), GetSegmentReply::fromArray(...));
    }

    /**
     * Read one segment.
     *
     * @throws HeliographException
     */
    public function getSegment(string $id): GetSegmentReply
    {
        return GetSegmentReply::fromArray($this->json('GET', '/v1/segments/' . rawurlencode($id)));
    }

    /**
     * Add a segment.
     *
     * @throws HeliographException
     */
    public function createSegment(CreateSegmentRequest $body): GetSegmentReply
    {
        return GetSegmentReply::fromArray($this->json('POST', '/v1/segments', body: $body, repeatable: false));
    }

    /**
     * Change a segment.
     *
     * @throws HeliographException
     */
    public function changeSegment(string $id, ChangeSegmentRequest $body): GetSegmentReply
    {
        return GetSegmentReply::fromArray($this->json('POST', '/v1/segments/' . rawurlencode($id), body: $body));
    }

    /**
     * Delete a segment.
     *
     * @throws HeliographException
     */
    public function deleteSegment(string $id): DeleteContactReply
    {
        return DeleteContactReply::fromArray($this->json('DELETE', '/v1/segments/' . rawurlencode($id)));
    }

    /**
     * Count the contacts of a segment.
     *
     * @throws HeliographException
     */
    public function countSegmentContacts(string $id): CountSegmentContactsReply
    {
        return CountSegmentContactsReply::fromArray($this->json('GET', '/v1/segments/' . rawurlencode($id) . '/count'));
    }

    /**
     * Read journeys.
     *
     * @param int|null $limit
     * @param string|null $cursor `next_cursor` of the page before.
     * @return Page<GetJourneyReply>
     * @throws HeliographException
     */
    public function listJourneys(?int $limit = null, ?string $cursor = null): Page
    {
        return Page::fromArray($this->json('GET', '/v1/journeys', query: ['limit' => $limit, 'cursor' => $cursor]), GetJourneyReply::fromArray(...));
    }

    /**
     * Read one journey.
     *
     * @throws HeliographException
     */
    public function getJourney(string $id): GetJourneyReply
    {
        return GetJourneyReply::fromArray($this->json('GET', '/v1/journeys/' . rawurlencode($id)));
    }

    /**
     * Let a person enter a journey.
     *
     * @throws HeliographException
     */
    public function enterJourney(string $id, SaveContactRequest $body): EnterJourneyReply
    {
        return EnterJourneyReply::fromArray($this->json('POST', '/v1/journeys/' . rawurlencode($id) . '/people', body: $body, repeatable: false));
    }

    /**
     * Read events, instead of callbacks.
     *
     * @param int|null $limit
     * @param string|null $cursor `next_cursor` of the previous page. `now`: only new events. Without it: from the oldest.
     * @param string|null $types Types, separated by commas. Without it: all.
     * @param string|null $since Begin with the events of this time, up to 7 days ago. `cursor`, if given, decides instead.
     * @param string|null $share One part of the events, for up to 64 programs that work side by side: `2/4` is the second of four. All events of one message are in the same part.
     * @param string|null $group Begin after the place that the platform stores for this group, if it stores one. `cursor` and `since` decide instead, if given.
     * @return Page<Event>
     * @throws HeliographException
     */
    public function listEvents(?int $limit = null, ?string $cursor = null, ?string $types = null, ?string $since = null, ?string $share = null, ?string $group = null): Page
    {
        return Page::fromArray($this->json('GET', '/v1/events', query: ['limit' => $limit, 'cursor' => $cursor, 'types' => $types, 'since' => $since, 'share' => $share, 'group' => $group]), Event::fromArray(...));
    }

    /**
     * Store how far a group of programs has processed the events.
     *
     * @throws HeliographException
     */
    public function moveEventGroup(string $group, MoveEventGroupRequest $body): MoveEventGroupReply
    {
        return MoveEventGroupReply::fromArray($this->json('POST', '/v1/events/groups/' . rawurlencode($group), body: $body));
    }

    /**
     * Get a made-up event of each type.
     *
     * @param 'message.delivered'|'message.failed'|'message.expired'|'message.corrected'|'message.received'|'campaign.finished'|'link.clicked'|'journey.step'|'verification.approved'|'verification.failed'|'verification.expired'|'balance.low'|'payment.received'|'invoice.issued'|null $type Only this type.
     * @throws HeliographException
     */
    public function sampleEvents(?string $type = null): SampleEventsReply
    {
        return SampleEventsReply::fromArray($this->json('GET', '/v1/events/samples', query: ['type' => $type]));
    }

    /**
     * List the addresses that programs have added for callbacks.
     *
     * @throws HeliographException
     */
    public function listCallbacks(): ListCallbacksReply
    {
        return ListCallbacksReply::fromArray($this->json('GET', '/v1/callbacks'));
    }

    /**
     * Have events sent to an address.
     *
     * @throws HeliographException
     */
    public function addCallback(AddCallbackRequest $body): AddCallbackReply
    {
        return AddCallbackReply::fromArray($this->json('POST', '/v1/callbacks', body: $body, repeatable: false));
    }

    /**
     * Stop sending events to an address.
     *
     * @throws HeliographException
     */
    public function removeCallback(string $id): DeleteContactReply
    {
        return DeleteContactReply::fromArray($this->json('DELETE', '/v1/callbacks/' . rawurlencode($id)));
    }

    /**
     * List the virtual handsets.
     *
     * @param int|null $limit
     * @throws HeliographException
     */
    public function listHandsets(?int $limit = null): ListHandsetsReply
    {
        return ListHandsetsReply::fromArray($this->json('GET', '/v1/sandbox/handsets', query: ['limit' => $limit]));
    }

    /**
     * Read the conversation of a virtual handset.
     *
     * @param string $number Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.
     * @param int|null $limit
     * @throws HeliographException
     */
    public function listHandsetMessages(string $number, ?int $limit = null): ListHandsetMessagesReply
    {
        return ListHandsetMessagesReply::fromArray($this->json('GET', '/v1/sandbox/messages', query: ['number' => $number, 'limit' => $limit]));
    }

    /**
     * Answer from a virtual handset.
     *
     * @throws HeliographException
     */
    public function replyFromHandset(ReplyFromHandsetRequest $body): ReplyFromHandsetReply
    {
        return ReplyFromHandsetReply::fromArray($this->json('POST', '/v1/sandbox/replies', body: $body, repeatable: false));
    }

    /**
     * Let test time pass.
     *
     * @throws HeliographException
     */
    public function moveSandboxTime(MoveSandboxTimeRequest $body): MoveSandboxTimeReply
    {
        return MoveSandboxTimeReply::fromArray($this->json('POST', '/v1/sandbox/time', body: $body, repeatable: false));
    }
}
