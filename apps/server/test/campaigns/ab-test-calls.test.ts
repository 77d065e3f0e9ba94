import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { A, type Answer, abTestStage, B, PATH } from './ab-test-stage.ts';
import { numbers, type Answer as OfCampaign } from './cast.ts';

const cast = await abTestStage({ after });
const { stage, setUp, call, read, price, begin, end, passUntilDecision, campaignOf } = cast;
const { owner, tenant, clock } = stage;

test('a start needs the whole price, happens once, and is the maker’s own', async () => {
  const priced = await price(setUp());
  const { samples, rest, total } = priced.cost!;
  assert.equal(Number(total), Number(samples) + Number(rest));
  const start = async (confirmed_cost: string, token = 'boss') =>
    (await call(token, `/${priced.id}/start`, { confirmed_cost })).body.code;
  assert.equal(await start(samples), 'cost_not_confirmed');
  assert.equal(await start(total, 'stranger'), 'not_found');
  assert.equal(await start(total), undefined);
  assert.equal(await start(total), 'invalid_transition');
  const quotes = await owner
    .selectFrom('campaign_test_variant')
    .select('sample_quote_id')
    .where('test_id', '=', priced.id)
    .execute();
  const made = await owner
    .selectFrom('campaign')
    .select('id')
    .where(
      'quote_id',
      'in',
      quotes.map(({ sample_quote_id }) => sample_quote_id),
    )
    .execute();
  assert.equal(made.length, 2);
  assert.equal((await stage.call<Answer>('stranger', 'GET', `${PATH}/${priced.id}`)).status, 404);
});

test('a person who may not run campaigns asks for an approval of each part', async () => {
  await owner
    .insertInto('user_supervisor')
    .values({ user_id: cast.asker.user_id, supervisor_id: tenant.user_id })
    .execute();
  const priced = await price(setUp({ certainty_percent: 50 }), 'asker');
  assert.equal(priced.abilities.run, false);
  const { body } = await call('asker', `/${priced.id}/start`, { confirmed_cost: priced.cost!.total });
  const ids = body.data.variants.map(({ campaign_id }) => campaign_id!);
  for (const id of ids) {
    assert.equal((await campaignOf(id)).state, 'pending');
    assert.equal((await cast.approve(id)).status, 200);
    await stage.prepare(id);
  }
  await end(body.data, [10, 70]);
  await passUntilDecision();
  const done = await read(priced.id, 'asker');
  assert.deepEqual([done.state, done.rest_campaign_state], ['finished', 'pending']);
});

test('the recipients and the text of a sample cannot change', async () => {
  const started = await begin(setUp({}, { custom_numbers: numbers(40) }, [{ ...A, start: '2031-05-06T10:00' }, B]));
  const id = started.variants[0]!.campaign_id!;
  const { fingerprint } = await campaignOf(id);
  const quote = await stage.quote({ custom_numbers: numbers(5) });
  const edit = (change: object) =>
    stage.call<OfCampaign>('boss', 'PATCH', `/api/v1/campaigns/${id}`, { fingerprint, ...change });
  assert.equal((await edit({ quote_id: quote.id })).body.code, 'campaign_in_test');
  const schedule = { start: '2031-05-06T10:00', repeat: { every: 'daily', until: '2031-05-08' } };
  assert.equal((await edit({ schedule })).body.code, 'campaign_in_test');
  assert.equal((await edit({ name: 'Other name' })).status, 200);
});

test('a stop sends no rest and cancels samples that wait', async () => {
  const started = await begin(setUp({}, { custom_numbers: numbers(40) }, [{ ...A, start: '2031-05-06T10:00' }, B]));
  assert.deepEqual(
    started.variants.map(({ campaign_state }) => campaign_state),
    ['scheduled', 'running'],
  );
  const { body } = await call('boss', `/${started.id}/stop`, {});
  assert.deepEqual(
    [body.data.state, ...body.data.variants.map(({ campaign_state }) => campaign_state)],
    ['stopped', 'stopped', 'stopped'],
  );
  assert.equal((await call('boss', `/${started.id}/choose`, { variant: 1, max_cost: '1000' })).status, 409);
  assert.deepEqual(await cast.contradictions(), []);
});

test('the rest starts at the time of day of the chosen variant', async () => {
  const variants = [
    { ...A, start: '2031-05-05T09:00' },
    { ...A, start: '2031-05-05T18:30' },
  ];
  const started = await begin(setUp({ fallback: 'best' }, { custom_numbers: numbers(60) }, variants));
  clock.pass(12 * 60);
  await stage.look();
  await end(started, [1, 12]);
  await passUntilDecision();
  const done = await read(started.id);
  assert.deepEqual([done.state, done.winner], ['finished', 2]);
  const { starts_at } = await campaignOf(done.rest_campaign_id!);
  assert.equal(new Date(starts_at!).toISOString(), '2031-05-06T10:30:00.000Z');
});

test('clicks are counted by recipient, and need a web address in each text', async () => {
  const link = { content: 'See https://example.com/a' };
  const refused = await call('boss', '', setUp({ metric: 'clicked' }));
  assert.deepEqual(Object.keys(refused.body.errors ?? {}), ['variants.0.content']);
  const started = await begin(setUp({ metric: 'clicked' }, undefined, [link, { content: 'Or https://example.com/b' }]));
  const [, second] = started.variants;
  const links = await owner
    .selectFrom('short_link')
    .select(['code', 'msisdn'])
    .where('campaign_id', '=', second!.campaign_id!)
    .limit(3)
    .execute();
  assert.equal(links.length, 3);
  const headers = { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140 Mobile' };
  for (const { code } of [...links, links[0]!])
    await stage.server.inject({ method: 'GET', url: `/s/${code}`, headers });
  let successes = 0;
  // Visits are written after the answer.
  for (let tries = 0; tries < 100 && successes < 3; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({ successes } = (await read(started.id)).variants[1]!.figures!);
  }
  const [one, two] = (await read(started.id)).variants;
  assert.deepEqual([one!.figures!.successes, two!.figures!.successes], [0, 3]);
  assert.equal(two!.figures!.recipients, second!.sample.total_count);
});

test('events that programs report are counted by their name', async () => {
  const refused = await call('boss', '', setUp({ metric: 'converted' }));
  assert.deepEqual(Object.keys(refused.body.errors ?? {}), ['event_name']);
  const started = await begin(setUp({ metric: 'converted', event_name: 'purchase' }));
  const [first, second] = started.variants.map(({ campaign_id }) => campaign_id!);
  const report = (reference: string, name: string, campaign_id: number) =>
    sql`INSERT INTO conversion (corporation_id, reference_hash, name, happened_at, counted_by, campaign_id)
      VALUES (${started.corporation_id}, ${reference}, ${name}, '2031-05-06T08:00:00Z', 'message', ${campaign_id})`.execute(
      owner,
    );
  await report('a', 'purchase', second!);
  await report('b', 'purchase', second!);
  await report('c', 'visit', second!);
  await report('d', 'purchase', first!);
  const { metric, event_name, variants } = await read(started.id);
  assert.deepEqual([metric, event_name], ['converted', 'purchase']);
  assert.deepEqual(
    variants.map(({ figures }) => figures!.successes),
    [1, 2],
  );
});

test('wrong variants are refused with the field that is wrong', async () => {
  const fieldOf = async (body: object) => Object.keys((await call('boss', '', body)).body.errors ?? {}).join();
  assert.equal(await fieldOf(setUp({}, undefined, [A, A])), 'variants.1.content');
  assert.equal(await fieldOf(setUp({}, undefined, [A])), 'variants');
  assert.equal(await fieldOf(setUp({}, undefined, [A, { content: ' ' }])), 'variants.1.content');
  assert.equal(await fieldOf(setUp({}, undefined, [A, { ...B, sender_id: 999_999 }])), 'variants.1.sender_id');
  assert.equal(await fieldOf(setUp({}, undefined, [A, { ...B, start: '2030-01-01T10:00' }])), 'variants.1.start');
  assert.equal(await fieldOf(setUp({}, { list_ids: [999_999] })), 'common.list_ids');
  assert.equal((await call('reader', '', setUp())).status, 403);
});
