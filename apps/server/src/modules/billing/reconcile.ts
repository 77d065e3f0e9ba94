import { type Db, rowsOf } from './sql.ts';

/** An account whose figures contradict each other; amounts in thousandths. */
export interface Difference {
  billing_account_id: number;
  /** What the account's row says. */
  credit_balance: number;
  reserved: number;
  /** What its entries add up to. */
  credit_entries: number;
  reserved_entries: number;
  /** What the parts not yet settled of its campaigns cost. */
  unsettled: number;
}

/**
 * A part is settled by its submission row, and where the account is charged on delivery by the message's outcome.
 * Messages that a cancelled or expired chunk never handed over were settled with the chunk.
 */
const RECONCILE = `
WITH entries AS (
  SELECT billing_account_id, coalesce(sum(amount) FILTER (WHERE book = 'credit'), 0)::bigint AS credit,
    coalesce(sum(amount) FILTER (WHERE book = 'reserved'), 0)::bigint AS reserved
  FROM ledger_entry GROUP BY billing_account_id
), unsettled AS (
  SELECT k.billing_account_id, sum(m.unit_price * CASE
      WHEN NOT k.charge_on_delivery THEN m.parts - (SELECT count(*) FROM submission s WHERE s.message_id = m.id)
      WHEN EXISTS (SELECT FROM outcome o WHERE o.message_id = m.id) THEN 0
      ELSE m.parts END)::bigint AS cost
  FROM chunk k JOIN message m ON m.id >= k.id << 10 AND m.id < (k.id + 1) << 10
  WHERE (k.state IN ('open', 'done') OR (m.id & 1023) < k.cursor)
    AND EXISTS (SELECT FROM ledger_transfer t WHERE t.billing_account_id = k.billing_account_id
      AND t.campaign_id = k.campaign_id AND t.kind = 'reservation')
  GROUP BY k.billing_account_id
)
SELECT a.id AS billing_account_id, a.credit_balance, a.reserved, coalesce(e.credit, 0) AS credit_entries,
  coalesce(e.reserved, 0) AS reserved_entries, coalesce(u.cost, 0) AS unsettled
FROM billing_account a
LEFT JOIN entries e ON e.billing_account_id = a.id
LEFT JOIN unsettled u ON u.billing_account_id = a.id
WHERE a.credit_balance <> coalesce(e.credit, 0) OR a.reserved <> coalesce(e.reserved, 0)
  OR a.reserved <> coalesce(u.cost, 0)
ORDER BY a.id`;

/** The accounts whose balance, entries and messages on their way do not agree; none in a sound system. */
export const reconcile = (db: Db): Promise<Difference[]> => rowsOf<Difference>(db, RECONCILE, []);
