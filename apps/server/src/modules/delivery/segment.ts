import type { MessageClass } from '#platform/schema';

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
  sender_id: string;
  flash: boolean;
  charge_on_delivery: boolean;
  common_text: string | null;
  /** Epoch milliseconds after which nothing of it leaves any more; null for no end. */
  expires_at: number | null;
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
  /** Concatenation reference, the same in all parts. */
  reference: number;
  /** Epoch milliseconds of the carrier's first answer, whose hour its statistics belong to; 0 before that. */
  answered_at: number;
  /** Its outcome is recorded: further receipts change nothing. */
  ended: boolean;
}

/** One part of a message: what the carrier sees. */
export interface Segment {
  message: Message;
  /** From 1. */
  part: number;
  /** Answers so far that asked to try again. */
  tries: number;
}

/** The columns of a chunk `k` and its campaign `c` that make a ChunkContext. */
export const CHUNK_COLUMNS = `k.id AS chunk_id, k.corporation_id, coalesce(k.department_id, 0) AS department_id,
  coalesce(k.user_id, 0) AS user_id, k.billing_account_id, k.campaign_id, k.class, k.sender_id, k.flash,
  k.charge_on_delivery, k.common_text, extract(epoch FROM coalesce(k.expires_at, c.expires_at))::float8 * 1000 AS expires_at`;

export type ChunkColumns = Omit<ChunkContext, 'id'> & { chunk_id: number };

/** The context a row of CHUNK_COLUMNS describes. */
export const chunkContext = (row: ChunkColumns): ChunkContext => ({
  id: row.chunk_id,
  corporation_id: row.corporation_id,
  department_id: row.department_id,
  user_id: row.user_id,
  billing_account_id: row.billing_account_id,
  campaign_id: row.campaign_id,
  class: row.class,
  sender_id: row.sender_id,
  flash: row.flash,
  charge_on_delivery: row.charge_on_delivery,
  common_text: row.common_text,
  expires_at: row.expires_at,
});
