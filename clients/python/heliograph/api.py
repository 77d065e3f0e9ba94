# Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.
"""Types of the API, and one method for each call."""

from __future__ import annotations

from typing import Any, Literal, Optional, Required, TypedDict, Union
from urllib.parse import quote
from uuid import uuid4


def segment(value: str) -> str:
    """Returns a value as a segment of a path."""
    return quote(value, safe="")


def new_key() -> str:
    """Returns a new idempotency key."""
    return str(uuid4())


Problem = TypedDict("Problem", {
    "type": Required[str],
    "title": Required[str],
    "status": Required[int],
    "code": Required[str],
    "reason": Literal["database_unreachable", "database_restarting", "database_read_only", "database_connections", "database_locked", "database_too_slow", "database_out_of_memory", "database_full", "database_fault", "storage_unreachable", "storage_full", "overloaded", "stopping"],
    "detail": str,
    "request_id": Required[str],
    "message": Required[str],
    "errors": dict[str, list[str]],
}, total=False)

SendMessageRequest = TypedDict("SendMessageRequest", {
    "to": Required[str],
    "text": Required[str],
    "from": Required[str],
    "encoding": Literal["auto", "gsm", "ucs2"],
    "flash": bool,
    "class": Literal["otp", "transactional", "bulk"],
    "send_at": str,
    "validity": int,
    "callback_url": str,
    "parameters": dict[str, str],
    "skip_dead": bool,
    "tags": list[str],
    "client_ref": str,
    "unique_ref": bool,
}, total=False)

SendMessageReply = TypedDict("SendMessageReply", {
    "id": Required[str],
    "to": Required[str],
    "state": Required[Literal["pending", "scheduled"]],
    "parts": Required[int],
    "price": Required[str],
    "currency": Required[str],
    "client_ref": Required[Union[str, None]],
    "send_at": Required[Union[str, None]],
    "expires_at": Required[str],
    "test": Required[bool],
}, total=False)

EstimateMessageRequest = TypedDict("EstimateMessageRequest", {
    "to": Required[list[str]],
    "text": Required[str],
    "from": Required[str],
    "encoding": Literal["auto", "gsm", "ucs2"],
    "flash": bool,
    "class": Literal["otp", "transactional", "bulk"],
    "skip_dead": bool,
}, total=False)

EstimateMessageReplyRecipientsItem = TypedDict("EstimateMessageReplyRecipientsItem", {
    "index": Required[int],
    "to": Required[str],
    "parts": Required[int],
    "price": Required[str],
}, total=False)

EstimateMessageReplyRejectedItem = TypedDict("EstimateMessageReplyRejectedItem", {
    "code": Required[str],
    "field": Required[Union[str, None]],
    "detail": Required[str],
    "index": Required[int],
    "to": Required[str],
}, total=False)

EstimateMessageReply = TypedDict("EstimateMessageReply", {
    "text": Required[Union[str, None]],
    "encoding": Required[Union[Literal["gsm", "ucs2"], None]],
    "messages": Required[int],
    "parts": Required[int],
    "price": Required[str],
    "currency": Required[str],
    "recipients": Required[list["EstimateMessageReplyRecipientsItem"]],
    "rejected": Required[list["EstimateMessageReplyRejectedItem"]],
}, total=False)

GetMessageReply = TypedDict("GetMessageReply", {
    "id": Required[str],
    "from": Required[str],
    "to": Required[str],
    "text": Required[Union[str, None]],
    "state": Required[Literal["pending", "submitted", "delivered", "expired", "cancelled", "failed_internal", "failed_billing", "failed_submit", "failed_other", "blocked", "scheduled"]],
    "error_code": Required[Union[str, None]],
    "class": Required[Literal["otp", "transactional", "bulk"]],
    "encoding": Required[Literal["gsm", "ucs2"]],
    "flash": Required[bool],
    "parts": Required[int],
    "price": Required[str],
    "currency": Required[str],
    "client_ref": Required[Union[str, None]],
    "tags": Required[list[str]],
    "callback_url": Required[Union[str, None]],
    "batch_id": Required[Union[str, None]],
    "send_at": Required[Union[str, None]],
    "expires_at": Required[Union[str, None]],
    "created_at": Required[str],
    "done_at": Required[Union[str, None]],
    "test": Required[bool],
}, total=False)

ListMessagesReply = TypedDict("ListMessagesReply", {
    "data": Required[list["GetMessageReply"]],
    "next_cursor": Required[Union[str, None]],
    "has_more": Required[bool],
}, total=False)

CancelMessageReply = GetMessageReply

SendBatchRequestRecipientsItemParams = TypedDict("SendBatchRequestRecipientsItemParams", {
    "name": str,
    "param1": str,
    "param2": str,
    "param3": str,
    "param4": str,
    "param5": str,
    "param6": str,
    "param7": str,
    "param8": str,
    "param9": str,
}, total=False)

SendBatchRequestRecipientsItem = TypedDict("SendBatchRequestRecipientsItem", {
    "to": Required[str],
    "text": str,
    "params": "SendBatchRequestRecipientsItemParams",
    "client_ref": str,
}, total=False)

SendBatchRequest = TypedDict("SendBatchRequest", {
    "text": str,
    "recipients": Required[list["SendBatchRequestRecipientsItem"]],
    "from": Required[str],
    "encoding": Literal["auto", "gsm", "ucs2"],
    "flash": bool,
    "class": Literal["otp", "transactional", "bulk"],
    "send_at": str,
    "validity": int,
    "callback_url": str,
    "parameters": dict[str, str],
    "skip_dead": bool,
    "tags": list[str],
    "client_ref": str,
    "unique_ref": bool,
}, total=False)

SendBatchReply = TypedDict("SendBatchReply", {
    "id": Required[str],
    "total": Required[int],
    "accepted": Required[int],
    "parts": Required[int],
    "price": Required[str],
    "currency": Required[str],
    "client_ref": Required[Union[str, None]],
    "tags": Required[list[str]],
    "rejected": Required[list["EstimateMessageReplyRejectedItem"]],
    "test": Required[bool],
}, total=False)

GetBatchReply = TypedDict("GetBatchReply", {
    "id": Required[str],
    "total": Required[int],
    "accepted": Required[int],
    "parts": Required[int],
    "price": Required[str],
    "currency": Required[str],
    "client_ref": Required[Union[str, None]],
    "tags": Required[list[str]],
    "rejected": Required[list["EstimateMessageReplyRejectedItem"]],
    "states": Required[dict[str, int]],
    "created_at": Required[str],
}, total=False)

CancelBatchReply = GetBatchReply

StartVerificationRequest = TypedDict("StartVerificationRequest", {
    "service": Required[str],
    "to": Required[str],
    "language": Literal["en", "cn", "zh", "fp"],
    "client_ip": str,
    "device": str,
    "client_ref": str,
}, total=False)

StartVerificationReplyMessagesItem = TypedDict("StartVerificationReplyMessagesItem", {
    "id": Required[str],
    "state": Required[str],
    "error_code": Required[Union[str, None]],
}, total=False)

StartVerificationReply = TypedDict("StartVerificationReply", {
    "id": Required[str],
    "service": Required[str],
    "to": Required[str],
    "status": Required[Literal["pending", "approved", "failed", "expired", "cancelled"]],
    "language": Required[Literal["en", "cn", "zh", "fp"]],
    "attempts_left": Required[int],
    "resends_left": Required[int],
    "resend_at": Required[Union[str, None]],
    "messages": Required[list["StartVerificationReplyMessagesItem"]],
    "parts": Required[int],
    "price": Required[str],
    "currency": Required[str],
    "client_ref": Required[Union[str, None]],
    "created_at": Required[str],
    "expires_at": Required[str],
    "done_at": Required[Union[str, None]],
    "test": Required[bool],
}, total=False)

CheckVerificationRequest = TypedDict("CheckVerificationRequest", {
    "code": Required[str],
}, total=False)

CheckVerificationReply = StartVerificationReply

ResendVerificationRequest = TypedDict("ResendVerificationRequest", {
}, total=False)

ResendVerificationReply = StartVerificationReply

CancelVerificationRequest = ResendVerificationRequest

CancelVerificationReply = StartVerificationReply

GetVerificationReply = StartVerificationReply

GetBalanceReply = TypedDict("GetBalanceReply", {
    "billing_account": Required[str],
    "credit": Required[str],
    "reserved": Required[str],
    "credit_limit": Required[str],
    "available": Required[str],
    "currency": Required[str],
    "suspended": Required[bool],
}, total=False)

ListInvoicesReplyDataItem = TypedDict("ListInvoicesReplyDataItem", {
    "id": Required[str],
    "kind": Required[Literal["invoice", "credit_note", "receipt"]],
    "number": Required[str],
    "status": Required[Literal["open", "part_paid", "overdue", "paid", "credited", "issued"]],
    "seller": Required[str],
    "buyer": Required[str],
    "issue_date": Required[str],
    "due_date": Required[Union[str, None]],
    "period_from": Required[Union[str, None]],
    "period_to": Required[Union[str, None]],
    "currency": Required[str],
    "net": Required[str],
    "tax": Required[str],
    "rounding": Required[str],
    "total": Required[str],
    "withholding": Required[str],
    "paid": Required[str],
    "credited": Required[str],
    "open": Required[str],
    "billing_account_id": Required[Union[str, None]],
    "issued_at": Required[str],
}, total=False)

ListInvoicesReply = TypedDict("ListInvoicesReply", {
    "data": Required[list["ListInvoicesReplyDataItem"]],
    "next_cursor": Required[Union[str, None]],
    "has_more": Required[bool],
}, total=False)

GetInvoiceReplyTaxesItem = TypedDict("GetInvoiceReplyTaxesItem", {
    "category": Required[Literal["standard", "zero", "exempt", "outside"]],
    "rate": Required[str],
    "taxable": Required[str],
    "tax": Required[str],
}, total=False)

GetInvoiceReplyPaymentsItem = TypedDict("GetInvoiceReplyPaymentsItem", {
    "amount": Required[str],
    "paid_at": Required[str],
}, total=False)

GetInvoiceReplyCreditNotesItem = TypedDict("GetInvoiceReplyCreditNotesItem", {
    "id": Required[str],
    "number": Required[str],
    "issue_date": Required[str],
    "total": Required[str],
}, total=False)

GetInvoiceReply = TypedDict("GetInvoiceReply", {
    "id": Required[str],
    "kind": Required[Literal["invoice", "credit_note", "receipt"]],
    "number": Required[str],
    "status": Required[Literal["open", "part_paid", "overdue", "paid", "credited", "issued"]],
    "seller": Required[str],
    "buyer": Required[str],
    "issue_date": Required[str],
    "due_date": Required[Union[str, None]],
    "period_from": Required[Union[str, None]],
    "period_to": Required[Union[str, None]],
    "currency": Required[str],
    "net": Required[str],
    "tax": Required[str],
    "rounding": Required[str],
    "total": Required[str],
    "withholding": Required[str],
    "paid": Required[str],
    "credited": Required[str],
    "open": Required[str],
    "billing_account_id": Required[Union[str, None]],
    "issued_at": Required[str],
    "reason": Required[Union[str, None]],
    "credited_invoice_id": Required[Union[str, None]],
    "files_ready": Required[bool],
    "taxes": Required[list["GetInvoiceReplyTaxesItem"]],
    "payments": Required[list["GetInvoiceReplyPaymentsItem"]],
    "credit_notes": Required[list["GetInvoiceReplyCreditNotesItem"]],
}, total=False)

ListTopUpsReplyDataItem = TypedDict("ListTopUpsReplyDataItem", {
    "id": Required[str],
    "state": Required[Literal["created", "awaiting_payment", "in_review", "paid", "partly_refunded", "refunded", "charged_back", "failed", "expired", "rejected"]],
    "billing_account_id": Required[str],
    "amount": Required[str],
    "fee": Required[str],
    "total": Required[str],
    "currency": Required[str],
    "method": Required[str],
    "automatic": Required[bool],
    "reference": Required[str],
    "client_reference": Required[Union[str, None]],
    "returned": Required[str],
    "taken_back": Required[str],
    "created_at": Required[str],
    "paid_at": Required[Union[str, None]],
}, total=False)

ListTopUpsReply = TypedDict("ListTopUpsReply", {
    "data": Required[list["ListTopUpsReplyDataItem"]],
    "next_cursor": Required[Union[str, None]],
    "has_more": Required[bool],
}, total=False)

GetTopUpReplyReturnsItem = TypedDict("GetTopUpReplyReturnsItem", {
    "kind": Required[Literal["refund", "chargeback"]],
    "state": Required[Literal["asked", "pending", "done", "failed", "open", "lost", "won", "reversed"]],
    "amount": Required[str],
    "reason": Required[Union[str, None]],
    "created_at": Required[str],
}, total=False)

GetTopUpReply = TypedDict("GetTopUpReply", {
    "id": Required[str],
    "state": Required[Literal["created", "awaiting_payment", "in_review", "paid", "partly_refunded", "refunded", "charged_back", "failed", "expired", "rejected"]],
    "billing_account_id": Required[str],
    "amount": Required[str],
    "fee": Required[str],
    "total": Required[str],
    "currency": Required[str],
    "method": Required[str],
    "automatic": Required[bool],
    "reference": Required[str],
    "client_reference": Required[Union[str, None]],
    "returned": Required[str],
    "taken_back": Required[str],
    "created_at": Required[str],
    "paid_at": Required[Union[str, None]],
    "returns": Required[list["GetTopUpReplyReturnsItem"]],
}, total=False)

ListInboundReplyDataItem = TypedDict("ListInboundReplyDataItem", {
    "id": Required[str],
    "from": Required[str],
    "to": Required[str],
    "text": Required[str],
    "keyword": Required[Union[str, None]],
    "binary": Required[bool],
    "parameters": Required[dict[str, str]],
    "received_at": Required[str],
}, total=False)

ListInboundReply = TypedDict("ListInboundReply", {
    "data": Required[list["ListInboundReplyDataItem"]],
    "next_cursor": Required[str],
    "has_more": Required[bool],
}, total=False)

ListConversationsReplyDataItem = TypedDict("ListConversationsReplyDataItem", {
    "id": Required[str],
    "number": Required[str],
    "to": Required[str],
    "open": Required[bool],
    "unread": Required[int],
    "assigned_to": Required[Union[str, None]],
    "last_at": Required[str],
}, total=False)

ListConversationsReply = TypedDict("ListConversationsReply", {
    "data": Required[list["ListConversationsReplyDataItem"]],
    "next_cursor": Required[Union[str, None]],
    "has_more": Required[bool],
}, total=False)

GetConversationReply = ListConversationsReplyDataItem

ListConversationMessagesReplyDataItem = TypedDict("ListConversationMessagesReplyDataItem", {
    "id": Required[str],
    "direction": Required[Literal["in", "out"]],
    "text": Required[Union[str, None]],
    "number": Required[str],
    "binary": Required[bool],
    "status": Required[Union[str, None]],
    "at": Required[str],
}, total=False)

ListConversationMessagesReply = TypedDict("ListConversationMessagesReply", {
    "data": Required[list["ListConversationMessagesReplyDataItem"]],
    "next_cursor": Required[Union[str, None]],
    "has_more": Required[bool],
}, total=False)

UpdateConversationRequest = TypedDict("UpdateConversationRequest", {
    "open": bool,
    "assigned_to": Union[str, None],
}, total=False)

UpdateConversationReply = ListConversationsReplyDataItem

ListConsentsReplyDataItem = TypedDict("ListConsentsReplyDataItem", {
    "id": Required[str],
    "number": Required[str],
    "kind": Required[Literal["opt_in", "asked", "opt_out"]],
    "source": Required[Literal["form", "keyword", "import", "api", "person"]],
    "from": Required[Union[str, None]],
    "wording": Required[Union[str, None]],
    "proof": Required[Union[str, None]],
    "at": Required[str],
}, total=False)

ListConsentsReply = TypedDict("ListConsentsReply", {
    "data": Required[list["ListConsentsReplyDataItem"]],
}, total=False)

AddConsentRequest = TypedDict("AddConsentRequest", {
    "number": Required[str],
    "kind": Required[Literal["opt_in", "asked", "opt_out"]],
    "from": Union[str, None],
    "wording": Union[str, None],
    "proof": Union[str, None],
    "at": str,
}, total=False)

AddConsentReply = ListConsentsReplyDataItem

ListContactsReplyDataItem = TypedDict("ListContactsReplyDataItem", {
    "id": Required[str],
    "number": Required[str],
    "name": Required[Union[str, None]],
    "tags": Required[list[str]],
    "fields": Required[dict[str, Union[str, float, bool, None]]],
    "consent": Required[Literal["opt_in", "asked", "opt_out", "none"]],
    "created_at": Required[str],
    "updated_at": Required[str],
}, total=False)

ListContactsReply = TypedDict("ListContactsReply", {
    "data": Required[list["ListContactsReplyDataItem"]],
    "next_cursor": Required[Union[str, None]],
    "has_more": Required[bool],
}, total=False)

GetContactReply = ListContactsReplyDataItem

SaveContactRequest = TypedDict("SaveContactRequest", {
    "number": Required[str],
    "name": Union[str, None],
    "tags": list[str],
    "fields": dict[str, Union[str, float, bool, None]],
}, total=False)

SaveContactReply = ListContactsReplyDataItem

SaveContactsRequest = TypedDict("SaveContactsRequest", {
    "contacts": Required[list["SaveContactRequest"]],
}, total=False)

SaveContactsReplySavedItem = TypedDict("SaveContactsReplySavedItem", {
    "index": Required[int],
    "id": Required[str],
}, total=False)

SaveContactsReplyRejectedItem = TypedDict("SaveContactsReplyRejectedItem", {
    "code": Required[str],
    "field": Required[Union[str, None]],
    "detail": Required[str],
    "index": Required[int],
}, total=False)

SaveContactsReply = TypedDict("SaveContactsReply", {
    "saved": Required[list["SaveContactsReplySavedItem"]],
    "rejected": Required[list["SaveContactsReplyRejectedItem"]],
}, total=False)

DeleteContactReply = TypedDict("DeleteContactReply", {
    "id": Required[str],
}, total=False)

ListContactFieldsReplyDataItem = TypedDict("ListContactFieldsReplyDataItem", {
    "id": Required[str],
    "key": Required[str],
    "name": Required[str],
    "type": Required[Literal["text", "number", "date", "choice", "yes_no"]],
    "choices": Required[list[str]],
}, total=False)

ListContactFieldsReply = TypedDict("ListContactFieldsReply", {
    "data": Required[list["ListContactFieldsReplyDataItem"]],
}, total=False)

AddConversionRequest = TypedDict("AddConversionRequest", {
    "reference": Required[str],
    "name": Required[str],
    "number": str,
    "code": str,
    "value": Union[str, None],
    "currency": Union[str, None],
    "at": str,
}, total=False)

AddConversionReply = TypedDict("AddConversionReply", {
    "id": Required[str],
    "name": Required[str],
    "value": Required[Union[str, None]],
    "currency": Required[Union[str, None]],
    "at": Required[str],
    "created_at": Required[str],
}, total=False)

ListSegmentsReplyDataItemLacksItem = TypedDict("ListSegmentsReplyDataItemLacksItem", {
    "kind": Required[Literal["field", "list", "campaign", "number"]],
    "id": Required[int],
}, total=False)

ListSegmentsReplyDataItem = TypedDict("ListSegmentsReplyDataItem", {
    "id": Required[str],
    "name": Required[str],
    "rule": Required["ResendVerificationRequest"],
    "explanation": Required[str],
    "lacks": Required[list["ListSegmentsReplyDataItemLacksItem"]],
    "created_at": Required[str],
    "updated_at": Required[str],
}, total=False)

ListSegmentsReply = TypedDict("ListSegmentsReply", {
    "data": Required[list["ListSegmentsReplyDataItem"]],
    "next_cursor": Required[Union[str, None]],
    "has_more": Required[bool],
}, total=False)

GetSegmentReplyRule = ResendVerificationRequest

GetSegmentReply = ListSegmentsReplyDataItem

CreateSegmentRequestRuleRulesItem = TypedDict("CreateSegmentRequestRuleRulesItem", {
    "on": Required[Literal["text"]],
    "field_id": Required[Union[int, None]],
    "op": Required[Literal["is", "contains", "begins", "empty"]],
    "value": Union[str, None],
    "not": bool,
}, total=False)

CreateSegmentRequestRuleRulesItem2 = TypedDict("CreateSegmentRequestRuleRulesItem2", {
    "on": Required[Literal["choice"]],
    "field_id": Required[int],
    "op": Required[Literal["in", "empty"]],
    "values": list[str],
    "not": bool,
}, total=False)

CreateSegmentRequestRuleRulesItem3 = TypedDict("CreateSegmentRequestRuleRulesItem3", {
    "on": Required[Literal["number"]],
    "field_id": Required[int],
    "op": Required[Literal["is", "below", "above", "between", "empty"]],
    "value": Union[float, None],
    "to": Union[float, None],
    "not": bool,
}, total=False)

CreateSegmentRequestRuleRulesItem4 = TypedDict("CreateSegmentRequestRuleRulesItem4", {
    "on": Required[Literal["date"]],
    "field_id": Required[int],
    "op": Required[Literal["on", "before", "after", "between", "in_days", "days_ago", "next_days", "last_days", "birthday", "empty"]],
    "day": Union[str, None],
    "to": Union[str, None],
    "days": Union[int, None],
    "not": bool,
}, total=False)

CreateSegmentRequestRuleRulesItem5 = TypedDict("CreateSegmentRequestRuleRulesItem5", {
    "on": Required[Literal["yes_no"]],
    "field_id": Required[int],
    "op": Required[Literal["yes", "no", "empty"]],
    "not": bool,
}, total=False)

CreateSegmentRequestRuleRulesItem6 = TypedDict("CreateSegmentRequestRuleRulesItem6", {
    "on": Required[Literal["tag"]],
    "tag": Required[str],
    "not": bool,
}, total=False)

CreateSegmentRequestRuleRulesItem7 = TypedDict("CreateSegmentRequestRuleRulesItem7", {
    "on": Required[Literal["list"]],
    "list_id": Required[int],
    "not": bool,
}, total=False)

CreateSegmentRequestRuleRulesItem8 = TypedDict("CreateSegmentRequestRuleRulesItem8", {
    "on": Required[Literal["consent"]],
    "consents": Required[list[Literal["opt_in", "asked", "opt_out", "none"]]],
    "not": bool,
}, total=False)

CreateSegmentRequestRuleRulesItem9 = TypedDict("CreateSegmentRequestRuleRulesItem9", {
    "on": Required[Literal["time"]],
    "time": Required[Literal["created", "updated"]],
    "op": Required[Literal["last_days", "before", "after"]],
    "day": Union[str, None],
    "days": Union[int, None],
    "not": bool,
}, total=False)

CreateSegmentRequestRuleRulesItem10 = TypedDict("CreateSegmentRequestRuleRulesItem10", {
    "on": Required[Literal["event"]],
    "event": Required[Literal["sent", "delivered", "replied", "clicked", "converted"]],
    "campaign_id": Union[int, None],
    "link": Union[int, None],
    "conversion": Union[str, None],
    "days": Union[int, None],
    "not": bool,
}, total=False)

CreateSegmentRequestRuleRulesItem11RulesItem11RulesItem11RulesItem11 = TypedDict("CreateSegmentRequestRuleRulesItem11RulesItem11RulesItem11RulesItem11", {
    "on": Required[Literal["group"]],
    "match": Required[Literal["all", "any", "none"]],
    "rules": Required[list[Union["CreateSegmentRequestRuleRulesItem", "CreateSegmentRequestRuleRulesItem2", "CreateSegmentRequestRuleRulesItem3", "CreateSegmentRequestRuleRulesItem4", "CreateSegmentRequestRuleRulesItem5", "CreateSegmentRequestRuleRulesItem6", "CreateSegmentRequestRuleRulesItem7", "CreateSegmentRequestRuleRulesItem8", "CreateSegmentRequestRuleRulesItem9", "CreateSegmentRequestRuleRulesItem10"]]],
}, total=False)

CreateSegmentRequestRuleRulesItem11RulesItem11RulesItem11 = TypedDict("CreateSegmentRequestRuleRulesItem11RulesItem11RulesItem11", {
    "on": Required[Literal["group"]],
    "match": Required[Literal["all", "any", "none"]],
    "rules": Required[list[Union["CreateSegmentRequestRuleRulesItem", "CreateSegmentRequestRuleRulesItem2", "CreateSegmentRequestRuleRulesItem3", "CreateSegmentRequestRuleRulesItem4", "CreateSegmentRequestRuleRulesItem5", "CreateSegmentRequestRuleRulesItem6", "CreateSegmentRequestRuleRulesItem7", "CreateSegmentRequestRuleRulesItem8", "CreateSegmentRequestRuleRulesItem9", "CreateSegmentRequestRuleRulesItem10", "CreateSegmentRequestRuleRulesItem11RulesItem11RulesItem11RulesItem11"]]],
}, total=False)

CreateSegmentRequestRuleRulesItem11RulesItem11 = TypedDict("CreateSegmentRequestRuleRulesItem11RulesItem11", {
    "on": Required[Literal["group"]],
    "match": Required[Literal["all", "any", "none"]],
    "rules": Required[list[Union["CreateSegmentRequestRuleRulesItem", "CreateSegmentRequestRuleRulesItem2", "CreateSegmentRequestRuleRulesItem3", "CreateSegmentRequestRuleRulesItem4", "CreateSegmentRequestRuleRulesItem5", "CreateSegmentRequestRuleRulesItem6", "CreateSegmentRequestRuleRulesItem7", "CreateSegmentRequestRuleRulesItem8", "CreateSegmentRequestRuleRulesItem9", "CreateSegmentRequestRuleRulesItem10", "CreateSegmentRequestRuleRulesItem11RulesItem11RulesItem11"]]],
}, total=False)

CreateSegmentRequestRuleRulesItem11 = TypedDict("CreateSegmentRequestRuleRulesItem11", {
    "on": Required[Literal["group"]],
    "match": Required[Literal["all", "any", "none"]],
    "rules": Required[list[Union["CreateSegmentRequestRuleRulesItem", "CreateSegmentRequestRuleRulesItem2", "CreateSegmentRequestRuleRulesItem3", "CreateSegmentRequestRuleRulesItem4", "CreateSegmentRequestRuleRulesItem5", "CreateSegmentRequestRuleRulesItem6", "CreateSegmentRequestRuleRulesItem7", "CreateSegmentRequestRuleRulesItem8", "CreateSegmentRequestRuleRulesItem9", "CreateSegmentRequestRuleRulesItem10", "CreateSegmentRequestRuleRulesItem11RulesItem11"]]],
}, total=False)

CreateSegmentRequestRule = TypedDict("CreateSegmentRequestRule", {
    "version": Literal[1],
    "match": Required[Literal["all", "any", "none"]],
    "rules": Required[list[Union["CreateSegmentRequestRuleRulesItem", "CreateSegmentRequestRuleRulesItem2", "CreateSegmentRequestRuleRulesItem3", "CreateSegmentRequestRuleRulesItem4", "CreateSegmentRequestRuleRulesItem5", "CreateSegmentRequestRuleRulesItem6", "CreateSegmentRequestRuleRulesItem7", "CreateSegmentRequestRuleRulesItem8", "CreateSegmentRequestRuleRulesItem9", "CreateSegmentRequestRuleRulesItem10", "CreateSegmentRequestRuleRulesItem11"]]],
}, total=False)

CreateSegmentRequest = TypedDict("CreateSegmentRequest", {
    "name": Required[str],
    "rule": Required["CreateSegmentRequestRule"],
}, total=False)

CreateSegmentReplyRule = ResendVerificationRequest

CreateSegmentReply = ListSegmentsReplyDataItem

ChangeSegmentRequestRule = CreateSegmentRequestRule

ChangeSegmentRequest = TypedDict("ChangeSegmentRequest", {
    "name": str,
    "rule": "CreateSegmentRequestRule",
}, total=False)

ChangeSegmentReplyRule = ResendVerificationRequest

ChangeSegmentReply = ListSegmentsReplyDataItem

DeleteSegmentReply = DeleteContactReply

CountSegmentContactsReply = TypedDict("CountSegmentContactsReply", {
    "contacts": Required[int],
}, total=False)

ListJourneysReplyDataItem = TypedDict("ListJourneysReplyDataItem", {
    "id": Required[str],
    "name": Required[str],
    "state": Required[Literal["draft", "running", "paused", "stopped"]],
    "version": Required[Union[int, None]],
    "trigger": Required[str],
    "entered": Required[int],
    "spent": Required[str],
    "budget": Required[Union[str, None]],
    "currency": Required[str],
    "created_at": Required[str],
    "updated_at": Required[str],
}, total=False)

ListJourneysReply = TypedDict("ListJourneysReply", {
    "data": Required[list["ListJourneysReplyDataItem"]],
    "next_cursor": Required[Union[str, None]],
    "has_more": Required[bool],
}, total=False)

GetJourneyReply = ListJourneysReplyDataItem

EnterJourneyRequest = SaveContactRequest

EnterJourneyReply = TypedDict("EnterJourneyReply", {
    "entered": Required[bool],
}, total=False)

ListEventsReplyDataItemData = TypedDict("ListEventsReplyDataItemData", {
    "id": Required[str],
    "state": Required[Literal["pending", "submitted", "delivered", "expired", "cancelled", "failed_internal", "failed_billing", "failed_submit", "failed_other", "blocked"]],
    "error_code": Required[Union[str, None]],
    "from": Required[Union[str, None]],
    "to": Required[Union[str, None]],
    "parts": Required[Union[int, None]],
    "price": Required[Union[str, None]],
    "currency": Required[Union[str, None]],
    "client_ref": Required[Union[str, None]],
    "tags": Required[list[str]],
    "batch_id": Required[Union[str, None]],
    "campaign_id": Required[Union[str, None]],
    "created_at": Required[Union[str, None]],
    "parameters": Required[dict[str, str]],
    "done_at": Required[str],
}, total=False)

ListEventsReplyDataItem = TypedDict("ListEventsReplyDataItem", {
    "type": Required[Literal["message.delivered"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItemData"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem2 = TypedDict("ListEventsReplyDataItem2", {
    "type": Required[Literal["message.failed"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItemData"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem3 = TypedDict("ListEventsReplyDataItem3", {
    "type": Required[Literal["message.expired"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItemData"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem4Data = TypedDict("ListEventsReplyDataItem4Data", {
    "id": Required[str],
    "state": Required[Literal["pending", "submitted", "delivered", "expired", "cancelled", "failed_internal", "failed_billing", "failed_submit", "failed_other", "blocked"]],
    "error_code": Required[Union[str, None]],
    "from": Required[Union[str, None]],
    "to": Required[Union[str, None]],
    "parts": Required[Union[int, None]],
    "price": Required[Union[str, None]],
    "currency": Required[Union[str, None]],
    "client_ref": Required[Union[str, None]],
    "tags": Required[list[str]],
    "batch_id": Required[Union[str, None]],
    "campaign_id": Required[Union[str, None]],
    "created_at": Required[Union[str, None]],
    "parameters": Required[dict[str, str]],
    "done_at": Required[str],
}, total=False)

ListEventsReplyDataItem4 = TypedDict("ListEventsReplyDataItem4", {
    "type": Required[Literal["message.corrected"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem4Data"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem5Data = TypedDict("ListEventsReplyDataItem5Data", {
    "id": Required[str],
    "from": Required[Union[str, None]],
    "to": Required[Union[str, None]],
    "text": Required[Union[str, None]],
    "keyword": Required[Union[str, None]],
    "binary": Required[bool],
    "parameters": Required[dict[str, str]],
    "received_at": Required[Union[str, None]],
}, total=False)

ListEventsReplyDataItem5 = TypedDict("ListEventsReplyDataItem5", {
    "type": Required[Literal["message.received"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem5Data"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem6Data = TypedDict("ListEventsReplyDataItem6Data", {
    "id": Required[str],
    "name": Required[Union[str, None]],
    "state": Required[Literal["completed", "stopped", "failed"]],
    "messages": Required[Union[int, None]],
    "submitted": Required[int],
    "delivered": Required[int],
    "failed": Required[int],
    "expired": Required[int],
    "blocked": Required[int],
    "cancelled": Required[int],
    "charged": Required[str],
    "currency": Required[Union[str, None]],
}, total=False)

ListEventsReplyDataItem6 = TypedDict("ListEventsReplyDataItem6", {
    "type": Required[Literal["campaign.finished"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem6Data"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem7Data = TypedDict("ListEventsReplyDataItem7Data", {
    "campaign_id": Required[str],
    "campaign": Required[Union[str, None]],
    "link": Required[Union[int, None]],
    "url": Required[Union[str, None]],
    "code": Required[str],
    "to": Required[Union[str, None]],
    "clicked_at": Required[Union[str, None]],
}, total=False)

ListEventsReplyDataItem7 = TypedDict("ListEventsReplyDataItem7", {
    "type": Required[Literal["link.clicked"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem7Data"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem8DataContact = TypedDict("ListEventsReplyDataItem8DataContact", {
    "id": Required[str],
    "name": Required[Union[str, None]],
    "fields": Required[dict[str, Union[str, float, bool, None]]],
}, total=False)

ListEventsReplyDataItem8Data = TypedDict("ListEventsReplyDataItem8Data", {
    "journey_id": Required[str],
    "journey": Required[Union[str, None]],
    "step": Required[int],
    "name": Required[str],
    "to": Required[Union[str, None]],
    "contact": Required[Union["ListEventsReplyDataItem8DataContact", None]],
}, total=False)

ListEventsReplyDataItem8 = TypedDict("ListEventsReplyDataItem8", {
    "type": Required[Literal["journey.step"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem8Data"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem9Data = TypedDict("ListEventsReplyDataItem9Data", {
    "id": Required[str],
    "service": Required[Union[str, None]],
    "to": Required[Union[str, None]],
    "status": Required[Literal["approved", "failed", "expired"]],
    "language": Required[Union[Literal["en", "cn", "zh", "fp"], None]],
    "parts": Required[Union[int, None]],
    "price": Required[Union[str, None]],
    "currency": Required[Union[str, None]],
    "client_ref": Required[Union[str, None]],
    "created_at": Required[Union[str, None]],
    "done_at": Required[Union[str, None]],
    "test": Required[bool],
}, total=False)

ListEventsReplyDataItem9 = TypedDict("ListEventsReplyDataItem9", {
    "type": Required[Literal["verification.approved"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem9Data"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem10 = TypedDict("ListEventsReplyDataItem10", {
    "type": Required[Literal["verification.failed"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem9Data"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem11 = TypedDict("ListEventsReplyDataItem11", {
    "type": Required[Literal["verification.expired"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem9Data"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem12Data = TypedDict("ListEventsReplyDataItem12Data", {
    "billing_account_id": Required[str],
    "name": Required[Union[str, None]],
    "limit": Required[Literal["low_balance", "cost_warning"]],
    "balance": Required[str],
    "currency": Required[Union[str, None]],
}, total=False)

ListEventsReplyDataItem12 = TypedDict("ListEventsReplyDataItem12", {
    "type": Required[Literal["balance.low"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem12Data"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem13Data = TypedDict("ListEventsReplyDataItem13Data", {
    "id": Required[Union[str, None]],
    "billing_account_id": Required[Union[str, None]],
    "amount": Required[Union[str, None]],
    "total": Required[Union[str, None]],
    "currency": Required[Union[str, None]],
    "method": Required[Union[str, None]],
    "reference": Required[Union[str, None]],
    "client_reference": Required[Union[str, None]],
    "paid_at": Required[Union[str, None]],
}, total=False)

ListEventsReplyDataItem13 = TypedDict("ListEventsReplyDataItem13", {
    "type": Required[Literal["payment.received"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem13Data"],
    "id": Required[str],
}, total=False)

ListEventsReplyDataItem14Data = TypedDict("ListEventsReplyDataItem14Data", {
    "id": Required[str],
    "kind": Required[Union[Literal["invoice", "credit_note", "receipt"], None]],
    "number": Required[Union[str, None]],
    "issue_date": Required[Union[str, None]],
    "due_date": Required[Union[str, None]],
    "total": Required[Union[str, None]],
    "currency": Required[Union[str, None]],
    "billing_account_id": Required[Union[str, None]],
    "credited_invoice_id": Required[Union[str, None]],
}, total=False)

ListEventsReplyDataItem14 = TypedDict("ListEventsReplyDataItem14", {
    "type": Required[Literal["invoice.issued"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem14Data"],
    "id": Required[str],
}, total=False)

ListEventsReply = TypedDict("ListEventsReply", {
    "data": Required[list[Union["ListEventsReplyDataItem", "ListEventsReplyDataItem2", "ListEventsReplyDataItem3", "ListEventsReplyDataItem4", "ListEventsReplyDataItem5", "ListEventsReplyDataItem6", "ListEventsReplyDataItem7", "ListEventsReplyDataItem8", "ListEventsReplyDataItem9", "ListEventsReplyDataItem10", "ListEventsReplyDataItem11", "ListEventsReplyDataItem12", "ListEventsReplyDataItem13", "ListEventsReplyDataItem14"]]],
    "next_cursor": Required[str],
    "has_more": Required[bool],
}, total=False)

MoveEventGroupRequest = TypedDict("MoveEventGroupRequest", {
    "cursor": Required[str],
    "share": str,
}, total=False)

MoveEventGroupReply = TypedDict("MoveEventGroupReply", {
    "group": Required[str],
    "share": Required[str],
    "cursor": Required[str],
    "stored_at": Required[str],
}, total=False)

SampleEventsReply = TypedDict("SampleEventsReply", {
    "data": Required[list[Union["ListEventsReplyDataItem", "ListEventsReplyDataItem2", "ListEventsReplyDataItem3", "ListEventsReplyDataItem4", "ListEventsReplyDataItem5", "ListEventsReplyDataItem6", "ListEventsReplyDataItem7", "ListEventsReplyDataItem8", "ListEventsReplyDataItem9", "ListEventsReplyDataItem10", "ListEventsReplyDataItem11", "ListEventsReplyDataItem12", "ListEventsReplyDataItem13", "ListEventsReplyDataItem14"]]],
}, total=False)

ListCallbacksReplyDataItem = TypedDict("ListCallbacksReplyDataItem", {
    "id": Required[str],
    "url": Required[str],
    "types": Required[list[Literal["message.delivered", "message.failed", "message.expired", "message.corrected", "message.received", "campaign.finished", "link.clicked", "journey.step", "verification.approved", "verification.failed", "verification.expired", "balance.low", "payment.received", "invoice.issued"]]],
    "description": Required[Union[str, None]],
    "status": Required[Literal["active", "failing", "paused", "disabled"]],
    "created_at": Required[str],
}, total=False)

ListCallbacksReply = TypedDict("ListCallbacksReply", {
    "data": Required[list["ListCallbacksReplyDataItem"]],
}, total=False)

AddCallbackRequest = TypedDict("AddCallbackRequest", {
    "url": Required[str],
    "types": Required[list[Literal["message.delivered", "message.failed", "message.expired", "message.corrected", "message.received", "campaign.finished", "link.clicked", "journey.step", "verification.approved", "verification.failed", "verification.expired", "balance.low", "payment.received", "invoice.issued"]]],
    "description": str,
}, total=False)

AddCallbackReply = TypedDict("AddCallbackReply", {
    "id": Required[str],
    "url": Required[str],
    "types": Required[list[Literal["message.delivered", "message.failed", "message.expired", "message.corrected", "message.received", "campaign.finished", "link.clicked", "journey.step", "verification.approved", "verification.failed", "verification.expired", "balance.low", "payment.received", "invoice.issued"]]],
    "description": Required[Union[str, None]],
    "status": Required[Literal["active", "failing", "paused", "disabled"]],
    "created_at": Required[str],
    "secret": Required[str],
}, total=False)

RemoveCallbackReply = DeleteContactReply

ListHandsetsReplyDataItem = TypedDict("ListHandsetsReplyDataItem", {
    "number": Required[str],
    "messages": Required[int],
    "last_at": Required[str],
}, total=False)

ListHandsetsReply = TypedDict("ListHandsetsReply", {
    "data": Required[list["ListHandsetsReplyDataItem"]],
}, total=False)

ListHandsetMessagesReplyDataItem = TypedDict("ListHandsetMessagesReplyDataItem", {
    "direction": Required[Literal["received", "sent"]],
    "id": Required[str],
    "with": Required[str],
    "text": Required[str],
    "parts": Required[int],
    "state": Required[Union[Literal["pending", "submitted", "delivered", "expired", "cancelled", "failed_internal", "failed_billing", "failed_submit", "failed_other", "blocked", "scheduled"], None]],
    "at": Required[str],
}, total=False)

ListHandsetMessagesReply = TypedDict("ListHandsetMessagesReply", {
    "data": Required[list["ListHandsetMessagesReplyDataItem"]],
}, total=False)

ReplyFromHandsetRequest = TypedDict("ReplyFromHandsetRequest", {
    "from": Required[str],
    "text": Required[str],
}, total=False)

ReplyFromHandsetReply = TypedDict("ReplyFromHandsetReply", {
    "id": Required[str],
    "from": Required[str],
    "to": Required[str],
    "received_at": Required[str],
}, total=False)

MoveSandboxTimeRequest = TypedDict("MoveSandboxTimeRequest", {
    "seconds": Required[int],
}, total=False)

MoveSandboxTimeReply = TypedDict("MoveSandboxTimeReply", {
    "seconds": Required[int],
    "receipts": Required[int],
    "messages": Required[int],
    "verifications": Required[int],
}, total=False)

MessageDeliveredCallbackData = ListEventsReplyDataItemData

MessageDeliveredCallback = TypedDict("MessageDeliveredCallback", {
    "type": Required[Literal["message.delivered"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItemData"],
}, total=False)

MessageFailedCallbackData = ListEventsReplyDataItemData

MessageFailedCallback = TypedDict("MessageFailedCallback", {
    "type": Required[Literal["message.failed"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItemData"],
}, total=False)

MessageExpiredCallbackData = ListEventsReplyDataItemData

MessageExpiredCallback = TypedDict("MessageExpiredCallback", {
    "type": Required[Literal["message.expired"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItemData"],
}, total=False)

MessageCorrectedCallbackData = ListEventsReplyDataItem4Data

MessageCorrectedCallback = TypedDict("MessageCorrectedCallback", {
    "type": Required[Literal["message.corrected"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem4Data"],
}, total=False)

MessageReceivedCallbackData = ListEventsReplyDataItem5Data

MessageReceivedCallback = TypedDict("MessageReceivedCallback", {
    "type": Required[Literal["message.received"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem5Data"],
}, total=False)

CampaignFinishedCallbackData = ListEventsReplyDataItem6Data

CampaignFinishedCallback = TypedDict("CampaignFinishedCallback", {
    "type": Required[Literal["campaign.finished"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem6Data"],
}, total=False)

LinkClickedCallbackData = ListEventsReplyDataItem7Data

LinkClickedCallback = TypedDict("LinkClickedCallback", {
    "type": Required[Literal["link.clicked"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem7Data"],
}, total=False)

JourneyStepCallbackDataContact = ListEventsReplyDataItem8DataContact

JourneyStepCallbackData = ListEventsReplyDataItem8Data

JourneyStepCallback = TypedDict("JourneyStepCallback", {
    "type": Required[Literal["journey.step"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem8Data"],
}, total=False)

VerificationApprovedCallbackData = ListEventsReplyDataItem9Data

VerificationApprovedCallback = TypedDict("VerificationApprovedCallback", {
    "type": Required[Literal["verification.approved"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem9Data"],
}, total=False)

VerificationFailedCallbackData = ListEventsReplyDataItem9Data

VerificationFailedCallback = TypedDict("VerificationFailedCallback", {
    "type": Required[Literal["verification.failed"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem9Data"],
}, total=False)

VerificationExpiredCallbackData = ListEventsReplyDataItem9Data

VerificationExpiredCallback = TypedDict("VerificationExpiredCallback", {
    "type": Required[Literal["verification.expired"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem9Data"],
}, total=False)

BalanceLowCallbackData = ListEventsReplyDataItem12Data

BalanceLowCallback = TypedDict("BalanceLowCallback", {
    "type": Required[Literal["balance.low"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem12Data"],
}, total=False)

PaymentReceivedCallbackData = ListEventsReplyDataItem13Data

PaymentReceivedCallback = TypedDict("PaymentReceivedCallback", {
    "type": Required[Literal["payment.received"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem13Data"],
}, total=False)

InvoiceIssuedCallbackData = ListEventsReplyDataItem14Data

InvoiceIssuedCallback = TypedDict("InvoiceIssuedCallback", {
    "type": Required[Literal["invoice.issued"]],
    "timestamp": Required[str],
    "data": Required["ListEventsReplyDataItem14Data"],
}, total=False)


class Calls:
    """One method for each call of the API."""

    def _call(self, method: str, path: str, *, query: Optional[dict[str, Any]] = None, body: Any = None,
              idempotency_key: Optional[str] = None, as_bytes: bool = False, repeatable: bool = True) -> Any:
        raise NotImplementedError

    def send_message(self, body: SendMessageRequest, *, idempotency_key: Optional[str] = None) -> SendMessageReply:
        """Send a message."""
        return self._call("POST", "/v1/messages", body=body, idempotency_key=idempotency_key or new_key())

    def estimate_message(self, body: EstimateMessageRequest) -> EstimateMessageReply:
        """Get the parts and the price of a message without sending it."""
        return self._call("POST", "/v1/messages/estimate", body=body)

    def get_message(self, id_: str) -> GetMessageReply:
        """Get a message."""
        return self._call("GET", f"/v1/messages/{segment(id_)}")

    def list_messages(self, *, client_ref: Optional[str] = None, batch_id: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> ListMessagesReply:
        """Find messages by your own reference or by batch."""
        return self._call("GET", "/v1/messages", query={"client_ref": client_ref, "batch_id": batch_id, "limit": limit, "cursor": cursor})

    def cancel_message(self, id_: str) -> CancelMessageReply:
        """Cancel a scheduled message."""
        return self._call("DELETE", f"/v1/messages/{segment(id_)}")

    def send_batch(self, body: SendBatchRequest, *, idempotency_key: Optional[str] = None) -> SendBatchReply:
        """Send to many recipients."""
        return self._call("POST", "/v1/batches", body=body, idempotency_key=idempotency_key or new_key())

    def get_batch(self, id_: str) -> GetBatchReply:
        """Get a batch with the number of its messages by state."""
        return self._call("GET", f"/v1/batches/{segment(id_)}")

    def cancel_batch(self, id_: str) -> CancelBatchReply:
        """Cancel the messages of a batch that were not sent yet."""
        return self._call("DELETE", f"/v1/batches/{segment(id_)}")

    def start_verification(self, body: StartVerificationRequest, *, idempotency_key: Optional[str] = None) -> StartVerificationReply:
        """Send a code to a number."""
        return self._call("POST", "/v1/verifications", body=body, idempotency_key=idempotency_key or new_key())

    def check_verification(self, id_: str, body: CheckVerificationRequest) -> CheckVerificationReply:
        """Check the code that a person entered."""
        return self._call("POST", f"/v1/verifications/{segment(id_)}/check", body=body, repeatable=False)

    def resend_verification(self, id_: str, body: ResendVerificationRequest) -> ResendVerificationReply:
        """Send the code once more."""
        return self._call("POST", f"/v1/verifications/{segment(id_)}/resend", body=body, repeatable=False)

    def cancel_verification(self, id_: str, body: CancelVerificationRequest) -> CancelVerificationReply:
        """End a verification."""
        return self._call("POST", f"/v1/verifications/{segment(id_)}/cancel", body=body, repeatable=False)

    def get_verification(self, id_: str) -> GetVerificationReply:
        """Get a verification."""
        return self._call("GET", f"/v1/verifications/{segment(id_)}")

    def get_balance(self) -> GetBalanceReply:
        """Get the credit of the billing account that your messages are charged to."""
        return self._call("GET", "/v1/balance")

    def list_invoices(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, kind: Optional[Literal["invoice", "credit_note", "receipt"]] = None, status: Optional[Literal["open", "part_paid", "overdue", "paid", "credited", "issued"]] = None, from_: Optional[str] = None, to: Optional[str] = None) -> ListInvoicesReply:
        """List the invoices, credit notes and receipts that you received."""
        return self._call("GET", "/v1/invoices", query={"limit": limit, "cursor": cursor, "kind": kind, "status": status, "from": from_, "to": to})

    def get_invoice(self, id_: str) -> GetInvoiceReply:
        """Get an invoice, credit note or receipt."""
        return self._call("GET", f"/v1/invoices/{segment(id_)}")

    def get_invoice_pdf(self, id_: str) -> bytes:
        """Download a document as PDF."""
        return self._call("GET", f"/v1/invoices/{segment(id_)}/pdf", as_bytes=True)

    def get_invoice_xml(self, id_: str) -> bytes:
        """Download the data of an invoice as XML."""
        return self._call("GET", f"/v1/invoices/{segment(id_)}/xml", as_bytes=True)

    def list_top_ups(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, state: Optional[Literal["created", "awaiting_payment", "in_review", "paid", "partly_refunded", "refunded", "charged_back", "failed", "expired", "rejected"]] = None, billing_account_id: Optional[int] = None, from_: Optional[str] = None, to: Optional[str] = None) -> ListTopUpsReply:
        """List the top-ups of your accounts."""
        return self._call("GET", "/v1/top-ups", query={"limit": limit, "cursor": cursor, "state": state, "billing_account_id": billing_account_id, "from": from_, "to": to})

    def get_top_up(self, id_: str) -> GetTopUpReply:
        """Get a top-up with its refunds and chargebacks."""
        return self._call("GET", f"/v1/top-ups/{segment(id_)}")

    def list_inbound(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> ListInboundReply:
        """Read messages from phones."""
        return self._call("GET", "/v1/inbound", query={"limit": limit, "cursor": cursor})

    def list_conversations(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, state: Optional[Literal["open", "closed"]] = None, number: Optional[str] = None) -> ListConversationsReply:
        """List conversations with phones."""
        return self._call("GET", "/v1/conversations", query={"limit": limit, "cursor": cursor, "state": state, "number": number})

    def get_conversation(self, id_: str) -> GetConversationReply:
        """Get a conversation."""
        return self._call("GET", f"/v1/conversations/{segment(id_)}")

    def list_conversation_messages(self, id_: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> ListConversationMessagesReply:
        """Read the messages of a conversation."""
        return self._call("GET", f"/v1/conversations/{segment(id_)}/messages", query={"limit": limit, "cursor": cursor})

    def update_conversation(self, id_: str, body: UpdateConversationRequest) -> UpdateConversationReply:
        """Assign, close or reopen a conversation."""
        return self._call("PATCH", f"/v1/conversations/{segment(id_)}", body=body)

    def list_consents(self, *, number: str) -> ListConsentsReply:
        """Read the consents and opt-outs of one person."""
        return self._call("GET", "/v1/consents", query={"number": number})

    def add_consent(self, body: AddConsentRequest) -> AddConsentReply:
        """Record that a person opted in or out."""
        return self._call("POST", "/v1/consents", body=body, repeatable=False)

    def list_contacts(self, *, number: Optional[str] = None, tag: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> ListContactsReply:
        """Read contacts."""
        return self._call("GET", "/v1/contacts", query={"number": number, "tag": tag, "limit": limit, "cursor": cursor})

    def get_contact(self, id_: str) -> GetContactReply:
        """Read one contact."""
        return self._call("GET", f"/v1/contacts/{segment(id_)}")

    def save_contact(self, body: SaveContactRequest) -> SaveContactReply:
        """Add a contact, or change the one with the number."""
        return self._call("POST", "/v1/contacts", body=body)

    def save_contacts(self, body: SaveContactsRequest) -> SaveContactsReply:
        """Add or change many contacts."""
        return self._call("POST", "/v1/contacts/batch", body=body)

    def delete_contact(self, id_: str) -> DeleteContactReply:
        """Delete a contact."""
        return self._call("DELETE", f"/v1/contacts/{segment(id_)}")

    def list_contact_fields(self) -> ListContactFieldsReply:
        """Read the fields of contacts."""
        return self._call("GET", "/v1/contact-fields")

    def add_conversion(self, body: AddConversionRequest) -> AddConversionReply:
        """Report what a person did after a message."""
        return self._call("POST", "/v1/conversions", body=body, repeatable=False)

    def list_segments(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> ListSegmentsReply:
        """Read segments."""
        return self._call("GET", "/v1/segments", query={"limit": limit, "cursor": cursor})

    def get_segment(self, id_: str) -> GetSegmentReply:
        """Read one segment."""
        return self._call("GET", f"/v1/segments/{segment(id_)}")

    def create_segment(self, body: CreateSegmentRequest) -> CreateSegmentReply:
        """Add a segment."""
        return self._call("POST", "/v1/segments", body=body, repeatable=False)

    def change_segment(self, id_: str, body: ChangeSegmentRequest) -> ChangeSegmentReply:
        """Change a segment."""
        return self._call("POST", f"/v1/segments/{segment(id_)}", body=body)

    def delete_segment(self, id_: str) -> DeleteSegmentReply:
        """Delete a segment."""
        return self._call("DELETE", f"/v1/segments/{segment(id_)}")

    def count_segment_contacts(self, id_: str) -> CountSegmentContactsReply:
        """Count the contacts of a segment."""
        return self._call("GET", f"/v1/segments/{segment(id_)}/count")

    def list_journeys(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> ListJourneysReply:
        """Read journeys."""
        return self._call("GET", "/v1/journeys", query={"limit": limit, "cursor": cursor})

    def get_journey(self, id_: str) -> GetJourneyReply:
        """Read one journey."""
        return self._call("GET", f"/v1/journeys/{segment(id_)}")

    def enter_journey(self, id_: str, body: EnterJourneyRequest) -> EnterJourneyReply:
        """Let a person enter a journey."""
        return self._call("POST", f"/v1/journeys/{segment(id_)}/people", body=body, repeatable=False)

    def list_events(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, types: Optional[str] = None, since: Optional[str] = None, share: Optional[str] = None, group: Optional[str] = None) -> ListEventsReply:
        """Read events, instead of callbacks."""
        return self._call("GET", "/v1/events", query={"limit": limit, "cursor": cursor, "types": types, "since": since, "share": share, "group": group})

    def move_event_group(self, group: str, body: MoveEventGroupRequest) -> MoveEventGroupReply:
        """Store how far a group of programs has processed the events."""
        return self._call("POST", f"/v1/events/groups/{segment(group)}", body=body)

    def sample_events(self, *, type_: Optional[Literal["message.delivered", "message.failed", "message.expired", "message.corrected", "message.received", "campaign.finished", "link.clicked", "journey.step", "verification.approved", "verification.failed", "verification.expired", "balance.low", "payment.received", "invoice.issued"]] = None) -> SampleEventsReply:
        """Get a made-up event of each type."""
        return self._call("GET", "/v1/events/samples", query={"type": type_})

    def list_callbacks(self) -> ListCallbacksReply:
        """List the addresses that programs have added for callbacks."""
        return self._call("GET", "/v1/callbacks")

    def add_callback(self, body: AddCallbackRequest) -> AddCallbackReply:
        """Have events sent to an address."""
        return self._call("POST", "/v1/callbacks", body=body, repeatable=False)

    def remove_callback(self, id_: str) -> RemoveCallbackReply:
        """Stop sending events to an address."""
        return self._call("DELETE", f"/v1/callbacks/{segment(id_)}")

    def list_handsets(self, *, limit: Optional[int] = None) -> ListHandsetsReply:
        """List the virtual handsets."""
        return self._call("GET", "/v1/sandbox/handsets", query={"limit": limit})

    def list_handset_messages(self, *, number: str, limit: Optional[int] = None) -> ListHandsetMessagesReply:
        """Read the conversation of a virtual handset."""
        return self._call("GET", "/v1/sandbox/messages", query={"number": number, "limit": limit})

    def reply_from_handset(self, body: ReplyFromHandsetRequest) -> ReplyFromHandsetReply:
        """Answer from a virtual handset."""
        return self._call("POST", "/v1/sandbox/replies", body=body, repeatable=False)

    def move_sandbox_time(self, body: MoveSandboxTimeRequest) -> MoveSandboxTimeReply:
        """Let test time pass."""
        return self._call("POST", "/v1/sandbox/time", body=body, repeatable=False)
