// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

package heliograph

import (
	"context"
	"encoding/json"
	"net/url"
)

type Problem struct {
	// Address of a page about this kind of error, relative to the address of the call.
	Type string `json:"type"`

	// Name of this kind of error, the same each time.
	Title string `json:"title"`

	Status int64 `json:"status"`

	Code string `json:"code"`

	// Cause of the code `unavailable`, if it is known. The header Retry-After has the seconds to wait.
	Reason *string `json:"reason,omitempty"`

	Detail *string `json:"detail,omitempty"`

	// Id of the call. Include it when you ask about the call.
	RequestID string `json:"request_id"`

	Message string `json:"message"`

	// Sentences by field; `recipients.3.to` is the `to` of the fourth recipient.
	Errors map[string][]string `json:"errors,omitempty"`
}

type SendMessageRequest struct {
	// Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.
	To string `json:"to"`

	// At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several.
	Text string `json:"text"`

	// One of your sender IDs, as phones show it: 1 to 11 characters, or a number.
	From string `json:"from"`

	// `gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: `"auto"`.
	Encoding *string `json:"encoding,omitempty"`

	// Shown immediately and not kept by the phone. Your account must allow it. Default: `false`.
	Flash *bool `json:"flash,omitempty"`

	// `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`.
	Class *string `json:"class,omitempty"`

	// Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately.
	SendAt *string `json:"send_at,omitempty"`

	// Minutes after which the message is not delivered any more. The maximum of your account is also the default.
	Validity *int64 `json:"validity,omitempty"`

	// Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way.
	CallbackURL *string `json:"callback_url,omitempty"`

	// Values of parameters that carriers ask for, by the names that the operator gave them, such as `dlt_template_id`. Your account must allow it. Default: `{}`.
	Parameters map[string]string `json:"parameters,omitempty"`

	// True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup.
	SkipDead *bool `json:"skip_dead,omitempty"`

	// Your own labels, returned in answers and callbacks. Default: `[]`.
	Tags []string `json:"tags,omitempty"`

	// Your own reference, returned in answers and callbacks.
	ClientRef *string `json:"client_ref,omitempty"`

	// If true, a `client_ref` that another message of this key has is refused. Default: `false`.
	UniqueRef *bool `json:"unique_ref,omitempty"`
}

type SendMessageReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// Only digits. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
	To string `json:"to"`

	State string `json:"state"`

	Parts int64 `json:"parts"`

	// Reserved amount. Your account decides when it is charged.
	Price string `json:"price"`

	Currency string `json:"currency"`

	ClientRef *string `json:"client_ref"`

	SendAt *string `json:"send_at"`

	ExpiresAt string `json:"expires_at"`

	// Sent with a test key: it goes to a test link and costs nothing.
	Test bool `json:"test"`
}

type EstimateMessageRequest struct {
	To []string `json:"to"`

	// At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several.
	Text string `json:"text"`

	// One of your sender IDs, as phones show it: 1 to 11 characters, or a number.
	From string `json:"from"`

	// `gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: `"auto"`.
	Encoding *string `json:"encoding,omitempty"`

	// Shown immediately and not kept by the phone. Your account must allow it. Default: `false`.
	Flash *bool `json:"flash,omitempty"`

	// `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`.
	Class *string `json:"class,omitempty"`

	// True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup.
	SkipDead *bool `json:"skip_dead,omitempty"`
}

type EstimateMessageReplyRecipientsItem struct {
	Index int64 `json:"index"`

	To string `json:"to"`

	Parts int64 `json:"parts"`

	// Amount with three decimals, as a decimal string.
	Price string `json:"price"`
}

type EstimateMessageReplyRejectedItem struct {
	Code string `json:"code"`

	Field *string `json:"field"`

	Detail string `json:"detail"`

	// Position in the request, from 0.
	Index int64 `json:"index"`

	To string `json:"to"`
}

type EstimateMessageReply struct {
	// Text with the signature and the opt-out notice. Null if all recipients are refused.
	Text *string `json:"text"`

	Encoding *string `json:"encoding"`

	// Number of messages that would be accepted.
	Messages int64 `json:"messages"`

	Parts int64 `json:"parts"`

	// Amount with three decimals, as a decimal string.
	Price string `json:"price"`

	Currency string `json:"currency"`

	Recipients []EstimateMessageReplyRecipientsItem `json:"recipients"`

	Rejected []EstimateMessageReplyRejectedItem `json:"rejected"`
}

type GetMessageReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	From string `json:"from"`

	// Number of the recipient. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
	To string `json:"to"`

	// Text as it was sent. Null if the owner of the key may not see texts.
	Text *string `json:"text"`

	State string `json:"state"`

	// Error code of the carrier, or `moderation` if the platform rejected the message.
	ErrorCode *string `json:"error_code"`

	Class string `json:"class"`

	Encoding string `json:"encoding"`

	Flash bool `json:"flash"`

	Parts int64 `json:"parts"`

	// Amount with three decimals, as a decimal string.
	Price string `json:"price"`

	Currency string `json:"currency"`

	ClientRef *string `json:"client_ref"`

	Tags []string `json:"tags"`

	CallbackURL *string `json:"callback_url"`

	BatchID *string `json:"batch_id"`

	SendAt *string `json:"send_at"`

	ExpiresAt *string `json:"expires_at"`

	CreatedAt string `json:"created_at"`

	// Time of the final state.
	DoneAt *string `json:"done_at"`

	Test bool `json:"test"`
}

type ListMessagesReply struct {
	Data []GetMessageReply `json:"data"`

	NextCursor *string `json:"next_cursor"`

	HasMore bool `json:"has_more"`
}

type CancelMessageReply = GetMessageReply

type SendBatchRequestRecipientsItemParams struct {
	Name *string `json:"name,omitempty"`

	Param1 *string `json:"param1,omitempty"`

	Param2 *string `json:"param2,omitempty"`

	Param3 *string `json:"param3,omitempty"`

	Param4 *string `json:"param4,omitempty"`

	Param5 *string `json:"param5,omitempty"`

	Param6 *string `json:"param6,omitempty"`

	Param7 *string `json:"param7,omitempty"`

	Param8 *string `json:"param8,omitempty"`

	Param9 *string `json:"param9,omitempty"`
}

type SendBatchRequestRecipientsItem struct {
	// Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.
	To string `json:"to"`

	// Text for this recipient instead of the common one. It is sent unchanged.
	Text *string `json:"text,omitempty"`

	// Values for `{name}` and `{param1}` to `{param9}` in the text.
	Params *SendBatchRequestRecipientsItemParams `json:"params,omitempty"`

	// Your own reference, returned in answers and callbacks.
	ClientRef *string `json:"client_ref,omitempty"`
}

type SendBatchRequest struct {
	// Text for every recipient without its own text. It may contain `{name}` and `{param1}` to `{param9}`.
	Text *string `json:"text,omitempty"`

	Recipients []SendBatchRequestRecipientsItem `json:"recipients"`

	// One of your sender IDs, as phones show it: 1 to 11 characters, or a number.
	From string `json:"from"`

	// `gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: `"auto"`.
	Encoding *string `json:"encoding,omitempty"`

	// Shown immediately and not kept by the phone. Your account must allow it. Default: `false`.
	Flash *bool `json:"flash,omitempty"`

	// `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`.
	Class *string `json:"class,omitempty"`

	// Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately.
	SendAt *string `json:"send_at,omitempty"`

	// Minutes after which the message is not delivered any more. The maximum of your account is also the default.
	Validity *int64 `json:"validity,omitempty"`

	// Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way.
	CallbackURL *string `json:"callback_url,omitempty"`

	// Values of parameters that carriers ask for, by the names that the operator gave them, such as `dlt_template_id`. Your account must allow it. Default: `{}`.
	Parameters map[string]string `json:"parameters,omitempty"`

	// True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup.
	SkipDead *bool `json:"skip_dead,omitempty"`

	// Your own labels, returned in answers and callbacks. Default: `[]`.
	Tags []string `json:"tags,omitempty"`

	// Your own reference for the batch.
	ClientRef *string `json:"client_ref,omitempty"`

	// If true, a `client_ref` that another message of this key has is refused. Default: `false`.
	UniqueRef *bool `json:"unique_ref,omitempty"`
}

type SendBatchReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Total int64 `json:"total"`

	Accepted int64 `json:"accepted"`

	Parts int64 `json:"parts"`

	// Sum of the reserved amounts, as a decimal string.
	Price string `json:"price"`

	Currency string `json:"currency"`

	ClientRef *string `json:"client_ref"`

	Tags []string `json:"tags"`

	// Recipients that were not accepted. They cost nothing.
	Rejected []EstimateMessageReplyRejectedItem `json:"rejected"`

	Test bool `json:"test"`
}

type GetBatchReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Total int64 `json:"total"`

	Accepted int64 `json:"accepted"`

	Parts int64 `json:"parts"`

	// Sum of the reserved amounts, as a decimal string.
	Price string `json:"price"`

	Currency string `json:"currency"`

	ClientRef *string `json:"client_ref"`

	Tags []string `json:"tags"`

	// Recipients that were not accepted. They cost nothing.
	Rejected []EstimateMessageReplyRejectedItem `json:"rejected"`

	States map[string]int64 `json:"states"`

	CreatedAt string `json:"created_at"`
}

type CancelBatchReply = GetBatchReply

type StartVerificationRequest struct {
	// Verify service of your account; its id is on its page in the console.
	Service string `json:"service"`

	// Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.
	To string `json:"to"`

	// Language of the text. Without it: that of the service.
	Language *string `json:"language,omitempty"`

	// Address of the person, not of your server. Stored for 30 days.
	ClientIP *string `json:"client_ip,omitempty"`

	// Your own id of the device or session. Stored for 30 days.
	Device *string `json:"device,omitempty"`

	// Your own reference, returned in answers and callbacks.
	ClientRef *string `json:"client_ref,omitempty"`
}

type StartVerificationReplyMessagesItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// State as in `GET /v1/messages/{id}`.
	State string `json:"state"`

	ErrorCode *string `json:"error_code"`
}

type StartVerificationReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// Verify service whose rules it follows.
	Service string `json:"service"`

	// Number. Masked, such as `63917•••••67`, if the key may not see numbers.
	To string `json:"to"`

	// `approved`: the right code was entered in time. `failed`: all tries were wrong.
	Status string `json:"status"`

	Language string `json:"language"`

	// Codes that may still be checked.
	AttemptsLeft int64 `json:"attempts_left"`

	ResendsLeft int64 `json:"resends_left"`

	// Earliest time of the next resend; null if there is none.
	ResendAt *string `json:"resend_at"`

	// Messages with the code, the first one first.
	Messages []StartVerificationReplyMessagesItem `json:"messages"`

	// Parts of all its messages.
	Parts int64 `json:"parts"`

	// Reserved amount of all its messages, with three decimals.
	Price string `json:"price"`

	Currency string `json:"currency"`

	ClientRef *string `json:"client_ref"`

	CreatedAt string `json:"created_at"`

	// Time until which the code is valid.
	ExpiresAt string `json:"expires_at"`

	// Time of the final status.
	DoneAt *string `json:"done_at"`

	Test bool `json:"test"`
}

type CheckVerificationRequest struct {
	// Digits of the code. Blanks and dashes between them are ignored.
	Code string `json:"code"`
}

type CheckVerificationReply = StartVerificationReply

type ResendVerificationRequest struct {
}

type ResendVerificationReply = StartVerificationReply

type CancelVerificationRequest = ResendVerificationRequest

type CancelVerificationReply = StartVerificationReply

type GetVerificationReply = StartVerificationReply

type GetBalanceReply struct {
	BillingAccount string `json:"billing_account"`

	// Decimal string with three decimals.
	Credit string `json:"credit"`

	// Amount set aside for messages without a final state.
	Reserved string `json:"reserved"`

	// Amount by which the credit may go below zero.
	CreditLimit string `json:"credit_limit"`

	// Amount that can be spent now.
	Available string `json:"available"`

	Currency string `json:"currency"`

	Suspended bool `json:"suspended"`
}

type ListInvoicesReplyDataItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Kind string `json:"kind"`

	Number string `json:"number"`

	// `issued` is the state of credit notes and receipts.
	Status string `json:"status"`

	Seller string `json:"seller"`

	Buyer string `json:"buyer"`

	IssueDate string `json:"issue_date"`

	DueDate *string `json:"due_date"`

	PeriodFrom *string `json:"period_from"`

	PeriodTo *string `json:"period_to"`

	Currency string `json:"currency"`

	// Decimal string with three decimals.
	Net string `json:"net"`

	// Decimal string with three decimals.
	Tax string `json:"tax"`

	// Difference between the total and the sum with tax, if prices include tax.
	Rounding string `json:"rounding"`

	// Decimal string with three decimals.
	Total string `json:"total"`

	// Part of the total that you are expected to withhold and to pay to the tax authority.
	Withholding string `json:"withholding"`

	// Decimal string with three decimals.
	Paid string `json:"paid"`

	// Sum of the credit notes for it.
	Credited string `json:"credited"`

	// Still to be paid.
	Open string `json:"open"`

	// Account whose payments pay it.
	BillingAccountID *string `json:"billing_account_id"`

	IssuedAt string `json:"issued_at"`
}

type ListInvoicesReply struct {
	Data []ListInvoicesReplyDataItem `json:"data"`

	NextCursor *string `json:"next_cursor"`

	HasMore bool `json:"has_more"`
}

type GetInvoiceReplyTaxesItem struct {
	Category string `json:"category"`

	// Percentage.
	Rate string `json:"rate"`

	// Decimal string with three decimals.
	Taxable string `json:"taxable"`

	// Decimal string with three decimals.
	Tax string `json:"tax"`
}

type GetInvoiceReplyPaymentsItem struct {
	// Decimal string with three decimals.
	Amount string `json:"amount"`

	PaidAt string `json:"paid_at"`
}

type GetInvoiceReplyCreditNotesItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Number string `json:"number"`

	IssueDate string `json:"issue_date"`

	// Decimal string with three decimals.
	Total string `json:"total"`
}

type GetInvoiceReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Kind string `json:"kind"`

	Number string `json:"number"`

	// `issued` is the state of credit notes and receipts.
	Status string `json:"status"`

	Seller string `json:"seller"`

	Buyer string `json:"buyer"`

	IssueDate string `json:"issue_date"`

	DueDate *string `json:"due_date"`

	PeriodFrom *string `json:"period_from"`

	PeriodTo *string `json:"period_to"`

	Currency string `json:"currency"`

	// Decimal string with three decimals.
	Net string `json:"net"`

	// Decimal string with three decimals.
	Tax string `json:"tax"`

	// Difference between the total and the sum with tax, if prices include tax.
	Rounding string `json:"rounding"`

	// Decimal string with three decimals.
	Total string `json:"total"`

	// Part of the total that you are expected to withhold and to pay to the tax authority.
	Withholding string `json:"withholding"`

	// Decimal string with three decimals.
	Paid string `json:"paid"`

	// Sum of the credit notes for it.
	Credited string `json:"credited"`

	// Still to be paid.
	Open string `json:"open"`

	// Account whose payments pay it.
	BillingAccountID *string `json:"billing_account_id"`

	IssuedAt string `json:"issued_at"`

	// Reason of a credit note.
	Reason *string `json:"reason"`

	// Invoice that a credit note is about.
	CreditedInvoiceID *string `json:"credited_invoice_id"`

	// The files can be downloaded, usually a few seconds after the issue.
	FilesReady bool `json:"files_ready"`

	Taxes []GetInvoiceReplyTaxesItem `json:"taxes"`

	// Parts of payments that paid it.
	Payments []GetInvoiceReplyPaymentsItem `json:"payments"`

	CreditNotes []GetInvoiceReplyCreditNotesItem `json:"credit_notes"`
}

type ListTopUpsReplyDataItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// The account has the credit from `paid` on; refunds and chargebacks take it back.
	State string `json:"state"`

	// Id, as a decimal string.
	BillingAccountID string `json:"billing_account_id"`

	// Credit that the account gets.
	Amount string `json:"amount"`

	// Fee on top of it.
	Fee string `json:"fee"`

	// Amount that is paid: the credit and the fee.
	Total string `json:"total"`

	Currency string `json:"currency"`

	// Name of the payment method.
	Method string `json:"method"`

	// A kept card was charged, because the account could spend less than a threshold.
	Automatic bool `json:"automatic"`

	// Our reference at the provider and on bank statements.
	Reference string `json:"reference"`

	ClientReference *string `json:"client_reference"`

	// Money that went back to you.
	Returned string `json:"returned"`

	// Credit that the account lost with it.
	TakenBack string `json:"taken_back"`

	CreatedAt string `json:"created_at"`

	PaidAt *string `json:"paid_at"`
}

type ListTopUpsReply struct {
	Data []ListTopUpsReplyDataItem `json:"data"`

	NextCursor *string `json:"next_cursor"`

	HasMore bool `json:"has_more"`
}

type GetTopUpReplyReturnsItem struct {
	Kind string `json:"kind"`

	State string `json:"state"`

	// Decimal string with three decimals.
	Amount string `json:"amount"`

	Reason *string `json:"reason"`

	CreatedAt string `json:"created_at"`
}

type GetTopUpReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// The account has the credit from `paid` on; refunds and chargebacks take it back.
	State string `json:"state"`

	// Id, as a decimal string.
	BillingAccountID string `json:"billing_account_id"`

	// Credit that the account gets.
	Amount string `json:"amount"`

	// Fee on top of it.
	Fee string `json:"fee"`

	// Amount that is paid: the credit and the fee.
	Total string `json:"total"`

	Currency string `json:"currency"`

	// Name of the payment method.
	Method string `json:"method"`

	// A kept card was charged, because the account could spend less than a threshold.
	Automatic bool `json:"automatic"`

	// Our reference at the provider and on bank statements.
	Reference string `json:"reference"`

	ClientReference *string `json:"client_reference"`

	// Money that went back to you.
	Returned string `json:"returned"`

	// Credit that the account lost with it.
	TakenBack string `json:"taken_back"`

	CreatedAt string `json:"created_at"`

	PaidAt *string `json:"paid_at"`

	Returns []GetTopUpReplyReturnsItem `json:"returns"`
}

type ListInboundReplyDataItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// Number of the phone. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
	From string `json:"from"`

	// Short code, number or sender ID that the phone sent to.
	To string `json:"to"`

	Text string `json:"text"`

	Keyword *string `json:"keyword"`

	// The text is hexadecimal.
	Binary bool `json:"binary"`

	// Parameters that the carrier added, by name, or by tag such as `0x1401` and in hexadecimal.
	Parameters map[string]string `json:"parameters"`

	ReceivedAt string `json:"received_at"`
}

type ListInboundReply struct {
	Data []ListInboundReplyDataItem `json:"data"`

	NextCursor string `json:"next_cursor"`

	HasMore bool `json:"has_more"`
}

type ListConversationsReplyDataItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// Number of the phone. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
	Number string `json:"number"`

	// Short code, number or sender ID that the phone sent to last.
	To string `json:"to"`

	// False after somebody closed it. A new message of the phone opens it again.
	Open bool `json:"open"`

	// Number of unread messages.
	Unread int64 `json:"unread"`

	// User in charge.
	AssignedTo *string `json:"assigned_to"`

	// Time of the latest message, or of the latest answer by a person.
	LastAt string `json:"last_at"`
}

type ListConversationsReply struct {
	Data []ListConversationsReplyDataItem `json:"data"`

	NextCursor *string `json:"next_cursor"`

	HasMore bool `json:"has_more"`
}

type GetConversationReply = ListConversationsReplyDataItem

type ListConversationMessagesReplyDataItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// `in` from the phone, `out` to it.
	Direction string `json:"direction"`

	// Null if your user may not read texts.
	Text *string `json:"text"`

	// Short code, number or sender ID on your side.
	Number string `json:"number"`

	// The text is hexadecimal.
	Binary bool `json:"binary"`

	// State of a message to the phone.
	Status *string `json:"status"`

	At string `json:"at"`
}

type ListConversationMessagesReply struct {
	Data []ListConversationMessagesReplyDataItem `json:"data"`

	NextCursor *string `json:"next_cursor"`

	HasMore bool `json:"has_more"`
}

type UpdateConversationRequest struct {
	Open *bool `json:"open,omitempty"`

	// User who may read the inbox; null for nobody.
	AssignedTo *string `json:"assigned_to,omitempty"`
}

type UpdateConversationReply = ListConversationsReplyDataItem

type ListConsentsReplyDataItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// Number of the person. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
	Number string `json:"number"`

	Kind string `json:"kind"`

	Source string `json:"source"`

	// Sender ID that the event is about; null for all.
	From *string `json:"from"`

	Wording *string `json:"wording"`

	Proof *string `json:"proof"`

	At string `json:"at"`
}

type ListConsentsReply struct {
	Data []ListConsentsReplyDataItem `json:"data"`
}

type AddConsentRequest struct {
	Number string `json:"number"`

	Kind string `json:"kind"`

	// Sender ID that the event is about; null for all. Default: `null`.
	From *string `json:"from,omitempty"`

	// Wording that the person agreed to. Default: `null`.
	Wording *string `json:"wording,omitempty"`

	// Evidence, such as the address of a form. Default: `null`.
	Proof *string `json:"proof,omitempty"`

	// Time of the event; not in the future. Now by default.
	At *string `json:"at,omitempty"`
}

type AddConsentReply = ListConsentsReplyDataItem

type ListContactsReplyDataItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// Number of the person. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
	Number string `json:"number"`

	Name *string `json:"name"`

	Tags []string `json:"tags"`

	// Values by the keys of the fields. Fields without a value are left out.
	Fields map[string]json.RawMessage `json:"fields"`

	// Consent of the person to your corporation, from the recorded events; `none` if nothing is recorded.
	Consent string `json:"consent"`

	CreatedAt string `json:"created_at"`

	UpdatedAt string `json:"updated_at"`
}

type ListContactsReply struct {
	Data []ListContactsReplyDataItem `json:"data"`

	NextCursor *string `json:"next_cursor"`

	HasMore bool `json:"has_more"`
}

type GetContactReply = ListContactsReplyDataItem

type SaveContactRequest struct {
	Number string `json:"number"`

	Name *string `json:"name,omitempty"`

	// All tags of the contact.
	Tags []string `json:"tags,omitempty"`

	// Values by the keys of their fields. Dates are such as 2026-01-31.
	Fields map[string]json.RawMessage `json:"fields,omitempty"`
}

type SaveContactReply = ListContactsReplyDataItem

type SaveContactsRequest struct {
	Contacts []SaveContactRequest `json:"contacts"`
}

type SaveContactsReplySavedItem struct {
	// Position in the request, from 0.
	Index int64 `json:"index"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type SaveContactsReplyRejectedItem struct {
	Code string `json:"code"`

	Field *string `json:"field"`

	Detail string `json:"detail"`

	// Position in the request, from 0.
	Index int64 `json:"index"`
}

type SaveContactsReply struct {
	Saved []SaveContactsReplySavedItem `json:"saved"`

	Rejected []SaveContactsReplyRejectedItem `json:"rejected"`
}

type DeleteContactReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListContactFieldsReplyDataItem struct {
	// Id of the field in rules of segments.
	ID string `json:"id"`

	// Name of the field in `fields` of a contact.
	Key string `json:"key"`

	Name string `json:"name"`

	Type string `json:"type"`

	// Values that a field of the type `choice` may have.
	Choices []string `json:"choices"`
}

type ListContactFieldsReply struct {
	Data []ListContactFieldsReplyDataItem `json:"data"`
}

type AddConversionRequest struct {
	// Your own reference, such as an order number. Each is counted once. Only its hash is stored.
	Reference string `json:"reference"`

	// Event, such as `purchase`: letters, digits, `_`, `.` and `-`, at most 40.
	Name string `json:"name"`

	// Number of the person in international form.
	Number *string `json:"number,omitempty"`

	// Code of the short link, as in `link.clicked`.
	Code *string `json:"code,omitempty"`

	// What it was worth: a decimal string. With `currency`. Default: `null`.
	Value *string `json:"value,omitempty"`

	// Default: `null`.
	Currency *string `json:"currency,omitempty"`

	// Time of the event; not in the future. Now by default.
	At *string `json:"at,omitempty"`
}

type AddConversionReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Name string `json:"name"`

	// Decimal string with three decimals.
	Value *string `json:"value"`

	Currency *string `json:"currency"`

	At string `json:"at"`

	CreatedAt string `json:"created_at"`
}

type ListSegmentsReplyDataItemLacksItem struct {
	Kind string `json:"kind"`

	ID int64 `json:"id"`
}

type ListSegmentsReplyDataItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Name string `json:"name"`

	// Rule, as it is written in requests.
	Rule ResendVerificationRequest `json:"rule"`

	// Rule as a sentence, in the language of the maker of the key.
	Explanation string `json:"explanation"`

	// Records that the rule needs and that are gone or not visible. The segment finds nobody then.
	Lacks []ListSegmentsReplyDataItemLacksItem `json:"lacks"`

	CreatedAt string `json:"created_at"`

	UpdatedAt string `json:"updated_at"`
}

type ListSegmentsReply struct {
	Data []ListSegmentsReplyDataItem `json:"data"`

	NextCursor *string `json:"next_cursor"`

	HasMore bool `json:"has_more"`
}

type GetSegmentReplyRule = ResendVerificationRequest

type GetSegmentReply = ListSegmentsReplyDataItem

type CreateSegmentRequestRuleRulesItem struct {
	On string `json:"on"`

	FieldID *int64 `json:"field_id"`

	Op string `json:"op"`

	// Default: `null`.
	Value *string `json:"value,omitempty"`

	// Default: `false`.
	Not *bool `json:"not,omitempty"`
}

type CreateSegmentRequestRuleRulesItem2 struct {
	On string `json:"on"`

	FieldID int64 `json:"field_id"`

	Op string `json:"op"`

	// Default: `[]`.
	Values []string `json:"values,omitempty"`

	// Default: `false`.
	Not *bool `json:"not,omitempty"`
}

type CreateSegmentRequestRuleRulesItem3 struct {
	On string `json:"on"`

	FieldID int64 `json:"field_id"`

	Op string `json:"op"`

	// Default: `null`.
	Value *float64 `json:"value,omitempty"`

	// Default: `null`.
	To *float64 `json:"to,omitempty"`

	// Default: `false`.
	Not *bool `json:"not,omitempty"`
}

type CreateSegmentRequestRuleRulesItem4 struct {
	On string `json:"on"`

	FieldID int64 `json:"field_id"`

	Op string `json:"op"`

	// Default: `null`.
	Day *string `json:"day,omitempty"`

	// Default: `null`.
	To *string `json:"to,omitempty"`

	// Default: `null`.
	Days *int64 `json:"days,omitempty"`

	// Default: `false`.
	Not *bool `json:"not,omitempty"`
}

type CreateSegmentRequestRuleRulesItem5 struct {
	On string `json:"on"`

	FieldID int64 `json:"field_id"`

	Op string `json:"op"`

	// Default: `false`.
	Not *bool `json:"not,omitempty"`
}

type CreateSegmentRequestRuleRulesItem6 struct {
	On string `json:"on"`

	Tag string `json:"tag"`

	// Default: `false`.
	Not *bool `json:"not,omitempty"`
}

type CreateSegmentRequestRuleRulesItem7 struct {
	On string `json:"on"`

	ListID int64 `json:"list_id"`

	// Default: `false`.
	Not *bool `json:"not,omitempty"`
}

type CreateSegmentRequestRuleRulesItem8 struct {
	On string `json:"on"`

	Consents []string `json:"consents"`

	// Default: `false`.
	Not *bool `json:"not,omitempty"`
}

type CreateSegmentRequestRuleRulesItem9 struct {
	On string `json:"on"`

	Time string `json:"time"`

	Op string `json:"op"`

	// Default: `null`.
	Day *string `json:"day,omitempty"`

	// Default: `null`.
	Days *int64 `json:"days,omitempty"`

	// Default: `false`.
	Not *bool `json:"not,omitempty"`
}

type CreateSegmentRequestRuleRulesItem10 struct {
	On string `json:"on"`

	Event string `json:"event"`

	// Default: `null`.
	CampaignID *int64 `json:"campaign_id,omitempty"`

	// Default: `null`.
	Link *int64 `json:"link,omitempty"`

	// Default: `null`.
	Conversion *string `json:"conversion,omitempty"`

	// Default: `null`.
	Days *int64 `json:"days,omitempty"`

	// Default: `false`.
	Not *bool `json:"not,omitempty"`
}

type CreateSegmentRequestRuleRulesItem11RulesItem11RulesItem11RulesItem11 struct {
	On string `json:"on"`

	Match string `json:"match"`

	Rules []json.RawMessage `json:"rules"`
}

type CreateSegmentRequestRuleRulesItem11RulesItem11RulesItem11 struct {
	On string `json:"on"`

	Match string `json:"match"`

	Rules []json.RawMessage `json:"rules"`
}

type CreateSegmentRequestRuleRulesItem11RulesItem11 struct {
	On string `json:"on"`

	Match string `json:"match"`

	Rules []json.RawMessage `json:"rules"`
}

type CreateSegmentRequestRuleRulesItem11 struct {
	On string `json:"on"`

	Match string `json:"match"`

	Rules []json.RawMessage `json:"rules"`
}

type CreateSegmentRequestRule struct {
	// Default: `1`.
	Version json.RawMessage `json:"version,omitempty"`

	Match string `json:"match"`

	Rules []json.RawMessage `json:"rules"`
}

type CreateSegmentRequest struct {
	Name string `json:"name"`

	// Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. `not` turns a condition around: it then finds contacts without a value too.
	Rule CreateSegmentRequestRule `json:"rule"`
}

type CreateSegmentReplyRule = ResendVerificationRequest

type CreateSegmentReply = ListSegmentsReplyDataItem

type ChangeSegmentRequestRule = CreateSegmentRequestRule

type ChangeSegmentRequest struct {
	Name *string `json:"name,omitempty"`

	// Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. `not` turns a condition around: it then finds contacts without a value too.
	Rule *CreateSegmentRequestRule `json:"rule,omitempty"`
}

type ChangeSegmentReplyRule = ResendVerificationRequest

type ChangeSegmentReply = ListSegmentsReplyDataItem

type DeleteSegmentReply = DeleteContactReply

type CountSegmentContactsReply struct {
	Contacts int64 `json:"contacts"`
}

type ListJourneysReplyDataItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Name string `json:"name"`

	// People enter and go on only while it is `running`.
	State string `json:"state"`

	// Number of the version that people enter; null for none.
	Version *int64 `json:"version"`

	// Cause for which people enter, as a sentence in the language of the maker of the key.
	Trigger string `json:"trigger"`

	// People who ever entered.
	Entered int64 `json:"entered"`

	// Cost of the messages so far.
	Spent string `json:"spent"`

	// Most that the messages may cost; null for no budget.
	Budget *string `json:"budget"`

	Currency string `json:"currency"`

	CreatedAt string `json:"created_at"`

	UpdatedAt string `json:"updated_at"`
}

type ListJourneysReply struct {
	Data []ListJourneysReplyDataItem `json:"data"`

	NextCursor *string `json:"next_cursor"`

	HasMore bool `json:"has_more"`
}

type GetJourneyReply = ListJourneysReplyDataItem

type EnterJourneyRequest = SaveContactRequest

type EnterJourneyReply struct {
	Entered bool `json:"entered"`
}

type ListEventsReplyDataItemData struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	State string `json:"state"`

	// Error code of the carrier, or `moderation` if the platform rejected the message.
	ErrorCode *string `json:"error_code"`

	From *string `json:"from"`

	To *string `json:"to"`

	Parts *int64 `json:"parts"`

	Price *string `json:"price"`

	Currency *string `json:"currency"`

	ClientRef *string `json:"client_ref"`

	Tags []string `json:"tags"`

	BatchID *string `json:"batch_id"`

	// Campaign of a message that was sent in the console.
	CampaignID *string `json:"campaign_id"`

	CreatedAt *string `json:"created_at"`

	// Parameters of the carrier’s receipt, by the names that the operator gave them.
	Parameters map[string]string `json:"parameters"`

	// Time of the final state.
	DoneAt string `json:"done_at"`
}

type ListEventsReplyDataItem struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItemData `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem2 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItemData `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem3 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItemData `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem4Data struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// State that the carrier now reports. The state of the message itself does not change.
	State string `json:"state"`

	// Error code of the carrier, or `moderation` if the platform rejected the message.
	ErrorCode *string `json:"error_code"`

	From *string `json:"from"`

	To *string `json:"to"`

	Parts *int64 `json:"parts"`

	Price *string `json:"price"`

	Currency *string `json:"currency"`

	ClientRef *string `json:"client_ref"`

	Tags []string `json:"tags"`

	BatchID *string `json:"batch_id"`

	// Campaign of a message that was sent in the console.
	CampaignID *string `json:"campaign_id"`

	CreatedAt *string `json:"created_at"`

	// Parameters of the carrier’s receipt, by the names that the operator gave them.
	Parameters map[string]string `json:"parameters"`

	// Time of the report by the carrier.
	DoneAt string `json:"done_at"`
}

type ListEventsReplyDataItem4 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem4Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem5Data struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// Number of the phone.
	From *string `json:"from"`

	// Short code, number or sender ID that the phone sent to.
	To *string `json:"to"`

	Text *string `json:"text"`

	Keyword *string `json:"keyword"`

	// The text is hexadecimal.
	Binary bool `json:"binary"`

	// Parameters that the carrier added, by name, or by tag such as `0x1401` and in hexadecimal.
	Parameters map[string]string `json:"parameters"`

	ReceivedAt *string `json:"received_at"`
}

type ListEventsReplyDataItem5 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem5Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem6Data struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Name *string `json:"name"`

	State string `json:"state"`

	Messages *int64 `json:"messages"`

	Submitted int64 `json:"submitted"`

	Delivered int64 `json:"delivered"`

	Failed int64 `json:"failed"`

	Expired int64 `json:"expired"`

	// Messages that were never handed to a carrier. They are not counted as failed.
	Blocked int64 `json:"blocked"`

	Cancelled int64 `json:"cancelled"`

	// Decimal string with three decimals.
	Charged string `json:"charged"`

	Currency *string `json:"currency"`
}

type ListEventsReplyDataItem6 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem6Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem7Data struct {
	// Id, as a decimal string.
	CampaignID string `json:"campaign_id"`

	// Name of the campaign.
	Campaign *string `json:"campaign"`

	// Place of the link in the text, from 1.
	Link *int64 `json:"link"`

	// Address that the link leads to.
	URL *string `json:"url"`

	// Code of the short link. It is the same in the text of the message and in conversions.
	Code string `json:"code"`

	// Number of the recipient; null if the corporation does not name who clicks, or the number was removed.
	To *string `json:"to"`

	// Time of the first click.
	ClickedAt *string `json:"clicked_at"`
}

type ListEventsReplyDataItem7 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem7Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem8DataContact struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Name *string `json:"name"`

	// Values by the keys of the fields, as they are now.
	Fields map[string]json.RawMessage `json:"fields"`
}

type ListEventsReplyDataItem8Data struct {
	// Id, as a decimal string.
	JourneyID string `json:"journey_id"`

	// Name of the journey.
	Journey *string `json:"journey"`

	// Id of the step.
	Step int64 `json:"step"`

	// Name that the step has for programs.
	Name string `json:"name"`

	// Number of the person; null if the contact was deleted.
	To *string `json:"to"`

	// Contact of the person; null if it was deleted. In the feed also null without the scope `contacts:read`.
	Contact *ListEventsReplyDataItem8DataContact `json:"contact"`
}

type ListEventsReplyDataItem8 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem8Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem9Data struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Service *string `json:"service"`

	To *string `json:"to"`

	Status string `json:"status"`

	Language *string `json:"language"`

	Parts *int64 `json:"parts"`

	Price *string `json:"price"`

	Currency *string `json:"currency"`

	ClientRef *string `json:"client_ref"`

	CreatedAt *string `json:"created_at"`

	DoneAt *string `json:"done_at"`

	Test bool `json:"test"`
}

type ListEventsReplyDataItem9 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem9Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem10 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem9Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem11 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem9Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem12Data struct {
	// Id, as a decimal string.
	BillingAccountID string `json:"billing_account_id"`

	Name *string `json:"name"`

	// Limit of the account that was passed.
	Limit string `json:"limit"`

	// Decimal string with three decimals.
	Balance string `json:"balance"`

	Currency *string `json:"currency"`
}

type ListEventsReplyDataItem12 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem12Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem13Data struct {
	// Top-up; null for a payment that a person entered.
	ID *string `json:"id"`

	BillingAccountID *string `json:"billing_account_id"`

	// What the account got.
	Amount *string `json:"amount"`

	// What was paid, with the fee.
	Total *string `json:"total"`

	Currency *string `json:"currency"`

	// Name of the payment method.
	Method *string `json:"method"`

	Reference *string `json:"reference"`

	ClientReference *string `json:"client_reference"`

	PaidAt *string `json:"paid_at"`
}

type ListEventsReplyDataItem13 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem13Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReplyDataItem14Data struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	Kind *string `json:"kind"`

	Number *string `json:"number"`

	IssueDate *string `json:"issue_date"`

	DueDate *string `json:"due_date"`

	Total *string `json:"total"`

	Currency *string `json:"currency"`

	BillingAccountID *string `json:"billing_account_id"`

	// Invoice that a credit note is about.
	CreditedInvoiceID *string `json:"credited_invoice_id"`
}

type ListEventsReplyDataItem14 struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem14Data `json:"data"`

	// Id, as a decimal string.
	ID string `json:"id"`
}

type ListEventsReply struct {
	Data []json.RawMessage `json:"data"`

	NextCursor string `json:"next_cursor"`

	HasMore bool `json:"has_more"`
}

type MoveEventGroupRequest struct {
	// `next_cursor` of a page, or `id` of an event of the stream.
	Cursor string `json:"cursor"`

	// Part of the events that the program reads. Default: `"1/1"`.
	Share *string `json:"share,omitempty"`
}

type MoveEventGroupReply struct {
	Group string `json:"group"`

	Share string `json:"share"`

	Cursor string `json:"cursor"`

	StoredAt string `json:"stored_at"`
}

type SampleEventsReply struct {
	Data []json.RawMessage `json:"data"`
}

type ListCallbacksReplyDataItem struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	URL string `json:"url"`

	Types []string `json:"types"`

	Description *string `json:"description"`

	// `failing`: the last calls did not arrive, and are tried again. `paused`: nothing arrived for three days, or the address answered 410.
	Status string `json:"status"`

	CreatedAt string `json:"created_at"`
}

type ListCallbacksReply struct {
	Data []ListCallbacksReplyDataItem `json:"data"`
}

type AddCallbackRequest struct {
	// Public https address.
	URL string `json:"url"`

	// Types of events to send.
	Types []string `json:"types"`

	// What receives the events, for people in the console.
	Description *string `json:"description,omitempty"`
}

type AddCallbackReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	URL string `json:"url"`

	Types []string `json:"types"`

	Description *string `json:"description"`

	// `failing`: the last calls did not arrive, and are tried again. `paused`: nothing arrived for three days, or the address answered 410.
	Status string `json:"status"`

	CreatedAt string `json:"created_at"`

	// Secret that signs the calls, by Standard Webhooks.
	Secret string `json:"secret"`
}

type RemoveCallbackReply = DeleteContactReply

type ListHandsetsReplyDataItem struct {
	// Number of the handset. Masked, such as `63917•••••67`, if the key may not see numbers.
	Number string `json:"number"`

	// Messages that it received.
	Messages int64 `json:"messages"`

	LastAt string `json:"last_at"`
}

type ListHandsetsReply struct {
	Data []ListHandsetsReplyDataItem `json:"data"`
}

type ListHandsetMessagesReplyDataItem struct {
	// As the phone sees it.
	Direction string `json:"direction"`

	// Id of the message, or of the message from the phone.
	ID string `json:"id"`

	// Sender ID or number on the other side.
	With string `json:"with"`

	// Empty if the key may not see texts.
	Text string `json:"text"`

	// Parts that have arrived.
	Parts int64 `json:"parts"`

	// State of the message; null for an answer of the phone.
	State *string `json:"state"`

	At string `json:"at"`
}

type ListHandsetMessagesReply struct {
	Data []ListHandsetMessagesReplyDataItem `json:"data"`
}

type ReplyFromHandsetRequest struct {
	// Number of a handset that has received a message.
	From string `json:"from"`

	Text string `json:"text"`
}

type ReplyFromHandsetReply struct {
	// Id, as a decimal string.
	ID string `json:"id"`

	// Number of the handset. Masked, such as `63917•••••67`, if the key may not see numbers.
	From string `json:"from"`

	// Sender ID of the last message that the handset received.
	To string `json:"to"`

	ReceivedAt string `json:"received_at"`
}

type MoveSandboxTimeRequest struct {
	Seconds int64 `json:"seconds"`
}

type MoveSandboxTimeReply struct {
	Seconds int64 `json:"seconds"`

	// Receipts and answers of handsets that waited.
	Receipts int64 `json:"receipts"`

	// Messages that waited.
	Messages int64 `json:"messages"`

	// Verifications that waited.
	Verifications int64 `json:"verifications"`
}

type MessageDeliveredCallbackData = ListEventsReplyDataItemData

type MessageDeliveredCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItemData `json:"data"`
}

type MessageFailedCallbackData = ListEventsReplyDataItemData

type MessageFailedCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItemData `json:"data"`
}

type MessageExpiredCallbackData = ListEventsReplyDataItemData

type MessageExpiredCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItemData `json:"data"`
}

type MessageCorrectedCallbackData = ListEventsReplyDataItem4Data

type MessageCorrectedCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem4Data `json:"data"`
}

type MessageReceivedCallbackData = ListEventsReplyDataItem5Data

type MessageReceivedCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem5Data `json:"data"`
}

type CampaignFinishedCallbackData = ListEventsReplyDataItem6Data

type CampaignFinishedCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem6Data `json:"data"`
}

type LinkClickedCallbackData = ListEventsReplyDataItem7Data

type LinkClickedCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem7Data `json:"data"`
}

type JourneyStepCallbackDataContact = ListEventsReplyDataItem8DataContact

type JourneyStepCallbackData = ListEventsReplyDataItem8Data

type JourneyStepCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem8Data `json:"data"`
}

type VerificationApprovedCallbackData = ListEventsReplyDataItem9Data

type VerificationApprovedCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem9Data `json:"data"`
}

type VerificationFailedCallbackData = ListEventsReplyDataItem9Data

type VerificationFailedCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem9Data `json:"data"`
}

type VerificationExpiredCallbackData = ListEventsReplyDataItem9Data

type VerificationExpiredCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem9Data `json:"data"`
}

type BalanceLowCallbackData = ListEventsReplyDataItem12Data

type BalanceLowCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem12Data `json:"data"`
}

type PaymentReceivedCallbackData = ListEventsReplyDataItem13Data

type PaymentReceivedCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem13Data `json:"data"`
}

type InvoiceIssuedCallbackData = ListEventsReplyDataItem14Data

type InvoiceIssuedCallback struct {
	Type string `json:"type"`

	// Time of the event.
	Timestamp string `json:"timestamp"`

	Data ListEventsReplyDataItem14Data `json:"data"`
}

// SendMessage: send a message.
func (c *Client) SendMessage(ctx context.Context, body SendMessageRequest, options ...SendOption) (*SendMessageReply, error) {
	var answer SendMessageReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/messages", body: body, key: keyOf(options)}, &answer)
}

// EstimateMessage: get the parts and the price of a message without sending it.
func (c *Client) EstimateMessage(ctx context.Context, body EstimateMessageRequest) (*EstimateMessageReply, error) {
	var answer EstimateMessageReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/messages/estimate", body: body}, &answer)
}

// GetMessage: get a message.
func (c *Client) GetMessage(ctx context.Context, id string) (*GetMessageReply, error) {
	var answer GetMessageReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/messages/" + url.PathEscape(id)}, &answer)
}

// ListMessagesQuery is what ListMessages may be limited to.
type ListMessagesQuery struct {
	// Your own reference, returned in answers and callbacks.
	ClientRef *string

	// Id, as a decimal string.
	BatchID *string

	Limit *int64

	// `next_cursor` of the previous page.
	Cursor *string
}

func (q ListMessagesQuery) values() url.Values {
	values := url.Values{}
	add(values, "client_ref", q.ClientRef)
	add(values, "batch_id", q.BatchID)
	add(values, "limit", q.Limit)
	add(values, "cursor", q.Cursor)
	return values
}

// ListMessages: find messages by your own reference or by batch.
func (c *Client) ListMessages(ctx context.Context, query ListMessagesQuery) (*ListMessagesReply, error) {
	var answer ListMessagesReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/messages", query: query.values()}, &answer)
}

// CancelMessage: cancel a scheduled message.
func (c *Client) CancelMessage(ctx context.Context, id string) (*CancelMessageReply, error) {
	var answer CancelMessageReply
	return &answer, c.json(ctx, call{method: "DELETE", path: "/v1/messages/" + url.PathEscape(id)}, &answer)
}

// SendBatch: send to many recipients.
func (c *Client) SendBatch(ctx context.Context, body SendBatchRequest, options ...SendOption) (*SendBatchReply, error) {
	var answer SendBatchReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/batches", body: body, key: keyOf(options)}, &answer)
}

// GetBatch: get a batch with the number of its messages by state.
func (c *Client) GetBatch(ctx context.Context, id string) (*GetBatchReply, error) {
	var answer GetBatchReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/batches/" + url.PathEscape(id)}, &answer)
}

// CancelBatch: cancel the messages of a batch that were not sent yet.
func (c *Client) CancelBatch(ctx context.Context, id string) (*CancelBatchReply, error) {
	var answer CancelBatchReply
	return &answer, c.json(ctx, call{method: "DELETE", path: "/v1/batches/" + url.PathEscape(id)}, &answer)
}

// StartVerification: send a code to a number.
func (c *Client) StartVerification(ctx context.Context, body StartVerificationRequest, options ...SendOption) (*StartVerificationReply, error) {
	var answer StartVerificationReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/verifications", body: body, key: keyOf(options)}, &answer)
}

// CheckVerification: check the code that a person entered.
func (c *Client) CheckVerification(ctx context.Context, id string, body CheckVerificationRequest) (*CheckVerificationReply, error) {
	var answer CheckVerificationReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/verifications/" + url.PathEscape(id) + "/check", body: body, once: true}, &answer)
}

// ResendVerification: send the code once more.
func (c *Client) ResendVerification(ctx context.Context, id string, body ResendVerificationRequest) (*ResendVerificationReply, error) {
	var answer ResendVerificationReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/verifications/" + url.PathEscape(id) + "/resend", body: body, once: true}, &answer)
}

// CancelVerification: end a verification.
func (c *Client) CancelVerification(ctx context.Context, id string, body CancelVerificationRequest) (*CancelVerificationReply, error) {
	var answer CancelVerificationReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/verifications/" + url.PathEscape(id) + "/cancel", body: body, once: true}, &answer)
}

// GetVerification: get a verification.
func (c *Client) GetVerification(ctx context.Context, id string) (*GetVerificationReply, error) {
	var answer GetVerificationReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/verifications/" + url.PathEscape(id)}, &answer)
}

// GetBalance: get the credit of the billing account that your messages are charged to.
func (c *Client) GetBalance(ctx context.Context) (*GetBalanceReply, error) {
	var answer GetBalanceReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/balance"}, &answer)
}

// ListInvoicesQuery is what ListInvoices may be limited to.
type ListInvoicesQuery struct {
	Limit *int64

	// `next_cursor` of the previous page.
	Cursor *string

	Kind *string

	Status *string

	// First day of issue.
	From *string

	// Last day of issue.
	To *string
}

func (q ListInvoicesQuery) values() url.Values {
	values := url.Values{}
	add(values, "limit", q.Limit)
	add(values, "cursor", q.Cursor)
	add(values, "kind", q.Kind)
	add(values, "status", q.Status)
	add(values, "from", q.From)
	add(values, "to", q.To)
	return values
}

// ListInvoices: list the invoices, credit notes and receipts that you received.
func (c *Client) ListInvoices(ctx context.Context, query ListInvoicesQuery) (*ListInvoicesReply, error) {
	var answer ListInvoicesReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/invoices", query: query.values()}, &answer)
}

// GetInvoice: get an invoice, credit note or receipt.
func (c *Client) GetInvoice(ctx context.Context, id string) (*GetInvoiceReply, error) {
	var answer GetInvoiceReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/invoices/" + url.PathEscape(id)}, &answer)
}

// GetInvoicePdf: download a document as PDF.
func (c *Client) GetInvoicePdf(ctx context.Context, id string) ([]byte, error) {
	return c.bytes(ctx, call{method: "GET", path: "/v1/invoices/" + url.PathEscape(id) + "/pdf"})
}

// GetInvoiceXml: download the data of an invoice as XML.
func (c *Client) GetInvoiceXml(ctx context.Context, id string) ([]byte, error) {
	return c.bytes(ctx, call{method: "GET", path: "/v1/invoices/" + url.PathEscape(id) + "/xml"})
}

// ListTopUpsQuery is what ListTopUps may be limited to.
type ListTopUpsQuery struct {
	Limit *int64

	// `next_cursor` of the previous page.
	Cursor *string

	State *string

	BillingAccountID *int64

	// First day on which they began.
	From *string

	// Last day on which they began.
	To *string
}

func (q ListTopUpsQuery) values() url.Values {
	values := url.Values{}
	add(values, "limit", q.Limit)
	add(values, "cursor", q.Cursor)
	add(values, "state", q.State)
	add(values, "billing_account_id", q.BillingAccountID)
	add(values, "from", q.From)
	add(values, "to", q.To)
	return values
}

// ListTopUps: list the top-ups of your accounts.
func (c *Client) ListTopUps(ctx context.Context, query ListTopUpsQuery) (*ListTopUpsReply, error) {
	var answer ListTopUpsReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/top-ups", query: query.values()}, &answer)
}

// GetTopUp: get a top-up with its refunds and chargebacks.
func (c *Client) GetTopUp(ctx context.Context, id string) (*GetTopUpReply, error) {
	var answer GetTopUpReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/top-ups/" + url.PathEscape(id)}, &answer)
}

// ListInboundQuery is what ListInbound may be limited to.
type ListInboundQuery struct {
	Limit *int64

	// `next_cursor` of the previous page.
	Cursor *string
}

func (q ListInboundQuery) values() url.Values {
	values := url.Values{}
	add(values, "limit", q.Limit)
	add(values, "cursor", q.Cursor)
	return values
}

// ListInbound: read messages from phones.
func (c *Client) ListInbound(ctx context.Context, query ListInboundQuery) (*ListInboundReply, error) {
	var answer ListInboundReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/inbound", query: query.values()}, &answer)
}

// ListConversationsQuery is what ListConversations may be limited to.
type ListConversationsQuery struct {
	Limit *int64

	// `next_cursor` of the previous page.
	Cursor *string

	State *string

	// Number of a phone, in international form.
	Number *string
}

func (q ListConversationsQuery) values() url.Values {
	values := url.Values{}
	add(values, "limit", q.Limit)
	add(values, "cursor", q.Cursor)
	add(values, "state", q.State)
	add(values, "number", q.Number)
	return values
}

// ListConversations: list conversations with phones.
func (c *Client) ListConversations(ctx context.Context, query ListConversationsQuery) (*ListConversationsReply, error) {
	var answer ListConversationsReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/conversations", query: query.values()}, &answer)
}

// GetConversation: get a conversation.
func (c *Client) GetConversation(ctx context.Context, id string) (*GetConversationReply, error) {
	var answer GetConversationReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/conversations/" + url.PathEscape(id)}, &answer)
}

// ListConversationMessagesQuery is what ListConversationMessages may be limited to.
type ListConversationMessagesQuery struct {
	Limit *int64

	// `next_cursor` of the previous page.
	Cursor *string
}

func (q ListConversationMessagesQuery) values() url.Values {
	values := url.Values{}
	add(values, "limit", q.Limit)
	add(values, "cursor", q.Cursor)
	return values
}

// ListConversationMessages: read the messages of a conversation.
func (c *Client) ListConversationMessages(ctx context.Context, id string, query ListConversationMessagesQuery) (*ListConversationMessagesReply, error) {
	var answer ListConversationMessagesReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/conversations/" + url.PathEscape(id) + "/messages", query: query.values()}, &answer)
}

// UpdateConversation: assign, close or reopen a conversation.
func (c *Client) UpdateConversation(ctx context.Context, id string, body UpdateConversationRequest) (*UpdateConversationReply, error) {
	var answer UpdateConversationReply
	return &answer, c.json(ctx, call{method: "PATCH", path: "/v1/conversations/" + url.PathEscape(id), body: body}, &answer)
}

// ListConsentsQuery is what ListConsents may be limited to.
type ListConsentsQuery struct {
	// Number in international form.
	Number *string
}

func (q ListConsentsQuery) values() url.Values {
	values := url.Values{}
	add(values, "number", q.Number)
	return values
}

// ListConsents: read the consents and opt-outs of one person.
func (c *Client) ListConsents(ctx context.Context, query ListConsentsQuery) (*ListConsentsReply, error) {
	var answer ListConsentsReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/consents", query: query.values()}, &answer)
}

// AddConsent: record that a person opted in or out.
func (c *Client) AddConsent(ctx context.Context, body AddConsentRequest) (*AddConsentReply, error) {
	var answer AddConsentReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/consents", body: body, once: true}, &answer)
}

// ListContactsQuery is what ListContacts may be limited to.
type ListContactsQuery struct {
	// Number in international form.
	Number *string

	// Tag, exactly as written.
	Tag *string

	Limit *int64

	// `next_cursor` of the page before.
	Cursor *string
}

func (q ListContactsQuery) values() url.Values {
	values := url.Values{}
	add(values, "number", q.Number)
	add(values, "tag", q.Tag)
	add(values, "limit", q.Limit)
	add(values, "cursor", q.Cursor)
	return values
}

// ListContacts: read contacts.
func (c *Client) ListContacts(ctx context.Context, query ListContactsQuery) (*ListContactsReply, error) {
	var answer ListContactsReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/contacts", query: query.values()}, &answer)
}

// GetContact: read one contact.
func (c *Client) GetContact(ctx context.Context, id string) (*GetContactReply, error) {
	var answer GetContactReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/contacts/" + url.PathEscape(id)}, &answer)
}

// SaveContact: add a contact, or change the one with the number.
func (c *Client) SaveContact(ctx context.Context, body SaveContactRequest) (*SaveContactReply, error) {
	var answer SaveContactReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/contacts", body: body}, &answer)
}

// SaveContacts: add or change many contacts.
func (c *Client) SaveContacts(ctx context.Context, body SaveContactsRequest) (*SaveContactsReply, error) {
	var answer SaveContactsReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/contacts/batch", body: body}, &answer)
}

// DeleteContact: delete a contact.
func (c *Client) DeleteContact(ctx context.Context, id string) (*DeleteContactReply, error) {
	var answer DeleteContactReply
	return &answer, c.json(ctx, call{method: "DELETE", path: "/v1/contacts/" + url.PathEscape(id)}, &answer)
}

// ListContactFields: read the fields of contacts.
func (c *Client) ListContactFields(ctx context.Context) (*ListContactFieldsReply, error) {
	var answer ListContactFieldsReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/contact-fields"}, &answer)
}

// AddConversion: report what a person did after a message.
func (c *Client) AddConversion(ctx context.Context, body AddConversionRequest) (*AddConversionReply, error) {
	var answer AddConversionReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/conversions", body: body, once: true}, &answer)
}

// ListSegmentsQuery is what ListSegments may be limited to.
type ListSegmentsQuery struct {
	Limit *int64

	// `next_cursor` of the page before.
	Cursor *string
}

func (q ListSegmentsQuery) values() url.Values {
	values := url.Values{}
	add(values, "limit", q.Limit)
	add(values, "cursor", q.Cursor)
	return values
}

// ListSegments: read segments.
func (c *Client) ListSegments(ctx context.Context, query ListSegmentsQuery) (*ListSegmentsReply, error) {
	var answer ListSegmentsReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/segments", query: query.values()}, &answer)
}

// GetSegment: read one segment.
func (c *Client) GetSegment(ctx context.Context, id string) (*GetSegmentReply, error) {
	var answer GetSegmentReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/segments/" + url.PathEscape(id)}, &answer)
}

// CreateSegment: add a segment.
func (c *Client) CreateSegment(ctx context.Context, body CreateSegmentRequest) (*CreateSegmentReply, error) {
	var answer CreateSegmentReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/segments", body: body, once: true}, &answer)
}

// ChangeSegment: change a segment.
func (c *Client) ChangeSegment(ctx context.Context, id string, body ChangeSegmentRequest) (*ChangeSegmentReply, error) {
	var answer ChangeSegmentReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/segments/" + url.PathEscape(id), body: body}, &answer)
}

// DeleteSegment: delete a segment.
func (c *Client) DeleteSegment(ctx context.Context, id string) (*DeleteSegmentReply, error) {
	var answer DeleteSegmentReply
	return &answer, c.json(ctx, call{method: "DELETE", path: "/v1/segments/" + url.PathEscape(id)}, &answer)
}

// CountSegmentContacts: count the contacts of a segment.
func (c *Client) CountSegmentContacts(ctx context.Context, id string) (*CountSegmentContactsReply, error) {
	var answer CountSegmentContactsReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/segments/" + url.PathEscape(id) + "/count"}, &answer)
}

// ListJourneysQuery is what ListJourneys may be limited to.
type ListJourneysQuery struct {
	Limit *int64

	// `next_cursor` of the page before.
	Cursor *string
}

func (q ListJourneysQuery) values() url.Values {
	values := url.Values{}
	add(values, "limit", q.Limit)
	add(values, "cursor", q.Cursor)
	return values
}

// ListJourneys: read journeys.
func (c *Client) ListJourneys(ctx context.Context, query ListJourneysQuery) (*ListJourneysReply, error) {
	var answer ListJourneysReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/journeys", query: query.values()}, &answer)
}

// GetJourney: read one journey.
func (c *Client) GetJourney(ctx context.Context, id string) (*GetJourneyReply, error) {
	var answer GetJourneyReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/journeys/" + url.PathEscape(id)}, &answer)
}

// EnterJourney: let a person enter a journey.
func (c *Client) EnterJourney(ctx context.Context, id string, body EnterJourneyRequest) (*EnterJourneyReply, error) {
	var answer EnterJourneyReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/journeys/" + url.PathEscape(id) + "/people", body: body, once: true}, &answer)
}

// ListEventsQuery is what ListEvents may be limited to.
type ListEventsQuery struct {
	Limit *int64

	// `next_cursor` of the previous page. `now`: only new events. Without it: from the oldest.
	Cursor *string

	// Types, separated by commas. Without it: all.
	Types *string

	// Begin with the events of this time, up to 7 days ago. `cursor`, if given, decides instead.
	Since *string

	// One part of the events, for up to 64 programs that work side by side: `2/4` is the second of four. All events of one message are in the same part.
	Share *string

	// Begin after the place that the platform stores for this group, if it stores one. `cursor` and `since` decide instead, if given.
	Group *string
}

func (q ListEventsQuery) values() url.Values {
	values := url.Values{}
	add(values, "limit", q.Limit)
	add(values, "cursor", q.Cursor)
	add(values, "types", q.Types)
	add(values, "since", q.Since)
	add(values, "share", q.Share)
	add(values, "group", q.Group)
	return values
}

// ListEvents: read events, instead of callbacks.
func (c *Client) ListEvents(ctx context.Context, query ListEventsQuery) (*ListEventsReply, error) {
	var answer ListEventsReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/events", query: query.values()}, &answer)
}

// MoveEventGroup: store how far a group of programs has processed the events.
func (c *Client) MoveEventGroup(ctx context.Context, group string, body MoveEventGroupRequest) (*MoveEventGroupReply, error) {
	var answer MoveEventGroupReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/events/groups/" + url.PathEscape(group), body: body}, &answer)
}

// SampleEventsQuery is what SampleEvents may be limited to.
type SampleEventsQuery struct {
	// Only this type.
	Type *string
}

func (q SampleEventsQuery) values() url.Values {
	values := url.Values{}
	add(values, "type", q.Type)
	return values
}

// SampleEvents: get a made-up event of each type.
func (c *Client) SampleEvents(ctx context.Context, query SampleEventsQuery) (*SampleEventsReply, error) {
	var answer SampleEventsReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/events/samples", query: query.values()}, &answer)
}

// ListCallbacks: list the addresses that programs have added for callbacks.
func (c *Client) ListCallbacks(ctx context.Context) (*ListCallbacksReply, error) {
	var answer ListCallbacksReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/callbacks"}, &answer)
}

// AddCallback: have events sent to an address.
func (c *Client) AddCallback(ctx context.Context, body AddCallbackRequest) (*AddCallbackReply, error) {
	var answer AddCallbackReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/callbacks", body: body, once: true}, &answer)
}

// RemoveCallback: stop sending events to an address.
func (c *Client) RemoveCallback(ctx context.Context, id string) (*RemoveCallbackReply, error) {
	var answer RemoveCallbackReply
	return &answer, c.json(ctx, call{method: "DELETE", path: "/v1/callbacks/" + url.PathEscape(id)}, &answer)
}

// ListHandsetsQuery is what ListHandsets may be limited to.
type ListHandsetsQuery struct {
	Limit *int64
}

func (q ListHandsetsQuery) values() url.Values {
	values := url.Values{}
	add(values, "limit", q.Limit)
	return values
}

// ListHandsets: list the virtual handsets.
func (c *Client) ListHandsets(ctx context.Context, query ListHandsetsQuery) (*ListHandsetsReply, error) {
	var answer ListHandsetsReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/sandbox/handsets", query: query.values()}, &answer)
}

// ListHandsetMessagesQuery is what ListHandsetMessages may be limited to.
type ListHandsetMessagesQuery struct {
	// Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.
	Number *string

	Limit *int64
}

func (q ListHandsetMessagesQuery) values() url.Values {
	values := url.Values{}
	add(values, "number", q.Number)
	add(values, "limit", q.Limit)
	return values
}

// ListHandsetMessages: read the conversation of a virtual handset.
func (c *Client) ListHandsetMessages(ctx context.Context, query ListHandsetMessagesQuery) (*ListHandsetMessagesReply, error) {
	var answer ListHandsetMessagesReply
	return &answer, c.json(ctx, call{method: "GET", path: "/v1/sandbox/messages", query: query.values()}, &answer)
}

// ReplyFromHandset: answer from a virtual handset.
func (c *Client) ReplyFromHandset(ctx context.Context, body ReplyFromHandsetRequest) (*ReplyFromHandsetReply, error) {
	var answer ReplyFromHandsetReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/sandbox/replies", body: body, once: true}, &answer)
}

// MoveSandboxTime: let test time pass.
func (c *Client) MoveSandboxTime(ctx context.Context, body MoveSandboxTimeRequest) (*MoveSandboxTimeReply, error) {
	var answer MoveSandboxTimeReply
	return &answer, c.json(ctx, call{method: "POST", path: "/v1/sandbox/time", body: body, once: true}, &answer)
}
