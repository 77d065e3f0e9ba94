import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { takenBack } from '@heliograph/contract/top-ups/fee';
import { sql } from 'kysely';
import { reconcile } from '#modules/billing';
import { startEnqueuing } from '#platform/jobs/jobs';
import { createLogger } from '#platform/log';
import { seedOf } from '../../../../packages/fault-kit/src/index.ts';
import { verifyInvoices } from '../../src/modules/invoices/verify.ts';
import { testDatabase } from '../template-database.ts';
import { faultsOfDocuments } from './money-documents.ts';
import { runMoney } from './money-run.ts';

const seed = seedOf('FAULT_SEED');
const OPERATIONS = Number(process.env['MONEY_OPERATIONS'] ?? 6_000);
const home = await testDatabase({ after });
const owner = home.db('owner');
const enqueuing = await startEnqueuing(home.pool('owner'), createLogger({ LOG_LEVEL: 'silent' }, 'test'));
after(() => enqueuing.stop());

test(`${OPERATIONS} operations in killed sessions stay exact (FAULT_SEED=${seed})`, {
  timeout: 3_600_000,
}, async (t) => {
  const { accounts, payments, open, done, kills } = await runMoney(home, OPERATIONS, seed);
  t.diagnostic(`${done} operations, ${kills} killed sessions, ${payments.length} payments, FAULT_SEED=${seed}`);
  assert.ok(kills > 0);

  const sums = await sql<{ all: number; transit: number; reserved: number; uneven: number }>`
    SELECT coalesce(sum(amount), 0)::bigint AS all, coalesce(sum(amount) FILTER (WHERE book = 'transit'), 0)::bigint AS transit,
      coalesce(sum(amount) FILTER (WHERE book = 'reserved'), 0)::bigint AS reserved,
      (SELECT count(*) FROM (SELECT FROM ledger_entry GROUP BY transfer_id HAVING sum(amount) <> 0) x)::bigint AS uneven
    FROM ledger_entry`.execute(owner);
  const reserved = open.reduce((sum, { amount }) => sum + amount, 0);
  assert.deepEqual(sums.rows[0], { all: 0, transit: 0, reserved, uneven: 0 });
  // The reserves have no messages here.
  const findings = (await reconcile(owner)).filter(({ rule }) => rule !== 'open_reservations');
  assert.deepEqual(findings, []);

  const beyond = await sql`
    SELECT t.id, t.balance_after FROM ledger_transfer t
    WHERE t.billing_account_id = ANY (${accounts.map(({ id }) => id)}::bigint[])
      AND (t.kind = 'reservation' OR t.kind = 'transfer' AND t.amount < 0)
      AND t.balance_after < -coalesce((SELECT l.credit_limit FROM money_limit l
        WHERE l.billing_account_id = t.billing_account_id AND l.after < t.id ORDER BY l.after DESC, l.ctid DESC LIMIT 1), 0)`.execute(
    owner,
  );
  assert.deepEqual(beyond.rows, []);

  const series = await sql<{ series: string; numbers: number; last: number }>`
    SELECT left(number, -5) AS series, count(*)::integer AS numbers, max(right(number, 5)::integer) AS last
    FROM money_number GROUP BY 1 ORDER BY 1`.execute(owner);
  assert.deepEqual(
    series.rows.map((each) => each.series),
    ['CN-2025-', 'CN-2026-', 'INV-2025-', 'INV-2026-'],
  );
  for (const { numbers, last } of series.rows) assert.equal(numbers, last);

  const { counts, faults } = await faultsOfDocuments(owner);
  t.diagnostic(JSON.stringify(counts));
  assert.ok(Object.values(counts).every((count) => count! > 0));
  assert.deepEqual(
    Object.entries(faults).filter(([, count]) => count !== 0),
    [],
  );
  assert.deepEqual((await verifyInvoices(owner)).altered, []);

  for (const { id, amount, returns } of payments) {
    const counted = returns.filter(({ state }) => state !== 'won').reduce((sum, each) => sum + each.amount, 0);
    const row = await owner.selectFrom('top_up').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const returned = Math.min(amount, counted);
    assert.deepEqual([row.returned, row.taken_back], [returned, takenBack(returned, row)], `${id}`);
    const { rows } = await sql<{ paid: number; net: number; events: number }>`
      SELECT count(*) FILTER (WHERE key = ${`top-up ${id} paid`})::integer AS paid, sum(amount)::bigint AS net,
        (SELECT count(*) FROM event WHERE type = 'payment.received' AND (data ->> 'top_up_id')::bigint = ${id})::integer AS events
      FROM ledger_transfer WHERE key LIKE ${`top-up ${id} %`}`.execute(owner);
    assert.deepEqual(rows[0], { paid: 1, net: amount - row.taken_back, events: 1 });
  }
});
