import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { optIn, optOut } from '#modules/contacts';
import type { BusinessError } from '#platform/errors';
import { confirmConsents } from '../../src/modules/policy/consent.ts';
import { explainConsent } from '../../src/modules/policy/explain.ts';
import { makeCast, msisdn } from '../campaigns/cast.ts';
import { makeList } from '../contacts/tenant.ts';
import { makeIntakeStage, submission } from '../intake/stage.ts';

const { stage } = await makeCast({ after });
const { owner, tenant } = stage;
const { corporation_id, sender_id } = tenant;
const worker = stage.home.db('worker');
const programs = await makeIntakeStage({ after });

const event = (number: string, kind: string, more: object = {}) =>
  owner
    .insertInto('consent_event')
    .values({ corporation_id, number, kind, source: 'form', wording: 'News of lamps', ...more })
    .execute();
const stateOf = async (number: string, sender = 0) =>
  (
    await owner
      .selectFrom('consent')
      .select('state')
      .where('number', '=', number)
      .where('sender', '=', sender)
      .executeTakeFirst()
  )?.state;
const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);

test('the last event decides the state, in any order of arrival', async () => {
  const number = msisdn(1);
  await event(number, 'opt_in', { happened_at: at(-10).toISOString() });
  await event(number, 'asked', { happened_at: at(-20).toISOString() });
  assert.equal(await stateOf(number), 'opt_in');
  await event(number, 'asked', { happened_at: at(-5).toISOString(), proof: 'A second question' });
  assert.equal(await stateOf(number), 'asked');
  await owner
    .updateTable('consent_event')
    .set({ retracted_at: at(0).toISOString() })
    .where('number', '=', number)
    .where('happened_at', '>', at(-7).toISOString())
    .execute();
  assert.equal(await stateOf(number), 'opt_in');
});

test('a campaign leaves out people without a required consent, and the quote counts', async () => {
  const [list, strict] = [await makeList(owner, tenant), await makeList(owner, tenant, 'Strict')];
  const people = [msisdn(10), msisdn(11), msisdn(12), msisdn(13)];
  for (const number_list_id of [list, strict])
    await owner
      .insertInto('number_list_number')
      .values(
        people
          .slice(number_list_id === list ? 0 : 1, number_list_id === list ? 1 : 4)
          .map((number) => ({ number_list_id, number })),
      )
      .execute();
  await owner.updateTable('number_list').set({ requires_consent: true }).where('id', '=', strict).execute();
  await event(people[1]!, 'opt_in');
  await event(people[2]!, 'opt_in', { sender_id_id: sender_id });
  await event(people[3]!, 'asked');
  const first = await stage.quote({ list_ids: [list, strict] });
  assert.deepEqual([first.total_count, first.rejected], [3, { no_consent: 1 }]);
  await owner.updateTable('corporation').set({ requires_consent: true }).where('id', '=', corporation_id).execute();
  const second = await stage.quote({ list_ids: [list, strict], custom_numbers: msisdn(14) });
  assert.deepEqual([second.total_count, second.rejected], [2, { no_consent: 3 }]);
  await owner.updateTable('corporation').set({ requires_consent: false }).where('id', '=', corporation_id).execute();
});

test('a phone that was asked opts in by YES, with its message as the proof', async () => {
  const [asked, silent, late] = [msisdn(20), msisdn(21), msisdn(22)];
  await event(asked, 'asked');
  await event(late, 'asked', { happened_at: at(-31 * 1_440).toISOString() });
  const reply = (number: string, whole: string, inbound_message_id: number) => ({
    corporation_id,
    number,
    whole,
    text: whole.toUpperCase(),
    inbound_message_id,
    at: at(1),
  });
  await confirmConsents(worker, [reply(asked, 'maybe', 1), reply(silent, 'yes', 2), reply(late, 'yes', 3)]);
  assert.deepEqual([await stateOf(asked), await stateOf(silent), await stateOf(late)], ['asked', undefined, 'asked']);
  await confirmConsents(worker, [reply(asked, 'opo', 4)]);
  const stored = await owner
    .selectFrom('consent_event')
    .select(['kind', 'source', 'wording', 'proof', 'inbound_message_id'])
    .where('number', '=', asked)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  assert.deepEqual(stored, {
    kind: 'opt_in',
    source: 'keyword',
    wording: 'News of lamps',
    proof: 'OPO',
    inbound_message_id: 4,
  });
});

test('an opt-in by others never ends an opt-out; the phone’s own message does', async () => {
  const number = msisdn(30);
  const refused = async () => (await stage.quote({ custom_numbers: number })).rejected;
  await optOut(owner, {
    corporation_id,
    number,
    source: 'message',
    at: at(-60),
    message: 'STOP',
    inbound_message_id: 5,
  });
  assert.equal(await stateOf(number), 'opt_out');
  await event(number, 'opt_in', { source: 'import' });
  assert.equal(await stateOf(number), 'opt_in');
  assert.deepEqual(await refused(), { opted_out: 1 });
  await event(number, 'asked', { happened_at: at(0).toISOString() });
  await confirmConsents(worker, [
    { corporation_id, number, whole: 'yes', text: 'YES', inbound_message_id: 6, at: at(1) },
  ]);
  assert.deepEqual(await refused(), {});
  // An opt-out that a colleague noted by mistake is retracted, which is no opt-in.
  const other = msisdn(31);
  await optOut(owner, { corporation_id, number: other, source: 'person', at: at(-1) });
  await optIn(owner, { corporation_id, number: other, at: at(0) });
  assert.equal(await stateOf(other), undefined);
});

test('programs send commercial messages only to people who opted in, if required', async () => {
  const strict = await programs.tenant('Strict');
  const free = await programs.tenant('Free');
  await programs.owner.query('UPDATE corporation SET requires_consent = true WHERE id = $1', [strict.corporation_id]);
  const [willing, other] = ['639170000001', '639170000002'];
  await programs.owner.query("INSERT INTO consent_event (corporation_id, number, source) VALUES ($1, $2, 'api')", [
    strict.corporation_id,
    willing,
  ]);
  const bulk = (to: string) => submission({ class: 'bulk', to });
  await programs.intake.accept(strict, bulk(willing));
  await assert.rejects(
    programs.intake.accept(strict, bulk(other)),
    (error: BusinessError) => error.fields?.['to']?.[0]?.key === 'no_consent',
  );
  await programs.intake.accept(strict, submission({ to: other }));
  await programs.intake.accept(free, bulk(other));
});

test('the consent of a message is the one of its time, for its sender', async () => {
  const number = msisdn(40);
  await event(number, 'opt_in', { happened_at: at(-60).toISOString(), sender_id_id: sender_id });
  await event(number, 'asked', { happened_at: at(-30).toISOString(), sender_id_id: sender_id });
  const message = { id: 1, corporation_id, user_id: null, campaign_id: null, class: 'bulk', number } as const;
  const explained = (minutes: number, sender = 'LAMPS') =>
    explainConsent(owner, {
      ...message,
      created_at: at(minutes).toISOString(),
      sender_id: sender,
      state: 'delivered',
      error_code: null,
      left_at: null,
      text: null,
    });
  const found = await explained(-40);
  assert.deepEqual([found?.result, found?.because?.key], ['passed', 'form']);
  assert.deepEqual([await explained(-90), await explained(-40, 'OTHER'), await explained(0)], [null, null, null]);
});
