import type { MessageClass } from '#platform/schema';
import type { ResellerShare } from './chunk.ts';

/** What a message needs of its chunk while it is on its way. */
export interface ChunkContext {
  id: number;
  corporation_id: number;
  /** 0: none. */
  department_id: number;
  /** 0: none. */
  user_id: number;
  billing_account_id: number;
  campaign_id: number | null;
  class: MessageClass;
  /** Whose throughput counts. */
  channel: 'console' | 'api';
  sender_id: string;
  /** Epoch milliseconds at which it was queued: its statistics belong to that time. */
  created_at: number;
  flash: boolean;
  charge_on_delivery: boolean;
  /** What is settled with the reseller as well; null without one. */
  reseller: ResellerShare | null;
  common_text: string | null;
  /** Epoch milliseconds after which nothing of it leaves any more; null for no end. */
  expires_at: number | null;
  /** Its campaign has a pace of its own. */
  spread: boolean;
  /** It confirms an opt-out, and is sent in spite of it. */
  confirms_opt_out: boolean;
  /** The ends of its messages are events. */
  tells: boolean;
}

/** A message on its way. */
export interface Message {
  id: number;
  chunk: ChunkContext;
  msisdn: string;
  text: string | null;
  parts: number;
  /** Of one part, in thousandths. */
  unit_price: number;
  /** Concatenation reference, the same in all parts; WHOLE where one PDU carries them all. */
  reference: number;
  /** Epoch milliseconds of the carrier's first answer; 0 before that. */
  answered_at: number;
}

/** One part of a message: what the carrier sees. */
export interface Segment {
  message: Message;
  /** From 1. */
  part: number;
  /** Answers so far that asked to try again. */
  tries: number;
  /** This is the one more try of a one-time code. */
  second_try?: boolean;
  /** Its answer was lost, and one more try was asked for. */
  asked_again?: boolean;
}

/** The reference of a message whose parts go together in one PDU (message_payload): it has one answer and one receipt. */
export const WHOLE = -1;

/** The parts of a message that were never tried. */
export const partsOf = (message: Message): Segment[] =>
  Array.from({ length: message.parts }, (_, index) => ({ message, part: index + 1, tries: 0 }));

/** The segments for which what became of one stands: all parts of a message that went whole. */
export const carriedBy = (segment: Segment): readonly Segment[] =>
  segment.message.reference === WHOLE
    ? Array.from({ length: segment.message.parts }, (_, index) => ({ ...segment, part: index + 1 }))
    : [segment];

/** The column that tells whether the parts of message `m`, one of whose rows is submission `s`, went together. */
export const WENT_WHOLE = `m.parts > 1 AND (SELECT count(*) FROM submission w
  WHERE w.message_id = s.message_id AND w.carrier_id = s.carrier_id) = m.parts AS went_whole`;

/** The columns of a chunk `k` and its campaign `c` that make a ChunkContext. */
export const CHUNK_COLUMNS = `k.id AS chunk_id, k.corporation_id, coalesce(k.department_id, 0) AS department_id,
  coalesce(k.user_id, 0) AS user_id, k.billing_account_id, k.campaign_id, k.class, k.channel, k.sender_id, extract(epoch FROM k.created_at)::float8 * 1000 AS created_at, k.flash,
  k.charge_on_delivery, k.reseller_account_id, k.reseller_corporation_id, k.reseller_unit_price,
  k.reseller_charge_on_delivery, k.common_text, extract(epoch FROM coalesce(k.expires_at, c.expires_at))::float8 * 1000 AS expires_at,
  c.spread_until IS NOT NULL AS spread, k.confirms_opt_out, k.tells`;

export type ChunkColumns = Omit<ChunkContext, 'id' | 'reseller'> & {
  chunk_id: number;
  reseller_account_id: number | null;
  reseller_corporation_id: number;
  reseller_unit_price: number;
  reseller_charge_on_delivery: boolean;
};

/** The context a row of CHUNK_COLUMNS describes. */
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
});
