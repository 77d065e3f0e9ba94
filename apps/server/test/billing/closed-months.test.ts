import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { closeMonths, correct, pay, postTransfers, reconcile, refund, reserve, type Transfer } from '#modules/billing';
import { callerOf } from '../campaigns/stage.ts';
import { type Body, makeMoneyStage } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { admin, owner, tenant, clock, home, callers } = stage;
const of = { billing_account_id: tenant.billing_account_id, corporation_id: tenant.corporation_id };
const { rows: first } = await sql<{ at: string }>`SELECT date_trunc('month', now() - interval '40 days') AS at`.execute(
  owner,
);
const start = Temporal.Instant.from(first[0]!.at).toZonedDateTimeISO('UTC');
/** Month that is closed, such as `2026-10`, and the one before it. */
const month = start.toPlainDate().toPlainYearMonth().toString();
const earlier = start.subtract({ months: 1 }).toPlainDate().toPlainYearMonth().toString();
await owner
  .updateTable('billing_account')
  .set({ credit_balance: 0, credit_limit: 5_000_000, created_at: start.subtract({ months: 1 }).toInstant().toString() })
  .execute();
await owner.updateTable('corporation').set({ timezone: 'UTC' }).execute();
callers.set('second', {
  ...callerOf(tenant, 'admin', {
    scope_level: 1,
    corporation_id: null,
    department_id: null,
    billing_account_id: null,
    corporations: [],
  }),
  user_id: tenant.user_id + 1_000_000,
});

let keys = 0;
const at = (days: number, amount: number): Transfer => ({
  ...of,
  key: `t${keys++}`,
  amount,
  created_at: start.add({ days }).toInstant().toString(),
});
const post = (work: (db: typeof owner) => Promise<unknown>) => owner.transaction().execute((db) => work(db));
const close = (name: string) => admin<Body>('POST', 'closed-months', { month: name });
const missing = async (name: string) =>
  (
    await admin<{ data: { name: string; missing: number; blocks: boolean }[] }>(
      'GET',
      `closed-months/checks?month=${name}`,
    )
  ).body.data
    .filter((line) => line.blocks && line.missing > 0)
    .map((line) => line.name);
const statementOf = (name: string) =>
  owner
    .selectFrom('statement')
    .selectAll()
    .where('month', '=', `${name}-01`)
    .where('billing_account_id', '=', of.billing_account_id)
    .executeTakeFirstOrThrow();
const entries = async () =>
  (
    await sql<{
      sum: number;
      count: number;
    }>`SELECT coalesce(sum(amount), 0)::bigint AS sum, count(*) AS count FROM ledger_transfer t
      JOIN billing_account b ON b.id = t.billing_account_id WHERE t.created_at < b.closed_until`.execute(owner)
  ).rows[0]!;

test('a month closes only when its statements are there and equal the ledger', async () => {
  await post((db) => pay(db, at(2, 1_000_000)));
  await post((db) => reserve(db, at(3, 400_000)));
  await post((db) => postTransfers(db, [{ ...at(3, 400_000), kind: 'charge' }]));
  assert.deepEqual(await missing(month), ['statements']);
  assert.equal((await close(month)).body.code, 'month_not_complete');
  await closeMonths({ database: home.db('worker'), clock });
  assert.deepEqual(await missing(month), []);
  const { status, body } = await admin<{ data: { month: string; closed_at: string | null }[] }>(
    'POST',
    'closed-months',
    { month },
  );
  assert.equal(status, 201);
  assert.deepEqual(
    body.data.filter(({ closed_at }) => closed_at !== null).map((row) => row.month),
    [month],
  );
  assert.equal((await close(month)).body.code, 'month_closed');
});

test('no entry is written into a closed month, whoever writes it', async () => {
  const before = await entries();
  for (const work of [
    (db: typeof owner) => pay(db, at(2, 1_000)),
    (db: typeof owner) => correct(db, at(3, -1_000)),
    (db: typeof owner) => refund(db, at(4, 1_000)),
    (db: typeof owner) => pay(db, at(-10, 1_000)),
  ])
    await assert.rejects(post(work), /the month of an entry is closed/);
  const { amount: _, created_at: __, ...now } = at(0, 1);
  await post((db) => pay(db, { ...now, amount: 1_000 }));
  await assert.rejects(owner.updateTable('ledger_transfer').set({ amount: 1 }).execute(), /append-only/);
  assert.deepEqual(await entries(), before);
  assert.deepEqual(await reconcile(owner), []);
});

test('a late settlement, a correction and a refund are entries of the open month', async () => {
  const before = await entries();
  const { created_at: _, ...late } = at(0, 70_000);
  await post((db) => reserve(db, late));
  await post((db) => postTransfers(db, [{ ...late, key: 'late charge', kind: 'charge' }]));
  const made = await admin<Body>('POST', `billing-accounts/${of.billing_account_id}/corrections`, {
    amount: '5',
    note: 'late',
  });
  assert.equal(made.status, 201);
  assert.deepEqual(await entries(), before);
  assert.deepEqual(await reconcile(owner), []);
});

test('two people of the platform open the newest closed month again, with a reason', async () => {
  const { id } = await owner.selectFrom('closed_month').select('id').executeTakeFirstOrThrow();
  const call = (who: string, what: string, body: object) =>
    stage.call<Body>(who, 'POST', `/api/v1/closed-months/${id}/${what}`, body);
  assert.equal((await call('boss', 'reopen-request', { note: 'x' })).status, 403);
  assert.equal((await call('admin', 'reopen', {})).body.code, 'month_second_person', 'nobody has asked');
  assert.equal((await call('admin', 'reopen-request', {})).status, 422, 'a reason is needed');
  assert.equal((await call('admin', 'reopen-request', { note: 'a payment is missing' })).status, 200);
  assert.equal((await call('admin', 'reopen', {})).body.code, 'month_second_person');
  assert.equal((await call('second', 'reopen', {})).status, 200);
});

test('a corrected month is closed again, and the next begins with its balance', async () => {
  const later = start.add({ months: 1 }).toPlainDate().toPlainYearMonth().toString();
  const { id } = await owner
    .insertInto('statement')
    .columns([
      ...['corporation_id', 'billing_account_id', 'month', 'timezone', 'currency', 'starts_at', 'ends_at'],
      ...['opening_balance', 'payments', 'charges', 'refunds', 'commitment', 'corrections', 'closing_balance'],
    ] as never)
    .expression((eb) =>
      eb
        .selectFrom('statement')
        .select([
          'corporation_id',
          'billing_account_id',
          sql`(month + interval '1 month')::date`.as('m'),
          'timezone',
          'currency',
        ])
        .select([
          'ends_at',
          sql`ends_at + interval '30 days'`.as('e'),
          'closing_balance',
          sql`7`.as('p'),
          sql`0`.as('a'),
        ])
        .select([sql`0`.as('b'), sql`0`.as('c'), sql`0`.as('d'), sql`closing_balance + 7`.as('z')])
        .where('month', '=', `${month}-01`),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  const correction = (body: object) =>
    admin<Body>('POST', `billing-accounts/${of.billing_account_id}/corrections`, {
      amount: '-1.5',
      note: 'Late',
      ...body,
    });
  for (const wrong of [earlier, later, '2020-01'])
    assert.deepEqual(Object.keys((await correction({ month: wrong })).body.errors ?? {}), ['month'], wrong);
  assert.equal((await correction({ month, reference: 'C1' })).status, 201);
  assert.equal((await correction({ month, reference: 'C1' })).status, 201, 'a repetition moves nothing');
  const before = await statementOf(month);
  assert.deepEqual(await missing(month), [], 'the statement is made again when the month is closed');
  assert.equal((await close(month)).status, 201);
  const after = await statementOf(month);
  assert.deepEqual(
    [after.corrections - before.corrections, after.closing_balance - before.closing_balance],
    [-1_500, -1_500],
  );
  assert.ok(after.revised_at);
  const { rows: old } = await sql<{ closing_balance: number }>`
    SELECT (before ->> 'closing_balance')::bigint AS closing_balance FROM statement_revision WHERE statement_id = ${after.id}`.execute(
    owner,
  );
  assert.deepEqual(old, [{ closing_balance: before.closing_balance }], 'the earlier statement is kept');
  const next = await owner.selectFrom('statement').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  assert.deepEqual([next.opening_balance, next.closing_balance], [after.closing_balance, after.closing_balance + 7]);
  await assert.rejects(
    post((db) => correct(db, at(5, 1))),
    /the month of an entry is closed/,
  );
  assert.equal((await correction({ month })).status, 422, 'it is closed again');
  await assert.rejects(owner.updateTable('statement').set({ charges: 0 }).execute(), /append-only/);
  await assert.rejects(owner.deleteFrom('statement_revision').execute(), /append-only/);
});

test('random entries with kills change no closed month and break no rule', async () => {
  const frozen = await entries();
  const operation = fc.record({
    kind: fc.constantFrom('pay', 'reserve', 'charge', 'correct', 'refund'),
    amount: fc.integer({ min: 1, max: 900_000 }),
    days: fc.integer({ min: -40, max: 70 }),
    killed: fc.boolean(),
  });
  const all = fc.sample(operation, { numRuns: 300, seed: 11 });
  const pool = home.pool('owner');
  await Promise.all(
    [0, 1, 2].map(async (worker) => {
      for (const [i, { kind, amount, days, killed }] of all.entries()) {
        if (i % 3 !== worker) continue;
        const transfer = { ...at(days, amount), key: `random ${i}` };
        const done = post(async (db) => {
          if (kind === 'pay') await pay(db, transfer);
          else if (kind === 'reserve') await reserve(db, transfer);
          else if (kind === 'charge') {
            if (await reserve(db, { ...transfer, key: `${transfer.key} r` }))
              await postTransfers(db, [{ ...transfer, kind: 'charge' }]);
          } else if (kind === 'correct') await correct(db, { ...transfer, amount: -Math.ceil(amount / 10) });
          else await refund(db, transfer);
          if (killed) {
            const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
            await pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
          }
        });
        await done.catch(() => undefined);
      }
    }),
  );
  assert.deepEqual(await entries(), frozen);
  const { rows: unbalanced } =
    await sql`SELECT transfer_id FROM ledger_entry GROUP BY 1 HAVING sum(amount) <> 0`.execute(owner);
  assert.deepEqual(unbalanced, []);
  const { rows: beyond } =
    await sql`SELECT t.id FROM ledger_transfer t JOIN billing_account b ON b.id = t.billing_account_id
    WHERE t.kind = 'reservation' AND t.balance_after < -b.credit_limit`.execute(owner);
  assert.deepEqual(beyond, [], 'no reservation passes the limit');
  const rules = new Set((await reconcile(owner)).map(({ rule }) => rule));
  rules.delete('open_reservations'); // these reservations have no messages
  assert.deepEqual([...rules], []);
});
