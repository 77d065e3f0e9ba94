import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { png } from '../apps/server/test/organizations/png.ts';
import { openBrowser, signIn, startHouse } from './house.ts';

const house = await startHouse({ after });
const browser = await openBrowser({ after });
const DESK = { width: 1360, height: 900 };
const PHONE = { width: 360, height: 740 };

test('an article is written, read and found, and hidden without its permission', {
  timeout: 300_000,
}, async () => {
  const context = await browser.newContext({ viewport: DESK });
  const page = await signIn(context, house, 'superadmin');
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));

  await page.goto(`${house.url}/articles`);
  await page.locator('main [data-create]').first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Title').fill('Quarterly marmot report');
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
  await form.waitFor({ state: 'detached' });

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
  await page.getByText('本文尚未翻译，因此以英文显示。').waitFor();

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
