// Made by scripts/generate-client-types.ts of packages/contract/src/api: change it there.

/** Error codes of the API. More may be added. */
export type ErrorCode = 'malformed_request' | 'unauthenticated' | 'forbidden' | 'scope_missing' | 'address_not_allowed' | 'payload_too_large' | 'unsupported_media_type' | 'validation_failed' | 'too_many_requests' | 'internal_error' | 'unavailable' | 'changes_paused' | 'changes_unconfirmed' | 'sender_not_allowed' | 'flash_not_allowed' | 'text_too_long' | 'insufficient_credit' | 'billing_account_suspended' | 'billing_account_missing' | 'reseller_account_unavailable' | 'price_plan_not_in_force' | 'no_route' | 'program_disabled' | 'client_ref_taken' | 'idempotency_key_reused' | 'idempotency_in_flight' | 'not_found' | 'cursor_invalid' | 'message_has_left' | 'nothing_accepted' | 'batch_has_left';

/** RFC 9457. `code` is for programs. `message` and `errors` are for people and name the field and the fix. */
export type Problem = {
  /** Address of a page about this kind of error, relative to the address of the call. */
  type: string;
  /** Name of this kind of error, the same each time. */
  title: string;
  status: number;
  code: string;
  /** The cause of the code `unavailable`, where it is known. The header Retry-After says when to try again. */
  reason?: 'database_unreachable' | 'database_restarting' | 'database_read_only' | 'database_connections' | 'database_locked' | 'database_too_slow' | 'database_out_of_memory' | 'database_full' | 'database_fault' | 'storage_unreachable' | 'storage_full' | 'overloaded' | 'stopping' | undefined;
  detail?: string | undefined;
  /** Tell it to us when you ask about a call. */
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
  /** Shown at once and not kept by the phone. Your account must allow it. Default: `false`. */
  flash?: boolean | undefined;
  /** `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`. */
  class?: 'otp' | 'transactional' | 'bulk' | undefined;
  /** Leaves no sooner than this, at most 7 days ahead. RFC 3339. Left out: at once. */
  send_at?: string | undefined;
  /** Minutes after which the message is not delivered any more. The maximum of your account is also the default. */
  validity?: number | undefined;
  /** Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way. */
  callback_url?: string | undefined;
  /** Your own words, given back in answers and callbacks. Default: `[]`. */
  tags?: Array<string> | undefined;
  /** Your own name for it, given back in answers and callbacks. */
  client_ref?: string | undefined;
  /** If true, a `client_ref` that another message of this key has is refused. Default: `false`. */
  unique_ref?: boolean | undefined;
};

export type SendMessageReply = {
  /** An id, as a decimal string. */
  id: string;
  /** Digits alone. */
  to: string;
  state: 'pending' | 'scheduled';
  parts: number;
  /** What is reserved for it. It is charged as your account says. */
  price: string;
  currency: string;
  client_ref: string | null;
  send_at: string | null;
  expires_at: string;
  /** A test key sent it: it goes to a link for tests and costs nothing. */
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
  /** Shown at once and not kept by the phone. Your account must allow it. Default: `false`. */
  flash?: boolean | undefined;
  /** `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`. */
  class?: 'otp' | 'transactional' | 'bulk' | undefined;
};

export type EstimateMessageReply = {
  /** Text with the signature and the opt-out notice. Null if all recipients are refused. */
  text: string | null;
  encoding: 'gsm' | 'ucs2' | null;
  /** How many would be accepted. */
  messages: number;
  parts: number;
  /** An amount with three decimals, as a decimal string. */
  price: string;
  currency: string;
  recipients: Array<{
    index: number;
    to: string;
    parts: number;
    /** An amount with three decimals, as a decimal string. */
    price: string;
  }>;
  rejected: Array<{
    code: string;
    field: string | null;
    detail: string;
    /** Its place in the request, from 0. */
    index: number;
    to: string;
  }>;
};

export type GetMessageReply = {
  /** An id, as a decimal string. */
  id: string;
  from: string;
  to: string;
  /** As it was sent. Null where the person of the key may not see texts. */
  text: string | null;
  state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked' | 'scheduled';
  /** As the carrier gave it. */
  error_code: string | null;
  class: 'otp' | 'transactional' | 'bulk';
  encoding: 'gsm' | 'ucs2';
  flash: boolean;
  parts: number;
  /** An amount with three decimals, as a decimal string. */
  price: string;
  currency: string;
  client_ref: string | null;
  tags: Array<string>;
  callback_url: string | null;
  batch_id: string | null;
  send_at: string | null;
  expires_at: string | null;
  created_at: string;
  /** When it came to its end. */
  done_at: string | null;
  test: boolean;
};

export type ListMessagesReply = {
  data: Array<{
    /** An id, as a decimal string. */
    id: string;
    from: string;
    to: string;
    /** As it was sent. Null where the person of the key may not see texts. */
    text: string | null;
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked' | 'scheduled';
    /** As the carrier gave it. */
    error_code: string | null;
    class: 'otp' | 'transactional' | 'bulk';
    encoding: 'gsm' | 'ucs2';
    flash: boolean;
    parts: number;
    /** An amount with three decimals, as a decimal string. */
    price: string;
    currency: string;
    client_ref: string | null;
    tags: Array<string>;
    callback_url: string | null;
    batch_id: string | null;
    send_at: string | null;
    expires_at: string | null;
    created_at: string;
    /** When it came to its end. */
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
    /** In the place of the common one, and sent as it is. */
    text?: string | undefined;
    /** What stands in the place of `{name}` and `{param1}` to `{param9}` in the text. */
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
    /** Your own name for it, given back in answers and callbacks. */
    client_ref?: string | undefined;
  }>;
  /** One of your sender IDs, as phones show it: 1 to 11 characters, or a number. */
  from: string;
  /** `gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: `"auto"`. */
  encoding?: 'auto' | 'gsm' | 'ucs2' | undefined;
  /** Shown at once and not kept by the phone. Your account must allow it. Default: `false`. */
  flash?: boolean | undefined;
  /** `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`. */
  class?: 'otp' | 'transactional' | 'bulk' | undefined;
  /** Leaves no sooner than this, at most 7 days ahead. RFC 3339. Left out: at once. */
  send_at?: string | undefined;
  /** Minutes after which the message is not delivered any more. The maximum of your account is also the default. */
  validity?: number | undefined;
  /** Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way. */
  callback_url?: string | undefined;
  /** Your own words, given back in answers and callbacks. Default: `[]`. */
  tags?: Array<string> | undefined;
  /** Your own name for the batch. */
  client_ref?: string | undefined;
  /** If true, a `client_ref` that another message of this key has is refused. Default: `false`. */
  unique_ref?: boolean | undefined;
};

export type SendBatchReply = {
  /** An id, as a decimal string. */
  id: string;
  total: number;
  accepted: number;
  parts: number;
  /** The sum of what is reserved, as a decimal string. */
  price: string;
  currency: string;
  client_ref: string | null;
  tags: Array<string>;
  /** Those that were not accepted; they cost nothing. */
  rejected: Array<{
    code: string;
    field: string | null;
    detail: string;
    /** Its place in the request, from 0. */
    index: number;
    to: string;
  }>;
  test: boolean;
};

export type GetBatchReply = {
  /** An id, as a decimal string. */
  id: string;
  total: number;
  accepted: number;
  parts: number;
  /** The sum of what is reserved, as a decimal string. */
  price: string;
  currency: string;
  client_ref: string | null;
  tags: Array<string>;
  /** Those that were not accepted; they cost nothing. */
  rejected: Array<{
    code: string;
    field: string | null;
    detail: string;
    /** Its place in the request, from 0. */
    index: number;
    to: string;
  }>;
  states: { [Key in 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked' | 'scheduled']?: number };
  created_at: string;
};

export type CancelBatchReply = GetBatchReply;

export type GetBalanceReply = {
  billing_account: string;
  /** A decimal string with three decimals. */
  credit: string;
  /** Taken from the credit for messages that have not ended. */
  reserved: string;
  /** How far the credit may go below zero. */
  credit_limit: string;
  /** What may be spent now. */
  available: string;
  currency: string;
  suspended: boolean;
};

export type ListInboundReply = {
  data: Array<{
    /** An id, as a decimal string. */
    id: string;
    /** The phone. */
    from: string;
    /** Short code, number or sender ID that the phone sent to. */
    to: string;
    text: string;
    keyword: string | null;
    /** The text is hexadecimal. */
    binary: boolean;
    received_at: string;
  }>;
  next_cursor: string;
  has_more: boolean;
};

export type ListEventsReply = {
  data: Array<{
    type: 'message.delivered';
    /** When it happened. */
    timestamp: string;
    data: {
      /** An id, as a decimal string. */
      id: string;
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** As the carrier gave it. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** When it came to its end. */
      done_at: string;
    };
    /** An id, as a decimal string. */
    id: string;
  } | {
    type: 'message.failed';
    /** When it happened. */
    timestamp: string;
    data: {
      /** An id, as a decimal string. */
      id: string;
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** As the carrier gave it. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** When it came to its end. */
      done_at: string;
    };
    /** An id, as a decimal string. */
    id: string;
  } | {
    type: 'message.expired';
    /** When it happened. */
    timestamp: string;
    data: {
      /** An id, as a decimal string. */
      id: string;
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** As the carrier gave it. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** When it came to its end. */
      done_at: string;
    };
    /** An id, as a decimal string. */
    id: string;
  } | {
    type: 'message.corrected';
    /** When it happened. */
    timestamp: string;
    data: {
      /** An id, as a decimal string. */
      id: string;
      /** As the carrier reports it now. The state of the message itself stays. */
      state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
      /** As the carrier gave it. */
      error_code: string | null;
      from: string | null;
      to: string | null;
      parts: number | null;
      price: string | null;
      currency: string | null;
      client_ref: string | null;
      tags: Array<string>;
      batch_id: string | null;
      /** Of a message that was sent in the console. */
      campaign_id: string | null;
      created_at: string | null;
      /** When the carrier reported it. */
      done_at: string;
    };
    /** An id, as a decimal string. */
    id: string;
  } | {
    type: 'message.received';
    /** When it happened. */
    timestamp: string;
    data: {
      /** An id, as a decimal string. */
      id: string;
      /** The phone. */
      from: string | null;
      /** Short code, number or sender ID that the phone sent to. */
      to: string | null;
      text: string | null;
      keyword: string | null;
      /** The text is hexadecimal. */
      binary: boolean;
      received_at: string | null;
    };
    /** An id, as a decimal string. */
    id: string;
  } | {
    type: 'campaign.finished';
    /** When it happened. */
    timestamp: string;
    data: {
      /** An id, as a decimal string. */
      id: string;
      name: string | null;
      state: 'completed' | 'stopped' | 'failed';
      messages: number | null;
      submitted: number;
      delivered: number;
      failed: number;
      expired: number;
      /** Never handed to a carrier; not among the failed. */
      blocked: number;
      cancelled: number;
      /** A decimal string with three decimals. */
      charged: string;
      currency: string | null;
    };
    /** An id, as a decimal string. */
    id: string;
  } | {
    type: 'balance.low';
    /** When it happened. */
    timestamp: string;
    data: {
      /** An id, as a decimal string. */
      billing_account_id: string;
      name: string | null;
      /** Which of the account’s limits was passed. */
      limit: 'low_balance' | 'cost_warning';
      /** A decimal string with three decimals. */
      balance: string;
      currency: string | null;
    };
    /** An id, as a decimal string. */
    id: string;
  }>;
  next_cursor: string;
  has_more: boolean;
};

export type MessageDeliveredCallback = {
  type: 'message.delivered';
  /** When it happened. */
  timestamp: string;
  data: {
    /** An id, as a decimal string. */
    id: string;
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
    /** As the carrier gave it. */
    error_code: string | null;
    from: string | null;
    to: string | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    tags: Array<string>;
    batch_id: string | null;
    /** Of a message that was sent in the console. */
    campaign_id: string | null;
    created_at: string | null;
    /** When it came to its end. */
    done_at: string;
  };
};

export type MessageFailedCallback = {
  type: 'message.failed';
  /** When it happened. */
  timestamp: string;
  data: {
    /** An id, as a decimal string. */
    id: string;
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
    /** As the carrier gave it. */
    error_code: string | null;
    from: string | null;
    to: string | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    tags: Array<string>;
    batch_id: string | null;
    /** Of a message that was sent in the console. */
    campaign_id: string | null;
    created_at: string | null;
    /** When it came to its end. */
    done_at: string;
  };
};

export type MessageExpiredCallback = {
  type: 'message.expired';
  /** When it happened. */
  timestamp: string;
  data: {
    /** An id, as a decimal string. */
    id: string;
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
    /** As the carrier gave it. */
    error_code: string | null;
    from: string | null;
    to: string | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    tags: Array<string>;
    batch_id: string | null;
    /** Of a message that was sent in the console. */
    campaign_id: string | null;
    created_at: string | null;
    /** When it came to its end. */
    done_at: string;
  };
};

export type MessageCorrectedCallback = {
  type: 'message.corrected';
  /** When it happened. */
  timestamp: string;
  data: {
    /** An id, as a decimal string. */
    id: string;
    /** As the carrier reports it now. The state of the message itself stays. */
    state: 'pending' | 'submitted' | 'delivered' | 'expired' | 'cancelled' | 'failed_internal' | 'failed_billing' | 'failed_submit' | 'failed_other' | 'blocked';
    /** As the carrier gave it. */
    error_code: string | null;
    from: string | null;
    to: string | null;
    parts: number | null;
    price: string | null;
    currency: string | null;
    client_ref: string | null;
    tags: Array<string>;
    batch_id: string | null;
    /** Of a message that was sent in the console. */
    campaign_id: string | null;
    created_at: string | null;
    /** When the carrier reported it. */
    done_at: string;
  };
};

export type MessageReceivedCallback = {
  type: 'message.received';
  /** When it happened. */
  timestamp: string;
  data: {
    /** An id, as a decimal string. */
    id: string;
    /** The phone. */
    from: string | null;
    /** Short code, number or sender ID that the phone sent to. */
    to: string | null;
    text: string | null;
    keyword: string | null;
    /** The text is hexadecimal. */
    binary: boolean;
    received_at: string | null;
  };
};

export type CampaignFinishedCallback = {
  type: 'campaign.finished';
  /** When it happened. */
  timestamp: string;
  data: {
    /** An id, as a decimal string. */
    id: string;
    name: string | null;
    state: 'completed' | 'stopped' | 'failed';
    messages: number | null;
    submitted: number;
    delivered: number;
    failed: number;
    expired: number;
    /** Never handed to a carrier; not among the failed. */
    blocked: number;
    cancelled: number;
    /** A decimal string with three decimals. */
    charged: string;
    currency: string | null;
  };
};

export type BalanceLowCallback = {
  type: 'balance.low';
  /** When it happened. */
  timestamp: string;
  data: {
    /** An id, as a decimal string. */
    billing_account_id: string;
    name: string | null;
    /** Which of the account’s limits was passed. */
    limit: 'low_balance' | 'cost_warning';
    /** A decimal string with three decimals. */
    balance: string;
    currency: string | null;
  };
};
