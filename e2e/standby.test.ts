import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dashboard } from '@heliograph/contract/dashboard/dashboard';
import { until } from '@heliograph/fault-kit';
import { prepareDatabase } from '../apps/server/src/processes/prepare-database.ts';
import { createAdmin } from '../apps/server/src/seed/create-admin.ts';
import { Cluster } from '../apps/server/test/operate/cluster.ts';
import { startProcess } from '../apps/server/test/operate/running.ts';
import { tokenOf } from './api-client.ts';
import { DEMO_PASSWORD, openBrowser, PATH_MS, signIn } from './house.ts';

const REPORTS = ['/transactions', '/summary-reports', '/campaign-history', '/dashboard'];

const cluster = await Cluster.start({ after }, async (url) => {
  await prepareDatabase(url);
  await createAdmin({ url, email: 'admin@heliograph.test', name: 'Ines', password: DEMO_PASSWORD });
});
const api = await startProcess({ after }, 'api', cluster.url, {
  REPORTS_DATABASE_URL: cluster.urlOf(cluster.standby),
  REPORTS_MAX_LAG_SECONDS: '3600',
  LOG_LEVEL: 'warn',
});
const house = { url: api.url! };
const token = await tokenOf(house, 'admin');

/** Returns the age of a report's figures, in ms; undefined while they come from the primary. */
async function age(): Promise<number | undefined> {
  const response = await fetch(house.url + dashboard.path, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(response.status, 200);
  const asOf = response.headers.get('figures-as-of');
  return asOf === null ? undefined : Date.now() - Date.parse(asOf);
}

const untilAge = (what: string, so: (age: number | undefined) => boolean) => until(what, async () => so(await age()));

test('a report says how old its figures are only while the standby is behind', {
  timeout: PATH_MS,
}, async (t) => {
  const standby = (statement: string) => cluster.standby.asAdmin((client) => client.query(statement));
  await untilAge('the standby is asked', (old) => old !== undefined);
  await standby('SELECT pg_wal_replay_pause()');
  const browser = await openBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'admin');
  const moments = new Set<string>();
  page.on('response', (response) => {
    const asOf = response.headers()['figures-as-of'];
    if (asOf) moments.add(asOf);
  });
  await untilAge('the standby is late', (old) => old !== undefined && old > 6_500);
  const go = async (path: string) => {
    await page.goto(house.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  for (const path of REPORTS) {
    await go(path);
    const told = page.getByText(/Figures as of \d+:\d\d:\d\d/);
    await told.waitFor();
    const moment = await told.getAttribute('datetime');
    assert.ok(moment && moments.has(moment), path);
    assert.ok(Date.now() - Date.parse(moment) > 5_000);
  }
  await context.addCookies([{ name: 'locale', value: 'cn', url: house.url }]);
  await go('/transactions');
  await page.getByText(/数据截至 \d+:\d\d:\d\d/).waitFor();
  await context.addCookies([{ name: 'locale', value: 'en', url: house.url }]);

  await standby('SELECT pg_wal_replay_resume()');
  await untilAge('the standby has caught up', (old) => old !== undefined && old < 3_000);
  for (const path of ['/dashboard', '/transactions']) {
    const answered = page.waitForResponse((response) => response.headers()['figures-as-of'] !== undefined);
    await go(path);
    await answered;
    await page.getByText(/Figures as of/).waitFor({ state: 'detached' });
  }
  await context.close();
});
