import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import type pg from 'pg';
import { endLostCampaigns } from '../../src/modules/campaigns/end-lost-campaigns.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeList } from '../contacts/tenant.ts';
import { makeCast, msisdn, numbers } from './cast.ts';
import { PRICE } from './stage.ts';

// Large campaigns are written in parts, and the first are sent while others are written. A part that waits for another
// session keeps a campaign half written for as long as a test needs.

const COUNT = 22_000;
const PART = 5_000;

const cast = await makeCast({ after });
const { stage, create, campaignOf, account, messagesOf, change, contradictions } = cast;
const { owner, tenant } = stage;

const partsOf = (id: number) =>
  owner.selectFrom('campaign_part').selectAll().where('campaign_id', '=', id).orderBy('part').execute();
const counterOf = (id: number) =>
  owner.selectFrom('campaign_counter').selectAll().where('campaign_id', '=', id).executeTakeFirstOrThrow();
const block = (number: number) =>
  owner
    .insertInto('blacklist_number')
    .values({ corporation_id: tenant.corporation_id, number: msisdn(number) })
    .execute();
const unblock = () => owner.deleteFrom('blacklist_number').execute();

const file = await stage.upload<{ data: { id: number } }>(
  'boss',
  '/api/v1/campaigns/files',
  'people.csv',
  `number\n${numbers(COUNT).replaceAll(',', '\n')}\n`,
);
const recipients = { file_id: file.body.data.id };

/** Makes a large campaign from a new quote; its messages are not written. */
async function made(content: object = {}): Promise<number> {
  const quote = await stage.quote({ ...recipients, ...content });
  const { body } = await create(quote);
  return body.data.id;
}

/** Prepares a campaign until part `waiting` is written, and holds it there until `go` is called. */
async function halfWritten(id: number, waiting = 2) {
  const holder = await stage.home.pool('owner').connect();
  await holder.query('BEGIN');
  await holder.query('INSERT INTO campaign_part VALUES ($1, $2, $3, 0, 0, 0, 0)', [id, waiting, tenant.corporation_id]);
  const prepared = stage.prepare(id);
  prepared.catch(() => undefined);
  const others = Math.ceil(COUNT / PART) - 1;
  await until('the other parts are committed, or wait behind it', async () => {
    const { rows } = await stage.home.pool('owner').query(`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'heliograph worker'`);
    const written = (await partsOf(id)).length;
    return rows.length > 0 && written >= Math.min(others, waiting);
  });
  return {
    async go(end: (holder: pg.PoolClient) => Promise<unknown> = () => holder.query('ROLLBACK')) {
      await end(holder);
      holder.release();
      await prepared;
    },
  };
}

/** Checks that a campaign has every quoted number once, and that the books agree. */
async function isComplete(id: number): Promise<void> {
  const { rows } = await stage.home
    .pool('owner')
    .query(
      'SELECT count(*)::integer AS all, count(DISTINCT msisdn)::integer AS numbers FROM message WHERE campaign_id = $1',
      [id],
    );
  assert.deepEqual(rows, [{ all: COUNT, numbers: COUNT }]);
  assert.deepEqual(await partsOf(id), []);
  assert.deepEqual(await contradictions(), []);
}

test('a large campaign runs with its first part, and ends up with each number once', async () => {
  const id = await made();
  const writing = await halfWritten(id);
  const campaign = await campaignOf(id);
  assert.equal(campaign.state, 'running');
  assert.ok(Date.parse(campaign.expires_at!) > Date.parse(campaign.started_at!));
  const written = await messagesOf(id);
  assert.ok(written >= 2 * PART && written < COUNT);
  assert.deepEqual(await contradictions(), [], 'the books agree while it is half written');
  await writing.go();
  await isComplete(id);
  assert.equal((await owner.selectFrom('quote_audience').select('quote_id').execute()).length, 0);
});

test('a worker that must stop leaves whole parts, and the next goes on after them', async () => {
  const id = await made({ content: 'Hi {name}{param1}', defaults: { name: 'you', param1: '!' } });
  const stop = new AbortController();
  const first = stage.prepare(id, stop.signal);
  await until('a part is committed', async () => (await partsOf(id)).length > 0);
  stop.abort(new Error('the worker must stop'));
  await first.catch(() => undefined);
  assert.equal((await messagesOf(id)) % 1_000, 0);
  await stage.prepare(id);
  await isComplete(id);
  assert.equal((await campaignOf(id)).state, 'running');
});

test('two workers at a time write each number once', async () => {
  const id = await made();
  await Promise.all([stage.prepare(id), stage.prepare(id), stage.prepare(id)]);
  await isComplete(id);
});

test('a paused campaign is written to its end, and waits for its resumption', async () => {
  const id = await made();
  const writing = await halfWritten(id);
  assert.equal((await change(id, 'pause')).status, 200);
  await writing.go();
  await isComplete(id);
  assert.equal((await campaignOf(id)).state, 'paused');
  assert.equal((await change(id, 'resume')).status, 200);
  assert.equal((await campaignOf(id)).state, 'running');
});

test('a stop of a half written campaign releases every unsent message once', async () => {
  const before = await account();
  const id = await made();
  const writing = await halfWritten(id);
  const reserved = (await account()).reserved - before.reserved;
  assert.equal(reserved, COUNT * PRICE);
  assert.equal((await change(id, 'stop')).status, 200);
  await writing.go();
  assert.deepEqual(await account(), before);
  const { cancelled, processed, released } = await counterOf(id);
  assert.deepEqual([cancelled, processed, released], [COUNT, COUNT, COUNT * PRICE]);
  assert.deepEqual(await partsOf(id), []);
  assert.ok((await messagesOf(id)) < COUNT);
  await stage.prepare(id);
  assert.ok((await messagesOf(id)) < COUNT, 'nothing is written after the stop');
  assert.deepEqual(await contradictions(), []);
});

test('an audience that changed before the first part leaves no message', async () => {
  const before = await account();
  const id = await made();
  await block(7);
  await stage.prepare(id);
  const { state, error_code } = await campaignOf(id);
  assert.deepEqual([state, error_code, await messagesOf(id)], ['rejected', 'audience_changed', 0]);
  assert.deepEqual(await account(), before);
  await unblock();
});

test('a number that is blocked again between quote and sending is not written', async () => {
  await block(7);
  const quote = await stage.quote(recipients);
  assert.equal(quote.rejected_count, 1);
  await unblock();
  await block(7);
  const { body } = await create(quote);
  await stage.prepare(body.data.id);
  assert.equal((await campaignOf(body.data.id)).state, 'running');
  assert.equal(await messagesOf(body.data.id), COUNT - 1);
  await unblock();
});

test('a change after the first part leaves the rest as it was quoted', async () => {
  const id = await made();
  const stop = new AbortController();
  const first = stage.prepare(id, stop.signal);
  await until('a part is committed', async () => (await partsOf(id)).length > 0);
  stop.abort(new Error('the worker must stop'));
  await first.catch(() => undefined);
  await block(COUNT - 1);
  await owner.insertInto('blacklist_text').values({ text: 'hello' }).execute();
  await stage.prepare(id);
  await isComplete(id);
  await unblock();
  await owner.deleteFrom('blacklist_text').execute();
});

test('a half written campaign without a job is stopped, and its rest released', async () => {
  const before = await account();
  const id = await made();
  const writing = await halfWritten(id);
  await stage.home.pool('owner').query(`DELETE FROM jobs.job WHERE name = 'prepare-campaign'`);
  await endLostCampaigns({ database: stage.home.db('worker'), clock: systemClock });
  await writing.go();
  const { state, error_code, finished_at } = await campaignOf(id);
  assert.deepEqual([state, error_code], ['stopped', 'campaign_prepare_failed']);
  assert.ok(finished_at);
  assert.deepEqual(await account(), before);
  assert.deepEqual(await contradictions(), []);
});

// Its other worker has only forgotten the parts, so the books do not agree in the tests behind it.
test('a worker that is late writes nothing after another has written everything', async () => {
  const id = await made();
  const writing = await halfWritten(id);
  await until('all other parts are committed', async () => (await messagesOf(id)) === COUNT - PART);
  const { quote_id } = await owner
    .selectFrom('campaign')
    .select('quote_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await writing.go(async (holder) => {
    // As the other worker ends: it forgets all parts, the one that this worker waits for among them.
    await holder.query('DELETE FROM campaign_part WHERE campaign_id = $1', [id]);
    await holder.query('DELETE FROM quote_audience WHERE quote_id = $1', [quote_id]);
    await holder.query('COMMIT');
  });
  assert.equal(await messagesOf(id), COUNT - PART);
});

test('lists, moderation rules, quiet hours and start times keep campaigns whole', async () => {
  const list = await makeList(owner, tenant, 'Large');
  await stage.home
    .pool('owner')
    .query('INSERT INTO number_list_number (number_list_id, number) SELECT $1, unnest($2::text[])', [
      list,
      numbers(COUNT).split(','),
    ]);
  const wholes: [what: string, content: object, more: object, rule?: true][] = [
    ['a list', { file_id: null, list_ids: [list] }, {}],
    ['quiet hours', {}, { schedule: { quiet: { from: '23:00', to: '23:30' } } }],
    [
      'a canary',
      {},
      { schedule: { canary: { percent: 1, watch_minutes: 5, max_failed_percent: 5, max_opt_out_percent: 5 } } },
    ],
    ['a moderation rule', {}, {}, true],
  ];
  for (const [what, content, more, rule] of wholes) {
    if (rule)
      await owner
        .insertInto('moderation_rule')
        .values({ name: 'Words', words: ['casino'] })
        .execute();
    const quote = await stage.quote({ ...recipients, ...content });
    const { body } = await create(quote, 'boss', more);
    assert.ok(body.data, `${what}: ${JSON.stringify(body)}`);
    const { id } = body.data;
    const seen = new Set<number>();
    const watching = setInterval(async () => seen.add((await partsOf(id)).length), 5);
    await stage.prepare(id);
    clearInterval(watching);
    assert.deepEqual(
      [...seen].filter((parts) => parts > 0),
      [],
      `${what} is written whole`,
    );
    assert.equal(await messagesOf(id), COUNT, what);
  }
});
