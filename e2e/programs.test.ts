import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { ownPort } from '../apps/server/test/own-port.ts';
import { type Closing, openSession } from '../packages/smpp/src/index.ts';
import { openBrowser, signIn, startHouse } from './house.ts';

// Keys, callbacks and SMPP accounts, which people set up for the programs of their company.

const smppPort = await ownPort();
const house = await startHouse(
  { after },
  { HTTP_CALLBACKS: 'true', PRIVATE_TARGETS: '127.0.0.0/8', SMPP_SERVER_PORT: String(smppPort) },
);
const browser = await openBrowser({ after });

/** Calls as a program; returns the status and, if the call is refused, the error code. */
async function answerTo(key: string, path: string): Promise<string> {
  const response = await fetch(house.url + path, { headers: { authorization: `Bearer ${key}` } });
  const { code = '' } = (await response.json()) as { code?: string };
  return `${response.status} ${code}`.trim();
}

/** Waits for an answer: a process learns of a change after a second at most. */
async function becomes(key: string, path: string, wanted: string): Promise<void> {
  await until(`${path} answers ${wanted}`, async () => (await answerTo(key, path)) === wanted);
}

test('a key is created, copied once, used, rotated with an overlap, and revoked', async () => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await signIn(context, house, 'corporate');
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${house.url}/api-keys`);
  await page.locator('main [data-create]').first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Till 1');
  await form.getByLabel('Runs as user').first().click();
  await page.getByRole('option').first().click();
  for (const scope of await form.getByRole('checkbox').all()) await scope.uncheck();
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await form.getByText('At least one').first().waitFor();
  await form.getByRole('checkbox', { name: 'Read the balance' }).check();
  const addresses = form.getByLabel('Allowed addresses').first();
  await addresses.fill('203.0.113.0/24');
  await addresses.press('Enter');
  await form.getByRole('button', { name: 'Create', exact: true }).click();

  /** Copies the shown key with its button, as a person does, and closes the dialog. */
  const copied = async () => {
    const shown = page.getByRole('dialog').filter({ hasText: 'New key' });
    await shown.getByText(/^hk_live_/).waitFor();
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    const key = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(key, /^hk_live_[\w-]{43}$/);
    await shown.getByRole('button', { name: 'Close' }).click();
    await shown.waitFor({ state: 'detached' });
    assert.ok(!(await page.content()).includes(key), 'it is nowhere on the page any more');
    return key;
  };
  const first = await copied();
  await page.getByRole('columnheader', { name: 'State' }).waitFor();
  const row = page.getByRole('row', { name: /Till 1/ });
  await row.getByText('Never').waitFor();
  await row.getByText('Active', { exact: true }).waitFor();
  assert.equal(await answerTo(first, '/v1/balance'), '403 address_not_allowed');

  const choose = async (action: string) => {
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  await choose('Edit');
  await form
    .getByRole('button', { name: /Remove|Clear/ })
    .or(form.locator('.mantine-Pill-remove'))
    .first()
    .click();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await becomes(first, '/v1/balance', '200');
  assert.equal(await answerTo(first, '/v1/inbound'), '403 scope_missing');
  // The use of a key is recorded beside the call.
  const noted = "SELECT FROM api_key WHERE name = 'Till 1' AND last_used_ip IS NOT NULL";
  await until('its use is recorded', async () => (await house.database.query(noted)).rowCount !== 0);
  await page.reload();
  await row.getByText(/· 127\.0\.0\.1/).waitFor();

  await choose('Rotate');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
  const second = await copied();
  await row.getByText(/^The previous key is valid until /).waitFor();
  assert.notEqual(second, first);
  assert.deepEqual([await answerTo(first, '/v1/balance'), await answerTo(second, '/v1/balance')], ['200', '200']);
  await house.database.query(`UPDATE api_key SET previous_until = now() - interval '1 s' WHERE name = 'Till 1'`);
  await becomes(first, '/v1/balance', '401 unauthenticated');
  assert.equal(await answerTo(second, '/v1/balance'), '200');

  await choose('Revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('The key was revoked.').waitFor();
  await becomes(second, '/v1/balance', '401 unauthenticated');
  await row.getByText(/^Revoked on /).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test('the reference shows and links every call of the document, and fits a phone', async () => {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/api-keys`);
  await page.getByRole('link', { name: 'API reference' }).first().click();
  const document = (await (await fetch(`${house.url}/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { summary: string; operationId: string }>>;
  };
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ line: `${method.toUpperCase()} ${path}`, ...call })),
  );
  assert.ok(calls.length >= 11);
  for (const { line, summary } of calls) {
    await page.getByRole('link', { name: line, exact: true }).waitFor();
    await page.getByRole('heading', { name: summary, exact: true }).waitFor();
  }
  await page.getByRole('link', { name: 'DELETE /v1/batches/{id}', exact: true }).click();
  await page.waitForURL(/#cancelBatch$/);
  const wide = await page.evaluate(() => globalThis.document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `it is ${wide} px wide`);
  await context.close();
});

test('an endpoint is created, its secret is shown once, and a sample is logged', async () => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${house.url}/callbacks`);
  await page.locator('main [data-create]').first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('URL').fill('https://127.0.0.1:9/hook');
  await form.getByRole('checkbox', { name: 'Message delivered' }).check();
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByText(/^whsec_/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Actions for https:\/\/127/ }).click();
  await page.getByRole('menuitem', { name: 'Send sample' }).click();
  const sample = page.getByRole('dialog');
  await sample.getByRole('button', { name: 'Send sample' }).click();
  await sample.getByText('Not delivered: The host cannot be reached.').waitFor();
  await sample.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: /^Actions for https:\/\/127/ }).click();
  await page.getByRole('menuitem', { name: 'Call log' }).click();
  await page.getByText('evt_0').waitFor();
  assert.equal(new URL(page.url()).pathname, '/http-deliveries');
  await page.locator('main button[aria-expanded=false]').last().click();
  const result = page.locator('main').getByText('The host cannot be reached');
  await result.waitFor();
  await page.setViewportSize({ width: 360, height: 780 });
  await result.waitFor();
  await page.waitForFunction(() => document.documentElement.scrollWidth <= 360);
  await page.goto(`${house.url}/http-deliveries?kind=routing_call`);
  await page.getByText('evt_0').waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
  await context.close();
});

test('an administrator makes a system ID, sees its bind, and ends its session', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await signIn(context, house, 'superadmin');
  const { rows } = await house.database.query<{ corporation: string; person: string }>(
    `UPDATE user_account u SET connection_type_id = t.id FROM connection_type t, corporation c
     WHERE u.email = 'user@heliograph.test' AND t.name = 'SMPP' AND c.id = u.corporation_id
     RETURNING c.name AS corporation, u.name AS person`,
  );
  const { corporation, person } = rows[0]!;
  await page.goto(`${house.url}/smpp-system-ids`);
  await page.getByRole('button', { name: 'Add system ID' }).click();
  const form = page.getByRole('main');
  const choose = async (label: string, option: string) => {
    await form.getByLabel(label, { exact: false }).first().click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Corporation', corporation);
  await choose('User', person);
  await form.getByRole('textbox', { name: 'System ID' }).fill('harbor');
  await form.getByRole('textbox', { name: 'Password' }).fill('short');
  await form.getByText('8 to 64 letters, digits or symbols').waitFor();
  await form.getByRole('textbox', { name: 'Password' }).fill('lantern1');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(`${house.url}/smpp-system-ids`);
  await page.getByRole('row').getByText('harbor', { exact: true }).first().waitFor();

  const closed = Promise.withResolvers<Closing>();
  const bound = Promise.withResolvers<void>();
  const session = openSession<string>(
    {
      host: '127.0.0.1',
      port: smppPort,
      bind: { mode: 'transceiver', system_id: 'harbor', password: 'lantern1' },
    },
    {
      onBound: () => bound.resolve(),
      onClose: (closing) => {
        bound.reject(new Error(closing.reason));
        closed.resolve(closing);
      },
    },
  );
  await bound.promise;
  for (let i = 0; i < 3; i++) session.submit({ destination_addr: '12', short_message: Buffer.from('x') }, 'refused');
  await page.goto(`${house.url}/smpp-sessions`);
  const row = page.getByRole('row', { name: /harbor/ });
  await row.getByText('Transceiver').waitFor();
  await row.getByText('127.0.0.1').waitFor();
  // The change shows without a reload of the page.
  await row.getByText('3', { exact: true }).first().waitFor();
  await row.getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'End session' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await page.getByText('The session of harbor is being ended.').waitFor();
  assert.equal((await closed.promise).reason, 'peer_unbound');
  await row.waitFor({ state: 'detached' });
  await context.close();
});
