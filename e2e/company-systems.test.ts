import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import type { Page } from 'playwright-core';
import { syslogReceiver } from '../apps/server/test/audit-streams/receivers.ts';
import { noSshServer, startSshServer } from '../apps/server/test/scheduled-files/ssh-server.ts';
import { startDns } from '../apps/server/test/single-sign-on/dns-server.ts';
import { makeSamlPeer } from '../apps/server/test/single-sign-on/saml-peer.ts';
import { authority } from '../apps/server/test/smpp-server/certificates.ts';
import { openBrowser, signIn, startHouse } from './house.ts';
import { watch } from './screen-reader.ts';

// Paths by which a company connects its own systems: SAML, directory, files, streams of the log, and keys for texts.

const dns = await startDns({ after });
const house = await startHouse({ after }, { PRIVATE_TARGETS: '127.0.0.0/8', DNS_SERVERS: dns.address });
const browser = await openBrowser({ after });
await house.database.query('UPDATE reseller SET base_url = NULL');

type Scope = { after(end: () => void | Promise<void>): void };

async function as(t: Scope, who: string) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 950 } });
  t.after(() => context.close());
  return { page: await signIn(context, house, who), seen: watch(context) };
}

/** Returns the field of a form with a label; labels of required fields end with an asterisk. */
const field = (page: Page, name: string) =>
  page
    .locator('input, textarea')
    .and(page.getByLabel(new RegExp(`^${name}\\s*\\*?$`)))
    .first();

async function choose(page: Page, name: string, option: string): Promise<void> {
  await field(page, name).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function menu(page: Page, row: string, entry: string): Promise<void> {
  await page
    .getByRole('row', { name: new RegExp(row) })
    .getByRole('button')
    .last()
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
}

async function create(page: Page, list: string): Promise<void> {
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL((at) => at.pathname === list);
}

test('a company signs in by SAML, and its directory brings a person', async (t) => {
  const { page, seen } = await as(t, 'corporate');
  const peer = await makeSamlPeer();
  await page.goto(`${house.url}/identity-providers/new`);
  await field(page, 'Name').fill('Acme SAML');
  await choose(page, 'Protocol', 'SAML 2.0');
  await field(page, 'Metadata of the provider').fill(await peer.metadata());
  await page.getByRole('button', { name: 'Read metadata' }).click();
  await until('the fields are filled', async () => (await field(page, 'Entity ID').inputValue()) === peer.issuer);
  await field(page, 'Sign-in address').fill(peer.sso_url);
  await field(page, 'Email domains').fill('saml.test');
  await page.keyboard.press('Enter');
  await choose(page, 'Role without a rule', 'Corporate user');
  await choose(page, 'Usual department', 'Marketing');
  await create(page, '/identity-providers');
  const dialog = page.getByRole('dialog');
  await menu(page, 'Acme SAML', 'Prove domains');
  const record = (await dialog.locator('code').first().textContent())!;
  dns.records.set(record, [(await dialog.locator('code').nth(1).textContent())!]);
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('Proved', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await menu(page, 'Acme SAML', 'Directory');
  await dialog.getByText('There is no token yet').waitFor();
  await dialog.getByRole('button', { name: 'Make token' }).click();
  await dialog.getByText('Copy the token now').waitFor();
  const [url, token] = await dialog.locator('code').allTextContents();
  const answer = await fetch(`${url}/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'newcomer@saml.test',
      displayName: 'Newcomer',
      emails: [{ value: 'newcomer@saml.test', primary: true }],
    }),
  });
  assert.equal(answer.status, 201, await answer.text());
  await dialog.getByRole('button', { name: 'Close' }).click();
  await menu(page, 'Acme SAML', 'Directory');
  await dialog.getByText(/was last used on .* People kept up to date: 1/).waitFor();
  await dialog.getByRole('button', { name: 'End token' }).click();
  await dialog.getByText('There is no token yet').waitFor();
  await seen.settled(page);
  assert.equal((await fetch(`${url}/Users`, { headers: { authorization: `Bearer ${token}` } })).status, 401);

  await house.database.query("UPDATE user_account SET email = 'user@saml.test' WHERE email = 'user@heliograph.test'");
  const theirs = await browser.newContext();
  t.after(() => theirs.close());
  // The provider's page answers the request and posts the response, as a browser's page there does.
  await theirs.route(`${new URL(peer.sso_url).origin}/**`, async (route) => {
    const at = new URL(route.request().url());
    const posted = await peer.respond(at, { id: 'user-1', email: 'user@saml.test' });
    const request = Object.entries(posted).map(([name, value]) => `<input name="${name}" value="${value}">`);
    const { rows } = await house.database.query("SELECT key FROM identity_provider WHERE name = 'Acme SAML'");
    const acs = `${house.url}/api/v1/sso/${rows[0].key}/acs`;
    await route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${acs}">${request.join('')}<button>Continue</button></form>`,
    });
  });
  const visitor = await theirs.newPage();
  await visitor.goto(`${house.url}/login`);
  await visitor.getByLabel('Email').fill('user@saml.test');
  await visitor.getByRole('button', { name: 'Sign in with company' }).click();
  await visitor.getByRole('button', { name: 'Continue' }).click();
  await visitor.waitForURL((at) => at.pathname === '/dashboard');
  const { rows } = await house.database.query("SELECT count(*)::int AS count FROM session WHERE way = 'saml'");
  assert.equal(rows[0].count, 1);
});

test('the activity log streams to a syslog server that a person enters', async (t) => {
  const ca = authority(t, 'Acme CA');
  const { cert, key } = ca.sign('localhost');
  const files = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  const receiver = await syslogReceiver(t, files);
  const { page, seen } = await as(t, 'corporate');
  await page.goto(`${house.url}/audit-streams/new`);
  await field(page, 'Name').fill('SIEM');
  await choose(page, 'Destination', 'Syslog server');
  await field(page, 'Host').fill('localhost');
  await field(page, 'Port').fill(String(receiver.port));
  await field(page, 'Own certificate authority').fill(readFileSync(ca.cert, 'utf8'));
  await create(page, '/audit-streams');
  await until('the entry of the stream itself arrives', () => receiver.got.length > 0);
  await page.reload();
  await page.getByRole('row', { name: /SIEM OK/ }).waitFor();
  await seen.settled(page);
});

test('a person confirms a host key, and files of messages arrive by SFTP', { skip: noSshServer() }, async (t) => {
  const server = await startSshServer(t);
  const { page, seen } = await as(t, 'corporate');
  await page.goto(`${house.url}/scheduled-files/new`);
  await field(page, 'Name').fill('Warehouse');
  await choose(page, 'Period', 'Every hour');
  await field(page, 'Wait for receipts \\(hours\\)').fill('1');
  await choose(page, 'Destination', 'SFTP server');
  await field(page, 'Host').fill('127.0.0.1');
  await field(page, 'Port').fill(String(server.port));
  await field(page, 'Folder or prefix').fill(server.folder);
  await field(page, 'User or access key ID').fill(server.username);
  await field(page, 'Private key').fill(server.private_key);
  await create(page, '/scheduled-files');
  await page.getByRole('row', { name: /Warehouse Host key not confirmed/ }).waitFor();
  await menu(page, 'Warehouse', 'Test destination');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(server.host_key).waitFor();
  await dialog.getByRole('button', { name: 'Confirm host key' }).click();
  await dialog.getByRole('button', { name: 'Test destination' }).click();
  await dialog.getByText('The destination works').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await seen.settled(page);
  // Hours that have ended since.
  await house.database.query(
    "UPDATE scheduled_file SET covered_until = date_trunc('hour', now()) - interval '3 hours'",
  );
  await until('the file is there', () => readdirSync(server.folder).some((name) => name.endsWith('.csv.gz')));
  await menu(page, 'Warehouse', 'Sent files');
  await page
    .getByRole('row', { name: /Sent Warehouse/ })
    .first()
    .waitFor();
});

test('a person adds a text key, is told of the search, and destroys the key', async (t) => {
  const { page, seen } = await as(t, 'corporate');
  await page.goto(`${house.url}/retention-rules`);
  await page.getByRole('button', { name: 'Add key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add key' }).click();
  const keys = page.getByRole('table', { name: 'Text keys' });
  await keys.getByText('In use').waitFor();
  for (const layout of ['conversations', 'table']) {
    await page.goto(`${house.url}/inbox?layout=${layout}&search=hello`);
    await page.getByText('Encrypted texts are not searched.').waitFor();
  }
  await page.goto(`${house.url}/retention-rules`);
  await keys.getByRole('button', { name: 'Destroy key' }).click();
  await dialog.getByLabel('Reason').fill('The customer left');
  await dialog.getByRole('button', { name: 'Destroy key' }).click();
  await keys.getByText('Destroyed', { exact: true }).waitFor();
  await keys.getByText(/The customer left/).waitFor();
  await seen.settled(page);
});
