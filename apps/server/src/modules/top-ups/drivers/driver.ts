/** Fault of a provider that a later try may not have: it did not answer, or asked to wait. */
export class ProviderUnreachable extends Error {}

/** Refusal of a provider; `message` is its text, cut to a line. */
export class ProviderRefused extends Error {}

/** Keys of a payment method, opened. */
export interface Keys {
  public_key: string | null;
  secret_key: string;
}

/** A request to a provider's API, relative to its address. */
export interface ProviderCall {
  method: 'GET' | 'POST';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/**
 * Makes a call and parses the answer. Throws `ProviderUnreachable` and `ProviderRefused`; undefined for 404.
 */
export type CallProvider = <Answer>(call: ProviderCall) => Promise<Answer | undefined>;

/** Everything with which a driver works. */
export interface Merchant extends Keys {
  call: CallProvider;
}

/** Page that the customer is sent to. Amounts are thousandths. */
export interface Wanted {
  reference: string;
  total: number;
  currency: string;
  description: string;
  return_url: string;
  save_method: boolean;
}

export interface Opened {
  checkout_id: string;
  url: string;
  /** RFC 3339; null if the provider does not say. */
  expires_at: string | null;
}

/** Top-up as the provider knows it. */
export interface Known {
  reference: string;
  currency: string;
  checkout_id: string;
  payment_id: string | null;
}

/** Money that went back, in thousandths. */
export interface SeenReturn {
  kind: 'refund' | 'chargeback';
  provider_id: string;
  amount: number;
  state: 'pending' | 'done' | 'failed' | 'open' | 'lost' | 'won';
  /** Key of our own refund; null for one that was made at the provider. */
  key: string | null;
}

/** State of a payment at its provider. It is the only source of what a top-up becomes. */
export interface Seen {
  state: 'open' | 'paid' | 'failed' | 'expired';
  reference: string;
  /** Thousandths of `currency`. */
  total: number;
  currency: string;
  payment_id: string | null;
  method_label: string | null;
  returns: SeenReturn[];
  /** References of a card that the provider keeps; null without one. */
  saved: { customer: string; method: string } | null;
}

/** Refund that is asked of a provider. */
export interface WantedRefund {
  payment_id: string;
  amount: number;
  currency: string;
  key: string;
  reason: string;
}

/** Charge of a card that the provider keeps. */
export interface WantedCharge {
  reference: string;
  total: number;
  currency: string;
  customer: string;
  method: string;
}

/** Content of a notice: where to look. */
export interface Notice {
  event_id: string;
  type: string;
  reference: string | null;
  payment_id: string | null;
}

export interface NoticeInput {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Body as it came. */
  body: string;
  /** Null if the provider signs nothing, or the secret is not set yet. */
  secret: string | null;
  mode: string;
  now: Date;
}

/** Why a notice is not taken. */
export type NoticeFault = 'signature' | 'late' | 'unreadable';

/** Everything about cards that a provider keeps. */
export interface CardDriver {
  /** Charges a card without the customer, and returns the id of the payment. */
  charge(merchant: Merchant, wanted: WantedCharge): Promise<string>;
  /** Returns the id of a charge that was made before; null if there is none. */
  find(merchant: Merchant, wanted: WantedCharge): Promise<string | null>;
  /** Removes a card. */
  forget(merchant: Merchant, method: string): Promise<void>;
}

/** Everything that differs between providers. */
export interface Driver {
  open(merchant: Merchant, wanted: Wanted): Promise<Opened>;
  look(merchant: Merchant, known: Known): Promise<Seen | undefined>;
  refund(merchant: Merchant, wanted: WantedRefund): Promise<void>;
  /** Registers the address for notices. Returns the secret that signs them; null if there is none. */
  register(merchant: Merchant, url: string): Promise<string | null>;
  notice(input: NoticeInput): Notice | NoticeFault;
  /** Kept cards; absent if the provider keeps none. */
  card?: CardDriver;
}
