import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';
import { LOCALE_TAGS, LOCALES } from '@heliograph/contract/kernel/scope';
import { writeSite } from '../apps/server/src/modules/documentation-site/index.ts';
import { guide } from '../apps/server/src/seed/documentation.ts';
import { listenOn } from '../apps/server/test/own-port.ts';
import { openBrowser, PATIENCE_MS } from './house.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};
const folder = mkdtempSync(join(tmpdir(), 'heliograph-site-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const articles = guide();
// A version from before, whose pages stay.
mkdirSync(join(folder, '0.1.0'));
writeFileSync(join(folder, '0.1.0/index.html'), '<title>Old</title>');
writeSite(folder, { name: 'Acme & Co <SMS>', version: '0.2.0' }, articles);
/** Serves the folder as any web server would. */
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
  const file = join(folder, path);
  try {
    const content = readFileSync(file);
    response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain').end(content);
  } catch {
    response.writeHead(404).end();
  }
});
const url = `http://127.0.0.1:${await listenOn(server, { after })}`;
const browser = await openBrowser({ after });
const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.startsWith('0.2.0'));

test('every language has every article and every call', () => {
  const wanted = [
    ...articles.filter(({ parent }) => parent !== null).map(({ key }) => key),
    ...PUBLIC_OPERATIONS.map(({ name }) => `reference/${name}`),
    'reference/index',
    'index',
  ].sort();
  for (const locale of LOCALES) {
    const home = `0.2.0/${LOCALE_TAGS[locale]}/`;
    const pages = files
      .filter((name) => name.startsWith(home) && name.endsWith('.html'))
      .map((name) => name.slice(home.length, -'.html'.length));
    assert.deepEqual(pages.sort(), wanted);
  }
});

test('every link leads to a page and a heading that exist', () => {
  const texts = new Map(
    files.filter((name) => name.endsWith('.html')).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  const broken: string[] = [];
  for (const [name, text] of texts)
    for (const [, given] of text.matchAll(/(?:href|src|value)="([^"]+)"/g)) {
      const link = given!.replaceAll('&amp;', '&');
      if (/^(https?|mailto):/.test(link)) continue;
      const [to = '', anchor] = link.split('#');
      const target = to === '' ? name : resolve('/', name, '..', to).slice(1);
      const there = to === '' || files.includes(target);
      const anchored = anchor === undefined || (texts.get(target) ?? '').includes(`id="${anchor}"`);
      if (!there || !anchored) broken.push(`${name}: ${link}`);
    }
  assert.deepEqual(broken, []);
});

test('no page loads or runs what is not its own, and names are written as text', () => {
  for (const name of files.filter((each) => each.endsWith('.html') && !each.endsWith('index.html'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    assert.match(text, /content-security-policy" content="default-src 'self'/);
    assert.doesNotMatch(text, /<script(?! src="[./]+\w+\.js"| type="module" src="[./]+\w+\.js")|<SMS>|\son\w+=/);
  }
});

test('a person searches, copies, and changes language, darkness and version', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.goto(`${url}/index.html`);
  await page.waitForURL(/en-US\/getting-started\.html$/);
  await page.keyboard.press('/');
  await page.locator('#search:focus').fill('send a message');
  // Answers to the beginning of the words may come first.
  await page.locator('#found li:first-child', { hasText: 'Send a message' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/reference\/sendMessage\.html$/);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^curl --request POST 'https:\/\/sms\.example\.com\/v1\/messages'/);
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.getByLabel('Language').selectOption({ label: '简体中文' });
  await page.waitForURL(/zh-Hans\/reference\/sendMessage\.html$/);
  assert.equal(await page.evaluate(() => document.documentElement.dataset['mode']), 'dark');
  await page.locator('#search').fill('联系人');
  await page.getByRole('option', { name: '联系人' }).first().waitFor();
  await page.locator('#search').fill('xyzzyx');
  await page.getByText('未找到任何内容。').waitFor();
  await page.locator('#version').selectOption('0.1.0');
  await page.waitForURL(/0\.1\.0\/index\.html$/);
  assert.deepEqual(faults, []);
  await context.close();
});

test('pages fit a phone, and axe finds nothing in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 760 } });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    for (const path of ['en-US/api-first-message', 'fil/reference/sendMessage', 'zh-Hant/reference/index']) {
      await page.goto(`${url}/0.2.0/${path}.html`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, path);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      assert.deepEqual(
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`)),
        [],
        path,
      );
    }
    await page.locator('#menu').click();
    await page.locator('.contents details[open] a').first().waitFor();
    await context.close();
  }
});

test('an address that is no version is refused before anything is written', () => {
  assert.throws(() => writeSite(folder, { name: 'Acme', version: '../up' }, articles), /not a version/);
  assert.ok(readdirSync(join(folder, '0.2.0')).length > 0);
});
