import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, type Client, clientOf, fileForm, readUntil, type Sent, tokenOf } from './api-client.ts';
import { hostileCalls } from './hostile-calls.ts';
import { startHouse } from './house.ts';
import { checkProblem, importer, refusals } from './refusals.ts';

const house = await startHouse({ after });
const { traces, refused } = refusals(house);
const one = async (sql: string, values: unknown[] = []) => (await house.database.query(sql, values)).rows[0];

const corporate = clientOf(house, await tokenOf(house, 'corporate'));
const stranger = clientOf(house, await tokenOf(house, 'corporate@harbor.test'));

const acme = (await one(
  `SELECT c.id AS corporation_id, a.id AS account_id, s.id AS sender_id, l.id AS list_id, l.department_id
   FROM corporation c
   JOIN billing_account a ON a.corporation_id = c.id
   JOIN sender_id s ON s.corporation_id = c.id AND s.sender_id = 'ACME'
   JOIN number_list l ON l.corporation_id = c.id
   WHERE c.name = 'Acme Retail'`,
)) as Record<'corporation_id' | 'account_id' | 'sender_id' | 'list_id' | 'department_id', number>;

/** Returns a valid campaign, with the fields that a test replaces. */
const content = (wrong: object = {}) => ({
  sender_id: acme.sender_id,
  custom_numbers: '639170001000',
  content: 'Hello',
  ...wrong,
});

const asking = (client: Client, method: string, path: string, sent: Sent) => (locale: 'en' | 'zh') =>
  client(method, path, { ...sent, locale });
const quoting = (wrong: object) => asking(corporate, 'POST', '/api/v1/campaigns/quotes', { body: content(wrong) });
const uploading = (path: string, name: string, bytes: BlobPart) => (locale: 'en' | 'zh') =>
  corporate('POST', path, { locale, body: fileForm(name, bytes) });

/** Makes a quote and waits until it is counted. */
async function quoted(wrong: object = {}) {
  const made = await corporate('POST', '/api/v1/campaigns/quotes', { body: content(wrong) });
  assert.equal(made.status, 202, made.text);
  const path = `/api/v1/campaigns/quotes/${made.body.data.id}`;
  return readUntil(
    () => corporate('GET', path),
    ({ state }) => state !== 'counting',
  );
}
const running = (quote_id: unknown, confirmed_cost: unknown = null) =>
  asking(corporate, 'POST', '/api/v1/campaigns', { body: { quote_id, name: 'Refused', confirmed_cost } });
const testing = (wrong: object) =>
  asking(corporate, 'POST', '/api/v1/campaigns/tests', {
    body: { sender_id: acme.sender_id, content: 'Hello', number: '639170001000', ...wrong },
  });

const imported = importer(house, corporate, acme.list_id);

test('invalid JSON, an unknown content type or a large body is refused by its sentence', async () => {
  const send = (body: unknown, headers?: Record<string, string>) =>
    asking(corporate, 'POST', '/api/v1/campaigns/quotes', { body, ...(headers && { headers }) });
  await refused(send('{"sender_id": 1,'), 400, 'malformed_request');
  await refused(send(''), 400, 'malformed_request');
  await refused(send('sender_id: 1', { 'content-type': 'text/yaml' }), 415, 'unsupported_media_type');
  await refused(send({ content: 'x'.repeat(1_100_000) }), 413, 'payload_too_large');
  await refused(asking(corporate, 'POST', '/api/v1/campaigns/files', { body: {} }), 415, 'unsupported_media_type');
  await refused(asking(corporate, 'GET', '/api/v1/campaigns/%zz', {}), 400, 'malformed_request');
  for (const body of ['[]', 'null', '"x"', '7']) await refused(send(body), 422, 'validation_failed');
});

test("without a cookie the sentences are in the language of the caller's profile", async (t) => {
  const speak = (locale: string) =>
    house.database.query("UPDATE user_account SET preferred_language = $1 WHERE email = 'corporate@heliograph.test'", [
      locale,
    ]);
  t.after(() => speak('en'));
  await speak('zh');
  checkProblem(await corporate('GET', '/api/v1/campaigns/987654321'), 'zh', 404, 'not_found');
  checkProblem(await corporate('GET', '/api/v1/campaigns/987654321', { locale: 'en' }), 'en', 404, 'not_found');
});

test('a file that is too large, binary, empty or of an unknown shape is refused', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex');
  const zip = Buffer.from('504b0304140000000000', 'hex');
  for (const path of ['/api/v1/campaigns/files', `/api/v1/number-lists/${acme.list_id}/imports`]) {
    await refused(uploading(path, 'numbers.csv', png), 422, 'file_type_unknown');
    await refused(uploading(path, 'numbers.xlsx', zip), 422, 'file_cut_off');
  }
  await refused(uploading('/api/v1/campaigns/files', 'a.csv', 'colour,size\nred,7\n'), 422, 'file_headers_invalid');
  await refused(uploading('/api/v1/campaigns/files', 'a.csv', ''), 422, 'file_headers_invalid');
  const empty = new FormData();
  empty.append('note', 'no file');
  await refused(
    (locale) => corporate('POST', '/api/v1/campaigns/files', { locale, body: empty }),
    422,
    'validation_failed',
    'file',
  );
  const large = new Blob(Array.from({ length: 201 }, () => Buffer.alloc(1024 * 1024, '639170001000\n')));
  const before = await traces();
  const answer = await corporate('POST', '/api/v1/campaigns/files', {
    body: fileForm('large.csv', large as BlobPart),
    locale: 'zh',
  });
  checkProblem(answer, 'zh', 413, 'payload_too_large');
  assert.deepEqual(await traces(), before);
});

test('an import without a header or a valid number fails and changes nothing', async () => {
  const size = () => one('SELECT count(*)::int AS n FROM number_list_number WHERE number_list_id = $1', [acme.list_id]);
  const before = await size();
  assert.equal((await imported('colour,size\nred,7\n')).error_code, 'file_headers_invalid');
  assert.equal(
    (await imported('number,name\nabc,Ana\n12,Ben\n6.39171E+11,Cara\n')).error_code,
    'file_without_valid_numbers',
  );
  assert.deepEqual(await size(), before);
});

test('an invalid text, sender or audience is refused before anything is counted', async () => {
  await refused(quoting({ custom_numbers: '' }), 422, 'audience_empty');
  await refused(quoting({ content: 'Hi {nmae}' }), 422, 'unknown_placeholder', 'content');
  await refused(quoting({ content: '字'.repeat(671) }), 422, 'text_too_long', 'content');
  await refused(quoting({ content: 'x'.repeat(1531) }), 422, 'validation_failed', 'content');
  await refused(quoting({ content: '' }), 422, 'validation_failed', 'content');
  await refused(quoting({ sms_validity: 13 }), 422, 'validation_failed', 'sms_validity');
  await refused(quoting({ sender_id: 'ACME' }), 422, 'validation_failed', 'sender_id');
});

test('an audience without any valid recipient runs no campaign', async () => {
  const list = await corporate('POST', '/api/v1/number-lists', {
    body: { corporation_id: acme.corporation_id, department_id: acme.department_id, name: `Nobody ${process.pid}` },
  });
  const nobody = await quoted({ custom_numbers: '', list_ids: [list.body.data.id] });
  assert.deepEqual([nobody.state, nobody.total_count, nobody.refusal], ['ready', 0, 'audience_empty']);
  await refused(running(nobody.id), 422, 'audience_empty');
  const wrong = await quoted({ custom_numbers: 'abc, 12, 6.39171E+11' });
  assert.deepEqual([wrong.total_count, wrong.rejected_count, wrong.refusal], [0, 3, 'audience_empty']);
  await refused(running(wrong.id), 422, 'audience_empty');
});

test('without credit or with a suspended account no campaign is created', async (t) => {
  const set = (table: string, change: string, id: number) =>
    house.database.query(`UPDATE ${table} SET ${change} WHERE id = $1`, [id]);
  const rate = await one(
    `SELECT r.id, r.charge FROM rate r JOIN billing_account a USING (price_plan_id) JOIN rate_zone z ON z.id = r.rate_zone_id
     WHERE a.id = $1 AND z.name = 'WEB' AND r.prefix = '63'`,
    [acme.account_id],
  );
  t.after(() => set('rate', `charge = ${rate.charge}`, rate.id));
  t.after(() => set('billing_account', 'suspended = false', acme.account_id));

  const cheap = await quoted();
  await set('billing_account', 'suspended = true', acme.account_id);
  await refused(running(cheap.id), 409, 'billing_account_suspended');
  await refused(testing({}), 409, 'billing_account_suspended');
  await set('billing_account', 'suspended = false', acme.account_id);

  await set('rate', 'charge = 1000000000', rate.id);
  const dear = await quoted();
  assert.equal(dear.refusal, 'insufficient_credit');
  await refused(running(dear.id), 409, 'cost_not_confirmed');
  await refused(running(dear.id, dear.cost), 409, 'insufficient_credit');
  await refused(testing({}), 409, 'insufficient_credit');
});

test("another tenant's ids are answered exactly as ids that nobody has", async () => {
  const harbor = await one(
    `SELECT c.id AS corporation_id, a.id AS account_id, s.id AS sender_id, l.id AS list_id, l.department_id,
       k.id AS campaign_id, k.created_by, a.price_plan_id
     FROM corporation c
     JOIN billing_account a ON a.corporation_id = c.id
     JOIN sender_id s ON s.corporation_id = c.id
     JOIN number_list l ON l.corporation_id = c.id
     JOIN campaign k ON k.corporation_id = c.id
     WHERE c.name = 'Blue Harbor Bank'`,
  );
  const upload = await stranger('POST', '/api/v1/campaigns/files', {
    body: fileForm('own.csv', 'number\n639180002000\n'),
  });
  const quote = await stranger('POST', '/api/v1/campaigns/quotes', {
    body: { sender_id: harbor.sender_id, custom_numbers: '639180002000', content: 'Hello' },
  });
  for (const made of [upload, quote]) assert.ok(made.status < 300, made.text);
  const into = await importer(house, stranger, harbor.list_id)(`number,name\n639180002000,Client ${process.pid}\n`);
  await readUntil(
    () => stranger('GET', `/api/v1/campaigns/quotes/${quote.body.data.id}`),
    ({ state }) => state === 'ready',
  );

  const name = 'Refused';
  const number = '639170001000';
  const own = { corporation_id: acme.corporation_id, department_id: acme.department_id, name };
  const inBody: [path: string, field: string, id: number, rest: object][] = [
    ['campaigns/quotes', 'sender_id', harbor.sender_id, content()],
    ['campaigns/quotes', 'list_ids', harbor.list_id, content()],
    ['campaigns/quotes', 'file_id', upload.body.data.id, content()],
    ['campaigns/tests', 'sender_id', harbor.sender_id, { number, content: 'Hello' }],
    ['numbers', 'number_list_id', harbor.list_id, { number }],
    ['number-lists', 'corporation_id', harbor.corporation_id, own],
    ['number-lists', 'department_id', harbor.department_id, own],
    ['departments', 'corporation_id', harbor.corporation_id, { name }],
  ];
  const inPath: [method: string, path: string, id: number, body?: object][] = [
    ['GET', 'campaigns/quotes/:id', quote.body.data.id],
    ['GET', 'campaigns/quotes/:id/rejected', quote.body.data.id],
    ['GET', 'campaigns/:id', harbor.campaign_id],
    ['GET', 'campaigns/:id/messages', harbor.campaign_id],
    ['GET', 'campaigns/:id/rejected', harbor.campaign_id],
    ['POST', 'campaigns/:id/stop', harbor.campaign_id, {}],
    ['POST', 'campaigns/:id/approve', harbor.campaign_id, {}],
    ['GET', 'imports/:id', into.id],
    ['GET', 'imports/:id/errors', into.id],
    ['PATCH', 'number-lists/:id', harbor.list_id, { name }],
    ['DELETE', 'number-lists/:id', harbor.list_id],
    ['GET', 'corporations/:id', harbor.corporation_id],
    ['GET', 'billing-accounts/:id', harbor.account_id],
  ];
  const before = await traces();
  const same = async (foreign: number, ask: (id: number) => Promise<Answer>) => {
    const answers = [await ask(foreign), await ask(987_654_321)];
    const [theirs, none] = answers.map(({ body: { request_id: _, ...rest } }) => rest);
    assert.deepEqual(theirs, none);
    return answers[0]!;
  };
  for (const [path, field, foreign, rest] of inBody) {
    const answer = await same(foreign, (id) =>
      corporate('POST', `/api/v1/${path}`, {
        locale: 'zh',
        body: { ...rest, [field]: field === 'list_ids' ? [id] : id },
      }),
    );
    checkProblem(answer, 'zh', 422, field === 'sender_id' ? 'sender_not_allowed' : 'validation_failed', field);
  }
  for (const [method, path, foreign, body] of inPath) {
    const answer = await same(foreign, (id) =>
      corporate(method, `/api/v1/${path.replace(':id', String(id))}`, { locale: 'zh', ...(body && { body }) }),
    );
    checkProblem(answer, 'zh', 404, 'not_found');
  }
  const campaign = { quote_id: quote.body.data.id, name };
  await refused(asking(corporate, 'POST', '/api/v1/campaigns', { body: campaign }), 404, 'not_found');
  assert.deepEqual(await traces(), before);
});

test('a wrong password and a missing, false or ended token are all refused', async (t) => {
  const anybody = clientOf(house);
  for (const username of ['corporate@heliograph.test', 'nobody@heliograph.test']) {
    const body = { username, password: 'Wrong#2026' };
    await refused(asking(anybody, 'POST', '/api/v1/oauth/token', { body }), 401, 'wrong_credentials');
  }
  const token = await tokenOf(house, 'department');
  const session = await one('SELECT session_id AS id FROM session_token ORDER BY created_at DESC LIMIT 1');
  t.after(() => house.database.query('DELETE FROM session WHERE id = $1', [session.id]));
  await house.database.query(
    "UPDATE session_token SET access_expires_at = now() - interval '1 s' WHERE session_id = $1",
    [session.id],
  );
  for (const client of [anybody, clientOf(house, 'hga_made-up'), clientOf(house, token)]) {
    await refused(asking(client, 'GET', '/api/v1/profiles', {}), 401, 'unauthenticated');
    await refused(asking(client, 'POST', '/api/v1/campaigns/quotes', { body: content() }), 401, 'unauthenticated');
    const form = fileForm('numbers.csv', 'number\n639170001000\n');
    await refused(
      (locale) => client('POST', '/api/v1/campaigns/files', { body: form, locale }),
      401,
      'unauthenticated',
    );
  }
});

test('no call of the contract fails internally, whatever its path, query or body', async () => {
  // A requested file is created, whatever its contents.
  const kept = async () => ({ ...(await traces()), download: null, files: null });
  const before = await kept();
  const calls = hostileCalls();
  const work = async () => {
    for (let next = calls.pop(); next; next = calls.pop()) {
      const { o, word, path, body } = next;
      const answer = await corporate(o.method, path, body && { body });
      const about = `${o.method} ${o.path} with ${JSON.stringify(word)} in it: ${answer.text}`;
      assert.ok(answer.status < 500, about);
      if (answer.status >= 400) assert.match(answer.type, /problem\+json/, about);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  assert.deepEqual(await kept(), before);
});
