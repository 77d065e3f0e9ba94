import { booleanArray, numberArray, plainArray, textArray } from '#platform/array-literal';
import { failpoint } from '#platform/failpoints';
import { tell } from '#platform/fan-out/tell';
import type { Teller } from '#platform/fan-out/transport';
import { type Queryable, rowsOf } from '#platform/queryable';
import type { MessageClass } from '#platform/schema';
import { CHUNK_SIZE } from './message-id.ts';

/** What all messages of a chunk share. */
export interface ChunkShared {
  corporation_id: number;
  department_id: number | null;
  user_id: number | null;
  billing_account_id: number;
  /** Null outside campaigns, such as a test send. */
  campaign_id: number | null;
  link_id: number;
  class: MessageClass;
  sender_id: string;
  flash: boolean;
  /** True: charged when the receipt says delivered; else at the carrier's acceptance. */
  charge_on_delivery: boolean;
  /** The text of every message that has none of its own. */
  common_text: string | null;
  /** When unsent messages expire, RFC 3339; null takes the campaign's. */
  expires_at?: string | null;
  /** The carrier route that led to the link and tells where else the messages may go; null without one. */
  carrier_route_id?: number | null;
  /** The reseller's account that pays as well; null or left out without one. */
  reseller?: ResellerShare | null;
  /** Whose throughput counts: the console's, which is the default, or the API's. */
  channel?: 'console' | 'api';
  /** The zones of the recipients, joined by commas, where their night is kept. */
  quiet_zone?: string | null;
  /** It waits for what goes before it. */
  after_canary?: boolean;
  /** It confirms an opt-out, and is sent in spite of it. */
  confirms_opt_out?: boolean;
  /** Whether the ends of its messages are events; left out, it is as somebody is told of the corporation's or not. */
  tells?: boolean;
  /** It is held until then, RFC 3339; null or left out, it leaves at once. */
  not_before?: string | null;
}

/** What a reseller pays for the messages of a chunk, and when. */
export interface ResellerShare {
  billing_account_id: number;
  corporation_id: number;
  /** Of one part, in thousandths: the same for every message of the chunk. */
  unit_price: number;
  charge_on_delivery: boolean;
}

export interface NewMessage {
  /** Digits alone. */
  msisdn: string;
  name: string | null;
  /** Null: the chunk's common text. */
  text: string | null;
  unicode: boolean;
  parts: number;
  /** Of one part, in thousandths. */
  unit_price: number;
}

export interface Enqueued {
  messages: number;
  parts: number;
  /** Thousandths: the sum of parts × unit price. */
  amount: number;
}

/** Takes messages one by one and writes them in chunks. */
export interface ChunkWriter {
  /**
   * Adds a message. Every thousandth answers a promise: await it before adding more, or rows pile up in memory.
   * `await writer.add(message)` is right for every message.
   */
  add(message: NewMessage): Promise<void> | undefined;
  /** Writes what is left and answers what was written in all. */
  flush(): Promise<Enqueued>;
}

// The generated id of the chunk decides the ids of its messages, so both go in one statement. Arrays
// unfold in the select list, in step, which saves storing each first. COPY is no choice here:
// PostgreSQL refuses it on tables with row level security.
const INSERT_CHUNK = `
  WITH k AS (
    INSERT INTO chunk (corporation_id, department_id, user_id, billing_account_id, campaign_id, link_id, class,
      sender_id, flash, charge_on_delivery, common_text, expires_at, size, carrier_route_id, channel,
      reseller_account_id, reseller_corporation_id, reseller_unit_price, reseller_charge_on_delivery, quiet_zone, after_canary,
      confirms_opt_out, tells, not_before, state)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $20, $21, $22, $23, $24, $25, $26, $27, $28,
      coalesce($29, anybody_is_told($1, $2)), $30, CASE WHEN $30::timestamptz IS NULL THEN 'open' ELSE 'held' END)
    RETURNING id
  ), inserted AS (
    INSERT INTO message (id, corporation_id, campaign_id, unit_price, parts, unicode, msisdn, name, text)
    SELECT (k.id << 10) + m.place, $1, $5, m.unit_price, m.parts, m.unicode, m.msisdn, m.name, m.text
    FROM k CROSS JOIN (
      SELECT generate_series(0, $13 - 1) AS place, unnest($14::bigint[]) AS unit_price, unnest($15::smallint[]) AS parts,
        unnest($16::boolean[]) AS unicode, unnest($17::text[]) AS msisdn, unnest($18::text[]) AS name,
        unnest($19::text[]) AS text
    ) m
  )
  SELECT id FROM k`;

/** Writes messages as one chunk and answers its id. */
export async function insertChunk(
  db: Queryable,
  shared: ChunkShared,
  messages: readonly NewMessage[],
): Promise<number> {
  const rows = await rowsOf<{ id: number | string }>(db, INSERT_CHUNK, [
    shared.corporation_id,
    shared.department_id,
    shared.user_id,
    shared.billing_account_id,
    shared.campaign_id,
    shared.link_id,
    shared.class,
    shared.sender_id,
    shared.flash,
    shared.charge_on_delivery,
    shared.common_text,
    shared.expires_at ?? null,
    messages.length,
    numberArray(messages.map((m) => m.unit_price)),
    numberArray(messages.map((m) => m.parts)),
    booleanArray(messages.map((m) => m.unicode)),
    plainArray(messages.map((m) => m.msisdn)),
    textArray(messages.map((m) => m.name)),
    textArray(messages.map((m) => m.text)),
    shared.carrier_route_id ?? null,
    shared.channel ?? 'console',
    shared.reseller?.billing_account_id ?? null,
    shared.reseller?.corporation_id ?? null,
    shared.reseller?.unit_price ?? null,
    shared.reseller?.charge_on_delivery ?? null,
    shared.quiet_zone ?? null,
    shared.after_canary ?? false,
    shared.confirms_opt_out ?? false,
    shared.tells ?? null,
    shared.not_before ?? null,
  ]);
  failpoint('chunk.written');
  return Number(rows[0]!.id);
}

/**
 * Writes messages that share `shared` in chunks of at most 1,000, within the caller's transaction. The caller has
 * reserved their cost; call `wakeSenders` in the same transaction.
 */
export function openChunkWriter(db: Queryable, shared: ChunkShared): ChunkWriter {
  const written: Enqueued = { messages: 0, parts: 0, amount: 0 };
  let waiting: NewMessage[] = [];
  const write = async () => {
    const messages = waiting;
    waiting = [];
    await insertChunk(db, shared, messages);
    written.messages += messages.length;
    for (const { parts, unit_price } of messages) {
      written.parts += parts;
      written.amount += parts * unit_price;
    }
  };
  return {
    add(message) {
      waiting.push(message);
      return waiting.length >= CHUNK_SIZE ? write() : undefined;
    },
    async flush() {
      if (waiting.length > 0) await write();
      return { ...written };
    },
  };
}

/** On which senders are told that there is something to send. */
export const WAKE_SENDERS = 'wake_senders';

/** Tells the senders, once the transaction has committed, that there is something to send; they would find it within a second anyway. */
export const wakeSenders = (db: Teller): Promise<void> => tell(db, WAKE_SENDERS);

/** Whether any link is switched on, so that messages may leave at all. */
export async function anyLinkEnabled(db: Queryable): Promise<boolean> {
  return (await rowsOf(db, 'SELECT FROM link WHERE enabled LIMIT 1')).length > 0;
}
