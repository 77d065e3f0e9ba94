import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { countParts } from '@heliograph/contract/kernel/segments';
import { until } from '@heliograph/fault-kit';
import { codeOf, dataOf, errorsOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';

// Acme is a customer of Northwind. The platform's own console is at sms.platform.test.

const PLATFORM = 'sms.platform.test';
const api = await startTestApi({ after }, { settings: { PUBLIC_URL: `https://${PLATFORM}` } });
const owner = api.database.pool('owner');
const [admin, corporate, reseller] = [await api.as('admin'), await api.as('corporate'), await api.as('reseller')];
const one = async <R extends object>(text: string, values: unknown[] = []) =>
  (await owner.query<R>(text, values)).rows[0] as R;
const team = await one<{ id: number }>('SELECT id FROM reseller');
const acme = await one<{ id: number; sender_id: number }>(
  `SELECT c.id, (SELECT min(id) FROM sender_id WHERE corporation_id = c.id AND enabled) AS sender_id
   FROM corporation c WHERE c.name = 'Acme Retail'`,
);
const put = (short_link_host: string | null) => admin('PATCH', `/api/v1/teams/${team.id}`, { short_link_host });

/** Requests a path at a host, as a phone's browser does. */
const at = (host: string, path: string) =>
  new Promise<{ status: number; location: string | undefined; length: number }>((done, failed) => {
    const headers = { host, 'user-agent': 'Mozilla/5.0 (iPhone)' };
    const asked = request(api.url + path, { headers }, (response) => {
      let length = 0;
      response.on('data', (part: Buffer) => {
        length += part.length;
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, location: response.headers.location, length }));
    });
    asked.on('error', failed);
    asked.end();
  });
const statusAt = async (host: string, path: string) => (await at(host, path)).status;

/** Sends a test with a link that is made short; returns the link's path as it was sent. */
async function sent(host: string): Promise<string> {
  const content = { sender_id: acme.sender_id, content: 'See https://shop.test/sale', short_links: true };
  const answer = await corporate('POST', '/api/v1/campaigns/tests', { ...content, number: '639170000001' });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  const { text, parts } = dataOf<{ text: string; parts: number }>(answer);
  assert.equal(parts, countParts(text).parts);
  const found = /https:\/\/([^/]+)(\/s\/\w{10})/.exec(text);
  assert.equal(found?.[1], host, text);
  return found![2]!;
}

test('short links of a reseller’s customers have its host, and are known only there', async () => {
  const before = await sent(PLATFORM);
  assert.equal((await put('Go.Northwind.test')).status, 200);
  const options = await corporate('GET', `/api/v1/campaigns/options?sender_id=${acme.sender_id}`);
  assert.equal(dataOf<{ short_link_base: string }>(options).short_link_base, 'https://go.northwind.test');
  const first = await sent('go.northwind.test');
  await until('the host is known', async () => (await statusAt('go.northwind.test', '/')) === 404);
  assert.deepEqual((await at('GO.northwind.test:443', first)).location, 'https://shop.test/sale');
  assert.equal(await statusAt(PLATFORM, first), 404);
  assert.equal(await statusAt(PLATFORM, before), 302);
  assert.equal(await statusAt('go.northwind.test', before), 404);

  const westwind = await one<{ id: number }>(
    `INSERT INTO corporation (name, is_reseller) VALUES ('Westwind', true) RETURNING id`,
  );
  await owner.query(`INSERT INTO reseller (corporation_id, short_link_host) VALUES ($1, 'go.westwind.test')`, [
    westwind.id,
  ]);
  assert.equal(await statusAt('go.westwind.test', first), 404, 'another reseller’s host');

  // A changed host leaves the links of before under the old one.
  assert.equal((await put('n.northwind.test')).status, 200);
  const second = await sent('n.northwind.test');
  for (const path of [first, second])
    for (const host of ['go.northwind.test', 'n.northwind.test']) assert.equal(await statusAt(host, path), 302, host);
  assert.equal((await put(null)).status, 200);
  await sent(PLATFORM);
  assert.equal(await statusAt('n.northwind.test', second), 302);
});

test('a host of short links answers neither console nor API', async () => {
  await until('the host is known', async () => (await statusAt('go.northwind.test', '/')) === 404);
  for (const path of [
    '/',
    '/login',
    '/s/../api/v1/page-configurations',
    '/api/v1/page-configurations',
    '/api/v1/corporations',
    '/v1/openapi.json',
    '/favicon.ico',
    '/healthz',
    '/s/unknown000',
  ]) {
    const answer = await at('go.northwind.test', path);
    assert.equal(answer.status, 404, path);
    assert.ok(answer.length < 200, path);
  }
  assert.equal(await statusAt(PLATFORM, '/healthz'), 200);
});

test('a host belongs to one reseller, is no console’s, and only the platform sets it', async () => {
  const other = await one<{ id: number }>(
    `SELECT r.id FROM reseller r JOIN corporation c ON c.id = r.corporation_id WHERE c.name = 'Westwind'`,
  );
  const tried = (body: object) => admin('PATCH', `/api/v1/teams/${other.id}`, body);
  assert.equal((await put('go.northwind.test')).status, 200);
  for (const short_link_host of ['go.northwind.test', 'n.northwind.test', 'northwind.localhost'])
    assert.equal(codeOf(await tried({ short_link_host })), 'short_link_host_taken', short_link_host);
  assert.equal(codeOf(await tried({ base_url: 'https://go.northwind.test' })), 'reseller_host_taken');
  for (const bad of [PLATFORM, 'https://go.test', 'go.test/x', 'go.test:8080', 'localhost', '127.0.0.1', 'a_b.test'])
    assert.ok(errorsOf(await tried({ short_link_host: bad })).short_link_host, bad);
  const own = await reseller('PATCH', `/api/v1/teams/${team.id}`, { short_link_host: 'mine.test' });
  assert.ok(errorsOf(own).short_link_host, JSON.stringify(own.body));
});

test('texts may link to the host of their own reseller, not to that of another', async () => {
  await owner.query(`UPDATE corporation SET web_links = 'enforced' WHERE id = $1`, [acme.id]);
  const text = async (content: string) =>
    (
      await corporate('POST', '/api/v1/campaigns/tests', {
        sender_id: acme.sender_id,
        content,
        number: '639170000001',
      })
    ).status;
  assert.equal(await text('See https://go.northwind.test/s/abc'), 202);
  assert.equal(await text('See https://go.westwind.test/s/abc'), 422);
});

test('a corporation’s own host comes before that of its reseller', async () => {
  const own = (short_link_host: string | null) =>
    admin('PATCH', `/api/v1/corporations/${acme.id}`, { short_link_host });
  await owner.query(`UPDATE corporation SET web_links = NULL WHERE id = $1`, [acme.id]);
  assert.equal((await put('go.northwind.test')).status, 200);
  assert.equal((await own('Go.Acme.test')).status, 200);
  const first = await sent('go.acme.test');
  await until('the host is known', async () => (await statusAt('go.acme.test', '/')) === 404);
  assert.equal((await at('go.acme.test', first)).location, 'https://shop.test/sale');
  for (const other of ['go.northwind.test', 'go.westwind.test', PLATFORM])
    assert.equal(await statusAt(other, first), 404, other);
  assert.equal((await own(null)).status, 200);
  const second = await sent('go.northwind.test');
  assert.equal(await statusAt('go.acme.test', first), 302);
  assert.equal(await statusAt('go.acme.test', second), 404);
});

test('a corporation’s host is free, is no console’s, and only the platform sets it', async () => {
  const tried = (short_link_host: string) => admin('PATCH', `/api/v1/corporations/${acme.id}`, { short_link_host });
  for (const taken of ['go.northwind.test', 'n.northwind.test', 'northwind.localhost'])
    assert.equal(codeOf(await tried(taken)), 'short_link_host_taken', taken);
  for (const bad of [PLATFORM, 'https://go.test', 'localhost'])
    assert.ok(errorsOf(await tried(bad)).short_link_host, bad);
  assert.equal(codeOf(await put('go.acme.test')), 'short_link_host_taken');
  assert.equal(
    codeOf(await admin('PATCH', `/api/v1/teams/${team.id}`, { base_url: 'https://go.acme.test' })),
    'reseller_host_taken',
  );
  for (const person of [corporate, reseller]) {
    const answer = await person('PATCH', `/api/v1/corporations/${acme.id}`, { short_link_host: 'mine.test' });
    assert.ok(answer.status === 403 || errorsOf(answer).short_link_host, JSON.stringify(answer.body));
  }
});
