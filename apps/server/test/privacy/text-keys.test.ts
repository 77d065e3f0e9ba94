import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { countQuote } from '../../src/modules/campaigns/count-quote.ts';
import { prepareCampaign } from '../../src/modules/campaigns/prepare-campaign.ts';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { exportTransactions } from '../../src/modules/reports/export-transactions.ts';
import { newTextKey } from '../../src/platform/text/text-keys.ts';
import { conversationStage, path } from '../inbox/conversation-stage.ts';
import { placesOf } from './search-places.ts';

const stage = await conversationStage({ after });
const { api, acme, all, one, bring, corporate, entries, ofPhone, newPhone, worker } = stage;
const owner = api.database.pool('owner');
const never = new AbortController().signal;

const TEXT = 'Quokka sale for {name}';
const COMMON = 'Quokka sale, all shops';
const QUESTION = 'Quokka question';
const ANSWER = 'Quokka answer';
const NOTE = 'Quokka note';
const SENTENCE = /^The text cannot be shown: its key was destroyed on \d{4}-\d\d-\d\d\.$/;

type Data = { data: Record<string, unknown> & { id: number } };
const data = ({ status, body }: { status: number; body: unknown }, wanted = 200) => {
  assert.equal(status, wanted, JSON.stringify(body));
  return (body as Data).data;
};
const rowsOf = (answer: { body: unknown }) => (answer.body as { data: Record<string, unknown>[] }).data;

let key = 0;
let campaign = 0;
let conversation = 0;
const phone = newPhone();

async function sendCampaign(content: string): Promise<number> {
  const { id: sender_id } = await one<{ id: number }>(
    'SELECT id FROM sender_id WHERE corporation_id = $1 AND usable ORDER BY id LIMIT 1',
    [acme],
  );
  const quote = data(
    await corporate('POST', '/api/v1/campaigns/quotes', {
      sender_id,
      content,
      defaults: { name: 'Quokka friend' },
      custom_numbers: '639171112233\n639171112234',
    }),
    202,
  );
  await countQuote(worker, quote.id, never);
  const counted = data(await corporate('GET', `/api/v1/campaigns/quotes/${quote.id}`));
  assert.deepEqual(
    (counted['samples'] as { text: string }[])[0]!.text.startsWith('Quokka sale'),
    true,
    JSON.stringify(counted['samples']),
  );
  const made = data(
    await corporate('POST', '/api/v1/campaigns', {
      quote_id: quote.id,
      name: 'Spring',
      confirmed_cost: counted['cost'],
    }),
    201,
  );
  await prepareCampaign(worker, made.id, never);
  return made.id;
}

/** Reads everything that shows texts, and returns what it shows. */
async function shown() {
  const { rows } = await owner.query('SELECT id FROM message WHERE campaign_id = $1 ORDER BY id', [campaign]);
  const record = data(await corporate('GET', `/api/v1/messages/${rows[0].id}`));
  const { today } = await period();
  const list = rowsOf(await corporate('GET', `/api/v1/transactions?from=${today}&to=${today}&campaign_id=${campaign}`));
  const sent = rowsOf(await corporate('GET', `/api/v1/campaigns/${campaign}/messages`));
  const page = data(await corporate('GET', `/api/v1/campaigns/${campaign}`));
  const said = (await entries(corporate, conversation)).data.filter(({ kind }) => kind !== 'out');
  const inbox = rowsOf(await corporate('GET', `/api/v1/inbox?oa=${phone}`))[0]!;
  return [
    record['text'],
    ...list.map(({ text }) => text),
    ...sent.map(({ text }) => text),
    page['content'],
    ...said.flatMap(({ text }) => text ?? []),
    inbox['message'],
    inbox['reply_message'],
  ] as string[];
}

/** Returns the date of today where the corporation is. */
async function period() {
  const { timezone } = await one<{ timezone: string }>('SELECT timezone FROM corporation WHERE id = $1', [acme]);
  return { today: new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date()) };
}

/** Writes the file of messages and returns its lines. */
async function exported(): Promise<string> {
  const { today } = await period();
  const asked = data(
    await corporate('POST', '/api/v1/transactions/exports', {
      format: 'csv',
      from: today,
      to: today,
      campaign_id: campaign,
    }),
    202,
  );
  await exportTransactions(
    { ...worker, pool: api.database.pool('worker') } as never,
    (userId: number) => loadCaller(worker.database, userId),
    asked.id,
    never,
  );
  const { file_path } = await one<{ file_path: string }>('SELECT file_path FROM task WHERE id = $1', [asked.id]);
  return readFileSync(join(api.config.DATA_DIR, 'files', file_path), 'utf8');
}

const sums = async () =>
  one(`SELECT (SELECT jsonb_agg(e ORDER BY e::text) FROM ledger_entry e) AS ledger,
    (SELECT jsonb_agg(b.credit_balance ORDER BY b.id) FROM billing_account b) AS balances,
    (SELECT jsonb_agg(s ORDER BY s::text) FROM statement s) AS statements,
    (SELECT jsonb_agg(t ORDER BY t::text) FROM traffic_quarter t) AS traffic,
    (SELECT jsonb_agg(jsonb_build_array(m.id, m.state, m.charge, m.parts) ORDER BY m.id) FROM message_row m) AS messages`);

test('an administrator of a corporation adds a key, and nobody sees the key itself', async () => {
  const made = data(await corporate('POST', '/api/v1/text-keys', { corporation_id: acme }), 201);
  assert.deepEqual([made['number'], made['state'], made['corporation_id']], [1, 'current', acme]);
  assert.ok(!('key_sealed' in made));
  key = made.id;
});

test('with a key, no text is in any table', async () => {
  await bring({ from: phone, text: QUESTION });
  conversation = (await ofPhone(corporate, phone))!.id;
  await owner.query('UPDATE inbox_message SET keyword = NULL WHERE oa = $1', [phone]);
  data(await corporate('POST', `${path}/${conversation}/replies`, { message: ANSWER }), 201);
  data(await corporate('POST', `${path}/${conversation}/notes`, { text: NOTE }), 201);
  const draft = data(await corporate('POST', '/api/v1/campaigns/drafts', { content: { content: TEXT } }), 201);
  assert.equal((draft['content'] as { content: string }).content, TEXT);
  await sendCampaign(COMMON);
  campaign = await sendCampaign(TEXT);
  assert.deepEqual(await placesOf(owner, '[Qq]uokka'), []);
});

test('who may read texts sees them everywhere as they were written', async () => {
  const texts = await shown();
  assert.ok(texts.length >= 10, String(texts.length));
  for (const text of texts) assert.match(text, /^Quokka/);
  for (const text of ['Quokka sale for Quokka friend', TEXT, QUESTION, ANSWER, NOTE])
    assert.ok(texts.includes(text), `${text} is shown`);
  const lines = await exported();
  assert.equal(lines.split('\n').filter((line) => line.includes('Quokka sale for Quokka friend')).length, 2);
  const copy = data(await corporate('POST', `/api/v1/campaigns/${campaign}/duplicate`), 201);
  assert.equal((copy['content'] as { content: string }).content, TEXT);
});

test('another corporation neither sees nor changes the keys', async () => {
  const { id: other } = await one<{ id: number }>(
    'SELECT id FROM corporation WHERE id <> $1 AND reseller_id IS NULL AND NOT is_reseller ORDER BY id LIMIT 1',
    [acme],
  );
  assert.equal((await corporate('POST', '/api/v1/text-keys', { corporation_id: other })).status, 422);
  await owner.query("INSERT INTO text_key (corporation_id, number, state, key_sealed) VALUES ($1, 1, 'current', $2)", [
    other,
    newTextKey(api.config, other, 1),
  ]);
  const foreign = await one<{ id: number }>('SELECT id FROM text_key WHERE corporation_id = $1', [other]);
  assert.equal(
    (await corporate('POST', `/api/v1/text-keys/${foreign.id}/destroy`, { reason: 'Ours now' })).status,
    404,
  );
  assert.ok(rowsOf(await corporate('GET', '/api/v1/text-keys')).every(({ corporation_id }) => corporation_id === acme));
  const user = await api.as('user');
  assert.equal((await user('POST', `/api/v1/text-keys/${key}/destroy`, { reason: 'No right' })).status, 403);
});

test('a row that was copied to another place shows a sentence, and no text', async () => {
  const { rows } = await owner.query('SELECT id FROM message WHERE campaign_id = $1 ORDER BY id', [campaign]);
  await owner.query('UPDATE message SET text = (SELECT text FROM message WHERE id = $1) WHERE id = $2', [
    rows[0].id,
    rows[1].id,
  ]);
  const record = data(await corporate('GET', `/api/v1/messages/${rows[1].id}`));
  assert.match(String(record['text']), /^The text cannot be shown: it does not belong/);
  assert.match(await exported(), /it does not belong to this record/);
});

test('after a key is destroyed everything shows the sentence, and every sum stays', async () => {
  const before = await sums();
  const use = data(await corporate('GET', `/api/v1/text-keys/${key}/use`));
  assert.equal(use['messages'], 5);
  data(await corporate('POST', `/api/v1/text-keys/${key}/destroy`, { reason: 'The customer asked' }));
  for (const text of await shown()) assert.match(text, SENTENCE);
  const lines = await exported();
  assert.equal(lines.split('\n').filter((line) => /its key was destroyed on/.test(line)).length, 2);
  const copy = await corporate('POST', `/api/v1/campaigns/${campaign}/duplicate`);
  assert.deepEqual([copy.status, (copy.body as { code: string }).code], [409, 'text_key_destroyed']);
  assert.deepEqual(await sums(), before);
  const keys = rowsOf(await corporate('GET', '/api/v1/text-keys'));
  assert.deepEqual(
    keys.map(({ number, state, reason }) => [number, state, reason]),
    [
      [2, 'current', null],
      [1, 'destroyed', 'The customer asked'],
    ],
  );
  assert.deepEqual(await placesOf(owner, '[Qq]uokka'), []);
  assert.equal(
    (await all('SELECT FROM text_key WHERE number = 1 AND corporation_id = $1 AND key_sealed IS NULL', [acme])).length,
    1,
  );
});

test('after the encryption is stopped, new texts are stored as they are', async () => {
  const current = rowsOf(await corporate('GET', '/api/v1/text-keys')).find(({ state }) => state === 'current')!;
  data(await corporate('POST', `/api/v1/text-keys/${current['id']}/stop`));
  await bring({ from: newPhone(), text: QUESTION });
  assert.ok((await placesOf(owner, QUESTION)).includes('public.inbox_message'.concat('.message')));
});
