import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Intake, type Program } from '#modules/intake';
import { systemClock } from '#platform/clock';
import type { BusinessError } from '#platform/errors';
import { createLogger } from '#platform/log';
import { makeIntakeStage, PRICES, submission } from '../intake/stage.ts';

const stage = await makeIntakeStage({ after });
// A second process hands in at the same time.
const other = new Intake(stage.database.pool('intake'), {
  clock: systemClock,
  log: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
});
after(() => other.close());

interface LimitFields {
  kind: string;
  messages?: number;
  spend?: number;
  class?: string;
  period?: string;
  api_key_id?: number;
}
/** Sets a limit before a program's first message, since rules are cached for a second. */
async function limited(name: string, ...limits: readonly LimitFields[]): Promise<Program> {
  const program = await stage.tenant(name);
  for (const [place, limit] of limits.entries()) {
    const { kind, messages = null, spend = null, class: of = null, period = 'day' } = limit;
    await stage.owner.query(
      `INSERT INTO sending_limit (corporation_id, name, kind, class, period, messages, spend) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [program.corporation_id, `Limit ${place}`, kind, of, period, messages, spend],
    );
  }
  return program;
}

const crowd = await limited('Crowd', { kind: 'corporation', messages: 50 });
const purse = await limited('Purse', { kind: 'user', spend: 30 * PRICES.api, period: 'month' });
const pesky = await limited('Pesky', { kind: 'recipient', messages: 3, period: 'week' });
const keyed = await limited('Keyed', { kind: 'api_key', messages: 20, period: 'month' });
const named = await limited('Named', { kind: 'sender_id', messages: 25 });
const poor = await limited('Poor', { kind: 'corporation', messages: 2 });
const mixed = await limited(
  'Mixed',
  { kind: 'corporation', messages: 1, class: 'bulk' },
  { kind: 'message', spend: PRICES.api },
);
const free = await stage.tenant('Free');

const hand = (
  program: Program,
  count: number,
  to: (n: number) => string = (n) => `6391700${String(n).padStart(5, '0')}`,
) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      (n % 2 ? other : stage.intake).accept(program, submission({ to: to(n) })).then(
        () => 'accepted',
        (error: BusinessError) => error.code,
      ),
    ),
  );
const tally = (codes: readonly string[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(codes, (c) => c)).map(([c, all]) => [c, all!.length]));
const usedBy = async ({ corporation_id }: Program) =>
  (
    await stage.one<{ used: number }>(
      'SELECT coalesce(sum(used), 0)::integer AS used FROM sending_limit_use WHERE corporation_id = $1',
      [corporation_id],
    )
  ).used;

test('200 concurrent messages pass a limit of messages exactly as often as it allows', async () => {
  assert.deepEqual(tally(await hand(crowd, 200)), { accepted: 50, sending_limit_reached: 150 });
  assert.equal(await usedBy(crowd), 50);
});

test('200 concurrent messages cost exactly what a limit of a user allows', async () => {
  assert.deepEqual(tally(await hand(purse, 200)), { accepted: 30, sending_limit_reached: 170 });
  assert.equal(await usedBy(purse), 30 * PRICES.api);
});

test('each number gets exactly as many of 200 concurrent messages as its limit allows', async () => {
  const codes = await hand(pesky, 200, (n) => `63917000000${n % 4}`);
  assert.deepEqual(tally(codes), { accepted: 12, sending_limit_reached: 188 });
});

test('200 concurrent messages of a key, and of a sender ID, pass as often as allowed', async () => {
  const [byKey, bySender] = await Promise.all([hand(keyed, 200), hand(named, 200)]);
  assert.deepEqual(tally(byKey), { accepted: 20, sending_limit_reached: 180 });
  assert.deepEqual(tally(bySender), { accepted: 25, sending_limit_reached: 175 });
  assert.deepEqual([await usedBy(keyed), await usedBy(named)], [20, 25]);
});

test('messages that the credit refuses use up no limit', async () => {
  await stage.owner.query('UPDATE billing_account SET credit_balance = 0 WHERE id = $1', [poor.billing_account_id]);
  assert.deepEqual(tally(await hand(poor, 5)), { insufficient_credit: 5 });
  assert.equal(await usedBy(poor), 0);
  await stage.owner.query('UPDATE billing_account SET credit_balance = 1000000 WHERE id = $1', [
    poor.billing_account_id,
  ]);
  assert.deepEqual(tally(await hand(poor, 5)), { accepted: 2, sending_limit_reached: 3 });
});

test('a refusal names the limit, its amount and the rest', async () => {
  await stage.intake.accept(mixed, submission({ class: 'bulk' }));
  await assert.rejects(stage.intake.accept(mixed, submission({ class: 'bulk' })), (error: BusinessError) => {
    assert.deepEqual(error.params, { name: 'Limit 0', limit: '1', needed: '1', left: '0' });
    return error.code === 'sending_limit_reached';
  });
  // Another class does not count.
  await stage.intake.accept(mixed, submission());
  await assert.rejects(stage.intake.accept(mixed, submission({ text: 'x'.repeat(200) })), (error: BusinessError) => {
    assert.deepEqual(error.params, { name: 'Limit 1', limit: '0.350 PHP', needed: '0.700 PHP' });
    return error.code === 'price_above_limit';
  });
});

test('a corporation without limits and a test key count nothing', async () => {
  assert.deepEqual(tally(await hand(free, 20)), { accepted: 20 });
  assert.deepEqual(tally(await hand({ ...crowd, is_test: true }, 20)), { accepted: 20 });
  assert.deepEqual([await usedBy(free), await usedBy(crowd)], [0, 50]);
});
