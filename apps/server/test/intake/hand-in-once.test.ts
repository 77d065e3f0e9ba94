import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Intake, type Program } from '#modules/intake';
import { systemClock } from '#platform/clock';
import { BusinessError } from '#platform/errors';
import { createLogger } from '#platform/log';
import { makeIntakeStage, submission } from './stage.ts';

const stage = await makeIntakeStage({ after });
const other = new Intake(stage.database.pool('intake'), {
  clock: systemClock,
  log: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
});
after(() => other.close());

const once = (client_ref: string, before = Number.POSITIVE_INFINITY) => submission({ client_ref, once: { before } });
const messagesOf = async ({ corporation_id }: Program) =>
  (
    await stage.one<{ n: number }>('SELECT count(*)::integer AS n FROM message WHERE corporation_id = $1', [
      corporation_id,
    ])
  ).n;
const codesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((each) =>
    each.status === 'fulfilled' ? 'accepted' : each.reason instanceof BusinessError ? each.reason.code : 'failed',
  );

test('a message to be written once is written once, even by parallel processes', async () => {
  const program = await stage.tenant('Once');
  for (let ref = 0; ref < 20; ref++) {
    const tries = Array.from({ length: 6 }, (_, i) => (i % 2 ? other : stage.intake).accept(program, once(`${ref}`)));
    const codes = codesOf(await Promise.allSettled(tries));
    assert.equal(codes.filter((code) => code === 'accepted').length, 1);
    for (const code of codes) assert.match(code, /^(accepted|client_ref_taken|idempotency_in_flight)$/);
  }
  assert.deepEqual(codesOf(await Promise.allSettled([other.accept(program, once('7'))])), ['client_ref_taken']);
  assert.equal(await messagesOf(program), 20);
});

test('a message handed in after its deadline is not written, but may come again', async () => {
  const program = await stage.tenant('Late');
  const late = stage.intake.accept(program, once('1', performance.now() - 1));
  assert.deepEqual(codesOf(await Promise.allSettled([late])), ['unavailable']);
  assert.equal(await messagesOf(program), 0);
  await stage.intake.accept(program, once('1'));
  assert.equal(await messagesOf(program), 1);
});

test('a refused message may be handed in again, and others may use its reference', async () => {
  const poor = await stage.tenant('Poor', { funds: 0 });
  const rich = await stage.tenant('Rich');
  assert.deepEqual(codesOf(await Promise.allSettled([stage.intake.accept(poor, once('1'))])), ['insufficient_credit']);
  await stage.intake.accept(rich, once('1'));
  await stage.owner.query('UPDATE billing_account SET credit_limit = 1000 WHERE id = $1', [poor.billing_account_id]);
  await stage.intake.accept(poor, once('1'));
  assert.deepEqual([await messagesOf(poor), await messagesOf(rich)], [1, 1]);
});
