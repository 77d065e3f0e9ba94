import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { correct, reconcile } from '#modules/billing';
import { Intake, type Program, type Result } from '#modules/intake';
import { systemClock } from '#platform/clock';
import { createPool } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { createLogger } from '#platform/log';
import { makeIntakeStage, PRICES, submission } from './stage.ts';

const stage = await makeIntakeStage({ after });
const { intake, owner } = stage;

const codesOf = (results: readonly Result[]) =>
  results.map((result) => (result instanceof BusinessError ? result.code : 'accepted'));
const creditOf = async ({ billing_account_id }: Program) =>
  (
    await stage.one<{ credit: number }>('SELECT credit_balance AS credit FROM billing_account WHERE id = $1', [
      billing_account_id,
    ])
  ).credit;

/** Resolves when a session waits for a lock. */
async function somebodyWaits(): Promise<void> {
  for (;;) {
    const { waits } = await stage.one<{ waits: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`,
    );
    if (waits) return;
  }
}

test('credit that another transaction spends meanwhile refuses only what it cannot pay', async () => {
  const poor = await stage.tenant('Poor', { funds: 2 * PRICES.api });
  const rich = await stage.tenant('Rich');
  const spender = await owner.connect();
  await spender.query('BEGIN');
  const { billing_account_id, corporation_id } = poor;
  await correct(spender, { key: 'spent meanwhile', billing_account_id, corporation_id, amount: -PRICES.api });
  // Both are judged while the account shows enough for two messages.
  const results = Promise.all([
    intake.acceptMany(poor, [submission(), submission({ to: '639170000002' })]),
    intake.acceptMany(rich, [submission()]),
  ]);
  await somebodyWaits();
  await spender.query('COMMIT');
  spender.release();
  assert.deepEqual((await results).map(codesOf), [['accepted', 'insufficient_credit'], ['accepted']]);
  assert.equal(await creditOf(poor), 0);
  assert.deepEqual(await reconcile(owner), []);
});

test('several processes accept together exactly what an account can pay', async (t) => {
  const program = await stage.tenant('Shared', { funds: 300 * PRICES.api });
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const intakes = [1, 2, 3].map(() => {
    const pool = createPool({ DATABASE_URL: stage.database.url }, 'intake');
    const own = new Intake(pool, { clock: systemClock, log });
    t.after(() => own.close().then(() => pool.end()));
    return own;
  });
  const results = await Promise.all(
    Array.from({ length: 600 }, (_, i) =>
      intakes[i % 3]!.acceptMany(program, [submission({ to: `63917${String(i).padStart(7, '0')}` })]),
    ),
  );
  assert.deepEqual(Map.groupBy(codesOf(results.flat()), String).get('accepted')?.length, 300);
  assert.equal(await creditOf(program), 0);
  assert.deepEqual(await reconcile(owner), []);
});
