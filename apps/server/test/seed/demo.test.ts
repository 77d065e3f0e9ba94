import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { menuOf } from '../../src/modules/access/index.ts';
import { reconcile } from '../../src/modules/billing/index.ts';
import { passwordContext } from '../../src/modules/delivery/index.ts';
import { createAuthenticator } from '../../src/modules/identity/index.ts';
import { pageConfiguration } from '../../src/modules/identity/page-configuration.ts';
import { signIn } from '../../src/modules/identity/sign-in.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { createLogger } from '../../src/platform/log.ts';
import { open, secretKey } from '../../src/platform/process/seal.ts';
import { DEMO_LOGINS, DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { seedDemo } from '../../src/seed/index.ts';
import { testDatabase } from '../template-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-demo-'));
const config = readConfig({ DATA_DIR: folder });
const log = createLogger({ LOG_LEVEL: 'silent' }, 'demo');
const database = await testDatabase({ after });
const started = performance.now();
await seedDemo({ url: database.url, config, log });
const seconds = (performance.now() - started) / 1000;
after(() => rmSync(folder, { recursive: true }));

const ask = async <Row extends object>(text: string) => (await database.pool('owner').query<Row>(text)).rows;
const identity = () => ({ authDb: database.db('auth'), key: Buffer.alloc(32), clock: systemClock });
const request = { ip: '127.0.0.1', userAgent: 'test', host: 'localhost' };

test('the demo is in within seconds', () => {
  // Without other load it takes about one second; the limit allows for a busy machine.
  assert.ok(seconds < 60, `${seconds} s`);
});

test('every demo login opens a session, and the sign-in page names them all', async () => {
  const authenticate = createAuthenticator(identity());
  for (const { email } of DEMO_LOGINS) {
    const tokens = await signIn(identity(), { request }, { username: email, password: DEMO_PASSWORD });
    const caller = await authenticate(tokens.access_token);
    assert.equal(caller?.email, email);
    const { data } = await menuOf({ db: database.db('owner'), caller: caller! });
    assert.equal(data[0]?.url, 'dashboard');
    for (const group of data) assert.ok(group.url !== '' || group.children.length > 0, group.title);
  }
  const here = { config: { ...config, DATABASE_URL: database.url }, locale: 'en', request } as const;
  const page = await pageConfiguration(identity(), here);
  assert.deepEqual(
    page.demo_logins?.map(({ username }) => username),
    DEMO_LOGINS.map(({ email }) => email),
  );
  assert.equal(page.demo_logins?.[3]?.role, 'Corporate admin');
});

test('the user of the demo needs an approval and has a person who can give it', async () => {
  const authenticate = createAuthenticator(identity());
  const tokens = await signIn(identity(), { request }, { username: 'user@heliograph.test', password: DEMO_PASSWORD });
  const caller = await authenticate(tokens.access_token);
  assert.equal(caller?.permissions.has('campaigns-create'), true);
  assert.equal(caller?.permissions.has('campaigns-run'), false);
  const supervisors = await ask<{
    email: string;
  }>(`SELECT s.email FROM user_supervisor JOIN user_account s ON s.id = supervisor_id
    JOIN user_account u ON u.id = user_id WHERE u.email = 'user@heliograph.test'`);
  assert.deepEqual(supervisors, [{ email: 'department@heliograph.test' }]);
});

test('balances, entries and messages of the demo agree to the thousandth', async () => {
  assert.deepEqual(await reconcile(database.db('owner')), []);
  const [money] = await ask<{ unbalanced: number; charged: number; submitted: number }>(`SELECT
    (SELECT count(*) FROM (SELECT FROM ledger_entry GROUP BY transfer_id HAVING sum(amount) <> 0) x) AS unbalanced,
    (SELECT sum(amount) FROM ledger_entry WHERE book = 'revenue')::bigint AS charged,
    (SELECT sum(unit_price + coalesce(reseller_unit_price, 0)) FROM submission_row s JOIN message m ON m.id = message_id
      JOIN chunk k ON k.id = message_id >> 10 WHERE command_status = 0)::bigint AS submitted`);
  assert.equal(money?.unbalanced, 0);
  assert.ok(money!.charged > 0);
  assert.equal(money?.charged, money?.submitted);
});

test('counters, hourly totals and message states of the demo agree', async () => {
  const rows = await ask<Record<string, number>>(`
    SELECT c.total_count, n.processed, n.submitted, n.delivered, n.failed, n.expired, n.charged, c.total_sms,
      h.messages, h.parts, h.delivered AS hour_delivered, h.failed AS hour_failed, h.expired AS hour_expired, h.spend,
      m.count, m.parts AS message_parts, m.delivered AS message_delivered, m.failed AS message_failed, m.expired AS message_expired
    FROM campaign c JOIN campaign_counter n ON n.campaign_id = c.id
    JOIN LATERAL (SELECT sum(messages)::bigint AS messages, sum(parts)::bigint AS parts, sum(delivered)::bigint AS delivered,
      sum(failed)::bigint AS failed, sum(expired)::bigint AS expired, sum(spend)::bigint AS spend
      FROM traffic_quarter WHERE campaign_id = c.id) h ON true
    JOIN LATERAL (SELECT count(*) AS count, sum(parts)::bigint AS parts, count(*) FILTER (WHERE state = 'delivered') AS delivered,
      count(*) FILTER (WHERE state::text LIKE 'failed%') AS failed, count(*) FILTER (WHERE state = 'expired') AS expired
      FROM message_row WHERE campaign_id = c.id) m ON true`);
  assert.ok(rows.length >= 8);
  for (const row of rows) {
    assert.equal(row.total_count, row.count);
    assert.equal(row.processed, row.count);
    assert.equal(row.messages, row.submitted);
    assert.equal(row.total_sms, row.message_parts);
    for (const end of ['delivered', 'failed', 'expired']) {
      assert.ok(row[end]! > 0, end);
      assert.equal(row[end], row[`hour_${end}`]);
      assert.equal(row[end], row[`message_${end}`]);
    }
    assert.equal(row.spend, row.charged);
    assert.equal(row.delivered! + row.failed! + row.expired!, row.count);
  }
});

test('the history of the demo is counted by country and link from the start', async () => {
  const sums = await ask<{ counted: number; all: number }>(`SELECT
    (SELECT sum(messages)::int FROM traffic_destination WHERE destination = '63' AND link_id IS NOT NULL) AS counted,
    (SELECT sum(messages)::int FROM traffic_quarter) AS all`);
  assert.equal(sums[0]!.counted, sums[0]!.all);
  assert.ok(sums[0]!.all > 2_000);
});

test('the history of the demo covers each of the last seven days and lies in the past', async () => {
  const days = await ask<{
    days: number;
    future: number;
  }>(`SELECT count(DISTINCT (quarter AT TIME ZONE 'Asia/Manila')::date) AS days,
    count(*) FILTER (WHERE quarter > now()) AS future FROM traffic_quarter`);
  assert.deepEqual(days, [{ days: 7, future: 0 }]);
  const [list] = await ask<{ numbers_count: number; stored: number }>(`SELECT numbers_count,
    (SELECT count(*) FROM number_list_number WHERE number_list_id = l.id AND param1 <> '' AND param2 <> '') AS stored
    FROM number_list l WHERE name = 'Loyalty customers'`);
  assert.deepEqual(list, { numbers_count: 500, stored: 500 });
});

test('the demo’s customers have replied, in the past, and no reply is unprocessed', async () => {
  const [replies] = await ask<Record<string, number>>(`SELECT count(*)::int AS all, count(routing_id)::int AS routed,
    count(*) FILTER (WHERE read_at > now() OR received_at > now() OR read_at IS NULL)::int AS open FROM inbox_message`);
  assert.deepEqual(replies, { all: 9, routed: 9, open: 0 });
});

test('the demo’s links open with the key of the data folder', async () => {
  const links = await ask<{ id: number; port: number; for_tests: boolean; password_sealed: string; protocol: string }>(
    'SELECT id, port, for_tests, password_sealed, protocol FROM link ORDER BY id',
  );
  assert.deepEqual(
    links.map(({ for_tests, protocol }) => [for_tests, protocol]),
    [
      [false, 'smpp'],
      [true, 'smpp'],
      [false, 'http'],
    ],
  );
  for (const { id, port, password_sealed, protocol } of links) {
    assert.equal(port, protocol === 'smpp' ? config.SIMULATOR_SMPP_PORT : config.SIMULATOR_HTTP_PORT);
    assert.equal(open(secretKey(config), password_sealed, passwordContext(id)), 'lantern');
  }
});

test('a database with people in it is left unchanged', async () => {
  const before = await ask('SELECT count(*) FROM user_account');
  await assert.rejects(seedDemo({ url: database.url, config, log }));
  assert.deepEqual(await ask('SELECT count(*) FROM user_account'), before);
});

test('the demo has routes, and carriers’ files with known differences', async () => {
  const routes = await ask<{ name: string; links: number }>(`SELECT r.name, count(l.link_id)::int AS links
    FROM carrier_route r JOIN carrier_route_link l ON l.carrier_route_id = r.id GROUP BY 1 ORDER BY 1`);
  assert.deepEqual(
    routes.map(({ name, links }) => `${name} ${links}`),
    ['Bank alerts 2', 'One-time codes 2', 'SingTel 2'],
  );
  const files = await ask<Record<string, number> & { by_message: boolean; kinds: { kind: string; lines: number }[] }>(
    `SELECT by_message, carrier_parts, own_parts, carrier_amount, own_amount, own_unknown,
       CASE WHEN by_message THEN message_differences ELSE sum_differences END AS kinds FROM carrier_invoice ORDER BY id`,
  );
  const [sums, messages] = files;
  const kinds = (file: typeof sums) => Object.fromEntries(file!.kinds.map(({ kind, lines }) => [kind, lines]));
  assert.deepEqual(kinds(sums), { count: 1, price: 1 });
  assert.deepEqual(kinds(messages), { missing_here: 1, missing_there: 2, price: 2, state: 1 });
  assert.equal(sums!.carrier_parts! - sums!.own_parts!, 3);
  assert.equal(messages!.carrier_parts! - messages!.own_parts!, -1);
  for (const { own_unknown, own_amount } of files) assert.ok(own_unknown === 0 && own_amount! > 0);
  const [counted] = await ask<{ all: number; networks: number }>(`SELECT
    (SELECT sum(messages)::int FROM traffic_network) AS networks, (SELECT sum(messages)::int FROM traffic_quarter) AS all`);
  assert.equal(counted!.networks, counted!.all);
});
