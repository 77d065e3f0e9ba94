import { postTransfers } from '#modules/billing';
import { failpoint } from '#platform/failpoints';
import { type Queryable, rowsOf } from './queryable.ts';

export interface Cancelled {
  messages: number;
  /** Thousandths given back to the billing account. */
  amount: number;
}

// Chunks are locked in the order of their ids, as the senders' intents do, so that neither waits for the other in a
// circle. Behind the lock the cursor is the newest: whatever is before it was handed over and lives on.
const CANCEL_CHUNKS = `
  WITH locked AS (
    SELECT id FROM chunk WHERE campaign_id = $1 AND state = 'open' ORDER BY id FOR NO KEY UPDATE
  ), cancelled AS (
    UPDATE chunk k SET state = 'cancelled' FROM locked WHERE k.id = locked.id
    RETURNING k.*
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

const COUNT_CANCELLED = `
  UPDATE campaign_counter SET cancelled = cancelled + $2, processed = processed + $2, released = released + $3
  WHERE campaign_id = $1`;

/**
 * Cancels what a campaign has not handed over yet and releases its reserve, within the transaction that stops the
 * campaign; its state must already say so there, or a sender may go on. Calling it again changes nothing.
 */
export async function cancelRest(db: Queryable, campaignId: number): Promise<Cancelled> {
  const rows = await rowsOf<
    Record<'corporation_id' | 'billing_account_id' | 'first_chunk' | 'messages' | 'amount', string> & {
      of_reseller: boolean;
    }
  >(db, CANCEL_CHUNKS, [campaignId]);
  const cancelled = { messages: 0, amount: 0 };
  const releases = rows.flatMap((row) => {
    const amount = Number(row.amount);
    cancelled.messages += Number(row.messages);
    if (!row.of_reseller) cancelled.amount += amount;
    return amount === 0
      ? []
      : {
          // A chunk is cancelled once, so the key is never met again.
          key: `cancel:${campaignId}:${row.billing_account_id}:${row.first_chunk}`,
          kind: 'release' as const,
          billing_account_id: Number(row.billing_account_id),
          corporation_id: Number(row.corporation_id),
          campaign_id: campaignId,
          amount,
        };
  });
  await postTransfers(db, releases);
  if (cancelled.messages > 0) await rowsOf(db, COUNT_CANCELLED, [campaignId, cancelled.messages, cancelled.amount]);
  failpoint('cancel.before-commit');
  return cancelled;
}
