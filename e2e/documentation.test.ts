import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { Page } from 'playwright-core';
import { png } from '../apps/server/test/organizations/png.ts';
import { openBrowser, PATH_MS, signIn, startHouse } from './house.ts';
import { keysIn, wordsOf } from './screen-reader.ts';

const house = await startHouse({ after });
const browser = await openBrowser({ after });
const DESK = { width: 1360, height: 900 };
const PHONE = { width: 360, height: 740 };
const LIVE_KEY = `hk_live_${'x'.repeat(43)}`;
const SENDING = 'Send a message';

const formOf = (page: Page, name: string) => page.getByRole('form', { name, exact: true });

/** Returns the money of the corporation of the demo's `corporate`, in thousandths. */
async function money(): Promise<unknown> {
  const { rows } = await house.database.query(
    `SELECT sum(credit_balance) AS credit, sum(reserved) AS reserved FROM billing_account b
     JOIN corporation c ON c.id = b.corporation_id WHERE c.name = 'Acme Retail'`,
  );
  return rows[0];
}

test('an article is written, read and found, and hidden without its permission', {
  timeout: PATH_MS,
}, async () => {
  const context = await browser.newContext({ viewport: DESK });
  const page = await signIn(context, house, 'superadmin');
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));

  await page.goto(`${house.url}/articles`);
  await page.locator('main [data-create]').first().click();
  const form = page.getByRole('main');
  await form.getByRole('textbox', { name: 'Title' }).fill('Quarterly marmot report');
  const text = form.getByRole('textbox', { name: 'Description' });
  await text.click();
  await page.keyboard.type('Marmots whistle at noon.');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Heading 1' }).click();
  await page.keyboard.type('Where they live');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Code block' }).click();
  await page.keyboard.type('GET /burrows');
  // Enter, pressed a third time at the end of a code block, leaves the block.
  for (let i = 0; i < 3; i++) await page.keyboard.press('Enter');
  const chooser = page.waitForEvent('filechooser');
  await form.getByRole('button', { name: 'Picture' }).click();
  await (await chooser).setFiles({ name: 'meadow.png', mimeType: 'image/png', buffer: png(60, 40) });
  await text.locator('img[alt="meadow"][src^="/api/v1/article-images/"]').waitFor();
  await text.locator('p').last().click();
  await form.getByRole('button', { name: 'Table', exact: true }).click();
  await page.getByRole('button', { name: 'Table of 2 × 2' }).click();
  await text.locator('table').waitFor();
  await text.locator('th').first().click();
  await page.keyboard.type('Burrow');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Marmots');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL(`${house.url}/articles`);

  await page.getByRole('searchbox').fill('marmot');
  await page.getByRole('button', { name: 'Actions for Quarterly marmot report' }).click();
  await page.getByRole('menuitem', { name: 'Read article' }).click();
  const article = page.getByRole('article');
  await article.getByRole('heading', { name: 'Quarterly marmot report', level: 1 }).waitFor();
  assert.match(await page.title(), / – Documentation$/);
  assert.equal(await page.getByRole('navigation', { name: 'Main menu' }).count(), 0, 'the navigation bar is hidden');
  await article.getByRole('heading', { name: 'Where they live', level: 2 }).waitFor();
  assert.deepEqual(await article.locator('th').allTextContents(), ['Burrow', 'Marmots']);
  assert.equal((await article.locator('pre').textContent())?.trim(), 'GET /burrows');
  const picture = article.getByAltText('meadow');
  await page.waitForFunction(
    () => (document.querySelector('article img') as HTMLImageElement | null)?.naturalWidth === 60,
  );
  assert.equal(await picture.count(), 1);
  const id = Number(new URL(page.url()).pathname.split('/')[2]);

  const search = page.getByLabel('Search the documentation').first();
  await search.fill('whistl');
  const hit = page.getByRole('option', { name: /Quarterly marmot report/ });
  await hit.waitFor();
  assert.deepEqual(await hit.locator('mark').allTextContents(), ['whistle']);
  await search.fill('settle release');
  await page.getByRole('option', { name: /Money words/ }).click();
  await page.getByRole('heading', { name: 'Money words: reserve, settle, release', level: 1 }).waitFor();
  await page.getByRole('link', { name: /^Next/ }).click();
  await page.getByRole('heading', { name: 'Roles and permissions', level: 1 }).waitFor();

  // On a phone the contents are a drawer, and nothing is wider than the screen.
  await page.setViewportSize(PHONE);
  await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
  await page.getByRole('button', { name: 'Open contents' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Send SMS', exact: true }).click();
  await page.getByRole('heading', { name: 'Send SMS', level: 1 }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
  await page.setViewportSize(DESK);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByRole('navigation', { name: 'Contents' }).isVisible(), false, 'paper has no contents');
  await page.emulateMedia({ media: 'screen' });

  // Each screen links to its own article.
  await page.goto(`${house.url}/number-lists`);
  await page.getByRole('link', { name: 'Help for this screen' }).click();
  await page.getByRole('heading', { name: 'Number lists', level: 1 }).waitFor();
  await page.getByRole('heading', { name: 'Create a list from a file' }).waitFor();

  // The book icon of the shell leads here, and an article without a translation says that it is in English.
  await page.goto(`${house.url}/dashboard`);
  await page.getByRole('link', { name: 'Documentation' }).first().click();
  await page.waitForURL('**/document/0');
  await page.getByRole('heading', { name: 'Getting started', level: 1 }).waitFor();
  assert.equal(await page.getByText('This article is not translated yet').count(), 0);
  await context.addCookies([{ name: 'locale', value: 'cn', url: house.url }]);
  await page.reload();
  await page.getByRole('heading', { name: '入门', level: 1 }).waitFor();
  const notice = page.getByText('本文尚未翻译，因此以英文显示。');
  assert.equal(await notice.count(), 0);
  await page.goto(`${house.url}/document/0?article=api-changes`);
  await notice.waitFor();

  await house.database.query(
    `UPDATE article SET permission_id = (SELECT id FROM permission WHERE name = 'links-index') WHERE id = $1`,
    [id],
  );
  assert.deepEqual(faults, []);
  await context.close();

  const other = await browser.newContext({ viewport: DESK });
  const reader = await signIn(other, house, 'user');
  await reader.goto(`${house.url}/document/${id}`);
  await reader.getByText('This article does not exist, or you do not have access').waitFor();
  await reader.getByLabel('Search the documentation').first().fill('marmot');
  await reader.getByText('Nothing found. Try fewer or other words.').waitFor();
  await reader.goto(`${house.url}/change-logs/0`);
  await reader.getByRole('article').getByRole('heading', { level: 1 }).waitFor();
  await other.close();
});

test('a call of the reference is tried with a test key only and costs nothing', {
  timeout: PATH_MS,
}, async () => {
  await house.database.query("UPDATE corporation SET api_throughput = 50 WHERE name = 'Acme Retail'");
  const before = await money();
  const context = await browser.newContext({ viewport: DESK });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await signIn(context, house, 'corporate');
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  const calls: Promise<Record<string, string>>[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/v1\/(?!openapi)/.test(pathname)) calls.push(request.allHeaders());
  });
  await page.goto(`${house.url}/api-reference`);
  await page.getByRole('button', { name: `Try it: ${SENDING}`, exact: true }).click();
  const form = formOf(page, `Try it: ${SENDING}`);
  const key = form.getByLabel('Test key');
  const send = form.getByRole('button', { name: 'Send request' });

  await key.fill(LIVE_KEY);
  await form
    .getByText('This is a live key. It would send real messages at your cost, so it is not used here.')
    .waitFor();
  assert.equal(await key.inputValue(), '', 'it does not stay on the screen');
  await send.click();
  await form.getByText('Paste a test key, or create one.').waitFor();
  await key.fill('hk_test_short');
  await send.click();
  await form.getByText('This is not a test key').waitFor();
  assert.equal(calls.length, 0, 'nothing was called');

  await form.getByRole('button', { name: 'Create test key' }).click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('input')].some(({ value }) => /^hk_test_[\w-]{43}$/.test(value)),
  );
  const secret = await key.inputValue();
  const answer = form.getByRole('region', { name: 'Response body' });
  /** Sends, and returns the id of the message. */
  const sent = async (): Promise<string> => {
    const response = page.waitForResponse((response) => response.url().endsWith('/v1/messages'));
    await send.click();
    const { id } = (await (await response).json()) as { id: string };
    await answer.getByText(`"id": "${id}"`).waitFor();
    return id;
  };
  const id = await sent();
  await form.getByText('202', { exact: true }).waitFor();
  await answer.getByText('"test": true').waitFor();
  await form.getByText(/ratelimit: "messages";r=\d+/).waitFor();
  assert.equal(await sent(), id);
  await form.getByText('idempotent-replayed: true').waitFor();
  await form.getByText('Repeated: this is the first response again').waitFor();
  assert.deepEqual(await money(), before, 'it costs nothing');
  assert.equal(calls.length, 2);
  for (const headers of await Promise.all(calls)) {
    assert.equal(headers['authorization'], `Bearer ${secret}`);
    assert.equal(headers['cookie'], undefined, 'nothing of the session goes with it');
  }

  await form.getByRole('button', { name: 'Copy command' }).click();
  await form.getByRole('button', { name: 'Copied' }).waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(!command.includes(secret));
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    env: { ...process.env, HELIOGRAPH_API_KEY: secret },
  });
  assert.equal((JSON.parse(stdout) as { id: string }).id, id, 'the command is the same call');
  await form.getByRole('button', { name: 'Use a new key for a new request' }).click();
  assert.notEqual(await sent(), id);

  const made = calls.length;
  await form.getByLabel('Idempotency-Key').fill('größte 王');
  await send.click();
  await form.getByText('Use 1 to 255 visible ASCII characters.').waitFor();
  await form.getByRole('button', { name: 'Use a new key for a new request' }).click();
  await form.getByRole('textbox', { name: 'Body' }).fill('{ "from": ');
  await form.getByText('This is not valid JSON.').waitFor();
  await send.click();
  assert.equal(calls.length, made);

  await page.getByRole('button', { name: 'Try it: Get a message', exact: true }).click();
  const reading = formOf(page, 'Try it: Get a message');
  assert.equal(await reading.getByLabel('Test key').inputValue(), secret);
  assert.match(await reading.getByLabel('id').inputValue(), /^\d{15,16}$/);
  await reading.getByRole('button', { name: 'Send request' }).click();
  await reading.getByText('200', { exact: true }).waitFor();
  await reading.getByLabel('id').fill('1');
  await reading.getByRole('button', { name: 'Send request' }).click();
  await reading.getByText('404', { exact: true }).waitFor();

  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  assert.ok(!kept.includes(secret), 'the key is stored nowhere');
  await page.reload();
  await page.getByRole('button', { name: `Try it: ${SENDING}`, exact: true }).click();
  assert.equal(await key.inputValue(), '');
  assert.deepEqual(faults, []);
  await context.close();
});

test('its form is complete in four languages, accessible, and fits a phone', {
  timeout: PATH_MS,
}, async () => {
  const words: Record<Locale, { open: string; make: string; send: string }> = {
    en: { open: 'Try it: ', make: 'Create test key', send: 'Send request' },
    cn: { open: '试用：', make: '创建测试密钥', send: '发送请求' },
    zh: { open: '試用：', make: '建立測試金鑰', send: '發送要求' },
    fp: { open: 'Subukan: ', make: 'Gumawa ng test key', send: 'Ipadala ang request' },
  };
  const context = await browser.newContext({ viewport: PHONE });
  const page = await signIn(context, house, 'corporate');
  for (const [place, locale] of (['en', 'cn', 'zh', 'fp'] as const).entries()) {
    const { open, make, send } = words[locale];
    const mode = place % 2 === 0 ? 'light' : 'dark';
    await context.addCookies([
      { name: 'locale', value: locale, url: house.url },
      { name: 'mode', value: mode, url: house.url },
    ]);
    await page.goto(`${house.url}/api-reference`);
    const form = formOf(page, open + SENDING);
    await page.getByRole('button', { name: open + SENDING, exact: true }).click();
    await form.getByRole('button', { name: send }).click();
    await form.locator('[aria-invalid=true]').waitFor();
    const faulty = await wordsOf(page);
    await form.getByRole('button', { name: make }).click();
    await form.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
    await form.getByRole('button', { name: send }).click();
    await form.getByText('202', { exact: true }).waitFor();
    assert.deepEqual(keysIn([...faulty, ...(await wordsOf(page))], new Set()), []);
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().include('form').analyze();
    const barriers = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    assert.deepEqual(
      barriers.map(({ id, nodes }) => `${locale} ${mode} ${id}: ${nodes[0]?.html}`),
      [],
    );
  }
  await context.close();
});
