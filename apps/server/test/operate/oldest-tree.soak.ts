import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { signIn } from '@heliograph/contract/identity/session';
import { readCarrierLog, until } from '@heliograph/fault-kit';
import { embeddedAddress } from '@heliograph/installation/address';
import pg from 'pg';
import { reconcile } from '#modules/billing';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { ownPort } from '../own-port.ts';
import { dataFolder, READY, type Started, start, stopAfter } from '../processes/npm-start.ts';
import { testClusterHome } from '../template-database.ts';
import { ROOT } from './guide-text.ts';

// The section of docs/operate/upgrade.md, "With `npm start` on one machine: stop, exchange the folder, start". It
// upgrades the oldest tree in history that starts and has only migrations that are unchanged today. The tree has its
// demo's week of data and a campaign half sent.

const OLDEST = '0e197ef';
const NUMBERS = 300;
/** Messages a second of its carrier links; it is low so that the campaign takes long. */
const RATE = 5;

const git = (...args: string[]) => spawnSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' });
const withoutHistory =
  git('cat-file', '-e', OLDEST).status !== 0 && `the history of this checkout does not reach back to ${OLDEST}`;

test('the oldest tree is upgraded with its data and a campaign under way', { skip: withoutHistory }, async (t) => {
  const tree = mkdtempSync(join(testClusterHome(), 'heliograph-oldest-'));
  t.after(() => rmSync(tree, { recursive: true, force: true }));
  // The account of PostgreSQL must be able to enter the folder.
  chmodSync(tree, 0o755);
  const unpack = 'git -C "$0" archive "$1" | tar -x -C "$2" && cd "$2" && npm ci --no-audit --no-fund --loglevel=error';
  const installed = spawnSync('bash', ['-euo', 'pipefail', '-c', unpack, ROOT, OLDEST, tree], { encoding: 'utf8' });
  assert.equal(installed.status, 0, installed.stderr);
  const dataDir = dataFolder(t);
  // The links of the demo lead to the simulator's port.
  const settings = { SEED_DEMO: 'true', SIMULATOR_SMPP_PORT: String(await ownPort()) };
  const startOld = async () => {
    const old = await start(dataDir, settings, join(tree, 'apps/server/src/processes/all.ts'));
    stopAfter(t, old);
    return { old, url: await old.line(READY) };
  };
  const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: embeddedAddress(dataDir)!.url });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  const first = await startOld();
  await query('UPDATE link SET rate = $1', [RATE]);
  // It reads its links only at the start.
  await end(first.old);
  const { old, url } = await startOld();
  const campaign = await send(url);
  // Reads the numbers that the carrier accepted, from the carrier's own file.
  const carrier = readCarrierLog(join(dataDir, 'simulator.ndjson'));
  const taken = () => {
    carrier.read();
    return carrier.accepted.map(({ to }) => to.replace('+', '')).filter((to) => to.startsWith('639175'));
  };
  await until('some of it has left', async () => taken().length >= 20);
  const before = await counts(query);
  await end(old);
  assert.ok(taken().length < NUMBERS - 20, 'it is under way');

  const now = await start(dataDir, settings);
  stopAfter(t, now);
  await now.line(READY);
  const after = await counts(query);
  for (const [name, count] of Object.entries(before))
    assert.ok(after[name]! >= count, `${name}: ${after[name]} of ${count}`);
  await query('UPDATE link SET rate = NULL');
  await until('the campaign has ended', async () => {
    const [row] = await query<{ state: string }>('SELECT state FROM campaign WHERE id = $1', [campaign]);
    return row!.state === 'completed';
  });
  assert.deepEqual([taken().length, new Set(taken()).size], [NUMBERS, NUMBERS], 'each is sent to once');
  const pool = new pg.Pool({ connectionString: embeddedAddress(dataDir)!.url, max: 2 });
  const findings = await reconcile(pool).finally(() => pool.end());
  assert.deepEqual(findings, []);
  await end(now);
});

/** Sends a campaign as a person does, by calls that the oldest tree also has. */
async function send(url: string): Promise<number> {
  let token = '';
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: Record<string, unknown> };
    assert.ok(response.ok, `${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const login = { username: 'corporate@heliograph.test', password: DEMO_PASSWORD };
  token = ((await call('POST', signIn.path, login)) as unknown as { access_token: string }).access_token;
  const senders = (await call('GET', '/api/v1/sender-ids')) as unknown as { data: { id: number; enabled: boolean }[] };
  const quoted = await call('POST', '/api/v1/campaigns/quotes', {
    sender_id: senders.data.find(({ enabled }) => enabled)!.id,
    content: 'Hello',
    custom_numbers: Array.from({ length: NUMBERS }, (_, place) => `639175${String(place).padStart(6, '0')}`).join(','),
  });
  const { id } = quoted.data;
  let quote = quoted.data;
  await until('it is quoted', async () => {
    quote = (await call('GET', `/api/v1/campaigns/quotes/${id}`)).data;
    return quote['state'] === 'ready';
  });
  const body = { quote_id: id, name: 'Under way', confirmed_cost: quote['cost'] ?? null };
  return Number((await call('POST', '/api/v1/campaigns', body)).data['id']);
}

async function counts(query: (text: string) => Promise<{ n: string }[]>): Promise<Record<string, number>> {
  const tables = [
    'corporation',
    'user_account',
    'number_list',
    'number_list_number',
    'campaign',
    'message',
    'billing_account',
  ];
  const found = await Promise.all(
    tables.map(async (table) => [table, Number((await query(`SELECT count(*) AS n FROM ${table}`))[0]!.n)] as const),
  );
  return Object.fromEntries(found);
}

async function end(house: Started): Promise<void> {
  house.process.kill('SIGTERM');
  await house.exited;
}
