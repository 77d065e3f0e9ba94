import type { MessageClass } from '#platform/database/schema';
import type { ResellerShare } from './chunk.ts';

/** Fields of a chunk that its messages need while they are sent. */
export interface ChunkContext {
  id: number;
  corporation_id: number;
  /** Id, or 0 for none. */
  department_id: number;
  /** Id, or 0 for none. */
  user_id: number;
  billing_account_id: number;
  campaign_id: number | null;
  class: MessageClass;
  /** Channel for the throughput limit. */
  channel: 'console' | 'api';
  sender_id: string;
  /** Epoch milliseconds at which it was queued; its statistics count for that time. */
  created_at: number;
  flash: boolean;
  charge_on_delivery: boolean;
  /** Reseller's share, which is settled as well; null without one. */
  reseller: ResellerShare | null;
  common_text: string | null;
  /** Number of the key that the texts were encrypted with; left out if they were not. */
  text_key?: number;
  /** Reason for which the common text cannot be read; left out if it can. */
  closed?: ClosedText;
  /** True if the key of the texts was destroyed after they were read. */
  destroyed?: boolean;
  /** Epoch milliseconds after which none of it leaves any more; null for no end. */
  expires_at: number | null;
  /** True if its campaign is spread over time at its own pace. */
  spread: boolean;
  /** True if it confirms an opt-out: it is sent although the recipient opted out. */
  confirms_opt_out: boolean;
  /** True if the outcomes of its messages become events. */
  tells: boolean;
  /** Values of vendor parameters by name; null for none. */
  parameters: Readonly<Record<string, string>> | null;
  /** Places and networks of the numbers that a lookup said were ported, in turn; null without any. */
  ported: readonly number[] | null;
}

/** Reasons for which an encrypted text cannot be read, as they end a message. */
export type ClosedText = 'text_key_destroyed' | 'text_unreadable';

/** A message that is being sent. */
export interface Message {
  id: number;
  chunk: ChunkContext;
  msisdn: string;
  text: string | null;
  /** Reason for which its own text cannot be read; left out if it can. */
  closed?: ClosedText;
  parts: number;
  /** Price of one part, in thousandths. */
  unit_price: number;
  /** Concatenation reference, the same in all parts; WHOLE if one PDU carries them all. */
  reference: number;
  /** Epoch milliseconds of the carrier's first answer; 0 before that. */
  answered_at: number;
}

/** One part of a message, as the carrier sees it. */
export interface Segment {
  message: Message;
  /** Number of the part, from 1. */
  part: number;
  /** Number of answers until now that asked to try again. */
  tries: number;
  /** True if this is the only second try of a one-time code. */
  second_try?: boolean;
  /** True if its answer was lost, and a person asked for one more try. */
  asked_again?: boolean;
}

/** Reference of a message with all parts in one PDU (message_payload): it has one answer and one receipt. */
export const WHOLE = -1;

/** Answers the parts of a message that was never tried. */
export const partsOf = (message: Message): Segment[] =>
  Array.from({ length: message.parts }, (_, index) => ({ message, part: index + 1, tries: 0 }));

/** Answers the segments that share the outcome of this one: all parts of a message that went whole. */
export const carriedBy = (segment: Segment): readonly Segment[] =>
  segment.message.reference === WHOLE
    ? Array.from({ length: segment.message.parts }, (_, index) => ({ ...segment, part: index + 1 }))
    : [segment];

/** Column that says whether the parts of message `m` went together; submission `s` is one of its rows. */
export const WENT_WHOLE = `m.parts > 1 AND (SELECT count(*) FROM submission w
  WHERE w.message_id = s.message_id AND w.carrier_id = s.carrier_id) = m.parts AS went_whole`;

/** Columns of a chunk `k` and its campaign `c` that make a ChunkContext. */
export const CHUNK_COLUMNS = `k.id AS chunk_id, k.corporation_id, coalesce(k.department_id, 0) AS department_id,
  coalesce(k.user_id, 0) AS user_id, k.billing_account_id, k.campaign_id, k.class, k.channel, k.sender_id, extract(epoch FROM k.created_at)::float8 * 1000 AS created_at, k.flash,
  k.charge_on_delivery, k.reseller_account_id, k.reseller_corporation_id, k.reseller_unit_price,
  k.reseller_charge_on_delivery, k.common_text, extract(epoch FROM coalesce(k.expires_at, c.expires_at))::float8 * 1000 AS expires_at,
  c.spread_until IS NOT NULL AS spread, k.confirms_opt_out, k.tells, k.parameters, k.ported`;

export type ChunkColumns = Omit<ChunkContext, 'id' | 'reseller' | 'text_key' | 'closed' | 'destroyed'> & {
  chunk_id: number;
  reseller_account_id: number | null;
  reseller_corporation_id: number;
  reseller_unit_price: number;
  reseller_charge_on_delivery: boolean;
};

/** Makes the context from a row of CHUNK_COLUMNS. */
export const chunkContext = (row: ChunkColumns): ChunkContext => ({
  id: row.chunk_id,
  corporation_id: row.corporation_id,
  department_id: row.department_id,
  user_id: row.user_id,
  billing_account_id: row.billing_account_id,
  campaign_id: row.campaign_id,
  class: row.class,
  channel: row.channel,
  sender_id: row.sender_id,
  created_at: row.created_at,
  flash: row.flash,
  charge_on_delivery: row.charge_on_delivery,
  reseller:
    row.reseller_account_id === null
      ? null
      : {
          billing_account_id: row.reseller_account_id,
          corporation_id: row.reseller_corporation_id,
          unit_price: row.reseller_unit_price,
          charge_on_delivery: row.reseller_charge_on_delivery,
        },
  common_text: row.common_text,
  expires_at: row.expires_at,
  spread: row.spread,
  confirms_opt_out: row.confirms_opt_out,
  tells: row.tells,
  parameters: row.parameters,
  ported: row.ported,
});
