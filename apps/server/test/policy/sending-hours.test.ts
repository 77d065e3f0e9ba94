import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { StartVerdict } from '@heliograph/contract/campaigns/quote';
import type { BusinessError } from '#platform/errors';
import { makeCast, msisdn, numbers } from '../campaigns/cast.ts';
import { makeIntakeStage, submission } from '../intake/stage.ts';

// 23 November 2026, 22:00 in Manila, where people may get commercial messages from 07:00 to 21:00.
const NIGHT = '2026-11-23T14:00:00.000Z';
const MORNING = '2026-11-23T23:00:00.000Z';
const RULE = { name: 'Philippines', calling_code: '63', start_time: '07:00', end_time: '21:00' };

const { stage, create, campaignOf, change } = await makeCast({ after });
const { owner, clock } = stage;
const programs = await makeIntakeStage({ after }, { clock: { now: () => new Date(NIGHT) } });
for (const pool of [stage.home.pool('owner'), programs.owner])
  await pool.query(`INSERT INTO global_configuration (key, name, value, description)
    VALUES ('number_start_with_any_msisdn', 'Any', 'true', '') ON CONFLICT (key) DO UPDATE SET value = 'true'`);
const rule = (fields: object = {}) =>
  owner
    .insertInto('sending_hours')
    .values({ ...RULE, ...fields })
    .execute();
/** Asks what hours and limits say about a start of a quote, as the composer does. */
const judge = async (quote: { id: number }, schedule: object = {}) =>
  (
    await stage.call<{ data: { start: StartVerdict; next: StartVerdict | null } }>(
      'boss',
      'POST',
      `/api/v1/campaigns/quotes/${quote.id}/start`,
      { schedule },
    )
  ).body.data;
const chunks = async (id: number) =>
  (
    await owner
      .selectFrom('chunk')
      .select(['state', 'quiet_zone', 'expires_at'])
      .where('campaign_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ state, quiet_zone, expires_at }) => ({
    state,
    quiet_zone,
    expires_at: expires_at && new Date(expires_at).toISOString(),
  }));
const singapore = '6591234567';

test('a campaign waits where it is night, and leaves when the hours begin', async () => {
  await rule();
  clock.put(NIGHT);
  const quote = await stage.quote({ custom_numbers: `${numbers(3)},${singapore}`, sms_validity: 2 });
  assert.deepEqual((await judge(quote)).start.hours_wait, { messages: 3, until: MORNING });
  const { body } = await create(quote);
  await stage.prepare(body.data.id);
  const states = async () =>
    (await chunks(body.data.id)).map(({ state, quiet_zone }) => `${quiet_zone} ${state}`).sort();
  assert.deepEqual(await states(), ['Asia/Manila held', 'Asia/Singapore open']);
  clock.put('2026-11-23T22:59:00.000Z');
  await stage.look();
  assert.deepEqual(await states(), ['Asia/Manila held', 'Asia/Singapore open']);
  clock.put(MORNING);
  await stage.look();
  assert.deepEqual(await states(), ['Asia/Manila open', 'Asia/Singapore open']);
  const [manila] = (await chunks(body.data.id)).filter(({ quiet_zone }) => quiet_zone === 'Asia/Manila');
  assert.equal(manila!.expires_at, '2026-11-24T01:00:00.000Z');
  await change(body.data.id, 'stop');
});

const states = async (id: number) => (await chunks(id)).map(({ state }) => state);

test('a quote judges the chosen start and the next run, by quiet time and limits too', async () => {
  clock.put(NIGHT);
  const quote = await stage.quote({ custom_numbers: numbers(2) });
  const noon = '2026-11-24T12:00';
  assert.deepEqual((await judge(quote, { start: noon })).start, {
    at: '2026-11-24T04:00:00.000Z',
    hours_wait: null,
    refusal: null,
    allowed_from: null,
    limit_refusal: null,
  });
  const quiet = { from: '11:00', to: '15:00' };
  const until = '2026-11-24T07:00:00.000Z';
  assert.deepEqual((await judge(quote, { start: noon, quiet })).start.hours_wait, { messages: 2, until });
  const repeat = { every: 'daily', until: '2026-12-01' };
  const late = await judge(quote, { start: '2026-11-24T22:00', repeat });
  assert.deepEqual(late.start.hours_wait, { messages: 2, until: '2026-11-24T23:00:00.000Z' });
  assert.deepEqual(late.next?.hours_wait, { messages: 2, until: '2026-11-25T23:00:00.000Z' });
  // A limit counts the first run now, and the next one in its own period.
  await stage.home
    .pool('owner')
    .query(
      `INSERT INTO sending_limit (corporation_id, name, kind, period, messages) VALUES ($1, 'Small', 'corporation', 'day', 1)`,
      [stage.tenant.corporation_id],
    );
  const limited = await judge(quote, { start: noon, repeat });
  assert.deepEqual([limited.start.refusal, limited.next?.refusal], ['sending_limit_reached', 'sending_limit_reached']);
  assert.equal(limited.next?.limit_refusal?.name, 'Small');
  await owner.deleteFrom('sending_limit').execute();
});

test('messages that a rule holds leave when the rule is switched off', async () => {
  clock.put(NIGHT);
  const { body } = await create(await stage.quote({ custom_numbers: msisdn(1) }));
  await stage.prepare(body.data.id);
  assert.deepEqual(
    (await chunks(body.data.id)).map(({ state }) => state),
    ['held'],
  );
  await owner.updateTable('sending_hours').set({ enabled: false }).execute();
  await stage.look();
  assert.deepEqual(
    (await chunks(body.data.id)).map(({ state }) => state),
    ['open'],
  );
  // Also if it was paused when the rule went.
  await owner.updateTable('sending_hours').set({ enabled: true }).execute();
  await stage.look();
  await change(body.data.id, 'pause');
  await owner.updateTable('sending_hours').set({ enabled: false }).execute();
  for (let looks = 0; looks < 2; looks++) await stage.look();
  assert.equal((await change(body.data.id, 'resume')).status, 200);
  assert.deepEqual(await states(body.data.id), ['open']);
  // A campaign that was prepared without rules follows a new one by the corporation's zone.
  await owner.updateTable('sending_hours').set({ enabled: true }).execute();
  await owner.updateTable('chunk').set({ quiet_zone: null }).execute();
  await stage.look();
  assert.deepEqual(
    (await chunks(body.data.id)).map(({ state }) => state),
    ['held'],
  );
  await change(body.data.id, 'stop');
});

test('hours that refuse let no campaign begin, and the answer says until when', async () => {
  await owner.updateTable('sending_hours').set({ outside: 'refuse' }).execute();
  clock.put(NIGHT);
  const quote = await stage.quote({ custom_numbers: numbers(2) });
  const { start } = await judge(quote);
  assert.deepEqual([start.hours_wait, start.refusal, start.allowed_from], [null, 'outside_hours', MORNING]);
  const refused = (await create(quote)) as unknown as { status: number; body: { code: string; message: string } };
  assert.deepEqual([refused.status, refused.body.code], [409, 'outside_hours']);
  assert.match(refused.body.message, /2026-11-24 07:00 \(Asia\/Manila\)/);
  const later = await create(quote, 'boss', { schedule: { start: '2026-11-24T07:00' } });
  assert.equal(later.status, 201);
  assert.equal((await campaignOf(later.body.data.id)).state, 'preparing');
  await stage.prepare(later.body.data.id);
  const move = (start: string) => change(later.body.data.id, 'reschedule', 'boss', { start, end: null });
  assert.equal((await move('2026-11-24T21:30')).body.code, 'outside_hours');
  assert.equal((await move('2026-11-24T08:00')).status, 200);
});

test('programs keep to the hours by class and sender, and the validity moves along', async () => {
  await programs.owner.query(
    "INSERT INTO sending_hours (name, calling_code, start_time, end_time) VALUES ('Philippines', '63', '07:00', '21:00')",
  );
  const program = await programs.tenant('Night');
  await programs.owner.query(
    "INSERT INTO sender_id (corporation_id, sender_id, is_promotional) VALUES ($1, 'Promo', true)",
    [program.corporation_id],
  );
  const leaves = async (changes: Parameters<typeof submission>[0]) => {
    const { not_before, expires_at } = await programs.intake.accept(
      program,
      submission({ validity_minutes: 60, ...changes }),
    );
    return [not_before, expires_at];
  };
  const waits = [MORNING, '2026-11-24T00:00:00.000Z'];
  const now = [null, '2026-11-23T15:00:00.000Z'];
  assert.deepEqual(await leaves({ class: 'bulk' }), waits);
  assert.deepEqual(await leaves({ class: 'transactional' }), now);
  assert.deepEqual(await leaves({ class: 'otp' }), now);
  assert.deepEqual(await leaves({ class: 'otp', from: 'Promo' }), waits);
  assert.deepEqual(await leaves({ class: 'bulk', to: singapore }), now);
  const evening = '2026-11-24T13:30:00.000Z';
  assert.deepEqual(await leaves({ class: 'bulk', send_at: evening }), [
    '2026-11-24T23:00:00.000Z',
    '2026-11-25T00:00:00.000Z',
  ]);
});

test('a blackout time holds programs only if it says so, and a refusal says until when', async () => {
  const program = await programs.tenant('Blackout');
  const row = [program.corporation_id, '20:00', '09:00'];
  await programs.owner.query(
    'INSERT INTO blackout_time (corporation_id, start_time, end_time, programs) VALUES ($1, $2, $3, true)',
    row,
  );
  const other = await programs.tenant('Open');
  await programs.owner.query('INSERT INTO blackout_time (corporation_id, start_time, end_time) VALUES ($1, $2, $3)', [
    other.corporation_id,
    '20:00',
    '09:00',
  ]);
  await programs.owner.query("UPDATE sending_hours SET outside = 'refuse'");
  // Rules are cached for a second.
  const waiting = performance.now() + 1_100;
  while (performance.now() < waiting) await new Promise((resolve) => setTimeout(resolve, 50));
  const bulk = (to: string) => submission({ class: 'bulk', to });
  assert.equal((await programs.intake.accept(program, bulk(singapore))).not_before, '2026-11-24T01:00:00.000Z');
  assert.equal((await programs.intake.accept(other, bulk(singapore))).not_before, null);
  await assert.rejects(programs.intake.accept(other, bulk('639171234567')), (error: BusinessError) => {
    assert.deepEqual(error.params, { until: '2026-11-24 07:00 (Asia/Manila)' });
    return error.code === 'outside_hours';
  });
});
