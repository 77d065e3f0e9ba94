import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import type { Page } from 'playwright-core';
import { agentProgram } from '../apps/server/test/agents/agent-program.ts';
import { ownPort } from '../apps/server/test/own-port.ts';
import { DEMO_PASSWORD } from './house.ts';
import { browser, house } from './own-house.ts';

// A program connects itself by the protocol's own library, and a person decides in a browser.

const NUMBER = '639170004242';
const SENDER = 'ACME';

/** Place of a program on this computer, to which the browser comes back. */
const port = await ownPort();
const redirect = `http://127.0.0.1:${port}/callback`;
let cameBack: URL | undefined;
const place = createServer(({ url }, answer) => {
  if (url?.startsWith('/callback')) cameBack = new URL(url, redirect);
  answer.setHeader('content-type', 'text/html').end('<h1>Back in the program</h1>');
}).listen(port, '127.0.0.1');
after(() => place.close());

/** Opens a program's address in a browser of a person, and returns its page. */
async function openedBy(who: string, at: URL, width = 1360): Promise<Page> {
  cameBack = undefined;
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  after(() => context.close());
  const page = await context.newPage();
  await page.goto(at.href);
  await page.waitForURL((url) => url.pathname === '/login');
  await page.getByLabel('Email').fill(`${who}@heliograph.test`);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/connect-agent');
  return page;
}

const back = () => until('the browser is back in the program', () => cameBack);

test('a person signs in and agrees, and the program quotes and sends', async () => {
  const program = agentProgram({ url: house.url, redirect });
  const page = await openedBy('corporate', await program.begin());
  await page.getByRole('heading', { name: 'Connect Desk helper?' }).waitFor();
  await page.getByText('127.0.0.1').waitFor();
  const sending = page.getByRole('switch', { name: 'Allow sending and changes' });
  assert.equal(await sending.isChecked(), false);
  await sending.check({ force: true });
  await page.getByText(/at the cost of Acme/).waitFor();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await program.end(await back());
  await page.getByRole('heading', { name: 'Back in the program' }).waitFor();

  const client = await program.connect();
  after(() => client.close());
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert.ok(names.includes('get_balance') && names.includes('quote_message') && names.includes('send_message'));
  const call = async (name: string, given: Record<string, unknown>) => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: given });
    assert.ok(!isError, JSON.stringify(structuredContent));
    return structuredContent as Record<string, string>;
  };
  const message = { from: SENDER, to: [NUMBER], text: 'Your parcel is at the desk' };
  const { confirmation, price } = await call('quote_message', message);
  assert.ok(Number(price) > 0);
  await call('send_message', { ...message, confirmation });
  await until('the message reaches the phone', async () => {
    const answer = await fetch(`${house.simulator}/api/handsets/${NUMBER}`);
    return (await answer.text()).includes(message.text);
  });

  await page.goto(`${house.url}/api-keys`);
  const row = page.getByRole('row', { name: /Desk helper ·/ });
  await row.getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Revoke', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await row.getByText(/^Revoked on /).waitFor();
  await until('the program is out', () =>
    call('get_balance', {}).then(
      () => false,
      () => true,
    ),
  );
});

test('a person refuses, and the program hears it', async () => {
  const program = agentProgram({ url: house.url, redirect });
  const page = await openedBy('corporate', await program.begin(), 360);
  await page.getByRole('heading', { name: 'Connect Desk helper?' }).waitFor();
  const wide = await page.evaluate(() => globalThis.document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `it is ${wide} px wide`);
  await page.getByRole('button', { name: 'Refuse' }).click();
  const came = await back();
  assert.equal(came.searchParams.get('error'), 'access_denied');
  assert.equal(came.searchParams.get('state'), 'state-of-desk');
  await assert.rejects(program.end(came), /access_denied/);
});

test('a wrong request, and a person who may not decide, go back by a button', async () => {
  const program = agentProgram({ url: house.url, redirect });
  const page = await openedBy('user', await program.begin());
  await page.getByText(/You may not create API keys/).waitFor();
  const wrong = await program.begin();
  wrong.searchParams.delete('code_challenge');
  await page.goto(wrong.href);
  await page.getByText(/not valid \(invalid_request\)/).waitFor();
  assert.equal(cameBack, undefined);
  await page.getByRole('button', { name: 'Back to 127.0.0.1' }).click();
  assert.equal((await back()).searchParams.get('error'), 'invalid_request');
  const strange = await program.begin();
  strange.searchParams.set('redirect_uri', 'https://evil.test/');
  await page.goto(strange.href);
  await page.getByText(/This program is not known here/).waitFor();
  await page.goto(`${house.url}/connect-agent`);
  await page.getByText(/This program is not known here/).waitFor();
});
