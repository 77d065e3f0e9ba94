import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { PATH_MS, signIn } from './house.ts';
import { browser, house } from './own-house.ts';
import { watch } from './screen-reader.ts';
import { type Deed, pathsOf } from './screens.ts';

/** A text that occurs in no record. */
const NOWHERE = 'zq0zq0zq';

/** Page under test, for checks that each leave a list as they found it and return its faults. */
interface Look {
  page: Page;
  settled: () => Promise<void>;
}
const inAddress = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const rowsOf = (page: Page) => page.locator('main tbody tr.mantine-datatable-row');
/** Returns true if the screen is a list with rows. */
const isFilled = async (page: Page) =>
  (await page.getByRole('button', { name: 'View options' }).count()) === 1 && (await rowsOf(page).count()) > 0;
const headers = (page: Page) => page.locator('main thead th').allInnerTexts();

/** Waits for a condition on a page that may be busy; returns false if it never holds. */
async function becomes(page: Page, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + 60_000; Date.now() < end; await page.waitForTimeout(50)) if (await holds()) return true;
  return false;
}

async function sorts({ page, settled }: Look): Promise<string[]> {
  const one = page.locator('main thead .mantine-datatable-header-cell-sortable').first();
  if ((await one.count()) === 0) return [];
  await one.click();
  await becomes(page, () => inAddress(page, 'sort') !== null);
  await settled();
  const sort = inAddress(page, 'sort');
  if (!sort) return ['a click on a column does not sort'];
  await page.goBack();
  await settled();
  return inAddress(page, 'sort') === sort ? ['the way back leaves the list sorted'] : [];
}

async function looksAsChosen({ page, settled }: Look): Promise<string[]> {
  const faults: string[] = [];
  const before = (await headers(page)).filter((text) => text.trim() !== '');
  await page.getByRole('button', { name: 'View options' }).click();
  await page.getByRole('dialog').getByText('Compact').click();
  const columns = page.getByRole('dialog').getByRole('checkbox', { checked: true });
  if ((await columns.count()) > 1) await columns.nth(1).click();
  await page.keyboard.press('Escape');
  const columnsNow = async () => (await headers(page)).filter((text) => text.trim() !== '').length;
  await becomes(page, async () => inAddress(page, 'density') === 'compact' && (await columnsNow()) < before.length);
  await settled();
  if (inAddress(page, 'density') !== 'compact') faults.push('the density is not in the address');
  const now = (await headers(page)).filter((text) => text.trim() !== '');
  if (now.length !== before.length - 1) faults.push(`a column is not taken away: ${before} / ${now}`);
  return faults;
}

/** Searches a list for a text that is nowhere, checks that the page says so, and clears the search. */
export const searchesInVain: Deed = async (page, settled) => {
  if (!(await isFilled(page))) return undefined;
  const search = page.locator('main input[type=search]').first();
  if ((await search.count()) === 0) return [];
  await search.fill(NOWHERE);
  await page.waitForURL((url) => url.searchParams.get('search') === NOWHERE);
  await settled();
  const nothing = page.getByText('No matches', { exact: false });
  if (!(await becomes(page, () => nothing.first().isVisible()))) return ['a search in vain does not say so'];
  await page.locator('main').getByRole('button', { name: 'Clear all' }).last().click();
  await page.waitForURL((url) => url.searchParams.get('search') === null);
  await settled();
  const isBack = await becomes(page, async () => (await rowsOf(page).count()) > 0);
  return isBack ? [] : ['the rows do not come back'];
};

async function exports({ page }: Look): Promise<string[]> {
  const button = page.locator('main').getByRole('button', { name: 'Export CSV' });
  // Reports and the inbox ask for a period first.
  if (
    (await page
      .locator('main')
      .getByRole('button', { name: /^(Download|Export)$/ })
      .count()) > 0
  )
    return [];
  // A list inside a page has no export of its own; the list of all records has it.
  if ((await button.count()) === 0) return /\/\d+$/.test(new URL(page.url()).pathname) ? [] : ['there is no export'];
  // The browser writes short lists. The server writes long ones and announces them in the bell.
  const asked = page.waitForResponse((response) => response.request().method() === 'POST').then(() => undefined);
  const downloading = page.waitForEvent('download');
  await button.click();
  const download = await Promise.race([downloading, asked]);
  for (const late of [asked, downloading]) late.catch(() => undefined);
  if (!download) return [];
  const [first = '', ...rows] = readFileSync(await download.path(), 'utf8').split('\r\n');
  return first.includes(',') && rows.length > 1 ? [] : [`the file has no columns or no rows: ${first}`];
}

async function picks({ page }: Look): Promise<string[]> {
  const boxes = page.locator('main tbody input[type=checkbox]');
  if ((await boxes.count()) === 0) return [];
  await boxes.first().click();
  const bar = page.getByRole('status').filter({ hasText: '1 selected' });
  if (!(await becomes(page, () => bar.isVisible()))) return ['what is chosen is not counted'];
  await page.getByRole('button', { name: 'Clear selection' }).click();
  const isCleared = await becomes(page, async () => (await bar.count()) === 0);
  return isCleared ? [] : ['the choice is not cleared'];
}

/** Tests the choice, sorting, hiding of columns and export that all lists share, on four of them. */
export function everyList(): void {
  test('lists sort, hide columns, select rows and export, with their view in the URL', {
    timeout: PATH_MS,
  }, async () => {
    const context = await browser.newContext({
      viewport: { width: 1360, height: 900 },
      acceptDownloads: true,
    });
    const seen = watch(context);
    const page = await signIn(context, house, 'superadmin');
    await seen.settled(page);
    const wrong: string[] = [];
    let walked = 0;
    for (const path of await pathsOf('super_admin')) {
      await page.evaluate((to) => history.pushState(null, '', to), path);
      await page.waitForFunction((to) => location.pathname === to, path);
      await seen.settled(page);
      if (!(await isFilled(page))) continue;
      const look: Look = { page, settled: () => seen.settled(page) };
      for (const step of [sorts, picks, exports, looksAsChosen])
        for (const fault of await step(look)) wrong.push(`${path}: ${fault}`);
      for (const fault of seen.faults.splice(0)) wrong.push(`${path}: ${fault}`);
      if (++walked === 4) break;
    }
    // A list that cannot be read says so, and a click reads it again.
    await page.route('**/api/v1/departments?*', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.goto(`${house.url}/departments`);
    await page.getByRole('alert').getByText('Something went wrong. Please contact system administrator.').waitFor();
    await page.unroute('**/api/v1/departments?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await rowsOf(page).first().waitFor();
    await context.close();
    assert.deepEqual(wrong, []);
    assert.equal(walked, 4);
  });
}
