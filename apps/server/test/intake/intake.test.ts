import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reconcile } from '#modules/billing';
import type { Accepted, Program, Unit } from '#modules/intake';
import { connectionSettings } from '#platform/database/db';
import { partitionsMade } from '#platform/database/partitions';
import { isTransient } from '#platform/database/transient-error';
import { BusinessError } from '#platform/errors';
import { PostgresSession } from '../../src/modules/delivery/postgres-session.ts';
import { expireChunks } from '../../src/modules/delivery/sweeps/expire-chunks.ts';
import { holdSwitchedOff, openDueChunks } from '../../src/modules/delivery/sweeps/held-chunks.ts';
import { FUNDS, makeIntakeStage, PRICES, submission } from './stage.ts';

const stage = await makeIntakeStage({ after });
await stage.owner.query("INSERT INTO blacklist_text (text) VALUES ('casino')");
const acme = await stage.tenant('Acme');
/** Tenant with a throughput of five messages a second. */
const slow = await stage.tenant('Slow', { apiThroughput: 5 });

const refusal = (code: string) => (error: unknown) => error instanceof BusinessError && error.code === code;
const messages = async (program: Program) =>
  Number(
    (
      await stage.one<{ n: number }>('SELECT count(*) AS n FROM message WHERE corporation_id = $1', [
        program.corporation_id,
      ])
    ).n,
  );

test('parallel messages share few transactions, and each is stored with its reserve', async () => {
  const program = await stage.tenant('Many');
  const accepted = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) =>
      stage.intake.accept(program, submission({ to: `6391700${String(i).padStart(5, '0')}`, text: `Hello ${i}` })),
    ),
  );
  assert.equal(new Set(accepted.map(({ id }) => id)).size, 1_000);
  const rows = await stage.one<{ n: number; transactions: number; texts: number; channel: string; tells: boolean }>(
    `SELECT count(*) AS n, count(DISTINCT k.xmin::text) AS transactions, count(DISTINCT coalesce(m.text, k.common_text)) AS texts,
       min(k.channel) AS channel, bool_and(k.tells) AS tells
     FROM message m JOIN chunk k ON k.id = m.id >> 10 JOIN program_message p ON p.message_id = m.id WHERE m.corporation_id = $1`,
    [program.corporation_id],
  );
  assert.deepEqual(
    { ...rows, transactions: rows.transactions <= 5 },
    { n: 1_000, transactions: true, texts: 1_000, channel: 'api', tells: true },
  );
  const account = await stage.one<{ credit_balance: number; reserved: number }>(
    'SELECT credit_balance, reserved FROM billing_account WHERE id = $1',
    [program.billing_account_id],
  );
  assert.deepEqual(account, { credit_balance: FUNDS - 1_000 * PRICES.api, reserved: 1_000 * PRICES.api });
  assert.deepEqual(await reconcile(stage.owner), []);
});

test('a hold of bulk messages stops no code and no transactional message', async () => {
  const program = await stage.tenant('Late');
  const results = async (hold: 'none' | 'bulk' | 'all') => {
    await stage.owner.query('UPDATE billing_account SET hold = $1 WHERE id = $2', [hold, program.billing_account_id]);
    const tried = await Promise.allSettled(
      (['otp', 'transactional', 'bulk'] as const).map((c) => stage.intake.accept(program, submission({ class: c }))),
    );
    return tried.map((each) => (each.status === 'fulfilled' ? 'sent' : (each.reason as BusinessError).code));
  };
  assert.deepEqual(await results('bulk'), ['sent', 'sent', 'billing_account_held']);
  assert.deepEqual(await results('all'), Array(3).fill('billing_account_held'));
  assert.deepEqual(await results('none'), ['sent', 'sent', 'sent']);
});

test('a refused message fails with its own reason and does not affect the others', async () => {
  const poor = await stage.tenant('Poor', { funds: PRICES.api });
  await stage.owner.query(
    `INSERT INTO opt_out (corporation_id, number, source, note, opted_out_at) VALUES ($1, '639170000002', 'person', 'said so', now())`,
    [acme.corporation_id],
  );
  await stage.owner.query(
    "INSERT INTO blacklist_number (corporation_id, number, channel) VALUES ($1, '639170000003', 'api')",
    [acme.corporation_id],
  );
  const before = await messages(acme);
  const tried = await Promise.allSettled([
    stage.intake.accept(acme, submission()),
    stage.intake.accept(acme, submission({ from: 'Other' })),
    stage.intake.accept(acme, submission({ to: '12' })),
    stage.intake.accept(acme, submission({ to: '639170000002' })),
    stage.intake.accept(acme, submission({ to: '639170000003' })),
    stage.intake.accept(acme, submission({ text: 'Win at the C4sino' })),
    stage.intake.accept(acme, submission({ text: 'x'.repeat(1_600) })),
    stage.intake.accept(acme, submission({ text: 'a\0b' })),
    stage.intake.accept(acme, submission({ flash: true })),
    stage.intake.accept(poor, submission()),
    stage.intake.accept(poor, submission()),
    stage.intake.accept({ ...acme, corporation_id: poor.corporation_id }, submission()),
  ]);
  const codes = tried.map((each) =>
    each.status === 'fulfilled' ? 'accepted' : `${each.reason.code} ${Object.keys(each.reason.fields ?? {})}`.trim(),
  );
  assert.deepEqual(codes, [
    'accepted',
    'sender_not_allowed from',
    'validation_failed to',
    'validation_failed to',
    'validation_failed to',
    'validation_failed text',
    'text_too_long text',
    'validation_failed text',
    'flash_not_allowed flash',
    'accepted',
    'insufficient_credit',
    'program_disabled',
  ]);
  assert.equal(await messages(acme), before + 1);
});

test('messages of a test key cost nothing and use only test links', async () => {
  const [live, tried] = await Promise.all([
    stage.intake.accept(acme, submission()),
    stage.intake.accept({ ...acme, is_test: true }, submission()),
  ]);
  assert.equal(tried!.price, 0);
  const linkOf = async ({ id }: Accepted) =>
    (
      await stage.one<{ name: string }>(
        'SELECT l.name FROM chunk k JOIN link l ON l.id = k.link_id WHERE k.id = $1::bigint >> 10',
        [id],
      )
    ).name;
  assert.deepEqual([await linkOf(live!), await linkOf(tried!)], ['Carrier', 'Tests']);
});

test('a unique reference is accepted once, and is free again after a refusal', async () => {
  const poor = await stage.tenant('Unique', { funds: PRICES.api });
  const unique = { unique_ref: true, client_ref: 'order-1' };
  await assert.rejects(
    stage.intake.accept(poor, submission({ ...unique, text: 'x'.repeat(200) })),
    refusal('insufficient_credit'),
  );
  const tried = await Promise.allSettled(
    Array.from({ length: 20 }, () => stage.intake.accept(poor, submission(unique))),
  );
  assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1);
  await assert.rejects(stage.intake.accept(poor, submission(unique)), refusal('client_ref_taken'));
});

test('an idempotency key repeats its answer, and refuses another body', async () => {
  const before = await messages(acme);
  const unit = (hash: string): Unit => ({
    program: acme,
    submissions: [submission()],
    idempotency: { key: 'one', hash: Buffer.from(hash) },
    answer: ({ results: [result] }) =>
      result instanceof BusinessError ? null : { status: 202, body: JSON.stringify({ id: result!.id }) },
  });
  const [first, second] = await Promise.allSettled([stage.intake.submit(unit('a')), stage.intake.submit(unit('a'))]);
  assert.ok(
    first.status === 'fulfilled' && second.status === 'rejected' && refusal('idempotency_in_flight')(second.reason),
  );
  const again = await stage.intake.submit(unit('a'));
  assert.deepEqual({ ...again.answer, replayed: again.replayed }, { ...first.value.answer, replayed: true });
  await assert.rejects(stage.intake.submit(unit('b')), refusal('idempotency_key_reused'));
  assert.equal(await messages(acme), before + 1);
});

test('a scheduled message is held, and a throughput limits what is handed in', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const [one, other] = await Promise.all([
    stage.intake.accept(acme, submission({ send_at: soon })),
    stage.intake.accept(acme, submission({ send_at: soon })),
  ]);
  assert.notEqual(Math.floor(one!.id / 1_024), Math.floor(other!.id / 1_024));
  const chunk = await stage.one<{ state: string; not_before: string }>(
    'SELECT state, not_before FROM chunk WHERE id = $1::bigint >> 10',
    [one!.id],
  );
  assert.deepEqual({ state: chunk.state, at: Date.parse(chunk.not_before) }, { state: 'held', at: Date.parse(soon) });
  const tried = await Promise.allSettled(Array.from({ length: 10 }, () => stage.intake.accept(slow, submission())));
  assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 5);
  const refused = tried.find((each) => each.status === 'rejected')!;
  assert.ok(refusal('too_many_requests')(refused.reason) && refused.reason.retryAfter >= 1);
});

test('new messages of a disabled department are refused; accepted ones wait', async () => {
  const pool = stage.database.pool('sender');
  const tenant = await stage.tenant('Off');
  const { id: department_id } = await stage.one<{ id: number }>(
    "INSERT INTO department (corporation_id, name) VALUES ($1, 'Night') RETURNING id",
    [tenant.corporation_id],
  );
  const program = { ...tenant, department_id };
  const sent = await Promise.all([
    stage.intake.accept(program, submission()),
    stage.intake.accept(tenant, submission()),
    stage.intake.accept(program, submission({ send_at: new Date(Date.now() + 3_600_000).toISOString() })),
  ]);
  const states = async () => {
    const { rows } = await stage.owner.query<{ state: string }>(
      'SELECT k.state FROM unnest($1::bigint[]) WITH ORDINALITY w(id, nth) JOIN chunk k ON k.id = w.id >> 10 ORDER BY nth',
      [sent.map(({ id }) => id)],
    );
    return rows.map(({ state }) => state);
  };
  const chunks = 'id = ANY (SELECT unnest($1::bigint[]) >> 10)';
  await stage.owner.query('UPDATE department SET enabled = false WHERE id = $1', [department_id]);
  await assert.rejects(stage.intake.accept(program, submission()), refusal('program_disabled'));
  await holdSwitchedOff(pool);
  await stage.owner.query(`UPDATE chunk SET not_before = now() WHERE not_before > now() AND ${chunks}`, [
    [sent[2]!.id],
  ]);
  await openDueChunks(pool);
  assert.deepEqual(await states(), ['held', 'open', 'held']);
  await stage.owner.query(`UPDATE chunk SET expires_at = now() WHERE ${chunks}`, [[sent[2]!.id]]);
  await expireChunks(pool);
  assert.deepEqual(await states(), ['held', 'open', 'expired']);
  await stage.owner.query('UPDATE department SET enabled = true WHERE id = $1', [department_id]);
  await holdSwitchedOff(pool);
  await openDueChunks(pool);
  assert.deepEqual(await states(), ['open', 'open', 'expired']);
  assert.deepEqual(await reconcile(stage.owner), []);
});

test('messages are stored even if the partitions of the day were missing', async () => {
  const program = await stage.tenant('Asleep');
  const dropped = await stage.owner.query(`DO $$ DECLARE t regclass; BEGIN
    FOR t IN SELECT inhrelid FROM pg_inherits WHERE inhparent IN ('message'::regclass, 'submission'::regclass, 'receipt'::regclass)
      AND right(inhrelid::regclass::text, 8) >= to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
    LOOP EXECUTE format('DROP TABLE %s', t); END LOOP; END $$`);
  assert.equal(dropped.command, 'DO');
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => stage.intake.accept(program, submission({ to: `6391800000${10 + i}` }))),
  );
  assert.equal(await messages(program), 20);
  const days = await stage.one<{ n: number }>(
    "SELECT count(*) AS n FROM pg_inherits WHERE inhparent = 'receipt'::regclass AND right(inhrelid::regclass::text, 8) >= to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')",
  );
  assert.equal(Number(days.n), 8);
});

test('a sender with a clock that is ahead gets the partition of its day', async () => {
  const session = new PostgresSession(connectionSettings({ DATABASE_URL: stage.database.url }, 'sender'), 'test');
  const client = await session.client();
  const ahead = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  const write = () => client.query(`COPY receipt_${ahead} (received_at) FROM STDIN`);
  const failed = await write().then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(isTransient(failed), String(failed));
  await partitionsMade();
  assert.equal(
    (await stage.one<{ n: string | null }>(`SELECT to_regclass('receipt_${ahead}') AS n`)).n,
    `receipt_${ahead}`,
  );
  await session.end();
});
