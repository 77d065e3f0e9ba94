import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { serveConsole } from '../apps/server/src/platform/http/console-page.ts';
import { createServer } from '../apps/server/src/platform/http/server.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { openBrowser } from './house.ts';

/** Lists the paths that service workers keep; runs in the page. */
async function keptPaths(): Promise<string[]> {
  const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  return kept.flat().map(({ url }) => new URL(url).pathname);
}

test('a reload without the network shows the page, and no data are kept', async (t) => {
  const config = readConnectedConfig({ DATABASE_URL: 'postgres://nobody/nothing', LOG_LEVEL: 'silent' });
  const server = await createServer(config, createLogger(config, 'offline'));
  t.after(() => server.close());
  server.get('/api/v1/page-configurations', () => ({ data: 'of a tenant' }));
  const head = { name: 'Lantern', color: '#112233', icon: null };
  await serveConsole(server, join(import.meta.dirname, '../apps/console/dist'), async () => head);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const browser = await openBrowser(t);
  const context = await browser.newContext({ serviceWorkers: 'allow' });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/login`);
  const field = page.locator('input[type=password]');
  await field.waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { polling: 200 });
  // The language was loaded before the worker began.
  const hasLanguage = async () => (await page.evaluate(keptPaths)).some((path) => path.includes('/messages-en-'));
  while (!(await hasLanguage())) await page.waitForTimeout(200);
  await context.setOffline(true);
  await page.reload();
  await field.waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en-US');
  const others = (await page.evaluate(keptPaths)).filter((path) => !path.startsWith('/assets/'));
  assert.deepEqual(others.sort(), ['/', '/favicon.svg', '/start.css', '/start.js']);
});
