import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { valueInText } from '../../src/modules/campaigns/contact-placeholders.ts';
import { makeCast, msisdn } from './cast.ts';

const cast = await makeCast({ after });
const { stage, create, campaignOf } = cast;
const { owner, tenant } = stage;
const { corporation_id } = tenant;

const addField = async (key: string, type: string, slot: string, of = corporation_id) =>
  (
    await owner
      .insertInto('contact_field')
      .values({ corporation_id: of, name: key, key, type, slot })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const city = await addField('city', 'text', 'text_1');
await addField('points', 'number', 'number_1');
await addField('birthday', 'date', 'date_1');
await addField('member', 'yes_no', 'flag_1');
await addField('secret', 'text', 'text_1', cast.stranger.corporation_id);
await owner
  .insertInto('contact')
  .values([
    { corporation_id, number: msisdn(1), text_1: 'Cebu', number_1: 1234567.5, date_1: '2001-02-03', flag_1: true },
    { corporation_id, number: msisdn(2), text_1: null, number_1: 0, date_1: null, flag_1: false },
    { corporation_id: cast.stranger.corporation_id, number: msisdn(3), text_1: 'Theirs' },
  ])
  .execute();

const numbers = [1, 2, 3].map(msisdn).join(',');
const textsOf = async (campaign_id: number) =>
  (
    await owner
      .selectFrom('message')
      .select(['msisdn', 'text'])
      .where('campaign_id', '=', campaign_id)
      .orderBy('msisdn')
      .execute()
  ).map(({ text }) => text?.split('\n')[0]);
const send = async (content: object) => {
  const quote = await stage.quote({ custom_numbers: numbers, ...content });
  assert.equal(quote.error_code, null);
  const { body } = await create(quote);
  return body.data.id;
};

test('a text takes the fields of the contact of each number, whatever its source', async () => {
  const id = await send({
    content: 'In {city}: {points} points, {birthday}, {member}',
    defaults: { city: 'town', points: 'no', birthday: 'soon', member: 'maybe' },
  });
  await stage.prepare(id);
  assert.deepEqual(await textsOf(id), [
    'In Cebu: 1234567.5 points, 3 Feb 2001, yes',
    'In town: 0 points, soon, no',
    'In town: no points, soon, maybe',
  ]);
});

test('a recipient without a value is refused if the campaign asks for it', async () => {
  const quote = await stage.quote({ custom_numbers: numbers, content: '{city}', skip_default_param: true });
  assert.deepEqual([quote.total_count, quote.rejected], [1, { missing_value: 2 }]);
});

test('a key that the corporation does not have is refused, also that of another', async () => {
  for (const key of ['secret', 'nothing', 'constructor']) {
    const asked = await stage.call<{ code: string }>('boss', 'POST', '/api/v1/campaigns/quotes', {
      sender_id: tenant.sender_id,
      custom_numbers: numbers,
      content: `{${key}}`,
    });
    assert.deepEqual([asked.status, asked.body.code], [422, 'unknown_placeholder'], key);
  }
});

test('a campaign keeps a field with a new key, and is refused when it is gone', async () => {
  const content = { content: 'In {city}', defaults: { city: 'town' } };
  const renamed = await send(content);
  await owner.updateTable('contact_field').set({ key: 'home' }).where('id', '=', city).execute();
  await stage.prepare(renamed);
  assert.deepEqual(await textsOf(renamed), ['In Cebu', 'In town', 'In town']);
  await owner.updateTable('contact_field').set({ key: 'city' }).where('id', '=', city).execute();
  const gone = await send(content);
  await owner
    .updateTable('contact_field')
    .set({ removed_at: new Date().toISOString() })
    .where('id', '=', city)
    .execute();
  await stage.prepare(gone);
  const { state, error_code } = await campaignOf(gone);
  assert.deepEqual([state, error_code], ['rejected', 'audience_changed']);
  await owner.updateTable('contact_field').set({ removed_at: null }).where('id', '=', city).execute();
});

test('the preview shows the values of a contact as the text has them', async () => {
  const asked = await stage.call<{ data: object[] }>('boss', 'POST', '/api/v1/campaigns/contact-values', {
    sender_id: tenant.sender_id,
    numbers: [`0${msisdn(1).slice(2)}`, msisdn(3), 'none'],
  });
  assert.deepEqual(asked.body.data, [
    { city: 'Cebu', points: '1234567.5', birthday: '3 Feb 2001', member: 'yes' },
    {},
    {},
  ]);
});

test('values read as people write them', () => {
  assert.deepEqual(
    [1e14, 0.1 + 0.2, -5, 1e-7].map((value) => valueInText('number', value)),
    ['100000000000000', '0.3', '-5', '0.0000001'],
  );
  assert.deepEqual(
    [valueInText('date', '2026-12-01'), valueInText('yes_no', false), valueInText('text', null)],
    ['1 Dec 2026', 'no', null],
  );
});
