import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDns } from '../apps/server/test/single-sign-on/dns-server.ts';
import { startPeer } from '../apps/server/test/single-sign-on/oidc-peer.ts';
import { openBrowser, signIn, startHouse } from './house.ts';
import { watch } from './screen-reader.ts';

const dns = await startDns({ after });
const peer = await startPeer({ after });
const house = await startHouse({ after }, { PRIVATE_TARGETS: '127.0.0.1', DNS_SERVERS: dns.address });
const browser = await openBrowser({ after });
// The reseller of the demo has a console at an address of its own.
await house.database.query('UPDATE reseller SET base_url = NULL');

test('a company sets up its provider, and its people sign in with it', async (t) => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 950 } });
  t.after(() => context.close());
  const seen = watch(context);
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/identity-providers/new`);
  // Labels of required fields end with an asterisk.
  const field = (name: string) =>
    page
      .locator('input')
      .and(page.getByLabel(new RegExp(`^${name}\\s*\\*?$`)))
      .first();
  await field('Name').fill('Acme sign-in');
  await field('Issuer').fill(peer.issuer);
  await field('Client ID').fill('console');
  await field('Client secret').fill('a secret of the console');
  await field('Scopes').fill('openid email profile groups');
  await field('Email domains').fill('heliograph.test');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL((at) => at.pathname === '/identity-providers');
  const row = page.getByRole('row', { name: /Acme sign-in/ });
  const menu = async (entry: string) => {
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  const dialog = page.getByRole('dialog');

  await menu('Show addresses');
  const redirect_uri = (await dialog.locator('code').first().textContent())!;
  const key = redirect_uri.split('/').at(-1)!;
  assert.equal(redirect_uri, `${house.url}/sso/${key}`);
  peer.open({ redirect_uri, logout_uri: `${house.url}/api/v1/sso/${key}/logout` });
  await dialog.getByRole('button', { name: 'Close' }).click();

  await menu('Test the connection');
  await page.getByText(/The provider answers and has \d/).waitFor();

  await menu('Prove domains');
  const record = (await dialog.locator('code').first().textContent())!;
  dns.records.set(record, [(await dialog.locator('code').nth(1).textContent())!]);
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('Proved', { exact: true }).waitFor();
  assert.deepEqual(seen.faults, []);

  peer.people.set('user-1', { sub: 'user-1', email: 'user@heliograph.test', email_verified: true });
  peer.people.set('stranger', { sub: 'stranger', email: 'stranger@heliograph.test', email_verified: true });
  const other = await browser.newContext({ viewport: { width: 1360, height: 950 } });
  t.after(() => other.close());
  const theirs = await other.newPage();
  const atCompany = async (person: string) => {
    await theirs.goto(`${house.url}/login`);
    await theirs.getByLabel('Email').fill('user@heliograph.test');
    await theirs.getByRole('button', { name: 'Sign in with company' }).click();
    await theirs.getByLabel('Person').fill(person);
    await theirs.getByRole('button', { name: 'Continue' }).click();
  };
  await atCompany('stranger');
  await theirs.getByRole('alert').getByText('You have no account here yet').waitFor();
  await other.clearCookies({ domain: '127.0.0.1' });
  await atCompany('user-1');
  await theirs.waitForURL((at) => at.pathname === '/dashboard');
  const { rows } = await house.database.query("SELECT count(*)::int AS count FROM session WHERE way = 'oidc'");
  assert.equal(rows[0].count, 1);

  // An address of the provider's list of applications begins a sign-in, and no code stays in the history.
  await theirs.goto(`${house.url}/start.css`);
  await theirs.evaluate(() => localStorage.clear());
  await theirs.goto(redirect_uri);
  await theirs.waitForURL((at) => at.pathname === '/dashboard');
  assert.ok(!theirs.url().includes('code='));
});
