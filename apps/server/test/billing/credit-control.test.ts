import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { closeMonths, pay, postTransfers, reserve } from '#modules/billing';
import { createLogger } from '#platform/log';
import { stepsOf, takeCreditSteps } from '../../src/modules/billing/credit-steps.ts';
import { mailCreditStep } from '../../src/modules/billing/mail-credit-step.ts';
import { type Body, makeMoneyStage } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { admin, owner, tenant, clock, home, config } = stage;
const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const of = { billing_account_id: tenant.billing_account_id, corporation_id: tenant.corporation_id };
await owner
  .updateTable('billing_account')
  .set({ credit_balance: 0, credit_limit: 9_000_000, created_at: '2026-01-02T00:00:00Z' })
  .execute();
await owner.updateTable('corporation').set({ timezone: 'Asia/Manila' }).execute();
await owner.updateTable('user_account').set({ scope_level: 2, department_id: null }).execute();

const worker = { database: home.db('worker'), config, clock, log };
let keys = 0;
const charge = (created_at: string, amount: number) =>
  owner.transaction().execute(async (db) => {
    await reserve(db, { ...of, key: `r${keys++}`, amount, created_at });
    await postTransfers(db, [{ ...of, key: `c${keys++}`, amount, created_at, kind: 'charge' }]);
  });
const paid = (created_at: string, amount: number) =>
  owner
    .transaction()
    .execute((db) => pay(db, { ...of, key: `p${keys++}`, amount, created_at, user_id: tenant.user_id }));

interface Standing {
  overdue: string;
  due_on: string | null;
  hold: string;
  next_step: string | null;
  next_on: string | null;
  steps: { step: string; on: string; taken_at: string | null }[];
}
const path = `billing-accounts/${of.billing_account_id}`;
const standing = async () => (await admin<{ data: Standing }>('GET', `${path}/credit`)).body.data;
const steps = async () =>
  (await owner.selectFrom('credit_step').select(['step', 'due_on', 'ended_at']).orderBy('id').execute()).map(
    ({ step, due_on, ended_at }) => `${step} ${due_on}${ended_at === null ? '' : ' ended'}`,
  );
/** Moves the clock, closes months, and judges twice, as two workers would. */
async function judge(at: string) {
  clock.set(at);
  await closeMonths(worker);
  await Promise.all([takeCreditSteps(worker), takeCreditSteps(worker)]);
}
const POLICY = { enabled: true, payment_days: 14, remind_after: 1, warn_after: 7, hold_after: 14, suspend_after: 30 };

test('a policy is refused if a stricter step comes before a milder one', async () => {
  const save = (more: object) =>
    admin<Body>('POST', 'credit-control/policy', { ...POLICY, ...more }).then(({ status, body }) => [
      status,
      Object.keys(body.errors ?? {})[0],
    ]);
  assert.deepEqual(await save({ warn_after: 0 }), [422, 'warn_after']);
  assert.deepEqual(await save({ suspend_after: 14 }), [422, 'suspend_after'], 'all stops only as the last step');
  assert.deepEqual(await save({ hold_after: null, suspend_after: 8 }), [200, undefined]);
  assert.deepEqual(await save({}), [200, undefined]);
  const { body } = await admin<{ data: object }>('GET', 'credit-control/policy');
  assert.deepEqual(body.data, POLICY);
});

test('each step is taken once on its day, and all end when the debt is paid', async () => {
  await charge('2026-02-10T00:00:00Z', 500_000);
  await judge('2026-03-15T12:00:00Z'); // due on this day, 14 days after 1 March
  assert.deepEqual(await steps(), []);
  assert.deepEqual([(await standing()).overdue, (await standing()).due_on], ['0.000', null]);
  await judge('2026-03-15T16:00:01Z'); // 16 March in Manila
  assert.deepEqual(await steps(), ['remind 2026-03-15']);
  const shown = await standing();
  assert.deepEqual(
    [shown.overdue, shown.due_on, shown.hold, shown.next_step, shown.next_on],
    ['500.000', '2026-03-15', 'none', 'warn', '2026-03-22'],
  );
  // Part of it is paid: the rest stays overdue since then.
  await paid('2026-03-17T00:00:00Z', 200_000);
  await judge('2026-03-29T00:00:00Z');
  assert.deepEqual(await steps(), ['remind 2026-03-15', 'warn 2026-03-15', 'hold 2026-03-15']);
  assert.deepEqual([(await standing()).overdue, (await standing()).hold], ['300.000', 'bulk']);
  await judge('2026-04-14T00:00:00Z');
  assert.equal((await standing()).hold, 'all');
  const listed = await admin<{ data: { id: number; last_step: string }[] }>('GET', 'credit-control');
  assert.deepEqual(
    listed.body.data.map(({ id, last_step }) => [id, last_step]),
    [[of.billing_account_id, 'suspend']],
  );
  const { rows: mails } = await home
    .pool('owner')
    .query<{ data: { credit_step_id: number; user_id: number } }>(
      "SELECT data FROM jobs.job WHERE name = 'mail-credit-step' ORDER BY data",
    );
  const people = await owner.selectFrom('user_account').select('id').where('enabled', '=', true).execute();
  assert.equal(mails.length, 4 * people.filter(({ id }) => mails.some(({ data }) => data.user_id === id)).length);
  await mailCreditStep(worker, mails.at(-1)!.data);
  await paid('2026-04-14T01:00:00Z', 300_000);
  await judge('2026-04-14T02:00:00Z');
  assert.ok((await steps()).every((step) => step.endsWith('ended')));
  const after = await standing();
  assert.deepEqual([after.overdue, after.hold, after.next_step], ['0.000', 'none', null]);
  await judge('2026-04-14T03:00:00Z');
  assert.equal((await steps()).length, 4, 'nothing is told again');
});

test('grace moves the next step, and a hold by a person stays until a person ends it', async () => {
  await charge('2026-04-20T00:00:00Z', 100_000);
  await judge('2026-05-20T00:00:00Z');
  assert.equal((await steps()).at(-1), 'remind 2026-05-15');
  const grace = await admin<{ data: Standing }>('POST', `${path}/grace`, { until: '2026-06-10', note: 'agreed' });
  assert.deepEqual([grace.body.data.next_step, grace.body.data.next_on], ['warn', '2026-06-10']);
  await judge('2026-06-05T00:00:00Z');
  assert.deepEqual([(await steps()).at(-1), (await standing()).hold], ['remind 2026-05-15', 'none']);
  await admin('POST', `${path}/hold`, { hold: 'bulk', note: 'dispute' });
  await judge('2026-07-01T00:00:00Z');
  assert.equal((await standing()).hold, 'bulk', 'the last step waits for the person');
  await paid('2026-07-01T01:00:00Z', 900_000);
  await judge('2026-07-02T00:00:00Z');
  assert.equal((await standing()).hold, 'bulk');
  await admin('POST', `${path}/hold`, { hold: 'none', note: 'settled' });
  await judge('2026-07-03T00:00:00Z');
  assert.deepEqual([(await standing()).hold, (await standing()).overdue], ['none', '0.000']);
  assert.equal(
    (await stage.call<Body>('boss', 'POST', `/api/v1/${path}/hold`, { hold: 'none', note: 'x' })).status,
    403,
  );
});

test('the steps of any policy come in order, and none before the end of the grace', () => {
  const days = fc.option(fc.integer({ min: 0, max: 90 }), { nil: null });
  fc.assert(
    fc.property(days, days, days, fc.option(fc.integer({ min: 0, max: 200 }), { nil: null }), (a, b, c, grace) => {
      const [remind_after, warn_after, hold_after] = sorted([a, b, c]);
      const policy = { ...POLICY, remind_after: remind_after!, warn_after: warn_after!, hold_after: hold_after! };
      const due = Temporal.PlainDate.from('2026-03-15');
      const until = grace === null ? null : due.add({ days: grace }).toString();
      const on = stepsOf({ ...policy, suspend_after: 91 }, due.toString(), until).map((step) => step.on);
      assert.deepEqual(on, on.toSorted());
      assert.ok(until === null || on.every((day) => day >= until));
      assert.deepEqual(stepsOf({ ...policy, enabled: false }, due.toString(), until), []);
    }),
  );
});

/** Puts the days of the steps that are not left out into order. */
function sorted(days: readonly (number | null)[]): (number | null)[] {
  const given = days.filter((day) => day !== null).toSorted((a, b) => a - b);
  return days.map((day) => (day === null ? null : given.shift()!));
}
