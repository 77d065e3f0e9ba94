import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { forgetRecipients } from '../../src/modules/campaigns/kept-segments.ts';
import { makeList } from '../contacts/tenant.ts';
import { makeCast, msisdn } from './cast.ts';

const cast = await makeCast({ after });
const { stage, create, campaignOf } = cast;
const { owner, tenant } = stage;
const { corporation_id } = tenant;

const addContact = (place: number, name: string | null, tags: string[]) =>
  owner
    .insertInto('contact')
    .values({ corporation_id, number: msisdn(place), name, tags })
    .execute();
const tagged = (tag: string, not = false) => ({ version: 1, match: 'all', rules: [{ on: 'tag', tag, not }] });
const addSegment = async (name: string, rule: object, of = corporation_id) =>
  (
    await owner
      .insertInto('segment')
      .values({ corporation_id: of, name, rule: JSON.stringify(rule) })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const setTags = (place: number, tags: string[]) =>
  owner.updateTable('contact').set({ tags }).where('number', '=', msisdn(place)).execute();
const sentTo = async (campaign_id: number) =>
  (
    await owner
      .selectFrom('message')
      .select(['msisdn', 'text'])
      .where('campaign_id', '=', campaign_id)
      .orderBy('msisdn')
      .execute()
  ).map(({ msisdn: number, text }) => [number, text]);

for (const [place, name] of [
  [1, 'Ana'],
  [2, 'Ben'],
  [3, null],
  [4, 'Dan'],
] as const)
  await addContact(place, name, place === 4 ? ['other'] : ['vip']);
const vip = await addSegment('VIP', tagged('vip'));
const content = { segment_ids: [vip], content: 'Hello {name}', defaults: { name: 'friend' } };

test('a campaign goes to the contacts that the quote found, by the rule of then', async () => {
  const quote = await stage.quote(content);
  assert.deepEqual([quote.total_count, quote.rejected_count, quote.error_code], [3, 0, null]);
  const { body } = await create(quote);
  await owner
    .updateTable('segment')
    .set({ rule: JSON.stringify(tagged('other')), name: 'Others' })
    .execute();
  await setTags(1, []);
  await setTags(4, ['vip']);
  await owner.updateTable('contact').set({ name: 'Somebody' }).where('number', '=', msisdn(2)).execute();
  await stage.prepare(body.data.id);
  assert.equal((await campaignOf(body.data.id)).state, 'running');
  assert.deepEqual(
    (await sentTo(body.data.id)).map(([number, text]) => [number, text?.slice(0, 12)]),
    [
      [msisdn(1), 'Hello Ana'],
      [msisdn(2), 'Hello Ben'],
      [msisdn(3), 'Hello friend'],
    ],
  );
  const shown = await stage.call<{ data: { segments: { name: string; rule: object }[] } }>(
    'boss',
    'GET',
    `/api/v1/campaigns/${body.data.id}`,
  );
  assert.deepEqual(
    shown.body.data.segments.map(({ name, rule }) => [name, rule]),
    [['VIP', tagged('vip')]],
  );
  await owner
    .updateTable('segment')
    .set({ rule: JSON.stringify(tagged('vip')), name: 'VIP' })
    .execute();
  await setTags(1, ['vip']);
  await setTags(4, ['other']);
});

test('opt-outs, blacklists and repetitions count for a segment as for a list', async () => {
  const list = await makeList(owner, tenant);
  const listed = [1, 9].map((place) => ({ number_list_id: list, number: msisdn(place) }));
  await owner.insertInto('number_list_number').values(listed).execute();
  await owner
    .insertInto('blacklist_number')
    .values({ corporation_id, number: msisdn(2) })
    .execute();
  const quote = await stage.quote({ ...content, list_ids: [list] });
  assert.deepEqual([quote.total_count, quote.rejected], [3, { duplicate: 1, blacklisted: 1 }]);
  await owner.deleteFrom('blacklist_number').execute();
});

test('an estimate counts a segment without keeping anything', async () => {
  const before = await owner.selectFrom('quote_recipient').select('quote_id').execute();
  const asked = await stage.call<{ data: { total_count: number; exact: boolean } }>(
    'boss',
    'POST',
    '/api/v1/campaigns/estimate',
    { sender_id: tenant.sender_id, ...content },
  );
  assert.deepEqual([asked.body.data.total_count, asked.body.data.exact], [3, true]);
  assert.equal((await owner.selectFrom('quote_recipient').select('quote_id').execute()).length, before.length);
});

test('a segment that is not there, or whose rule lacks a record, is refused', async () => {
  const codeOf = async (segment_id: number) => {
    const { status, body } = await stage.call<{ code: string; errors?: object }>(
      'boss',
      'POST',
      '/api/v1/campaigns/quotes',
      {
        sender_id: tenant.sender_id,
        ...content,
        segment_ids: [segment_id],
      },
    );
    return [status, body.code, Object.keys(body.errors ?? {}).join()];
  };
  assert.deepEqual(await codeOf(999_999), [422, 'validation_failed', 'segment_ids']);
  const foreign = await addSegment('Theirs', tagged('vip'), cast.stranger.corporation_id);
  assert.deepEqual(await codeOf(foreign), [422, 'validation_failed', 'segment_ids']);
  const rule = { version: 1, match: 'none', rules: [{ on: 'yes_no', field_id: 4_040, op: 'yes', not: false }] };
  const incomplete = await addSegment('Incomplete', rule);
  assert.deepEqual(await codeOf(incomplete), [422, 'segment_incomplete', '']);
});

test('the recipients of a quote are removed once its campaign is written', async () => {
  const waiting = await stage.quote(content);
  const used = await stage.quote(content);
  const { body } = await create(used);
  const kept = async (id: number) =>
    (await owner.selectFrom('quote_recipient').select('numbers').where('quote_id', '=', id).execute()).flatMap(
      ({ numbers }) => numbers,
    ).length;
  await forgetRecipients(owner, new Date());
  assert.deepEqual([await kept(waiting.id), await kept(used.id)], [3, 3]);
  await stage.prepare(body.data.id);
  await forgetRecipients(owner, new Date());
  assert.deepEqual([await kept(waiting.id), await kept(used.id)], [3, 0]);
  await forgetRecipients(owner, new Date(Date.now() + 4 * 86_400_000));
  assert.equal(await kept(waiting.id), 0);
});
