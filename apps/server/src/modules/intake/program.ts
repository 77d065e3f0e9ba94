import type { BusinessError } from '#platform/errors';
import type { MessageClass } from '#platform/schema';

/** A customer's software as it was let in: by an API key or by a system id. */
export interface Program {
  corporation_id: number;
  department_id: number | null;
  /** The person whose program it is: their rules hold for it. */
  user_id: number;
  billing_account_id: number;
  /** Null for a system id. */
  api_key_id: number | null;
  /** Null for an API key. */
  smpp_system_id: number | null;
  /** Reads national numbers such as 0917… by the operator's rule; others must bring their country code. */
  read_national: boolean;
  /** What it sends goes to links for tests and costs nothing. */
  is_test: boolean;
}

/** One message as a program asks for it. */
export interface Submission {
  /** The sender ID as phones show it. */
  from: string;
  /** The recipient as it was written: digits, or what the number rules make digits of. */
  to: string;
  text: string;
  /** `gsm` refuses a text that needs Unicode; the others send a text as it needs to be sent. */
  encoding?: 'auto' | 'gsm' | 'ucs2';
  flash?: boolean;
  class: MessageClass;
  /** RFC 3339; it leaves no sooner. What is past is now. */
  send_at?: string | null;
  /** Minutes it is worth delivering, from the moment it may leave; the account's where left out. */
  validity_minutes?: number | null;
  client_ref?: string | null;
  /** Another of the key's messages with the same reference refuses it. */
  unique_ref?: boolean;
  /**
   * Its `client_ref` is of this message alone, and whoever hands it in again, in whatever process, is refused with `client_ref_taken`.
   * It is not written later than `before` (performance.now()).
   */
  once?: { before: number };
  callback_url?: string | null;
  tags?: readonly string[];
  /** Nothing is added to the text: neither the signature nor how to opt out. */
  as_is?: boolean;
  /** Whether its end is an event. */
  tells: boolean;
  smpp?: { registered_delivery: number };
  /** It was refused before it came: it stands among the others for their answer's sake. */
  refused?: BusinessError;
}

/** A message that stands in the database, and what is reserved for it in thousandths. */
export interface Accepted {
  /** As its program knows it. */
  id: number;
  msisdn: string;
  parts: number;
  price: number;
  currency: string;
  /** RFC 3339. */
  expires_at: string;
  /** RFC 3339; null: it leaves at once. */
  not_before: string | null;
}

export type Result = Accepted | BusinessError;

/** What is told of a unit that was written, so that the answer can be written beside it. */
export interface Written {
  results: readonly Result[];
  batch_id: number | null;
}

/** What a message would cost, and what would be sent. */
export type Estimated = Pick<Accepted, 'msisdn' | 'parts' | 'price'> & { text: string; unicode: boolean };

/** An answer over HTTP. */
export interface Answer {
  status: number;
  /** JSON. */
  body: string;
}

/** What is accepted or answered together, in one transaction. */
export interface Unit {
  program: Program;
  submissions: readonly Submission[];
  /** They are a batch, which is written with them. */
  batch?: { client_ref: string | null; tags: readonly string[] };
  /** Kept with the effects; a repetition is answered from it. */
  idempotency?: { key: string; hash: Buffer };
  /** Makes the answer that is kept; null keeps none, since nothing was accepted. */
  answer?(written: Written): Answer | null;
}

/** What became of a unit. */
export interface Outcome extends Written {
  /** Where the unit makes one. */
  answer: Answer | null;
  /** It was answered before, and nothing was done. */
  replayed: boolean;
}
