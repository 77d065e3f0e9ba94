// Made by scripts/generate-client-types.ts of packages/contract/src/api: change it there.

/** Error codes of the API. More may be added. */
export type ErrorCode = 'malformed_request' | 'unauthenticated' | 'forbidden' | 'scope_missing' | 'address_not_allowed' | 'key_ended' | 'service_account_disabled' | 'key_for_agents' | 'payload_too_large' | 'unsupported_media_type' | 'validation_failed' | 'too_many_requests' | 'internal_error' | 'unavailable' | 'changes_paused' | 'changes_unconfirmed' | 'sender_not_allowed' | 'template_required' | 'flash_not_allowed' | 'text_too_long' | 'insufficient_credit' | 'billing_account_suspended' | 'billing_account_held' | 'billing_account_missing' | 'reseller_account_unavailable' | 'price_plan_not_in_force' | 'no_route' | 'destination_unavailable' | 'sender_not_registered' | 'program_disabled' | 'client_ref_taken' | 'sandbox_full' | 'idempotency_key_reused' | 'idempotency_in_flight' | 'not_found' | 'cursor_invalid' | 'message_has_left' | 'nothing_accepted' | 'batch_has_left' | 'verification_refused' | 'verification_over' | 'verification_resend_soon' | 'verification_resends_used' | 'invoice_preparing' | 'segment_already_exists' | 'segment_too_large' | 'journey_closed' | 'callback_already_exists' | 'callback_addresses_full' | 'test_key_required';

/** RFC 9457. `code` is for programs. `message` and `errors` are for people and name the field and the fix. */
export type Problem = {
  /** Address of a page about this kind of error, relative to the address of the call. */
  type: string;
  /** Name of this kind of error, the same each time. */
  title: string;
  status: number;
  code: string;
  /** Cause of the code `unavailable`, if it is known. The header Retry-After has the seconds to wait. */
  reason?: 'database_unreachable' | 'database_restarting' | 'database_read_only' | 'database_connections' | 'database_locked' | 'database_too_slow' | 'database_out_of_memory' | 'database_full' | 'database_fault' | 'storage_unreachable' | 'storage_full' | 'overloaded' | 'stopping' | undefined;
  detail?: string | undefined;
  /** Id of the call. Include it when you ask about the call. */
  request_id: string;
  message: string;
  /** Sentences by field; `recipients.3.to` is the `to` of the fourth recipient. */
  errors?: Record<string, Array<string>> | undefined;
};

export type SendMessageRequest = {
  /** Phone number in international format. Spaces, dashes and a leading + or 00 are allowed. */
  to: string;
  /** At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several. */
  text: string;
  /** One of your sender IDs, as phones show it: 1 to 11 characters, or a number. */
  from: string;
  /** `gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: `"auto"`. */
  encoding?: 'auto' | 'gsm' | 'ucs2' | undefined;
  /** Shown immediately and not kept by the phone. Your account must allow it. Default: `false`. */
  flash?: boolean | undefined;
  /** `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`. */
  class?: 'otp' | 'transactional' | 'bulk' | undefined;
  /** Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately. */
  send_at?: string | undefined;
  /** Minutes after which the message is not delivered any more. The maximum of your account is also the default. */
  validity?: number | undefined;
  /** Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way. */
  callback_url?: string | undefined;
  /** Values of parameters that carriers ask for, by the names that the operator gave them, such as `dlt_template_id`. Your account must allow it. Default: `{}`. */
  parameters?: Record<string, string> | undefined;
  /** True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup. */
  skip_dead?: boolean | undefined;
  /** Your own labels, returned in answers and callbacks. Default: `[]`. */
  tags?: Array<string> | undefined;
  /** Your own reference, returned in answers and callbacks. */
  client_ref?: string | undefined;
  /** If true, a `client_ref` that another message of this key has is refused. Default: `false`. */
  unique_ref?: boolean | undefined;
};

export type SendMessageReply = {
  /** Id, as a decimal string. */
  id: string;
  /** Only digits. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers. */
  to: string;
  state: 'pending' | 'scheduled';
  parts: number;
  /** Reserved amount. Your account decides when it is charged. */
  price: string;
  currency: string;
  client_ref: string | null;
  send_at: string | null;
  expires_at: string;
  /** Sent with a test key: it goes to a test link and costs nothing. */
  test: boolean;
};

export type EstimateMessageRequest = {
  to: Array<string>;
  /** At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several. */
  text: string;
  /** One of your sender IDs, as phones show it: 1 to 11 characters, or a number. */
  from: string;
  /** `gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: `"auto"`. */
  encoding?: 'auto' | 'gsm' | 'ucs2' | undefined;
  /** Shown immediately and not kept by the phone. Your account must allow it. Default: `false`. */
  flash?: boolean | undefined;
  /** `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`. */
  class?: 'otp' | 'transactional' | 'bulk' | undefined;
  /** True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup. */
  skip_dead?: boolean | undefined;
};

export type EstimateMessageReply = {
  /** Text with the signature and the opt-out notice. Null if all recipients are refused. */
  text: string | null;
  encoding: 'gsm' | 'ucs2' | null;
  /** Number of messages that would be accepted. */
  messages: number;
  parts: number;
  /** Amount with three decimals, as a decimal string. */
  price: string;
  currency: string;
  recipients: Array<{
    index: number;
    to: string;
    parts: number;
    /** Amount with three decimals, as a decimal string. */
    price: string;
  }>;
  rejected: Array<{
    code: string;
    field: string | null;
    detail: string;
    /** Position in the request, from 0. */
    index: number;
    to: string;
  }>;
};

export type GetMessageReply = {
  /** Id, as a decimal string. */
  id: string;
  from: string;
  /** Number of the recipient. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers. */
  to: string;
  /** Text as it was sent. Null if the owner of the key may not see texts. */
  text: string | null;
  state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked' | 'scheduled';
  /** Error code of the carrier, or `moderation` if the platform rejected the message. */
  error_code: string | null;
  class: 'otp' | 'transactional' | 'bulk';
  encoding: 'gsm' | 'ucs2';
  flash: boolean;
  parts: number;
  /** Amount with three decimals, as a decimal string. */
  price: string;
  currency: string;
  client_ref: string | null;
  tags: Array<string>;
  callback_url: string | null;
  batch_id: string | null;
  send_at: string | null;
  expires_at: string | null;
  created_at: string;
  /** Time of the final state. */
  done_at: string | null;
  test: boolean;
};

export type ListMessagesReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    from: string;
    /** Number of the recipient. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers. */
    to: string;
    /** Text as it was sent. Null if the owner of the key may not see texts. */
    text: string | null;
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked' | 'scheduled';
    /** Error code of the carrier, or `moderation` if the platform rejected the message. */
    error_code: string | null;
    class: 'otp' | 'transactional' | 'bulk';
    encoding: 'gsm' | 'ucs2';
    flash: boolean;
    parts: number;
    /** Amount with three decimals, as a decimal string. */
    price: string;
    currency: string;
    client_ref: string | null;
    tags: Array<string>;
    callback_url: string | null;
    batch_id: string | null;
    send_at: string | null;
    expires_at: string | null;
    created_at: string;
    /** Time of the final state. */
    done_at: string | null;
    test: boolean;
  }>;
  next_cursor: string | null;
  has_more: boolean;
};

export type CancelMessageReply = GetMessageReply;

export type SendBatchRequest = {
  /** Text for every recipient without its own text. It may contain `{name}` and `{param1}` to `{param9}`. */
  text?: string | undefined;
  recipients: Array<{
    /** Phone number in international format. Spaces, dashes and a leading + or 00 are allowed. */
    to: string;
    /** Text for this recipient instead of the common one. It is sent unchanged. */
    text?: string | undefined;
    /** Values for `{name}` and `{param1}` to `{param9}` in the text. */
    params?: {
      name?: string | undefined;
      param1?: string | undefined;
      param2?: string | undefined;
      param3?: string | undefined;
      param4?: string | undefined;
      param5?: string | undefined;
      param6?: string | undefined;
      param7?: string | undefined;
      param8?: string | undefined;
      param9?: string | undefined;
    } | undefined;
    /** Your own reference, returned in answers and callbacks. */
    client_ref?: string | undefined;
  }>;
  /** One of your sender IDs, as phones show it: 1 to 11 characters, or a number. */
  from: string;
  /** `gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: `"auto"`. */
  encoding?: 'auto' | 'gsm' | 'ucs2' | undefined;
  /** Shown immediately and not kept by the phone. Your account must allow it. Default: `false`. */
  flash?: boolean | undefined;
  /** `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`. */
  class?: 'otp' | 'transactional' | 'bulk' | undefined;
  /** Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately. */
  send_at?: string | undefined;
  /** Minutes after which the message is not delivered any more. The maximum of your account is also the default. */
  validity?: number | undefined;
  /** Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way. */
  callback_url?: string | undefined;
  /** Values of parameters that carriers ask for, by the names that the operator gave them, such as `dlt_template_id`. Your account must allow it. Default: `{}`. */
  parameters?: Record<string, string> | undefined;
  /** True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup. */
  skip_dead?: boolean | undefined;
  /** Your own labels, returned in answers and callbacks. Default: `[]`. */
  tags?: Array<string> | undefined;
  /** Your own reference for the batch. */
  client_ref?: string | undefined;
  /** If true, a `client_ref` that another message of this key has is refused. Default: `false`. */
  unique_ref?: boolean | undefined;
};

export type SendBatchReply = {
  /** Id, as a decimal string. */
  id: string;
  total: number;
  accepted: number;
  parts: number;
  /** Sum of the reserved amounts, as a decimal string. */
  price: string;
  currency: string;
  client_ref: string | null;
  tags: Array<string>;
  /** Recipients that were not accepted. They cost nothing. */
  rejected: Array<{
    code: string;
    field: string | null;
    detail: string;
    /** Position in the request, from 0. */
    index: number;
    to: string;
  }>;
  test: boolean;
};

export type GetBatchReply = {
  /** Id, as a decimal string. */
  id: string;
  total: number;
  accepted: number;
  parts: number;
  /** Sum of the reserved amounts, as a decimal string. */
  price: string;
  currency: string;
  client_ref: string | null;
  tags: Array<string>;
  /** Recipients that were not accepted. They cost nothing. */
  rejected: Array<{
    code: string;
    field: string | null;
    detail: string;
    /** Position in the request, from 0. */
    index: number;
    to: string;
  }>;
  states: { [Key in 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked' | 'scheduled']?: number };
  created_at: string;
};

export type CancelBatchReply = GetBatchReply;

export type StartVerificationRequest = {
  /** Verify service of your account; its id is on its page in the console. */
  service: string;
  /** Phone number in international format. Spaces, dashes and a leading + or 00 are allowed. */
  to: string;
  /** Language of the text. Without it: that of the service. */
  language?: 'en' | 'cn' | 'zh' | 'fp' | undefined;
  /** Address of the person, not of your server. Stored for 30 days. */
  client_ip?: string | undefined;
  /** Your own id of the device or session. Stored for 30 days. */
  device?: string | undefined;
  /** Your own reference, returned in answers and callbacks. */
  client_ref?: string | undefined;
};

export type StartVerificationReply = {
  /** Id, as a decimal string. */
  id: string;
  /** Verify service whose rules it follows. */
  service: string;
  /** Number. Masked, such as `63917•••••67`, if the key may not see numbers. */
  to: string;
  /** `approved`: the right code was entered in time. `failed`: all tries were wrong. */
  status: 'pending' | 'approved' | 'failed' | 'expired' | 'cancelled';
  language: 'en' | 'cn' | 'zh' | 'fp';
  /** Codes that may still be checked. */
  attempts_left: number;
  resends_left: number;
  /** Earliest time of the next resend; null if there is none. */
  resend_at: string | null;
  /** Messages with the code, the first one first. */
  messages: Array<{
    /** Id, as a decimal string. */
    id: string;
    /** State as in `GET /v1/messages/{id}`. */
    state: string;
    error_code: string | null;
  }>;
  /** Parts of all its messages. */
  parts: number;
  /** Reserved amount of all its messages, with three decimals. */
  price: string;
  currency: string;
  client_ref: string | null;
  created_at: string;
  /** Time until which the code is valid. */
  expires_at: string;
  /** Time of the final status. */
  done_at: string | null;
  test: boolean;
};

export type CheckVerificationRequest = {
  /** Digits of the code. Blanks and dashes between them are ignored. */
  code: string;
};

export type CheckVerificationReply = StartVerificationReply;

export type ResendVerificationRequest = {
};

export type ResendVerificationReply = StartVerificationReply;

export type CancelVerificationRequest = ResendVerificationRequest;

export type CancelVerificationReply = StartVerificationReply;

export type GetVerificationReply = StartVerificationReply;

export type GetBalanceReply = {
  billing_account: string;
  /** Decimal string with three decimals. */
  credit: string;
  /** Amount set aside for messages without a final state. */
  reserved: string;
  /** Amount by which the credit may go below zero. */
  credit_limit: string;
  /** Amount that can be spent now. */
  available: string;
  currency: string;
  suspended: boolean;
};

export type ListInvoicesReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    kind: 'invoice' | 'credit_note' | 'receipt';
    number: string;
    /** `issued` is the state of credit notes and receipts. */
    status: 'open' | 'part_paid' | 'overdue' | 'paid' | 'credited' | 'issued';
    seller: string;
    buyer: string;
    issue_date: string;
    due_date: string | null;
    period_from: string | null;
    period_to: string | null;
    currency: string;
    /** Decimal string with three decimals. */
    net: string;
    /** Decimal string with three decimals. */
    tax: string;
    /** Difference between the total and the sum with tax, if prices include tax. */
    rounding: string;
    /** Decimal string with three decimals. */
    total: string;
    /** Part of the total that you are expected to withhold and to pay to the tax authority. */
    withholding: string;
    /** Decimal string with three decimals. */
    paid: string;
    /** Sum of the credit notes for it. */
    credited: string;
    /** Still to be paid. */
    open: string;
    /** Account whose payments pay it. */
    billing_account_id: string | null;
    issued_at: string;
  }>;
  next_cursor: string | null;
  has_more: boolean;
};

export type GetInvoiceReply = {
  /** Id, as a decimal string. */
  id: string;
  kind: 'invoice' | 'credit_note' | 'receipt';
  number: string;
  /** `issued` is the state of credit notes and receipts. */
  status: 'open' | 'part_paid' | 'overdue' | 'paid' | 'credited' | 'issued';
  seller: string;
  buyer: string;
  issue_date: string;
  due_date: string | null;
  period_from: string | null;
  period_to: string | null;
  currency: string;
  /** Decimal string with three decimals. */
  net: string;
  /** Decimal string with three decimals. */
  tax: string;
  /** Difference between the total and the sum with tax, if prices include tax. */
  rounding: string;
  /** Decimal string with three decimals. */
  total: string;
  /** Part of the total that you are expected to withhold and to pay to the tax authority. */
  withholding: string;
  /** Decimal string with three decimals. */
  paid: string;
  /** Sum of the credit notes for it. */
  credited: string;
  /** Still to be paid. */
  open: string;
  /** Account whose payments pay it. */
  billing_account_id: string | null;
  issued_at: string;
  /** Reason of a credit note. */
  reason: string | null;
  /** Invoice that a credit note is about. */
  credited_invoice_id: string | null;
  /** The files can be downloaded, usually a few seconds after the issue. */
  files_ready: boolean;
  taxes: Array<{
    category: 'standard' | 'zero' | 'exempt' | 'outside';
    /** Percentage. */
    rate: string;
    /** Decimal string with three decimals. */
    taxable: string;
    /** Decimal string with three decimals. */
    tax: string;
  }>;
  /** Parts of payments that paid it. */
  payments: Array<{
    /** Decimal string with three decimals. */
    amount: string;
    paid_at: string;
  }>;
  credit_notes: Array<{
    /** Id, as a decimal string. */
    id: string;
    number: string;
    issue_date: string;
    /** Decimal string with three decimals. */
    total: string;
  }>;
};

export type ListTopUpsReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    /** The account has the credit from `paid` on; refunds and chargebacks take it back. */
    state: 'created' | 'awaiting_payment' | 'in_review' | 'paid' | 'partly_refunded' | 'refunded' | 'charged_back' | 'failed' | 'expired' | 'rejected';
    /** Id, as a decimal string. */
    billing_account_id: string;
    /** Credit that the account gets. */
    amount: string;
    /** Fee on top of it. */
    fee: string;
    /** Amount that is paid: the credit and the fee. */
    total: string;
    currency: string;
    /** Name of the payment method. */
    method: string;
    /** A kept card was charged, because the account could spend less than a threshold. */
    automatic: boolean;
    /** Our reference at the provider and on bank statements. */
    reference: string;
    client_reference: string | null;
    /** Money that went back to you. */
    returned: string;
    /** Credit that the account lost with it. */
    taken_back: string;
    created_at: string;
    paid_at: string | null;
  }>;
  next_cursor: string | null;
  has_more: boolean;
};

export type GetTopUpReply = {
  /** Id, as a decimal string. */
  id: string;
  /** The account has the credit from `paid` on; refunds and chargebacks take it back. */
  state: 'created' | 'awaiting_payment' | 'in_review' | 'paid' | 'partly_refunded' | 'refunded' | 'charged_back' | 'failed' | 'expired' | 'rejected';
  /** Id, as a decimal string. */
  billing_account_id: string;
  /** Credit that the account gets. */
  amount: string;
  /** Fee on top of it. */
  fee: string;
  /** Amount that is paid: the credit and the fee. */
  total: string;
  currency: string;
  /** Name of the payment method. */
  method: string;
  /** A kept card was charged, because the account could spend less than a threshold. */
  automatic: boolean;
  /** Our reference at the provider and on bank statements. */
  reference: string;
  client_reference: string | null;
  /** Money that went back to you. */
  returned: string;
  /** Credit that the account lost with it. */
  taken_back: string;
  created_at: string;
  paid_at: string | null;
  returns: Array<{
    kind: 'refund' | 'chargeback';
    state: 'asked' | 'pending' | 'done' | 'failed' | 'open' | 'lost' | 'won' | 'reversed';
    /** Decimal string with three decimals. */
    amount: string;
    reason: string | null;
    created_at: string;
  }>;
};

export type ListInboundReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    /** Number of the phone. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers. */
    from: string;
    /** Short code, number or sender ID that the phone sent to. */
    to: string;
    text: string;
    keyword: string | null;
    /** The text is hexadecimal. */
    binary: boolean;
    /** Parameters that the carrier added, by name, or by tag such as `0x1401` and in hexadecimal. */
    parameters: Record<string, string>;
    received_at: string;
  }>;
  next_cursor: string;
  has_more: boolean;
};

export type ListConversationsReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    /** Number of the phone. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers. */
    number: string;
    /** Short code, number or sender ID that the phone sent to last. */
    to: string;
    /** False after somebody closed it. A new message of the phone opens it again. */
    open: boolean;
    /** Number of unread messages. */
    unread: number;
    /** User in charge. */
    assigned_to: string | null;
    /** Time of the latest message, or of the latest answer by a person. */
    last_at: string;
  }>;
  next_cursor: string | null;
  has_more: boolean;
};

export type GetConversationReply = {
  /** Id, as a decimal string. */
  id: string;
  /** Number of the phone. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers. */
  number: string;
  /** Short code, number or sender ID that the phone sent to last. */
  to: string;
  /** False after somebody closed it. A new message of the phone opens it again. */
  open: boolean;
  /** Number of unread messages. */
  unread: number;
  /** User in charge. */
  assigned_to: string | null;
  /** Time of the latest message, or of the latest answer by a person. */
  last_at: string;
};

export type ListConversationMessagesReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    /** `in` from the phone, `out` to it. */
    direction: 'in' | 'out';
    /** Null if your user may not read texts. */
    text: string | null;
    /** Short code, number or sender ID on your side. */
    number: string;
    /** The text is hexadecimal. */
    binary: boolean;
    /** State of a message to the phone. */
    status: string | null;
    at: string;
  }>;
  next_cursor: string | null;
  has_more: boolean;
};

export type UpdateConversationRequest = {
  open?: boolean | undefined;
  /** User who may read the inbox; null for nobody. */
  assigned_to?: string | null | undefined;
};

export type UpdateConversationReply = GetConversationReply;

export type ListConsentsReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    /** Number of the person. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers. */
    number: string;
    kind: 'opt_in' | 'asked' | 'opt_out';
    source: 'form' | 'keyword' | 'import' | 'api' | 'person';
    /** Sender ID that the event is about; null for all. */
    from: string | null;
    wording: string | null;
    proof: string | null;
    at: string;
  }>;
};

export type AddConsentRequest = {
  number: string;
  kind: 'opt_in' | 'asked' | 'opt_out';
  /** Sender ID that the event is about; null for all. Default: `null`. */
  from?: string | null | undefined;
  /** Wording that the person agreed to. Default: `null`. */
  wording?: string | null | undefined;
  /** Evidence, such as the address of a form. Default: `null`. */
  proof?: string | null | undefined;
  /** Time of the event; not in the future. Now by default. */
  at?: string | undefined;
};

export type AddConsentReply = {
  /** Id, as a decimal string. */
  id: string;
  /** Number of the person. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers. */
  number: string;
  kind: 'opt_in' | 'asked' | 'opt_out';
  source: 'form' | 'keyword' | 'import' | 'api' | 'person';
  /** Sender ID that the event is about; null for all. */
  from: string | null;
  wording: string | null;
  proof: string | null;
  at: string;
};

export type ListContactsReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    /** Number of the person. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers. */
    number: string;
    name: string | null;
    tags: Array<string>;
    /** Values by the keys of the fields. Fields without a value are left out. */
    fields: Record<string, string | number | boolean | null>;
    /** Consent of the person to your corporation, from the recorded events; `none` if nothing is recorded. */
    consent: 'opt_in' | 'asked' | 'opt_out' | 'none';
    created_at: string;
    updated_at: string;
  }>;
  next_cursor: string | null;
  has_more: boolean;
};

export type GetContactReply = {
  /** Id, as a decimal string. */
  id: string;
  /** Number of the person. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers. */
  number: string;
  name: string | null;
  tags: Array<string>;
  /** Values by the keys of the fields. Fields without a value are left out. */
  fields: Record<string, string | number | boolean | null>;
  /** Consent of the person to your corporation, from the recorded events; `none` if nothing is recorded. */
  consent: 'opt_in' | 'asked' | 'opt_out' | 'none';
  created_at: string;
  updated_at: string;
};

export type SaveContactRequest = {
  number: string;
  name?: string | null | undefined;
  /** All tags of the contact. */
  tags?: Array<string> | undefined;
  /** Values by the keys of their fields. Dates are such as 2026-01-31. */
  fields?: Record<string, string | number | boolean | null> | undefined;
};

export type SaveContactReply = GetContactReply;

export type SaveContactsRequest = {
  contacts: Array<{
    number: string;
    name?: string | null | undefined;
    /** All tags of the contact. */
    tags?: Array<string> | undefined;
    /** Values by the keys of their fields. Dates are such as 2026-01-31. */
    fields?: Record<string, string | number | boolean | null> | undefined;
  }>;
};

export type SaveContactsReply = {
  saved: Array<{
    /** Position in the request, from 0. */
    index: number;
    /** Id, as a decimal string. */
    id: string;
  }>;
  rejected: Array<{
    code: string;
    field: string | null;
    detail: string;
    /** Position in the request, from 0. */
    index: number;
  }>;
};

export type DeleteContactReply = {
  /** Id, as a decimal string. */
  id: string;
};

export type ListContactFieldsReply = {
  data: Array<{
    /** Id of the field in rules of segments. */
    id: string;
    /** Name of the field in `fields` of a contact. */
    key: string;
    name: string;
    type: 'text' | 'number' | 'date' | 'choice' | 'yes_no';
    /** Values that a field of the type `choice` may have. */
    choices: Array<string>;
  }>;
};

export type AddConversionRequest = {
  /** Your own reference, such as an order number. Each is counted once. Only its hash is stored. */
  reference: string;
  /** Event, such as `purchase`: letters, digits, `_`, `.` and `-`, at most 40. */
  name: string;
  /** Number of the person in international form. */
  number?: string | undefined;
  /** Code of the short link, as in `link.clicked`. */
  code?: string | undefined;
  /** What it was worth: a decimal string. With `currency`. Default: `null`. */
  value?: string | null | undefined;
  /** Default: `null`. */
  currency?: string | null | undefined;
  /** Time of the event; not in the future. Now by default. */
  at?: string | undefined;
};

export type AddConversionReply = {
  /** Id, as a decimal string. */
  id: string;
  name: string;
  /** Decimal string with three decimals. */
  value: string | null;
  currency: string | null;
  at: string;
  created_at: string;
};

export type ListSegmentsReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    name: string;
    /** Rule, as it is written in requests. */
    rule: {
    };
    /** Rule as a sentence, in the language of the maker of the key. */
    explanation: string;
    /** Records that the rule needs and that are gone or not visible. The segment finds nobody then. */
    lacks: Array<{
      kind: 'field' | 'list' | 'campaign' | 'number';
      id: number;
    }>;
    created_at: string;
    updated_at: string;
  }>;
  next_cursor: string | null;
  has_more: boolean;
};

export type GetSegmentReply = {
  /** Id, as a decimal string. */
  id: string;
  name: string;
  /** Rule, as it is written in requests. */
  rule: {
  };
  /** Rule as a sentence, in the language of the maker of the key. */
  explanation: string;
  /** Records that the rule needs and that are gone or not visible. The segment finds nobody then. */
  lacks: Array<{
    kind: 'field' | 'list' | 'campaign' | 'number';
    id: number;
  }>;
  created_at: string;
  updated_at: string;
};

export type CreateSegmentRequest = {
  name: string;
  /** Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. `not` turns a condition around: it then finds contacts without a value too. */
  rule: {
    /** Default: `1`. */
    version?: '1' | undefined;
    match: 'all' | 'any' | 'none';
    rules: Array<{
      on: 'text';
      field_id: number | null;
      op: 'is' | 'contains' | 'begins' | 'empty';
      /** Default: `null`. */
      value?: string | null | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'choice';
      field_id: number;
      op: 'in' | 'empty';
      /** Default: `[]`. */
      values?: Array<string> | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'number';
      field_id: number;
      op: 'is' | 'below' | 'above' | 'between' | 'empty';
      /** Default: `null`. */
      value?: number | null | undefined;
      /** Default: `null`. */
      to?: number | null | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'date';
      field_id: number;
      op: 'on' | 'before' | 'after' | 'between' | 'in_days' | 'days_ago' | 'next_days' | 'last_days' | 'birthday' | 'empty';
      /** Default: `null`. */
      day?: string | null | undefined;
      /** Default: `null`. */
      to?: string | null | undefined;
      /** Default: `null`. */
      days?: number | null | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'yes_no';
      field_id: number;
      op: 'yes' | 'no' | 'empty';
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'tag';
      tag: string;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'list';
      list_id: number;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'consent';
      consents: Array<'opt_in' | 'asked' | 'opt_out' | 'none'>;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'time';
      time: 'created' | 'updated';
      op: 'last_days' | 'before' | 'after';
      /** Default: `null`. */
      day?: string | null | undefined;
      /** Default: `null`. */
      days?: number | null | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'event';
      event: 'sent' | 'delivered' | 'replied' | 'clicked' | 'converted';
      /** Default: `null`. */
      campaign_id?: number | null | undefined;
      /** Default: `null`. */
      link?: number | null | undefined;
      /** Default: `null`. */
      conversion?: string | null | undefined;
      /** Default: `null`. */
      days?: number | null | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'group';
      match: 'all' | 'any' | 'none';
      rules: Array<{
        on: 'text';
        field_id: number | null;
        op: 'is' | 'contains' | 'begins' | 'empty';
        /** Default: `null`. */
        value?: string | null | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'choice';
        field_id: number;
        op: 'in' | 'empty';
        /** Default: `[]`. */
        values?: Array<string> | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'number';
        field_id: number;
        op: 'is' | 'below' | 'above' | 'between' | 'empty';
        /** Default: `null`. */
        value?: number | null | undefined;
        /** Default: `null`. */
        to?: number | null | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'date';
        field_id: number;
        op: 'on' | 'before' | 'after' | 'between' | 'in_days' | 'days_ago' | 'next_days' | 'last_days' | 'birthday' | 'empty';
        /** Default: `null`. */
        day?: string | null | undefined;
        /** Default: `null`. */
        to?: string | null | undefined;
        /** Default: `null`. */
        days?: number | null | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'yes_no';
        field_id: number;
        op: 'yes' | 'no' | 'empty';
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'tag';
        tag: string;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'list';
        list_id: number;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'consent';
        consents: Array<'opt_in' | 'asked' | 'opt_out' | 'none'>;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'time';
        time: 'created' | 'updated';
        op: 'last_days' | 'before' | 'after';
        /** Default: `null`. */
        day?: string | null | undefined;
        /** Default: `null`. */
        days?: number | null | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'event';
        event: 'sent' | 'delivered' | 'replied' | 'clicked' | 'converted';
        /** Default: `null`. */
        campaign_id?: number | null | undefined;
        /** Default: `null`. */
        link?: number | null | undefined;
        /** Default: `null`. */
        conversion?: string | null | undefined;
        /** Default: `null`. */
        days?: number | null | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'group';
        match: 'all' | 'any' | 'none';
        rules: Array<{
          on: 'text';
          field_id: number | null;
          op: 'is' | 'contains' | 'begins' | 'empty';
          /** Default: `null`. */
          value?: string | null | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'choice';
          field_id: number;
          op: 'in' | 'empty';
          /** Default: `[]`. */
          values?: Array<string> | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'number';
          field_id: number;
          op: 'is' | 'below' | 'above' | 'between' | 'empty';
          /** Default: `null`. */
          value?: number | null | undefined;
          /** Default: `null`. */
          to?: number | null | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'date';
          field_id: number;
          op: 'on' | 'before' | 'after' | 'between' | 'in_days' | 'days_ago' | 'next_days' | 'last_days' | 'birthday' | 'empty';
          /** Default: `null`. */
          day?: string | null | undefined;
          /** Default: `null`. */
          to?: string | null | undefined;
          /** Default: `null`. */
          days?: number | null | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'yes_no';
          field_id: number;
          op: 'yes' | 'no' | 'empty';
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'tag';
          tag: string;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'list';
          list_id: number;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'consent';
          consents: Array<'opt_in' | 'asked' | 'opt_out' | 'none'>;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'time';
          time: 'created' | 'updated';
          op: 'last_days' | 'before' | 'after';
          /** Default: `null`. */
          day?: string | null | undefined;
          /** Default: `null`. */
          days?: number | null | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'event';
          event: 'sent' | 'delivered' | 'replied' | 'clicked' | 'converted';
          /** Default: `null`. */
          campaign_id?: number | null | undefined;
          /** Default: `null`. */
          link?: number | null | undefined;
          /** Default: `null`. */
          conversion?: string | null | undefined;
          /** Default: `null`. */
          days?: number | null | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'group';
          match: 'all' | 'any' | 'none';
          rules: Array<{
            on: 'text';
            field_id: number | null;
            op: 'is' | 'contains' | 'begins' | 'empty';
            /** Default: `null`. */
            value?: string | null | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'choice';
            field_id: number;
            op: 'in' | 'empty';
            /** Default: `[]`. */
            values?: Array<string> | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'number';
            field_id: number;
            op: 'is' | 'below' | 'above' | 'between' | 'empty';
            /** Default: `null`. */
            value?: number | null | undefined;
            /** Default: `null`. */
            to?: number | null | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'date';
            field_id: number;
            op: 'on' | 'before' | 'after' | 'between' | 'in_days' | 'days_ago' | 'next_days' | 'last_days' | 'birthday' | 'empty';
            /** Default: `null`. */
            day?: string | null | undefined;
            /** Default: `null`. */
            to?: string | null | undefined;
            /** Default: `null`. */
            days?: number | null | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'yes_no';
            field_id: number;
            op: 'yes' | 'no' | 'empty';
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'tag';
            tag: string;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'list';
            list_id: number;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'consent';
            consents: Array<'opt_in' | 'asked' | 'opt_out' | 'none'>;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'time';
            time: 'created' | 'updated';
            op: 'last_days' | 'before' | 'after';
            /** Default: `null`. */
            day?: string | null | undefined;
            /** Default: `null`. */
            days?: number | null | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'event';
            event: 'sent' | 'delivered' | 'replied' | 'clicked' | 'converted';
            /** Default: `null`. */
            campaign_id?: number | null | undefined;
            /** Default: `null`. */
            link?: number | null | undefined;
            /** Default: `null`. */
            conversion?: string | null | undefined;
            /** Default: `null`. */
            days?: number | null | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'group';
            match: 'all' | 'any' | 'none';
            rules: Array<{
              on: 'text';
              field_id: number | null;
              op: 'is' | 'contains' | 'begins' | 'empty';
              /** Default: `null`. */
              value?: string | null | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'choice';
              field_id: number;
              op: 'in' | 'empty';
              /** Default: `[]`. */
              values?: Array<string> | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'number';
              field_id: number;
              op: 'is' | 'below' | 'above' | 'between' | 'empty';
              /** Default: `null`. */
              value?: number | null | undefined;
              /** Default: `null`. */
              to?: number | null | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'date';
              field_id: number;
              op: 'on' | 'before' | 'after' | 'between' | 'in_days' | 'days_ago' | 'next_days' | 'last_days' | 'birthday' | 'empty';
              /** Default: `null`. */
              day?: string | null | undefined;
              /** Default: `null`. */
              to?: string | null | undefined;
              /** Default: `null`. */
              days?: number | null | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'yes_no';
              field_id: number;
              op: 'yes' | 'no' | 'empty';
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'tag';
              tag: string;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'list';
              list_id: number;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'consent';
              consents: Array<'opt_in' | 'asked' | 'opt_out' | 'none'>;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'time';
              time: 'created' | 'updated';
              op: 'last_days' | 'before' | 'after';
              /** Default: `null`. */
              day?: string | null | undefined;
              /** Default: `null`. */
              days?: number | null | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'event';
              event: 'sent' | 'delivered' | 'replied' | 'clicked' | 'converted';
              /** Default: `null`. */
              campaign_id?: number | null | undefined;
              /** Default: `null`. */
              link?: number | null | undefined;
              /** Default: `null`. */
              conversion?: string | null | undefined;
              /** Default: `null`. */
              days?: number | null | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            }>;
          }>;
        }>;
      }>;
    }>;
  };
};

export type CreateSegmentReply = GetSegmentReply;

export type ChangeSegmentRequest = {
  name?: string | undefined;
  /** Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. `not` turns a condition around: it then finds contacts without a value too. */
  rule?: {
    /** Default: `1`. */
    version?: '1' | undefined;
    match: 'all' | 'any' | 'none';
    rules: Array<{
      on: 'text';
      field_id: number | null;
      op: 'is' | 'contains' | 'begins' | 'empty';
      /** Default: `null`. */
      value?: string | null | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'choice';
      field_id: number;
      op: 'in' | 'empty';
      /** Default: `[]`. */
      values?: Array<string> | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'number';
      field_id: number;
      op: 'is' | 'below' | 'above' | 'between' | 'empty';
      /** Default: `null`. */
      value?: number | null | undefined;
      /** Default: `null`. */
      to?: number | null | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'date';
      field_id: number;
      op: 'on' | 'before' | 'after' | 'between' | 'in_days' | 'days_ago' | 'next_days' | 'last_days' | 'birthday' | 'empty';
      /** Default: `null`. */
      day?: string | null | undefined;
      /** Default: `null`. */
      to?: string | null | undefined;
      /** Default: `null`. */
      days?: number | null | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'yes_no';
      field_id: number;
      op: 'yes' | 'no' | 'empty';
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'tag';
      tag: string;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'list';
      list_id: number;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'consent';
      consents: Array<'opt_in' | 'asked' | 'opt_out' | 'none'>;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'time';
      time: 'created' | 'updated';
      op: 'last_days' | 'before' | 'after';
      /** Default: `null`. */
      day?: string | null | undefined;
      /** Default: `null`. */
      days?: number | null | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'event';
      event: 'sent' | 'delivered' | 'replied' | 'clicked' | 'converted';
      /** Default: `null`. */
      campaign_id?: number | null | undefined;
      /** Default: `null`. */
      link?: number | null | undefined;
      /** Default: `null`. */
      conversion?: string | null | undefined;
      /** Default: `null`. */
      days?: number | null | undefined;
      /** Default: `false`. */
      not?: boolean | undefined;
    } | {
      on: 'group';
      match: 'all' | 'any' | 'none';
      rules: Array<{
        on: 'text';
        field_id: number | null;
        op: 'is' | 'contains' | 'begins' | 'empty';
        /** Default: `null`. */
        value?: string | null | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'choice';
        field_id: number;
        op: 'in' | 'empty';
        /** Default: `[]`. */
        values?: Array<string> | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'number';
        field_id: number;
        op: 'is' | 'below' | 'above' | 'between' | 'empty';
        /** Default: `null`. */
        value?: number | null | undefined;
        /** Default: `null`. */
        to?: number | null | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'date';
        field_id: number;
        op: 'on' | 'before' | 'after' | 'between' | 'in_days' | 'days_ago' | 'next_days' | 'last_days' | 'birthday' | 'empty';
        /** Default: `null`. */
        day?: string | null | undefined;
        /** Default: `null`. */
        to?: string | null | undefined;
        /** Default: `null`. */
        days?: number | null | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'yes_no';
        field_id: number;
        op: 'yes' | 'no' | 'empty';
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'tag';
        tag: string;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'list';
        list_id: number;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'consent';
        consents: Array<'opt_in' | 'asked' | 'opt_out' | 'none'>;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'time';
        time: 'created' | 'updated';
        op: 'last_days' | 'before' | 'after';
        /** Default: `null`. */
        day?: string | null | undefined;
        /** Default: `null`. */
        days?: number | null | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'event';
        event: 'sent' | 'delivered' | 'replied' | 'clicked' | 'converted';
        /** Default: `null`. */
        campaign_id?: number | null | undefined;
        /** Default: `null`. */
        link?: number | null | undefined;
        /** Default: `null`. */
        conversion?: string | null | undefined;
        /** Default: `null`. */
        days?: number | null | undefined;
        /** Default: `false`. */
        not?: boolean | undefined;
      } | {
        on: 'group';
        match: 'all' | 'any' | 'none';
        rules: Array<{
          on: 'text';
          field_id: number | null;
          op: 'is' | 'contains' | 'begins' | 'empty';
          /** Default: `null`. */
          value?: string | null | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'choice';
          field_id: number;
          op: 'in' | 'empty';
          /** Default: `[]`. */
          values?: Array<string> | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'number';
          field_id: number;
          op: 'is' | 'below' | 'above' | 'between' | 'empty';
          /** Default: `null`. */
          value?: number | null | undefined;
          /** Default: `null`. */
          to?: number | null | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'date';
          field_id: number;
          op: 'on' | 'before' | 'after' | 'between' | 'in_days' | 'days_ago' | 'next_days' | 'last_days' | 'birthday' | 'empty';
          /** Default: `null`. */
          day?: string | null | undefined;
          /** Default: `null`. */
          to?: string | null | undefined;
          /** Default: `null`. */
          days?: number | null | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'yes_no';
          field_id: number;
          op: 'yes' | 'no' | 'empty';
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'tag';
          tag: string;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'list';
          list_id: number;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'consent';
          consents: Array<'opt_in' | 'asked' | 'opt_out' | 'none'>;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'time';
          time: 'created' | 'updated';
          op: 'last_days' | 'before' | 'after';
          /** Default: `null`. */
          day?: string | null | undefined;
          /** Default: `null`. */
          days?: number | null | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'event';
          event: 'sent' | 'delivered' | 'replied' | 'clicked' | 'converted';
          /** Default: `null`. */
          campaign_id?: number | null | undefined;
          /** Default: `null`. */
          link?: number | null | undefined;
          /** Default: `null`. */
          conversion?: string | null | undefined;
          /** Default: `null`. */
          days?: number | null | undefined;
          /** Default: `false`. */
          not?: boolean | undefined;
        } | {
          on: 'group';
          match: 'all' | 'any' | 'none';
          rules: Array<{
            on: 'text';
            field_id: number | null;
            op: 'is' | 'contains' | 'begins' | 'empty';
            /** Default: `null`. */
            value?: string | null | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'choice';
            field_id: number;
            op: 'in' | 'empty';
            /** Default: `[]`. */
            values?: Array<string> | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'number';
            field_id: number;
            op: 'is' | 'below' | 'above' | 'between' | 'empty';
            /** Default: `null`. */
            value?: number | null | undefined;
            /** Default: `null`. */
            to?: number | null | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'date';
            field_id: number;
            op: 'on' | 'before' | 'after' | 'between' | 'in_days' | 'days_ago' | 'next_days' | 'last_days' | 'birthday' | 'empty';
            /** Default: `null`. */
            day?: string | null | undefined;
            /** Default: `null`. */
            to?: string | null | undefined;
            /** Default: `null`. */
            days?: number | null | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'yes_no';
            field_id: number;
            op: 'yes' | 'no' | 'empty';
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'tag';
            tag: string;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'list';
            list_id: number;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'consent';
            consents: Array<'opt_in' | 'asked' | 'opt_out' | 'none'>;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'time';
            time: 'created' | 'updated';
            op: 'last_days' | 'before' | 'after';
            /** Default: `null`. */
            day?: string | null | undefined;
            /** Default: `null`. */
            days?: number | null | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'event';
            event: 'sent' | 'delivered' | 'replied' | 'clicked' | 'converted';
            /** Default: `null`. */
            campaign_id?: number | null | undefined;
            /** Default: `null`. */
            link?: number | null | undefined;
            /** Default: `null`. */
            conversion?: string | null | undefined;
            /** Default: `null`. */
            days?: number | null | undefined;
            /** Default: `false`. */
            not?: boolean | undefined;
          } | {
            on: 'group';
            match: 'all' | 'any' | 'none';
            rules: Array<{
              on: 'text';
              field_id: number | null;
              op: 'is' | 'contains' | 'begins' | 'empty';
              /** Default: `null`. */
              value?: string | null | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'choice';
              field_id: number;
              op: 'in' | 'empty';
              /** Default: `[]`. */
              values?: Array<string> | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'number';
              field_id: number;
              op: 'is' | 'below' | 'above' | 'between' | 'empty';
              /** Default: `null`. */
              value?: number | null | undefined;
              /** Default: `null`. */
              to?: number | null | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'date';
              field_id: number;
              op: 'on' | 'before' | 'after' | 'between' | 'in_days' | 'days_ago' | 'next_days' | 'last_days' | 'birthday' | 'empty';
              /** Default: `null`. */
              day?: string | null | undefined;
              /** Default: `null`. */
              to?: string | null | undefined;
              /** Default: `null`. */
              days?: number | null | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'yes_no';
              field_id: number;
              op: 'yes' | 'no' | 'empty';
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'tag';
              tag: string;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'list';
              list_id: number;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'consent';
              consents: Array<'opt_in' | 'asked' | 'opt_out' | 'none'>;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'time';
              time: 'created' | 'updated';
              op: 'last_days' | 'before' | 'after';
              /** Default: `null`. */
              day?: string | null | undefined;
              /** Default: `null`. */
              days?: number | null | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            } | {
              on: 'event';
              event: 'sent' | 'delivered' | 'replied' | 'clicked' | 'converted';
              /** Default: `null`. */
              campaign_id?: number | null | undefined;
              /** Default: `null`. */
              link?: number | null | undefined;
              /** Default: `null`. */
              conversion?: string | null | undefined;
              /** Default: `null`. */
              days?: number | null | undefined;
              /** Default: `false`. */
              not?: boolean | undefined;
            }>;
          }>;
        }>;
      }>;
    }>;
  } | undefined;
};

export type ChangeSegmentReply = GetSegmentReply;

export type DeleteSegmentReply = DeleteContactReply;

export type CountSegmentContactsReply = {
  contacts: number;
};

export type ListJourneysReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    name: string;
    /** People enter and go on only while it is `running`. */
    state: 'draft' | 'running' | 'paused' | 'stopped';
    /** Number of the version that people enter; null for none. */
    version: number | null;
    /** Cause for which people enter, as a sentence in the language of the maker of the key. */
    trigger: string;
    /** People who ever entered. */
    entered: number;
    /** Cost of the messages so far. */
    spent: string;
    /** Most that the messages may cost; null for no budget. */
    budget: string | null;
    currency: string;
    created_at: string;
    updated_at: string;
  }>;
  next_cursor: string | null;
  has_more: boolean;
};

export type GetJourneyReply = {
  /** Id, as a decimal string. */
  id: string;
  name: string;
  /** People enter and go on only while it is `running`. */
  state: 'draft' | 'running' | 'paused' | 'stopped';
  /** Number of the version that people enter; null for none. */
  version: number | null;
  /** Cause for which people enter, as a sentence in the language of the maker of the key. */
  trigger: string;
  /** People who ever entered. */
  entered: number;
  /** Cost of the messages so far. */
  spent: string;
  /** Most that the messages may cost; null for no budget. */
  budget: string | null;
  currency: string;
  created_at: string;
  updated_at: string;
};

export type EnterJourneyRequest = SaveContactRequest;

export type EnterJourneyReply = {
  entered: boolean;
};

export type ListEventsReply = {
  data: Array<{
    type: 'message.delivered';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** Error code of the carrier, or `moderation` if the platform rejected the message. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Campaign of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
      parameters: Record<string, string>;
      /** Time of the final state. */
      done_at: string;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'message.failed';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** Error code of the carrier, or `moderation` if the platform rejected the message. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Campaign of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
      parameters: Record<string, string>;
      /** Time of the final state. */
      done_at: string;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'message.expired';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** Error code of the carrier, or `moderation` if the platform rejected the message. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Campaign of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
      parameters: Record<string, string>;
      /** Time of the final state. */
      done_at: string;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'message.corrected';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      /** State that the carrier now reports. The state of the message itself does not change. */
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** Error code of the carrier, or `moderation` if the platform rejected the message. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Campaign of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
      parameters: Record<string, string>;
      /** Time of the report by the carrier. */
      done_at: string;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'message.received';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      /** Number of the phone. */
      from: string | null;
      /** Short code, number or sender ID that the phone sent to. */
      to: string | null;
      text: string | null;
      keyword: string | null;
      /** The text is hexadecimal. */
      binary: boolean;
      /** Parameters that the carrier added, by name, or by tag such as `0x1401` and in hexadecimal. */
      parameters: Record<string, string>;
      received_at: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'campaign.finished';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      name: string | null;
      state: 'completed' | 'stopped' | 'failed';
      messages: number | null;
      submitted: number;
      delivered: number;
      failed: number;
      expired: number;
      /** Messages that were never handed to a carrier. They are not counted as failed. */
      blocked: number;
      cancelled: number;
      /** Decimal string with three decimals. */
      charged: string;
      currency: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'link.clicked';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      campaign_id: string;
      /** Name of the campaign. */
      campaign: string | null;
      /** Place of the link in the text, from 1. */
      link: number | null;
      /** Address that the link leads to. */
      url: string | null;
      /** Code of the short link. It is the same in the text of the message and in conversions. */
      code: string;
      /** Number of the recipient; null if the corporation does not name who clicks, or the number was removed. */
      to: string | null;
      /** Time of the first click. */
      clicked_at: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'journey.step';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      journey_id: string;
      /** Name of the journey. */
      journey: string | null;
      /** Id of the step. */
      step: number;
      /** Name that the step has for programs. */
      name: string;
      /** Number of the person; null if the contact was deleted. */
      to: string | null;
      /** Contact of the person; null if it was deleted. In the feed also null without the scope `contacts:read`. */
      contact: {
        /** Id, as a decimal string. */
        id: string;
        name: string | null;
        /** Values by the keys of the fields, as they are now. */
        fields: Record<string, string | number | boolean | null>;
      } | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'verification.approved';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      service: string | null;
      to: string | null;
      status: 'approved' | 'failed' | 'expired';
      language: 'en' | 'cn' | 'zh' | 'fp' | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      created_at: string | null;
      done_at: string | null;
      test: boolean;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'verification.failed';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      service: string | null;
      to: string | null;
      status: 'approved' | 'failed' | 'expired';
      language: 'en' | 'cn' | 'zh' | 'fp' | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      created_at: string | null;
      done_at: string | null;
      test: boolean;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'verification.expired';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      service: string | null;
      to: string | null;
      status: 'approved' | 'failed' | 'expired';
      language: 'en' | 'cn' | 'zh' | 'fp' | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      created_at: string | null;
      done_at: string | null;
      test: boolean;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'balance.low';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      billing_account_id: string;
      name: string | null;
      /** Limit of the account that was passed. */
      limit: 'low_balance' | 'cost_warning';
      /** Decimal string with three decimals. */
      balance: string;
      currency: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'payment.received';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Top-up; null for a payment that a person entered. */
      id: string | null;
      billing_account_id: string | null;
      /** What the account got. */
      amount: string | null;
      /** What was paid, with the fee. */
      total: string | null;
      currency: string | null;
      /** Name of the payment method. */
      method: string | null;
      reference: string | null;
      client_reference: string | null;
      paid_at: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'invoice.issued';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      kind: 'invoice' | 'credit_note' | 'receipt' | null;
      number: string | null;
      issue_date: string | null;
      due_date: string | null;
      total: string | null;
      currency: string | null;
      billing_account_id: string | null;
      /** Invoice that a credit note is about. */
      credited_invoice_id: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  }>;
  next_cursor: string;
  has_more: boolean;
};

export type MoveEventGroupRequest = {
  /** `next_cursor` of a page, or `id` of an event of the stream. */
  cursor: string;
  /** Part of the events that the program reads. Default: `"1/1"`. */
  share?: string | undefined;
};

export type MoveEventGroupReply = {
  group: string;
  share: string;
  cursor: string;
  stored_at: string;
};

export type SampleEventsReply = {
  data: Array<{
    type: 'message.delivered';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** Error code of the carrier, or `moderation` if the platform rejected the message. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Campaign of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
      parameters: Record<string, string>;
      /** Time of the final state. */
      done_at: string;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'message.failed';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** Error code of the carrier, or `moderation` if the platform rejected the message. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Campaign of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
      parameters: Record<string, string>;
      /** Time of the final state. */
      done_at: string;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'message.expired';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** Error code of the carrier, or `moderation` if the platform rejected the message. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Campaign of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
      parameters: Record<string, string>;
      /** Time of the final state. */
      done_at: string;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'message.corrected';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      /** State that the carrier now reports. The state of the message itself does not change. */
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** Error code of the carrier, or `moderation` if the platform rejected the message. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Campaign of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
      parameters: Record<string, string>;
      /** Time of the report by the carrier. */
      done_at: string;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'message.received';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      /** Number of the phone. */
      from: string | null;
      /** Short code, number or sender ID that the phone sent to. */
      to: string | null;
      text: string | null;
      keyword: string | null;
      /** The text is hexadecimal. */
      binary: boolean;
      /** Parameters that the carrier added, by name, or by tag such as `0x1401` and in hexadecimal. */
      parameters: Record<string, string>;
      received_at: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'campaign.finished';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      name: string | null;
      state: 'completed' | 'stopped' | 'failed';
      messages: number | null;
      submitted: number;
      delivered: number;
      failed: number;
      expired: number;
      /** Messages that were never handed to a carrier. They are not counted as failed. */
      blocked: number;
      cancelled: number;
      /** Decimal string with three decimals. */
      charged: string;
      currency: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'link.clicked';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      campaign_id: string;
      /** Name of the campaign. */
      campaign: string | null;
      /** Place of the link in the text, from 1. */
      link: number | null;
      /** Address that the link leads to. */
      url: string | null;
      /** Code of the short link. It is the same in the text of the message and in conversions. */
      code: string;
      /** Number of the recipient; null if the corporation does not name who clicks, or the number was removed. */
      to: string | null;
      /** Time of the first click. */
      clicked_at: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'journey.step';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      journey_id: string;
      /** Name of the journey. */
      journey: string | null;
      /** Id of the step. */
      step: number;
      /** Name that the step has for programs. */
      name: string;
      /** Number of the person; null if the contact was deleted. */
      to: string | null;
      /** Contact of the person; null if it was deleted. In the feed also null without the scope `contacts:read`. */
      contact: {
        /** Id, as a decimal string. */
        id: string;
        name: string | null;
        /** Values by the keys of the fields, as they are now. */
        fields: Record<string, string | number | boolean | null>;
      } | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'verification.approved';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      service: string | null;
      to: string | null;
      status: 'approved' | 'failed' | 'expired';
      language: 'en' | 'cn' | 'zh' | 'fp' | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      created_at: string | null;
      done_at: string | null;
      test: boolean;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'verification.failed';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      service: string | null;
      to: string | null;
      status: 'approved' | 'failed' | 'expired';
      language: 'en' | 'cn' | 'zh' | 'fp' | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      created_at: string | null;
      done_at: string | null;
      test: boolean;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'verification.expired';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      service: string | null;
      to: string | null;
      status: 'approved' | 'failed' | 'expired';
      language: 'en' | 'cn' | 'zh' | 'fp' | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      created_at: string | null;
      done_at: string | null;
      test: boolean;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'balance.low';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      billing_account_id: string;
      name: string | null;
      /** Limit of the account that was passed. */
      limit: 'low_balance' | 'cost_warning';
      /** Decimal string with three decimals. */
      balance: string;
      currency: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'payment.received';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Top-up; null for a payment that a person entered. */
      id: string | null;
      billing_account_id: string | null;
      /** What the account got. */
      amount: string | null;
      /** What was paid, with the fee. */
      total: string | null;
      currency: string | null;
      /** Name of the payment method. */
      method: string | null;
      reference: string | null;
      client_reference: string | null;
      paid_at: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  } | {
    type: 'invoice.issued';
    /** Time of the event. */
    timestamp: string;
    data: {
      /** Id, as a decimal string. */
      id: string;
      kind: 'invoice' | 'credit_note' | 'receipt' | null;
      number: string | null;
      issue_date: string | null;
      due_date: string | null;
      total: string | null;
      currency: string | null;
      billing_account_id: string | null;
      /** Invoice that a credit note is about. */
      credited_invoice_id: string | null;
    };
    /** Id, as a decimal string. */
    id: string;
  }>;
};

export type ListCallbacksReply = {
  data: Array<{
    /** Id, as a decimal string. */
    id: string;
    url: string;
    types: Array<'message.delivered' | 'message.failed' | 'message.expired' | 'message.corrected' | 'message.received' | 'campaign.finished' | 'link.clicked' | 'journey.step' | 'verification.approved' | 'verification.failed' | 'verification.expired' | 'balance.low' | 'payment.received' | 'invoice.issued'>;
    description: string | null;
    /** `failing`: the last calls did not arrive, and are tried again. `paused`: nothing arrived for three days, or the address answered 410. */
    status: 'active' | 'failing' | 'paused' | 'disabled';
    created_at: string;
  }>;
};

export type AddCallbackRequest = {
  /** Public https address. */
  url: string;
  /** Types of events to send. */
  types: Array<'message.delivered' | 'message.failed' | 'message.expired' | 'message.corrected' | 'message.received' | 'campaign.finished' | 'link.clicked' | 'journey.step' | 'verification.approved' | 'verification.failed' | 'verification.expired' | 'balance.low' | 'payment.received' | 'invoice.issued'>;
  /** What receives the events, for people in the console. */
  description?: string | undefined;
};

export type AddCallbackReply = {
  /** Id, as a decimal string. */
  id: string;
  url: string;
  types: Array<'message.delivered' | 'message.failed' | 'message.expired' | 'message.corrected' | 'message.received' | 'campaign.finished' | 'link.clicked' | 'journey.step' | 'verification.approved' | 'verification.failed' | 'verification.expired' | 'balance.low' | 'payment.received' | 'invoice.issued'>;
  description: string | null;
  /** `failing`: the last calls did not arrive, and are tried again. `paused`: nothing arrived for three days, or the address answered 410. */
  status: 'active' | 'failing' | 'paused' | 'disabled';
  created_at: string;
  /** Secret that signs the calls, by Standard Webhooks. */
  secret: string;
};

export type RemoveCallbackReply = DeleteContactReply;

export type ListHandsetsReply = {
  data: Array<{
    /** Number of the handset. Masked, such as `63917•••••67`, if the key may not see numbers. */
    number: string;
    /** Messages that it received. */
    messages: number;
    last_at: string;
  }>;
};

export type ListHandsetMessagesReply = {
  data: Array<{
    /** As the phone sees it. */
    direction: 'received' | 'sent';
    /** Id of the message, or of the message from the phone. */
    id: string;
    /** Sender ID or number on the other side. */
    with: string;
    /** Empty if the key may not see texts. */
    text: string;
    /** Parts that have arrived. */
    parts: number;
    /** State of the message; null for an answer of the phone. */
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked' | 'scheduled' | null;
    at: string;
  }>;
};

export type ReplyFromHandsetRequest = {
  /** Number of a handset that has received a message. */
  from: string;
  text: string;
};

export type ReplyFromHandsetReply = {
  /** Id, as a decimal string. */
  id: string;
  /** Number of the handset. Masked, such as `63917•••••67`, if the key may not see numbers. */
  from: string;
  /** Sender ID of the last message that the handset received. */
  to: string;
  received_at: string;
};

export type MoveSandboxTimeRequest = {
  seconds: number;
};

export type MoveSandboxTimeReply = {
  seconds: number;
  /** Receipts and answers of handsets that waited. */
  receipts: number;
  /** Messages that waited. */
  messages: number;
  /** Verifications that waited. */
  verifications: number;
};

export type MessageDeliveredCallback = {
  type: 'message.delivered';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    id: string;
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
    /** Error code of the carrier, or `moderation` if the platform rejected the message. */
    error_code: string | null;
    from: string | null;
    to: string | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    tags: Array<string>;
    batch_id: string | null;
    /** Campaign of a message that was sent in the console. */
    campaign_id: string | null;
    created_at: string | null;
    /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
    parameters: Record<string, string>;
    /** Time of the final state. */
    done_at: string;
  };
};

export type MessageFailedCallback = {
  type: 'message.failed';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    id: string;
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
    /** Error code of the carrier, or `moderation` if the platform rejected the message. */
    error_code: string | null;
    from: string | null;
    to: string | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    tags: Array<string>;
    batch_id: string | null;
    /** Campaign of a message that was sent in the console. */
    campaign_id: string | null;
    created_at: string | null;
    /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
    parameters: Record<string, string>;
    /** Time of the final state. */
    done_at: string;
  };
};

export type MessageExpiredCallback = {
  type: 'message.expired';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    id: string;
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
    /** Error code of the carrier, or `moderation` if the platform rejected the message. */
    error_code: string | null;
    from: string | null;
    to: string | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    tags: Array<string>;
    batch_id: string | null;
    /** Campaign of a message that was sent in the console. */
    campaign_id: string | null;
    created_at: string | null;
    /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
    parameters: Record<string, string>;
    /** Time of the final state. */
    done_at: string;
  };
};

export type MessageCorrectedCallback = {
  type: 'message.corrected';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    id: string;
    /** State that the carrier now reports. The state of the message itself does not change. */
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
    /** Error code of the carrier, or `moderation` if the platform rejected the message. */
    error_code: string | null;
    from: string | null;
    to: string | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    tags: Array<string>;
    batch_id: string | null;
    /** Campaign of a message that was sent in the console. */
    campaign_id: string | null;
    created_at: string | null;
    /** Parameters of the carrier’s receipt, by the names that the operator gave them. */
    parameters: Record<string, string>;
    /** Time of the report by the carrier. */
    done_at: string;
  };
};

export type MessageReceivedCallback = {
  type: 'message.received';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    id: string;
    /** Number of the phone. */
    from: string | null;
    /** Short code, number or sender ID that the phone sent to. */
    to: string | null;
    text: string | null;
    keyword: string | null;
    /** The text is hexadecimal. */
    binary: boolean;
    /** Parameters that the carrier added, by name, or by tag such as `0x1401` and in hexadecimal. */
    parameters: Record<string, string>;
    received_at: string | null;
  };
};

export type CampaignFinishedCallback = {
  type: 'campaign.finished';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    id: string;
    name: string | null;
    state: 'completed' | 'stopped' | 'failed';
    messages: number | null;
    submitted: number;
    delivered: number;
    failed: number;
    expired: number;
    /** Messages that were never handed to a carrier. They are not counted as failed. */
    blocked: number;
    cancelled: number;
    /** Decimal string with three decimals. */
    charged: string;
    currency: string | null;
  };
};

export type LinkClickedCallback = {
  type: 'link.clicked';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    campaign_id: string;
    /** Name of the campaign. */
    campaign: string | null;
    /** Place of the link in the text, from 1. */
    link: number | null;
    /** Address that the link leads to. */
    url: string | null;
    /** Code of the short link. It is the same in the text of the message and in conversions. */
    code: string;
    /** Number of the recipient; null if the corporation does not name who clicks, or the number was removed. */
    to: string | null;
    /** Time of the first click. */
    clicked_at: string | null;
  };
};

export type JourneyStepCallback = {
  type: 'journey.step';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    journey_id: string;
    /** Name of the journey. */
    journey: string | null;
    /** Id of the step. */
    step: number;
    /** Name that the step has for programs. */
    name: string;
    /** Number of the person; null if the contact was deleted. */
    to: string | null;
    /** Contact of the person; null if it was deleted. In the feed also null without the scope `contacts:read`. */
    contact: {
      /** Id, as a decimal string. */
      id: string;
      name: string | null;
      /** Values by the keys of the fields, as they are now. */
      fields: Record<string, string | number | boolean | null>;
    } | null;
  };
};

export type VerificationApprovedCallback = {
  type: 'verification.approved';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    id: string;
    service: string | null;
    to: string | null;
    status: 'approved' | 'failed' | 'expired';
    language: 'en' | 'cn' | 'zh' | 'fp' | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    created_at: string | null;
    done_at: string | null;
    test: boolean;
  };
};

export type VerificationFailedCallback = {
  type: 'verification.failed';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    id: string;
    service: string | null;
    to: string | null;
    status: 'approved' | 'failed' | 'expired';
    language: 'en' | 'cn' | 'zh' | 'fp' | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    created_at: string | null;
    done_at: string | null;
    test: boolean;
  };
};

export type VerificationExpiredCallback = {
  type: 'verification.expired';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    id: string;
    service: string | null;
    to: string | null;
    status: 'approved' | 'failed' | 'expired';
    language: 'en' | 'cn' | 'zh' | 'fp' | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    created_at: string | null;
    done_at: string | null;
    test: boolean;
  };
};

export type BalanceLowCallback = {
  type: 'balance.low';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    billing_account_id: string;
    name: string | null;
    /** Limit of the account that was passed. */
    limit: 'low_balance' | 'cost_warning';
    /** Decimal string with three decimals. */
    balance: string;
    currency: string | null;
  };
};

export type PaymentReceivedCallback = {
  type: 'payment.received';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Top-up; null for a payment that a person entered. */
    id: string | null;
    billing_account_id: string | null;
    /** What the account got. */
    amount: string | null;
    /** What was paid, with the fee. */
    total: string | null;
    currency: string | null;
    /** Name of the payment method. */
    method: string | null;
    reference: string | null;
    client_reference: string | null;
    paid_at: string | null;
  };
};

export type InvoiceIssuedCallback = {
  type: 'invoice.issued';
  /** Time of the event. */
  timestamp: string;
  data: {
    /** Id, as a decimal string. */
    id: string;
    kind: 'invoice' | 'credit_note' | 'receipt' | null;
    number: string | null;
    issue_date: string | null;
    due_date: string | null;
    total: string | null;
    currency: string | null;
    billing_account_id: string | null;
    /** Invoice that a credit note is about. */
    credited_invoice_id: string | null;
  };
};
