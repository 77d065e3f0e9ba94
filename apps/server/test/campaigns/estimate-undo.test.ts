import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { estimateCampaign } from '@heliograph/contract/campaigns/quote';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { makeList } from '../contacts/tenant.ts';
import { composer, msisdn } from './composer.ts';
import { scheduleStage } from './schedule-stage.ts';
import { PRICE } from './stage.ts';

const { stage, stateOf, ...cast } = await scheduleStage({ after });
const { account, contradictions, create, change, setAccount, setting } = cast;
const { owner, tenant, clock } = stage;
const { fileOf } = composer(stage);

beforeEach(async () => {
  await setting('undo_seconds', '10');
  await setting('undo_messages', '3');
  await setAccount({ cost_warning_limit: null });
});

const estimate = (content: object, token = 'boss') =>
  stage.call<ReplyOf<typeof estimateCampaign> & { code: string }>(token, 'POST', '/api/v1/campaigns/estimate', {
    sender_id: tenant.sender_id,
    content: 'Hello',
    ...content,
  });
const numbersFrom = (from: number, count: number) => Array.from({ length: count }, (_, i) => msisdn(from + i));
/** Creates a campaign with an undo, as the console does. */
const send = async (count: number, more: object = {}) =>
  (await create(await stage.quote({ custom_numbers: numbersFrom(0, count).join() }), 'boss', { undo: true, ...more }))
    .body.data;

test('an exact estimate has the figures of the quote, for random audiences and texts', async () => {
  const seed = seedOf('FAULT_SEED');
  const random = seededRandom(seed);
  const lists: number[] = [];
  for (const size of [1, 40, 300]) {
    const list = await makeList(owner, tenant, `List of ${size}`);
    const rows = numbersFrom(random.below(200), size).map((number, i) => ({
      number_list_id: list,
      number,
      name: i % 3 === 0 ? null : `Customer ${i}`,
    }));
    await owner.insertInto('number_list_number').values(rows).execute();
    await owner.updateTable('number_list').set({ numbers_count: size }).where('id', '=', list).execute();
    lists.push(list);
  }
  const { corporation_id } = tenant;
  const stopped = numbersFrom(30, 5).map((number) => ({ corporation_id, number }));
  await owner.insertInto('blacklist_number').values(stopped).execute();
  const texts = ['Hello', 'Hi {name}', 'Señor {name} – sale'.repeat(4), 'https://example.com/sale '.repeat(9)];
  for (let i = 0; i < 12; i++) {
    const pasted = [...numbersFrom(random.below(60), random.below(80)), '0917', 'x', '09171234567'];
    const content = {
      content: texts[i % texts.length],
      list_ids: lists.filter(() => random.chance(0.5)),
      custom_numbers: pasted.join('\n'),
      read_national: random.chance(0.5),
      short_links: random.chance(0.5),
      skip_default_param: random.chance(0.5),
    };
    const quote = await stage.quote(content);
    const { status, body } = await estimate(content);
    assert.equal(status, 200, JSON.stringify(body));
    const { total_count, total_sms, rejected_count, cost, currency, balance_after } = quote;
    assert.deepEqual(
      body.data,
      {
        ...{ total_count, total_sms, rejected_count, cost, currency, balance_after },
        credit_balance: quote.credit_balance,
        exact: true,
      },
      `seed ${seed}, ${JSON.stringify(content)}`,
    );
  }
});

test('a large audience is estimated by some rows, and a file by its first ones', async () => {
  const list = await makeList(owner, tenant, 'Large');
  await owner.updateTable('number_list').set({ numbers_count: 100_000 }).where('id', '=', list).execute();
  const rows = numbersFrom(5_000, 4_000).map((number) => ({ number_list_id: list, number }));
  await owner.insertInto('number_list_number').values(rows).execute();
  const large = (await estimate({ list_ids: [list] })).body.data;
  assert.deepEqual([large.total_count, large.total_sms, large.exact], [100_000, 100_000, false]);
  assert.equal(Number(large.cost), (100_000 * PRICE) / 1_000);
  const file = await fileOf(`number,name\n${numbersFrom(0, 400).join(',Ana\n')},Ana`);
  const ofFile = (await estimate({ file_id: file.id, columns: file.mapping })).body.data;
  assert.equal(ofFile.exact, false);
  assert.ok(Math.abs((ofFile.total_count ?? 0) - 400) < 60, `${ofFile.total_count} of 400`);
  assert.equal((await estimate({ custom_numbers: '' })).body.code, 'audience_empty');
  assert.equal((await estimate({ custom_numbers: msisdn(1) }, 'stranger')).status, 422);
  const { rows: quotes } = await stage.home.pool('owner').query('SELECT FROM quote WHERE rows_expected = 100000');
  assert.equal(quotes.length, 0, 'an estimate stores nothing');
});

test('a large campaign waits for an undo, which sends nothing and releases its money', async () => {
  const before = await account();
  const { id, undo_seconds, abilities } = await send(3);
  assert.deepEqual([undo_seconds, abilities.undo], [10, true]);
  await stage.prepare(id);
  clock.pass(9 / 60);
  await stage.look();
  assert.equal(await stateOf(id), 'scheduled', 'a state that no sender takes');
  assert.notEqual((await change(id, 'undo', 'asker')).status, 200, 'only its sender undoes it');
  const undone = await change(id, 'undo');
  assert.deepEqual([undone.status, undone.body.data.state], [200, 'stopped']);
  assert.deepEqual([await account(), await contradictions()], [before, []]);
  clock.pass(1);
  await stage.look();
  assert.equal(await stateOf(id), 'stopped');

  const early = await send(3);
  assert.equal((await change(early.id, 'undo')).status, 200);
  await stage.prepare(early.id);
  assert.equal(await stateOf(early.id), 'stopped', 'also if it was undone before its messages were written');
  assert.deepEqual(await account(), before);
});

test('a sent campaign is among the running ones while it can be undone', async () => {
  const running = async () =>
    (await stage.call<{ data: { id: number }[] }>('boss', 'GET', '/api/v1/running-campaigns')).body.data.map(
      ({ id }) => id,
    );
  const sent = await send(3);
  const later = await send(3, { schedule: { start: '2031-05-05T09:00' } });
  await stage.prepare(sent.id);
  await stage.prepare(later.id);
  const listed = await running();
  assert.deepEqual([listed.includes(sent.id), listed.includes(later.id)], [true, false]);
  await change(sent.id, 'undo');
  assert.equal((await running()).includes(sent.id), false);
});

test('without an undo the campaign starts by the clock, whoever is still there', async () => {
  const { id } = await send(3);
  await stage.prepare(id);
  clock.pass(1);
  await stage.look();
  assert.equal(await stateOf(id), 'running');
  const late = await change(id, 'undo');
  assert.deepEqual([late.status, late.body.code], [409, 'undo_over']);
});

test('small campaigns, scheduled ones and those of programs do not wait for an undo', async () => {
  assert.equal((await send(2)).undo_seconds, null);
  assert.equal((await send(3, { undo: false })).undo_seconds, null);
  assert.equal((await send(3, { schedule: { start: '2031-05-05T09:00' } })).undo_seconds, null);
  await setAccount({ cost_warning_limit: PRICE });
  const costly = await stage.quote({ custom_numbers: numbersFrom(0, 2).join() });
  const confirmed = { undo: true, confirmed_cost: costly.cost };
  assert.equal((await create(costly, 'boss', confirmed)).body.data.undo_seconds, 10);
  await setAccount({ cost_warning_limit: null });
  await setting('undo_seconds', '0');
  assert.equal((await send(3)).undo_seconds, null);
});

test('a cost ten times above the warning limit is reported with the usual cost', async () => {
  await setAccount({ cost_warning_limit: PRICE });
  const near = await stage.quote({ custom_numbers: numbersFrom(0, 10).join() });
  assert.deepEqual([near.cost_warning, near.far_above_warning, near.usual_cost], [true, false, null]);
  const far = await stage.quote({ custom_numbers: numbersFrom(0, 11).join() });
  assert.equal(far.far_above_warning, true);
  assert.match(far.usual_cost ?? '', /^\d+\.\d+$/);
});

test('the name of a running campaign can be changed, and nothing else', async () => {
  const { id } = await send(2);
  await stage.prepare(id);
  const { fingerprint } = await cast.campaignOf(id);
  const rename = (body: object) =>
    stage.call<{ data: { name: string }; code: string }>('boss', 'PATCH', `/api/v1/campaigns/${id}`, {
      fingerprint,
      ...body,
    });
  const { status, body } = await rename({ name: 'Payday deals' });
  assert.deepEqual([status, body.data.name], [200, 'Payday deals']);
  assert.equal((await rename({ name: 'Later', schedule: {} })).body.code, 'invalid_transition');
});
