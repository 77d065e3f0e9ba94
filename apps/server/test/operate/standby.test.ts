import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dashboard } from '@heliograph/contract/dashboard/dashboard';
import { signIn } from '@heliograph/contract/identity/session';
import { campaignHistory, campaignStatuses } from '@heliograph/contract/reports/campaign-history';
import { summaryReports } from '@heliograph/contract/reports/summary-report';
import { transactions } from '@heliograph/contract/reports/transaction';
import { until } from '@heliograph/fault-kit';
import { readConfig, readConnectedConfig } from '#platform/config/config';
import { createLogger } from '#platform/log';
import { buildApi } from '../../src/processes/api.ts';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { seedDemo } from '../../src/seed/index.ts';
import { Cluster } from './cluster.ts';

const LOGINS = ['admin', 'corporate', 'department'];

test('reports come from the standby, and from the primary while the standby is late', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-standby-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const cluster = await Cluster.start(t, async (url) => {
    await prepareDatabase(url);
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: folder });
    await seedDemo({ url, config, log: createLogger({ LOG_LEVEL: 'silent' }, 'demo') });
  });
  const start = async (settings: Record<string, string>) => {
    const own = { DATABASE_URL: cluster.url, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' };
    const config = readConnectedConfig({ ...own, CALLS_PER_MINUTE: '10000000', ...settings });
    const { server, stop } = await buildApi({ config, log: createLogger(config, 'test') });
    t.after(stop);
    await server.listen({ port: 0, host: '127.0.0.1' });
    return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  };
  const plain = await start({});
  const withStandby = await start({
    REPORTS_DATABASE_URL: cluster.urlOf(cluster.standby),
    REPORTS_MAX_LAG_SECONDS: '3',
  });
  const tokens = new Map<string, string>();
  for (const login of LOGINS) {
    const response = await fetch(plain + signIn.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: `${login}@heliograph.test`, password: DEMO_PASSWORD }),
    });
    tokens.set(login, signIn.reply.parse(await response.json()).access_token);
  }
  const read = async (url: string, login: string, path: string) => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${tokens.get(login)}` } });
    const asOf = response.headers.get('figures-as-of');
    return { status: response.status, asOf, body: await response.text() };
  };
  const served = async (what: string, fromStandby: boolean) => {
    const found = await until(what, async () => {
      const { status, asOf } = await read(withStandby, 'corporate', dashboard.path);
      assert.equal(status, 200, what);
      return (asOf !== null) === fromStandby && { asOf };
    });
    return found.asOf;
  };

  await served('the standby is known', true);
  const today = new Date().toISOString().slice(0, 10);
  const from = new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10);
  const period = `?from=${from}&to=${today}`;
  const paths = [
    dashboard.path,
    transactions.path + period,
    summaryReports.path + period,
    campaignHistory.path + period,
    campaignStatuses.path + period,
  ];
  const seen = new Map<string, Set<string>>();
  for (const login of LOGINS)
    for (const path of paths) {
      const [here, there] = [await read(plain, login, path), await read(withStandby, login, path)];
      assert.equal(there.status, 200, `${path}: ${there.body}`);
      assert.ok(there.asOf && Date.now() - Date.parse(there.asOf) < 60_000, 'it says of when it is');
      assert.equal(here.asOf, null);
      assert.equal(there.body, here.body, `${login} sees the same of ${path}`);
      seen.set(path, (seen.get(path) ?? new Set()).add(there.body));
    }
  assert.ok(seen.get(dashboard.path)!.size > 1, 'not everybody sees everything');
  const sessions = await cluster.standby.asAdmin((client) =>
    client.query("SELECT FROM pg_stat_activity WHERE application_name = 'heliograph api'"),
  );
  assert.ok(sessions.rows.length > 0);

  // A commit waits until the standby has received it, not until the standby shows it.
  await cluster.standby.asAdmin((client) => client.query('SELECT pg_wal_replay_pause()'));
  const writing = setInterval(
    () =>
      void cluster.primary.asAdmin((client) => client.query("SELECT pg_logical_emit_message(true, 'test', 'more')")),
    300,
  );
  try {
    await served('a late standby is asked no more', false);
  } finally {
    clearInterval(writing);
  }
  await cluster.standby.asAdmin((client) => client.query('SELECT pg_wal_replay_resume()'));
  await served('the standby has caught up', true);
  await cluster.primary.asAdmin(async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = ''");
    await client.query('SELECT pg_reload_conf()');
  });
  await cluster.kill(cluster.standby);
  // No report fails in the meantime.
  await served('the standby is missed', false);
});
