import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type Db, rowsOf } from './sql.ts';

/** Contradiction in the books. `detail` holds both sides, with amounts in thousandths. */
export interface Finding {
  rule: 'transfer_balances' | 'account_entries' | 'account_transfers' | 'open_reservations' | 'campaign_counters';
  billing_account_id: number | null;
  detail: Record<string, number | string>;
}

/**
 * One statement, so that all parts see the same moment. `$1` names the accounts to check; null takes all.
 *
 * A part is settled by its submission row or, if the account is charged on delivery, by the message's outcome. Messages
 * that a cancelled or expired chunk never handed over were settled with the chunk. Chunks marked as settled need no
 * check. A campaign in preparation has a reserve but no messages yet, or only those of its committed parts.
 */
const RECONCILE = `
WITH account AS (
  SELECT * FROM billing_account WHERE $1::bigint[] IS NULL OR id = ANY ($1)
), entries AS (
  SELECT billing_account_id, coalesce(sum(amount) FILTER (WHERE book = 'credit'), 0)::bigint AS credit,
    coalesce(sum(amount) FILTER (WHERE book = 'reserved'), 0)::bigint AS reserved
  FROM ledger_entry WHERE billing_account_id IN (SELECT id FROM account) GROUP BY billing_account_id
), transfers AS (
  SELECT billing_account_id, coalesce(sum(amount) FILTER (WHERE kind NOT IN ('reservation', 'release')), 0)::bigint AS total
  FROM ledger_transfer WHERE billing_account_id IN (SELECT id FROM account) GROUP BY billing_account_id
), reserving AS (
  SELECT DISTINCT billing_account_id, campaign_id FROM ledger_transfer
  WHERE kind = 'reservation' AND billing_account_id IN (SELECT id FROM account)
), on_their_way AS (
  SELECT k.*, m.parts, m.unit_price, CASE WHEN is_packed(flags_of(s.states, m.id & 1023)) THEN 1
      ELSE (SELECT count(*) FROM submission x WHERE x.message_id = m.id) END AS answered,
    end_of(flags_of(s.states, m.id & 1023)) IS NOT NULL AS ended
  FROM chunk k JOIN message m ON m.id >= k.id << 10 AND m.id < (k.id + 1) << 10
  LEFT JOIN chunk_state s ON s.chunk_id = k.id
  WHERE NOT k.settled AND (k.state IN ('open', 'held', 'done') OR (m.id & 1023) < k.cursor)
    AND (k.billing_account_id IN (SELECT id FROM account) OR k.reseller_account_id IN (SELECT id FROM account))
), half_written AS (
  SELECT campaign_id, sum(amount)::bigint AS amount, sum(reseller_amount)::bigint AS reseller_amount
  FROM campaign_part GROUP BY campaign_id
), unsettled AS (
  SELECT billing_account_id, sum(cost)::bigint AS cost FROM (
    SELECT w.billing_account_id, w.campaign_id, w.unit_price * CASE
      WHEN NOT w.charge_on_delivery THEN w.parts - w.answered WHEN w.ended THEN 0 ELSE w.parts END AS cost
    FROM on_their_way w
    UNION ALL
    SELECT w.reseller_account_id, w.campaign_id, w.reseller_unit_price * CASE
      WHEN NOT w.reseller_charge_on_delivery THEN w.parts - w.answered WHEN w.ended THEN 0 ELSE w.parts END
    FROM on_their_way w WHERE w.reseller_account_id IS NOT NULL
    UNION ALL
    SELECT t.billing_account_id, t.campaign_id, -t.amount FROM ledger_transfer t JOIN campaign c ON c.id = t.campaign_id
    WHERE t.kind IN ('reservation', 'release') AND c.state = 'preparing'
    UNION ALL
    SELECT c.billing_account_id, c.id, c.estimated_cost - p.amount FROM half_written p JOIN campaign c ON c.id = p.campaign_id
    UNION ALL
    SELECT (c.pricing #>> '{reseller,billing_account_id}')::bigint, c.id, c.reseller_cost - p.reseller_amount
    FROM half_written p JOIN campaign c ON c.id = p.campaign_id WHERE c.pricing #>> '{reseller,billing_account_id}' IS NOT NULL
  ) each WHERE EXISTS (SELECT FROM reserving r WHERE r.billing_account_id = each.billing_account_id
    AND r.campaign_id IS NOT DISTINCT FROM each.campaign_id)
  GROUP BY billing_account_id
), settled AS (
  SELECT t.campaign_id, t.billing_account_id, -coalesce(sum(t.amount) FILTER (WHERE t.kind IN ('charge', 'correction')), 0)::bigint AS charged,
    coalesce(sum(t.amount) FILTER (WHERE t.kind = 'release'), 0)::bigint AS released
  FROM ledger_transfer t JOIN campaign c ON c.id = t.campaign_id AND c.billing_account_id = t.billing_account_id
  WHERE t.billing_account_id IN (SELECT id FROM account) GROUP BY t.campaign_id, t.billing_account_id
)
SELECT 'transfer_balances' AS rule, e.billing_account_id, jsonb_build_object('transfer_id', e.transfer_id, 'sum', sum(e.amount)) AS detail
FROM ledger_entry e WHERE e.billing_account_id IN (SELECT id FROM account)
GROUP BY e.transfer_id, e.billing_account_id HAVING sum(e.amount) <> 0
UNION ALL
SELECT 'account_entries', a.id, jsonb_build_object('credit_balance', a.credit_balance, 'credit_entries', coalesce(e.credit, 0),
  'reserved', a.reserved, 'reserved_entries', coalesce(e.reserved, 0))
FROM account a LEFT JOIN entries e ON e.billing_account_id = a.id
WHERE a.credit_balance <> coalesce(e.credit, 0) OR a.reserved <> coalesce(e.reserved, 0)
UNION ALL
SELECT 'account_transfers', a.id, jsonb_build_object('credit_balance', a.credit_balance, 'reserved', a.reserved,
  'payments_less_charges', coalesce(t.total, 0))
FROM account a LEFT JOIN transfers t ON t.billing_account_id = a.id WHERE a.credit_balance + a.reserved <> coalesce(t.total, 0)
UNION ALL
SELECT 'open_reservations', a.id, jsonb_build_object('reserved', a.reserved, 'unsettled', coalesce(u.cost, 0))
FROM account a LEFT JOIN unsettled u ON u.billing_account_id = a.id WHERE a.reserved <> coalesce(u.cost, 0)
UNION ALL
SELECT 'campaign_counters', s.billing_account_id, jsonb_build_object('campaign_id', s.campaign_id, 'charged', s.charged,
  'counted_charged', n.charged, 'released', s.released, 'counted_released', n.released)
FROM settled s JOIN campaign_counter n ON n.campaign_id = s.campaign_id
WHERE n.charged <> s.charged OR n.released <> s.released
ORDER BY 1, 2`;

/**
 * Finds contradictions in the books of the given accounts, or of all by default. A sound system has none at any moment.
 */
export const reconcile = (db: Db, accounts: readonly number[] | null = null): Promise<Finding[]> =>
  rowsOf<Finding>(db, RECONCILE, [accounts]);

/** Job that checks the books: every few minutes those of accounts with new transfers, once a day all. */
export const reconcileJob = defineJob('reconcile', z.object({}), {
  heartbeatSeconds: 60,
  statementSeconds: 900,
});

const MOVED = `SELECT DISTINCT billing_account_id AS id FROM ledger_transfer WHERE id > (
  SELECT coalesce(min(id), 0) FROM (SELECT id FROM ledger_transfer ORDER BY id DESC LIMIT 20000) t)`;

// The same contradiction is recorded once a day, however often it is found.
const RECORD = `
INSERT INTO billing_finding (rule, billing_account_id, detail)
SELECT f.rule, f.billing_account_id, f.detail FROM unnest($1::text[], $2::bigint[], $3::jsonb[]) AS f (rule, billing_account_id, detail)
WHERE NOT EXISTS (SELECT FROM billing_finding o WHERE o.rule = f.rule AND o.detail = f.detail
  AND o.billing_account_id IS NOT DISTINCT FROM f.billing_account_id AND o.created_at > now() - interval '1 day')`;

/** Reconciles the books and records the findings. They stay for people to check, and are corrected by new transfers. */
export async function recordFindings(
  { database, log }: Pick<WorkerContext, 'database' | 'log'>,
  all: boolean,
): Promise<Finding[]> {
  const accounts = all ? null : (await rowsOf<{ id: number }>(database, MOVED, [])).map(({ id }) => id);
  const findings = await reconcile(database, accounts);
  if (findings.length === 0) return findings;
  for (const finding of findings) log.error({ finding }, 'ledger mismatch');
  await rowsOf(database, RECORD, [
    findings.map(({ rule }) => rule),
    findings.map(({ billing_account_id }) => billing_account_id),
    findings.map(({ detail }) => JSON.stringify(detail)),
  ]);
  return findings;
}
