import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startWorker } from '../../src/processes/worker.ts';
import { codeOf } from '../answers.ts';
import { inboxStage, SHORT } from '../inbox/bring.ts';
import type { Answer, Client } from '../test-api.ts';
import { uploadFile } from '../uploads.ts';

// Acme has a short code and names. The thief is the admin of another corporation, or a reseller with customers.

const stage = await inboxStage({ after });
const { api, bring, one, all, acme, shortId, routing } = stage;
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const [superadmin, corporate, harbor, reseller] = (await Promise.all(
  ['superadmin', 'corporate', 'corporate@harbor.test', 'reseller'].map((login) => api.as(login)),
)) as [Client, Client, Client, Client];
const idOf = async (name: string) =>
  (await one<{ id: number }>('SELECT id FROM corporation WHERE name = $1', [name])).id;
const bank = await idOf('Blue Harbor Bank');
const northwind = await idOf('Northwind Telecom');
await all("INSERT INTO corporation (name) VALUES ('First Pacific Savings Ltd.')");
const catchAll = await routing({ keyword: null });
const owned = await routing({ keyword: 'PAY' });

const errorsOf = ({ body }: Answer) => Object.keys((body as { errors?: object }).errors ?? {});
const idIn = ({ body }: Answer) => (body as { data: { id: number } }).data.id;
const addSender = (client: Client, corporation_id: number, sender_id: string) =>
  client('POST', '/api/v1/sender-ids', { corporation_id, sender_id });
const addRouting = (client: Client, corporation_id: number, number: string, fields: object = {}) =>
  client('POST', '/api/v1/routings', { corporation_id, number, action: 'inbox', ...fields });
const refusedAt = (answer: Answer, field: string, what: string) =>
  assert.deepEqual([answer.status, errorsOf(answer)], [422, [field]], `${what}: ${JSON.stringify(answer.body)}`);
const rowsOfThief = () =>
  one<{ count: number }>(
    `SELECT (SELECT count(*) FROM sender_id WHERE corporation_id = $1) + (SELECT count(*) FROM routing WHERE corporation_id = $1) AS count`,
    [bank],
  );

/** Other ways to write a number; a tenant gets none of them. */
const NUMBERS = [SHORT, `00${SHORT}`, '5151', '639171230000', '0917123', ` ${SHORT} `];
/** Names of the platform and of other tenants, and names that look like them. */
const NAMES = [
  ...['Heliograph', 'HELIOGRAPH', 'He1i0graph', 'Helio graph', 'Helio-Graph', 'Hèliograph', 'H3LIOGR4PH', 'Heliogr@ph'],
  ...['Heliograph2', 'Heliògraph', 'HELIΘGRAPH'],
  ...[
    'ACME',
    'acme',
    'A.C.M.E',
    'ACM3',
    '4cme',
    'Äcme',
    'Acmé',
    'A C M E',
    'ΛCME',
    'AcmeDeals',
    'Acme-Deals',
    'AcmeDea1s',
  ],
  ...['Acme Retail', 'AcmeRetai1', 'ACMERETAIL', 'Northwind', 'N0rthwind', 'NORTHWIND!', 'Northvvind', 'NorthwindTe'],
  ...['GVClinic', 'GVC1inic', 'FirstPacifi', 'FIRSTPACIFI'],
];

test('a tenant cannot take a number in any way', async () => {
  const before = await rowsOfThief();
  const own = (await one<{ id: number }>("SELECT id FROM sender_id WHERE sender_id = 'BlueHarbor'")).id;
  for (const number of NUMBERS) {
    refusedAt(await addSender(harbor, bank, number), 'sender_id', number);
    refusedAt(await harbor('PATCH', `/api/v1/sender-ids/${own}`, { sender_id: number }), 'sender_id', number);
    for (const keyword of [null, 'pay', 'other'])
      refusedAt(await addRouting(harbor, bank, number, { keyword }), 'number', `${number} ${keyword}`);
  }
  for (const odd of [`+${SHORT}`, '39 39', '3-9-3-9', '(39)39', '39.39', '12'])
    refusedAt(await addSender(harbor, bank, odd), 'sender_id', odd);
  const { upload, refused } = await uploadFile(
    harbor,
    `sender-ids/bulk?corporation_id=${bank}`,
    `sender_id\n${NUMBERS.map((number) => number.trim()).join('\n')}\n`,
  );
  assert.deepEqual([upload.rows_added, refused.length], [0, NUMBERS.length]);
  for (const answer of [
    await addSender(harbor, acme, '5151'),
    await addRouting(harbor, acme, SHORT),
    await addRouting(harbor, bank, SHORT, { sender_id_id: shortId }),
    await harbor('POST', '/api/v1/assign-sender-ids', {
      corporation_id: bank,
      department_id: (await one<{ id: number }>('SELECT id FROM department WHERE corporation_id = $1', [bank])).id,
      sender_id_ids: [shortId],
    }),
  ])
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
  for (const path of [`routings/${owned}`, `routings/${catchAll}`, `sender-ids/${shortId}`])
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assert.equal((await harbor(method, `/api/v1/${path}`, method === 'PATCH' ? {} : undefined)).status, 404);
  assert.deepEqual(await rowsOfThief(), before);
  assert.deepEqual(
    (await bring({ text: 'pay 5' }, { text: 'hello' })).map((row) => [row.corporation_id, row.routing_id]),
    [
      [acme, owned],
      [acme, catchAll],
    ],
  );
});

test('a tenant cannot take a name of others, or one that looks like it, in any way', async () => {
  const made = await addSender(harbor, bank, 'Harbor News');
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const before = await rowsOfThief();
  for (const name of NAMES) {
    refusedAt(await addSender(harbor, bank, name), 'sender_id', name);
    refusedAt(await harbor('PATCH', `/api/v1/sender-ids/${idIn(made)}`, { sender_id: name }), 'sender_id', name);
  }
  const { upload, refused } = await uploadFile(
    harbor,
    `sender-ids/bulk?corporation_id=${bank}`,
    `sender_id\n${NAMES.join('\n')}\nHarborToday\n`,
  );
  assert.deepEqual([upload.rows_added, refused.length], [1, NAMES.length]);
  assert.ok(
    refused.every(([, , , reason]) => reason!.startsWith('This name is reserved')),
    JSON.stringify(refused),
  );
  assert.equal((await rowsOfThief()).count, before.count + 1);
  // A tenant's own names are free in any spelling, and so are names that only begin like another's.
  for (const name of ['BLUE-HARBOR', 'Blue Harbor', 'AcmeFans', 'Helios', 'A', 'é1', '€uro'])
    assert.equal((await addSender(harbor, bank, name)).status, 201, name);
  for (const name of ['', 'x'.repeat(12), '€€€€€€', 'Ж', 'smile😀', 'a\tb'])
    assert.equal((await addSender(harbor, bank, name)).status, 422, name);
});

test('a reseller, its customers and its brand cannot send in another’s name', async () => {
  for (const corporation of [northwind, acme])
    for (const name of ['Heliograph', 'BlueHarbor', 'B1ueHarbor']) {
      refusedAt(await addSender(reseller, corporation, name), 'sender_id', name);
      refusedAt(await addSender(reseller, corporation, '5151'), 'sender_id', '5151');
    }
  refusedAt(await addSender(reseller, acme, 'Northwind'), 'sender_id', 'its own name for a customer');
  const { id } = await one<{ id: number }>('SELECT id FROM reseller WHERE corporation_id = $1', [northwind]);
  for (const app_name of ['Heliograph', 'Неliоgraph', 'Blue Harbor', 'BlueHarbor', 'First Pacific'])
    refusedAt(await reseller('PATCH', `/api/v1/teams/${id}`, { app_name }), 'app_name', app_name);
  for (const name of ['Heliograph', 'Blue Harbor'])
    refusedAt(await reseller('PATCH', `/api/v1/corporations/${northwind}`, { name }), 'name', name);
  assert.equal((await reseller('PATCH', `/api/v1/teams/${id}`, { app_name: 'Northwind Mobile' })).status, 200);
});

test('the platform gives a number to one corporation at a time and names its holder', async () => {
  const taken = await addSender(superadmin, bank, SHORT);
  assert.equal(codeOf(taken), 'number_already_given');
  assert.match(JSON.stringify(taken.body), /Acme Retail/);
  const { upload, refused } = await uploadFile(
    superadmin,
    `sender-ids/bulk?corporation_id=${bank}`,
    `sender_id\n${SHORT}\n7171\n`,
  );
  assert.deepEqual([upload.rows_added, refused.map(([, , value]) => value)], [1, [SHORT]]);
  // The holder of a number divides it: by a sender ID, or by a first routing that the platform made.
  assert.equal((await addRouting(harbor, bank, '7171', { keyword: 'loan' })).status, 201);
  assert.equal((await addRouting(superadmin, bank, '8181', { keyword: 'one' })).status, 201);
  assert.equal((await addRouting(harbor, bank, '8181', { keyword: 'two' })).status, 201);
  refusedAt(await addRouting(corporate, acme, '8181', { keyword: 'three' }), 'number', 'another corporation');
});

test('only the platform divides a shared number, and each keyword keeps its owner', async () => {
  refusedAt(await addRouting(superadmin, bank, SHORT), 'keyword', 'all of a number that is another’s');
  const made = await addRouting(superadmin, bank, SHORT, { keyword: 'loan' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const path = `/api/v1/routings/${idIn(made)}`;
  for (const keyword of ['pay', 'free', null])
    refusedAt(await harbor('PATCH', path, { keyword }), 'keyword', String(keyword));
  refusedAt(await harbor('PATCH', path, { number: '6161', keyword: null }), 'number', 'moved');
  assert.equal((await harbor('PATCH', path, { campaign_name: 'Loans' })).status, 200);
  refusedAt(await addRouting(harbor, bank, SHORT, { keyword: 'more' }), 'number', 'a second keyword');
  // Aliases and opt-out words of the guest do not affect the holder.
  await harbor('POST', '/api/v1/aliases', { corporation_id: bank, word: 'loan', aliases: ['hello', 'credit'] });
  const harborName = (await one<{ id: number }>("SELECT id FROM sender_id WHERE sender_id = 'BlueHarbor'")).id;
  await harbor('PATCH', `/api/v1/sender-ids/${harborName}`, { optout_keyword: 'PAY' });
  const rows = await bring({ text: 'loan 5' }, { text: 'hello' }, { text: 'pay 5' }, { text: 'credit' });
  assert.deepEqual(
    rows.map(({ corporation_id, handled }) => [corporation_id, handled]),
    [
      [bank, 'inbox'],
      [acme, 'inbox'],
      [acme, 'inbox'],
      [acme, 'inbox'],
    ],
  );
  const explain = async (client: Client, text: string) => {
    const { body } = await client('GET', `/api/v1/routings/explain?${new URLSearchParams({ number: SHORT, text })}`);
    const {
      routing: chosen,
      elsewhere,
      opt,
    } = (body as { data: { routing: { id: number } | null; elsewhere: boolean; opt: string | null } }).data;
    return [chosen?.id ?? null, elsewhere, opt];
  };
  for (const [text, taker] of [
    ['loan 5', idIn(made)],
    ['hello', catchAll],
    ['pay 5', owned],
  ] as const) {
    assert.deepEqual(await explain(superadmin, text), [taker, false, null], text);
    assert.deepEqual(await explain(corporate, text), taker === idIn(made) ? [null, true, null] : [taker, false, null]);
    assert.deepEqual(await explain(harbor, text), taker === idIn(made) ? [taker, false, null] : [null, true, null]);
  }
});

test('withheld sender IDs and routings have no effect and block nobody', async () => {
  await all("INSERT INTO sender_id (corporation_id, sender_id, withheld) VALUES ($1, '6262', true)", [bank]);
  await all("INSERT INTO routing (corporation_id, number, action, withheld) VALUES ($1, '6262', 'inbox', true)", [
    bank,
  ]);
  assert.equal((await bring({ to: '6262', text: 'STOP' }))[0]!.corporation_id, null);
  const squatted = await one<{ id: number }>("SELECT id FROM sender_id WHERE sender_id = '6262'");
  const test_send = { sender_id: squatted.id, content: 'Hello', number: '639170009004', sms_validity: 1 };
  assert.equal(codeOf(await harbor('POST', '/api/v1/campaigns/tests', test_send)), 'sender_not_allowed');
  // They do not block other corporations.
  assert.equal((await addSender(superadmin, acme, '6262')).status, 201);
  const made = await addRouting(corporate, acme, '6262');
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual((await bring({ to: '6262', text: 'hi' }))[0]!.routing_id, idIn(made));
  const [stop] = await bring({ to: '6262', text: 'STOP', from: '639180000001' });
  assert.deepEqual([stop!.corporation_id, stop!.handled], [acme, 'opt_out']);
  assert.deepEqual(await all('SELECT corporation_id FROM opt_out WHERE number = $1', ['639180000001']), [
    { corporation_id: acme },
  ]);
  const path = `/api/v1/sender-ids/${squatted.id}`;
  assert.equal((await harbor('PATCH', path, { enabled: true })).status, 200);
  assert.deepEqual(await one('SELECT withheld FROM sender_id WHERE id = $1', [squatted.id]), { withheld: true });
  assert.equal(codeOf(await superadmin('PATCH', path, { enabled: true })), 'number_already_given');
  // An old conversation cannot be continued from a number that is gone.
  const [old] = await bring({ to: '6262', text: 'hi', from: '639180000002' });
  await all('UPDATE inbox_message SET corporation_id = $2, routing_id = NULL WHERE id = $1', [old!.id, bank]);
  const { body } = await harbor('GET', '/api/v1/conversations?oa=639180000002');
  const [{ id }] = (body as { data: [{ id: number }] }).data;
  const reply = await harbor('POST', `/api/v1/conversations/${id}/replies`, { message: 'Hello' });
  assert.equal(codeOf(reply), 'sender_not_allowed', JSON.stringify(reply.body));
});
