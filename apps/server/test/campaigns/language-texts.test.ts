import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { audienceRoutes } from '../../src/modules/audience/index.ts';
import { mountTemplates } from '../../src/modules/templates/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { makeCast, msisdn } from './cast.ts';
import { callerOf } from './stage.ts';

const cast = await makeCast({ after });
const { stage, create, campaignOf } = cast;
const { owner, tenant } = stage;
const { corporation_id } = tenant;
const app = {
  server: stage.server,
  database: stage.home.db('api'),
  config: stage.config,
  clock: stage.clock,
  log: createLogger(stage.config, 'test'),
  authenticate: async (token: string) => stage.callers.get(token) ?? null,
};
audienceRoutes(app);
mountTemplates(app);
stage.callers.set('admin', callerOf(tenant, 'corporate_admin', { scope_level: 2, department_id: null }));
const KANA = 'こんにちは'.repeat(20);

interface Answer {
  code?: string;
  errors?: Record<string, string[]>;
  data: { id: number; languages: object[]; language_texts: object[] | null };
}
const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
  stage.call<Answer>('admin', method, `/api/v1/${path}`, body);
const added = await call('POST', 'contact-fields', {
  corporation_id,
  name: 'Speaks',
  key: 'speaks',
  type: 'choice',
  choices: ['Tagalog', 'Cebuano', 'Japanese'],
  is_language: true,
});
const slot = (
  await owner.selectFrom('contact_field').select('slot').where('id', '=', added.body.data.id).executeTakeFirstOrThrow()
).slot;
await owner
  .insertInto('contact')
  .values([
    { corporation_id, number: msisdn(1), [slot]: 'Tagalog' },
    { corporation_id, number: msisdn(2), [slot]: ' CEBUANO ' },
    { corporation_id, number: msisdn(3), [slot]: 'Japanese' },
    { corporation_id, number: msisdn(4) },
  ] as never)
  .execute();

const numbers = [1, 2, 3, 4, 5].map(msisdn).join(',');
const TEXTS = [
  { language: 'Tagalog', text: 'Kumusta {name}' },
  { language: 'Cebuano', text: 'Kumusta ka' },
  { language: 'Japanese', text: KANA },
];
const content = {
  custom_numbers: numbers,
  content: 'Hello {name}',
  defaults: { name: 'friend' },
  language_texts: TEXTS,
};
const made = async (of: object = content) => {
  const quote = await stage.quote(of);
  assert.equal(quote.error_code, null);
  return { quote, id: (await create(quote)).body.data.id as number };
};
const textsOf = async (id: number) =>
  (
    await owner
      .selectFrom('message')
      .select(['text', 'parts'])
      .where('campaign_id', '=', id)
      .orderBy('msisdn')
      .execute()
  ).map(({ text, parts }) => [text?.split('\n')[0], parts]);

test('each recipient gets the text of the language of their contact', async () => {
  const { quote, id } = await made();
  const counts = [
    { language: 'Tagalog', count: 1 },
    { language: 'Cebuano', count: 1 },
    { language: 'Japanese', count: 1 },
    { language: null, count: 2 },
  ];
  const details = quote as unknown as { languages: object[]; total_sms: number; unicode_count: number };
  assert.deepEqual([details.languages, details.total_sms, details.unicode_count], [counts, 6, 1]);
  await stage.prepare(id);
  assert.deepEqual(await textsOf(id), [
    ['Kumusta friend', 1],
    ['Kumusta ka', 1],
    [KANA, 2],
    ['Hello friend', 1],
    ['Hello friend', 1],
  ]);
  const { body } = await call('GET', `campaigns/${id}`);
  assert.deepEqual([body.data.languages, body.data.language_texts], [counts, TEXTS]);
});

test('an estimate counts the parts of the text of each recipient', async () => {
  const { body } = await stage.call<{ data: { total_sms: number } }>('boss', 'POST', '/api/v1/campaigns/estimate', {
    sender_id: tenant.sender_id,
    ...content,
  });
  assert.equal(body.data.total_sms, 6);
});

test('a contact whose language changes the cost after the quote rejects the campaign', async () => {
  const { id } = await made();
  await owner
    .updateTable('contact')
    .set({ [slot]: 'Japanese' } as never)
    .where('number', '=', msisdn(4))
    .execute();
  await stage.prepare(id);
  const { state, error_code } = await campaignOf(id);
  assert.deepEqual([state, error_code], ['rejected', 'audience_changed']);
  await owner
    .updateTable('contact')
    .set({ [slot]: null } as never)
    .where('number', '=', msisdn(4))
    .execute();
});

test('texts by language are refused where nobody could get them', async () => {
  const asked = async (change: object) => {
    const { status, body } = await call('POST', 'campaigns/quotes', {
      sender_id: tenant.sender_id,
      ...content,
      ...change,
    });
    return [status, Object.keys(body.errors ?? {})[0]];
  };
  const text = (language: string, written: string) => ({ language_texts: [{ language, text: written }] });
  assert.deepEqual(await asked(text('Klingon', 'nuqneH')), [422, 'language_texts.0.language']);
  assert.deepEqual(await asked(text('Tagalog', 'Sa {nowhere}')), [422, 'language_texts.0.text']);
  assert.deepEqual(await asked(text('Tagalog', '')), [422, 'language_texts.0.text']);
  const twice = [...TEXTS, { language: 'tagalog', text: 'Muli' }];
  assert.deepEqual(await asked({ language_texts: twice }), [422, 'language_texts']);
  await owner.updateTable('contact_field').set({ is_language: false }).where('id', '=', added.body.data.id).execute();
  assert.deepEqual(await asked({}), [422, 'language_texts']);
  await owner.updateTable('contact_field').set({ is_language: true }).where('id', '=', added.body.data.id).execute();
});

test('a corporation has one field for the language, and it holds text', async () => {
  const field = { corporation_id, name: 'Second', key: 'second', is_language: true };
  const second = await call('POST', 'contact-fields', field);
  assert.deepEqual([second.status, second.body.code], [409, 'contact_language_exists']);
  const dated = await call('POST', 'contact-fields', { ...field, type: 'date' });
  assert.deepEqual([dated.status, Object.keys(dated.body.errors ?? {})], [422, ['is_language']]);
});

test('an A/B test refuses texts by language', async () => {
  const { content: text, ...common } = content;
  const { status, body } = await call('POST', 'campaign-tests', {
    name: 'Which',
    metric: 'replied',
    share_percent: 50,
    decide_after_hours: 1,
    certainty_percent: 90,
    decides: 'by_hand',
    fallback: 'by_hand',
    common,
    variants: [
      { sender_id: tenant.sender_id, content: text, start: null },
      { sender_id: tenant.sender_id, content: 'Hi', start: null },
    ],
  });
  assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['common.language_texts']]);
});

test('a template keeps its texts by language, and approves them with its text', async () => {
  const { id: department_id } = await owner
    .selectFrom('department')
    .select('id')
    .where('corporation_id', '=', corporation_id)
    .executeTakeFirstOrThrow();
  const template = { corporation_id, department_id, name: 'Greeting', template: 'Hello {name}', language_texts: TEXTS };
  const saved = await call('POST', 'message-templates', template);
  assert.deepEqual([saved.status, saved.body.data.language_texts], [201, TEXTS]);
  const wrong = await call('PATCH', `message-templates/${saved.body.data.id}`, {
    language_texts: [{ language: 'Klingon', text: 'nuqneH' }],
  });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.errors ?? {})], [422, ['language_texts.0.language']]);
  const { id } = saved.body.data;
  await owner
    .insertInto('approved_template')
    .values({ template_id: id, corporation_id, template: 'Hello {name}', language_texts: JSON.stringify(TEXTS) })
    .execute();
  await owner.updateTable('sender_id').set({ templates_only: true }).where('id', '=', tenant.sender_id).execute();
  const { quote } = await made();
  assert.equal(quote.total_count, 5);
  const other = { ...content, language_texts: [{ language: 'Tagalog', text: 'Iba ito' }] };
  const refused = await call('POST', 'campaigns/quotes', { sender_id: tenant.sender_id, ...other });
  assert.deepEqual([refused.status, Object.keys(refused.body.errors ?? {})], [422, ['language_texts.0.text']]);
  await owner.updateTable('sender_id').set({ templates_only: false }).where('id', '=', tenant.sender_id).execute();
  const edited = await call('PATCH', `message-templates/${id}`, { language_texts: [] });
  assert.deepEqual([edited.status, edited.body.data.language_texts], [200, []]);
});

test('a draft keeps an unfinished text of a language', async () => {
  const unfinished = [{ language: '', text: '' }];
  const { status, body } = await stage.call<{ data: { content: { language_texts: object[] } } }>(
    'boss',
    'POST',
    '/api/v1/campaigns/drafts',
    { content: { content: 'Hello', language_texts: unfinished } },
  );
  assert.deepEqual([status, body.data.content.language_texts], [201, unfinished]);
});
