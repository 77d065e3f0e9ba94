import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { ParameterValues } from '@heliograph/contract/links/vendor-parameters';
import { isUrgent } from '#modules/delivery';
import type { Queryable } from '#platform/database/queryable';
import type { MessageClass } from '#platform/database/schema';
import type { BusinessError } from '#platform/errors';

/** Customer's software after it signed in with an API key or a system ID. */
export interface Program {
  corporation_id: number;
  department_id: number | null;
  /** Owner of the program; the rules for this user apply to it. */
  user_id: number;
  billing_account_id: number;
  /** Null for a system ID. */
  api_key_id: number | null;
  /** Null for an API key. */
  smpp_system_id: number | null;
  /** Accepts national numbers such as 0917… by the operator's rule. Other programs must write the country code. */
  read_national: boolean;
  /** Its messages go to test links and cost nothing. */
  is_test: boolean;
  /** True for work of the platform, such as journeys: it has the prices of the console and no record of a program. */
  own?: boolean;
}

/** One message as a program hands it in. */
export interface Submission {
  /** Sender ID as phones show it. */
  from: string;
  /** Recipient as the program wrote it: digits, or a form that the number rules convert to digits. */
  to: string;
  text: string;
  /** `gsm` refuses a text that needs Unicode; the other values choose the encoding that the text needs. */
  encoding?: 'auto' | 'gsm' | 'ucs2';
  flash?: boolean;
  class: MessageClass;
  /** RFC 3339; the message does not leave earlier. A time in the past means now. */
  send_at?: string | null;
  /** Validity in minutes, from the moment the message may leave. The account's validity is the default. */
  validity_minutes?: number | null;
  client_ref?: string | null;
  /** Refuses the message if another one of the key has the same reference. */
  unique_ref?: boolean;
  /**
   * Marks a `client_ref` that belongs to this message only. A second hand-in, by any process, is refused with
   * `client_ref_taken`. The message is not written later than `before` (performance.now()).
   */
  once?: { before: number };
  callback_url?: string | null;
  /** Form of the call to `callback_url`, such as `kannel:3`; null for the platform's own, which is signed. */
  callback_form?: string | null;
  tags?: readonly string[];
  /** Adds no signature and no opt-out text. */
  as_is?: boolean;
  /** Whether the end of the message is published as an event. */
  tells: boolean;
  /** Values of vendor parameters by name. */
  parameters?: ParameterValues;
  /** TLVs that a program sent, by tag and in hexadecimal; those that no link names are left out. */
  tlvs?: ParameterValues | null;
  /** True refuses it if a lookup says that nobody has the number. */
  skip_dead?: boolean;
  /** Places of a code in the text, `[from, after]`, in order. The text is encrypted, and people see dots there. */
  hidden?: readonly (readonly [number, number])[];
  smpp?: { registered_delivery: number };
  /** Refused before it came here. It stays in the list so that the answer includes it. */
  refused?: BusinessError;
}

/** Message that the database holds, and the amount reserved for it in thousandths. */
export interface Accepted {
  /** Id as the program knows it. */
  id: number;
  msisdn: string;
  parts: number;
  price: number;
  currency: string;
  /** RFC 3339. */
  expires_at: string;
  /** RFC 3339; null means now. */
  not_before: string | null;
}

export type Result = Accepted | BusinessError;

/** Results of a written unit. The answer is made from them and written in the same transaction. */
export interface Written {
  results: readonly Result[];
  batch_id: number | null;
}

/** Cost of a message, and the text that would be sent. */
export type Estimated = Pick<Accepted, 'msisdn' | 'parts' | 'price'> & { text: string; unicode: boolean };

/** Answer over HTTP. */
export interface Answer {
  status: number;
  /** JSON. */
  body: string;
}

/** Number and price of the message of a unit before it is refused or written. */
export interface Priced {
  msisdn: string;
  parts: number;
  /** Thousandths of a part. */
  unit_price: number;
}

/** More work in the transaction of a unit, such as the verification that the code of its only message belongs to. */
export interface Beside {
  /** Sends its statements with the first ones of a transaction, for all units that share this object. */
  begin(sent: Queryable, units: readonly Unit[], at: { now: Date; numbers: NumberRules }): Promise<BesideWork>;
}

/** Work beside some units in one transaction. */
export interface BesideWork {
  /** Returns the error that refuses a unit whose message would be accepted otherwise. Called once for each, in order. */
  refusalOf(unit: Unit, priced: Priced): BusinessError | null;
  /** Sends its statements with the last ones. Units that were answered before are left out. */
  write(sent: Queryable, outcomes: ReadonlyMap<Unit, Outcome>): Promise<unknown>;
}

/** Submissions that are accepted or answered together, in one transaction. */
export interface Unit {
  program: Program;
  submissions: readonly Submission[];
  /** Batch that the submissions form. It is written with them. */
  batch?: { client_ref: string | null; tags: readonly string[] };
  /** More work in the transaction. Units of one kind share the object. */
  beside?: Beside;
  /** Key that is stored with the effects. A repetition gets the stored answer. */
  idempotency?: { key: string; hash: Buffer };
  /** Makes the answer that is stored. Null stores none, because no message was accepted. */
  answer?(written: Written): Answer | null;
}

/** Result of a unit. */
export interface Outcome extends Written {
  /** Null if the unit makes no answer. */
  answer: Answer | null;
  /** True for a repetition: the stored answer was returned and no message was written. */
  replayed: boolean;
}

/** Tells whether any message of a unit goes before bulk. */
export const isUrgentUnit = ({ submissions }: Unit): boolean => submissions.some((each) => isUrgent(each.class));
