import { postTransfers, type Settlement } from '#modules/billing';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { failpoint } from '#platform/failpoints';
import { tellUnsent } from './outcomes/event-of.ts';

export interface Cancelled {
  messages: number;
  /** Thousandths returned to the billing account. */
  amount: number;
}

// Chunks are locked in the order of their ids, as in the senders' intents, to avoid deadlocks. Under the lock the
// cursor is current: messages before it were handed over and stay as they are.
const cancelChunks = (which: string) => `
  WITH locked AS (
    SELECT id FROM chunk WHERE ${which} AND state IN ('open', 'held') ORDER BY id FOR NO KEY UPDATE
  ), cancelled AS (
    UPDATE chunk k SET state = 'cancelled' FROM locked WHERE k.id = locked.id
    RETURNING k.*
  ), told AS (
    ${tellUnsent('cancelled', 'cancelled')}
  ), unsent AS (
    SELECT k.*, u.parts, u.amount FROM cancelled k CROSS JOIN LATERAL (
      SELECT coalesce(sum(m.parts), 0) AS parts, coalesce(sum(m.parts * m.unit_price), 0) AS amount FROM message m
      WHERE m.id >= (k.id << 10) + k.cursor AND m.id < (k.id << 10) + k.size) u
  )
  SELECT corporation_id, billing_account_id, min(id) AS first_chunk, sum(size - cursor) AS messages, sum(amount) AS amount,
    false AS of_reseller
  FROM unsent GROUP BY corporation_id, billing_account_id
  UNION ALL
  SELECT reseller_corporation_id, reseller_account_id, min(id), 0, sum(parts * reseller_unit_price), true
  FROM unsent WHERE reseller_account_id IS NOT NULL GROUP BY reseller_corporation_id, reseller_account_id`;

const CANCEL_CAMPAIGN = cancelChunks('campaign_id = $1');
const CANCEL_ALONE = cancelChunks('id = $1::bigint >> 10 AND campaign_id IS NULL AND size = 1 AND cursor = 0');
const CANCEL_TOGETHER = cancelChunks('id = ANY ($1::bigint[]) AND campaign_id IS NULL');

interface Unsent {
  corporation_id: string;
  billing_account_id: string;
  first_chunk: string;
  messages: string;
  amount: string;
  of_reseller: boolean;
}

const COUNT_CANCELLED = `
  UPDATE campaign_counter SET cancelled = cancelled + $2, processed = processed + $2, released = released + $3
  WHERE campaign_id = $1`;

/** Messages of a campaign that were never written, and the transfers that release their reserve. */
export interface Unwritten extends Cancelled {
  transfers: readonly Settlement[];
}

const NOTHING: Unwritten = { messages: 0, amount: 0, transfers: [] };

/**
 * Cancels the messages that a campaign has not handed over and releases their reserve, in the transaction that stops
 * the campaign. The campaign's state must already be stopped in that transaction, or a sender may go on. Calling it
 * again changes nothing. Messages that were never written are counted with them.
 */
export async function cancelRest(db: Queryable, campaignId: number, unwritten = NOTHING): Promise<Cancelled> {
  const rows = await rowsOf<Unsent>(db, CANCEL_CAMPAIGN, [campaignId]);
  const cancelled = { messages: unwritten.messages, amount: unwritten.amount };
  for (const row of rows) {
    cancelled.messages += Number(row.messages);
    if (!row.of_reseller) cancelled.amount += Number(row.amount);
  }
  await postTransfers(db, [...releasesOf(rows, campaignId), ...unwritten.transfers]);
  if (cancelled.messages > 0) await rowsOf(db, COUNT_CANCELLED, [campaignId, cancelled.messages, cancelled.amount]);
  failpoint('cancel.before-commit');
  return cancelled;
}

/**
 * Cancels a message outside campaigns that is the only one in its chunk and was not handed over. Releases its reserve,
 * in the caller's transaction. Answers false, and changes nothing, if it has left, has ended, or shares its chunk.
 */
export async function cancelUnsent(db: Queryable, messageId: number): Promise<boolean> {
  const rows = await rowsOf<Unsent>(db, CANCEL_ALONE, [messageId]);
  await postTransfers(db, releasesOf(rows, null));
  return rows.length > 0;
}

/**
 * Cancels the messages in chunks outside campaigns that were not handed over, and answers their number. Releases their
 * reserve, in the caller's transaction. The chunks must hold no messages of others.
 */
export async function cancelChunksOf(db: Queryable, chunkIds: readonly number[]): Promise<number> {
  const rows = await rowsOf<Unsent>(db, CANCEL_TOGETHER, [chunkIds]);
  await postTransfers(db, releasesOf(rows, null));
  failpoint('cancel.before-commit');
  return rows.reduce((sum, { messages }) => sum + Number(messages), 0);
}

const releasesOf = (rows: readonly Unsent[], campaign_id: number | null) =>
  rows
    .filter(({ amount }) => Number(amount) !== 0)
    .map((row) => ({
      // A chunk is cancelled only once, so the key is never used twice.
      key: `cancel:${campaign_id ?? 'alone'}:${row.billing_account_id}:${row.first_chunk}`,
      kind: 'release' as const,
      billing_account_id: Number(row.billing_account_id),
      corporation_id: Number(row.corporation_id),
      campaign_id,
      amount: Number(row.amount),
    }));
