import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testSend } from '@heliograph/contract/campaigns/quote';
import { explainCarrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import { dataOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const admin = await api.as('admin');
// Only the routes of these tests.
await owner.query('DELETE FROM carrier_route');

type Row = { id: number } & Record<string, unknown>;

async function made(path: string, body: object): Promise<Row> {
  const answer = await admin('POST', path, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return dataOf(answer);
}

async function link(name: string): Promise<number> {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO link (name, host, port, system_id) VALUES ($1, '127.0.0.1', 9, 'x') RETURNING id`,
    [name],
  );
  return rows[0]!.id;
}

/** Sets the health that senders would report; it stays valid for the whole test. */
async function health(linkId: number, state: string): Promise<void> {
  await owner.query(
    `INSERT INTO link_health (link_id, state, since, seen_at) VALUES ($1, $2, now() - interval '1 hour', now() + interval '1 hour')
     ON CONFLICT (link_id) DO UPDATE SET state = excluded.state`,
    [linkId, state],
  );
}

const { rows: people } = await owner.query<{ name: string; id: number }>('SELECT name, id FROM corporation');
const corporation = (name: string) => people.find((each) => each.name === name)!.id;
const acme = corporation('Acme Retail');
const northwind = corporation('Northwind Telecom');
const [a, b, c] = [await link('A'), await link('B'), await link('C')];
for (const each of [a, b, c]) await health(each, 'up');
const only = (link_id: number) => [{ link_id, position: 1, weight: 1 }];

const everybody = await made('/api/v1/carrier-routes', { name: 'Everybody', links: only(a) });
const reseller = await made('/api/v1/carrier-routes', { name: 'Reseller', reseller_id: northwind, links: only(b) });
const prefix = await made('/api/v1/carrier-routes', {
  name: 'Acme to 63918',
  corporation_id: acme,
  prefix: '63918',
  links: [
    { link_id: c, position: 1, weight: 1 },
    { link_id: b, position: 2, weight: 1 },
  ],
});

async function explain(query: Record<string, string>) {
  const answer = await admin('GET', `/api/v1/carrier-routes/explain?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return explainCarrierRoute.reply.parse(answer.body).data;
}

/** Sends a test message of Acme; returns the link that it really took. */
async function sent(number: string): Promise<number> {
  const user = await api.as('corporate');
  const { rows } = await owner.query<{ id: number }>(
    'SELECT id FROM sender_id WHERE corporation_id = $1 AND enabled ORDER BY id',
    [acme],
  );
  const body = { sender_id: rows[0]!.id, content: 'Hello', defaults: {}, flash: false, sms_validity: 1, number };
  const answer = await user('POST', testSend.path, body);
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  const { message_id } = (answer.body as { data: { message_id: number } }).data;
  const { rows: chunks } = await owner.query<{ link_id: number }>(
    'SELECT link_id FROM chunk WHERE id = $1::bigint >> 10',
    [message_id],
  );
  return chunks[0]!.link_id;
}

test('the explained route is the one used, as routes and link health change', async () => {
  const of = { corporation_id: String(acme), class: 'transactional' };
  const cases: [what: string, prepare: () => Promise<unknown>, number: string, route: Row | null, link: number][] = [
    ['the own route by prefix', async () => undefined, '639180000001', prefix, c],
    ['the reseller’s', async () => undefined, '639170000001', reseller, b],
    ['the next link, the first being down', () => health(c, 'down'), '639180000001', prefix, b],
    ['the first again', () => health(c, 'up'), '639180000001', prefix, c],
    [
      'a change at once',
      () => admin('PATCH', `/api/v1/carrier-routes/${reseller.id}`, { enabled: false }),
      '639170000001',
      everybody,
      a,
    ],
    [
      'other links of the same route',
      () => admin('PATCH', `/api/v1/carrier-routes/${everybody.id}`, { links: only(b) }),
      '639170000001',
      everybody,
      b,
    ],
    [
      'no route at all',
      () => admin('DELETE', `/api/v1/carrier-routes/${everybody.id}`),
      '639170000001',
      null,
      Math.min(a, b, c),
    ],
  ];
  // If no route matches, the demo's own link would come before these.
  await owner.query('UPDATE link SET enabled = false WHERE id <> ALL ($1)', [[a, b, c]]);
  for (const [what, prepare, number, route, link_id] of cases) {
    await prepare();
    const told = await explain({ number, ...of });
    assert.equal(told.route?.id, route?.id, what);
    assert.deepEqual(
      told.links.filter(({ share }) => share > 0).map((each) => [each.link_id, each.share]),
      [[link_id, 100]],
      what,
    );
    assert.equal(told.waits, false, what);
    assert.equal(await sent(number), link_id, what);
  }
});

test('the explanation lists every route in order of precedence, with its reason', async () => {
  const { corporation_id: _, ...rest } = { corporation_id: null, links: only(a) };
  const routes: [string, object][] = [
    ['other corporation', { corporation_id: corporation('Blue Harbor Bank') }],
    ['own sender and class', { corporation_id: acme, sender_id: 'ACME', class: 'otp' }],
    ['own sender', { corporation_id: acme, sender_id: 'ACME' }],
    ['own', { corporation_id: acme }],
    ['longest', { prefix: '639181' }],
    ['long', { prefix: '6391' }],
    ['class', { class: 'otp', prefix: '7' }],
    ['sender', { sender_id: 'OTHER' }],
  ];
  await admin('DELETE', `/api/v1/carrier-routes/${prefix.id}`);
  for (const [name, conditions] of routes) await made('/api/v1/carrier-routes', { name, ...rest, ...conditions });
  const { rules, route } = await explain({
    number: '+63 918-100 0000',
    corporation_id: String(acme),
    sender_id: 'ACME',
    class: 'bulk',
  });
  assert.equal(route?.name, 'own sender');
  assert.deepEqual(
    rules.map(({ name, verdict }) => [name, verdict]),
    [
      ['own sender and class', 'class'],
      ['own sender', 'chosen'],
      ['other corporation', 'corporation'],
      ['own', 'less_specific'],
      ['Reseller', 'disabled'],
      ['sender', 'sender'],
      ['class', 'class'],
      ['longest', 'less_specific'],
      ['long', 'less_specific'],
    ],
  );
});

test('the explanation shows the quality of a link also where no route goes by it', async () => {
  await owner.query(
    `INSERT INTO carrier_quality_now (link_id, network_id, sender_kind, messages, rate, usual_rate, p95_ms, unreported, refused,
       since, judged_at)
     SELECT $1, n, 'alphanumeric', 1000, 9100, 9000, 4000, 0, 0, now(), now()
     FROM (SELECT 0 AS n UNION ALL SELECT id FROM network) AS networks`,
    [a],
  );
  await owner.query('UPDATE carrier_quality_version SET version = gen_random_uuid()');
  const { body } = await admin('POST', '/api/v1/carrier-routes', { name: 'Plain', prefix: '6391999', links: only(a) });
  const { links } = await explain({ number: '639199900001', sender_id: 'Acme' });
  assert.deepEqual(
    links.map(({ rate, p95_ms }) => [rate, p95_ms]),
    [[0.91, 4_000]],
  );
  await admin('DELETE', `/api/v1/carrier-routes/${(body as { data: { id: number } }).data.id}`);
});

test('messages wait if none of their links can take them, and their number is shown', async () => {
  await owner.query('DELETE FROM carrier_route WHERE sender_id IS NOT NULL');
  const route = await made('/api/v1/carrier-routes', {
    name: 'Alone',
    corporation_id: acme,
    prefix: '63919',
    links: only(c),
  });
  await health(c, 'down');
  const told = await explain({ number: '639190000001', corporation_id: String(acme) });
  assert.deepEqual([told.route?.id, told.waits, told.links[0]?.state], [route.id, true, 'down']);
  assert.equal(await sent('639190000001'), c);
  const { body } = await admin('GET', '/api/v1/carrier-routes/links');
  const { data } = body as { data: { link_id: number; state: string; waiting: number; stuck: number }[] };
  const now = data.find(({ link_id }) => link_id === c)!;
  assert.equal(now.state, 'down');
  assert.equal(now.stuck, 3, 'this one, and two that came by a route that is gone');
  assert.ok(now.waiting >= 1);
});

test('an invalid route is refused by its field, and a link on a route is not deleted', async () => {
  const refused = async (body: object, field: string) => {
    const answer = await admin('POST', '/api/v1/carrier-routes', { name: 'X', links: only(a), ...body });
    assert.equal(answer.status, 422, field);
    assert.ok(field in (answer.body as { errors: object }).errors, JSON.stringify(answer.body));
  };
  await refused({ links: [] }, 'links');
  await refused({ links: [...only(a), ...only(a)] }, 'links');
  await refused({ links: only(999_999) }, 'links');
  await refused({ prefix: '+63' }, 'prefix');
  await refused({ corporation_id: acme, reseller_id: northwind }, 'reseller_id');
  await refused({ reseller_id: acme }, 'reseller_id');
  const twice = await admin('POST', '/api/v1/carrier-routes', {
    name: 'Twice',
    corporation_id: acme,
    prefix: '63919',
    links: only(a),
  });
  assert.deepEqual([twice.status, (twice.body as { code: string }).code], [409, 'carrier_route_conditions_taken']);
  assert.equal((await admin('DELETE', `/api/v1/links/${c}`)).status, 409);
});

test('only the administration sees carrier routes', async () => {
  for (const login of ['reseller', 'corporate', 'department', 'user', 'readonly']) {
    const client = await api.as(login);
    for (const path of ['', '/1', '/links', '/explain?number=639170000001']) {
      assert.equal((await client('GET', `/api/v1/carrier-routes${path}`)).status, 403, `${login} ${path}`);
    }
    assert.equal((await client('POST', '/api/v1/carrier-routes', { name: 'X', links: only(a) })).status, 403, login);
  }
  assert.equal((await admin('GET', '/api/v1/carrier-routes/999999')).status, 404);
});
