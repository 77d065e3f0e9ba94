import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { PATH_MS, signIn } from './house.ts';
import { house } from './own-house.ts';
import { barriers } from './screen-faults.ts';
import { arrived, freshContext, go } from './shell-page.ts';

// Opens everything that stands above the screens, and walks through a list without a mouse.

/** Something that opens above a screen: how, and how to know that it is complete. */
interface Opener {
  name: string;
  path: string;
  open: (page: Page) => Promise<void>;
  shown: string;
}

const click = (role: 'button' | 'combobox' | 'textbox', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().click();

let saved = 0;

/** Everything that opens: menus, dropdowns, popovers, calendars, the search, drawers and notices. */
const OPENERS: readonly Opener[] = [
  { name: 'menu of a row', path: '/departments', open: click('button', /^Actions for/), shown: '[role=menu]' },
  { name: 'view options', path: '/departments', open: click('button', 'View options'), shown: '[role=dialog]' },
  { name: 'saved views', path: '/departments', open: click('button', 'Saved views'), shown: '[role=dialog]' },
  { name: 'filters', path: '/departments', open: click('button', 'Filters'), shown: '[role=dialog]' },
  { name: 'drawer of a row', path: '/departments', open: click('button', 'Marketing'), shown: '[role=dialog] form' },
  {
    name: 'rows per page',
    path: '/departments',
    open: (page) => page.locator('main .mantine-datatable-pagination [aria-haspopup=menu]').click(),
    shown: '[role=menu]',
  },
  {
    name: 'choices of a filter',
    path: '/transactions',
    open: click('combobox', 'Campaign'),
    shown: '[role=option]:visible',
  },
  {
    name: 'calendar of a period',
    path: '/transactions',
    open: click('button', 'Period'),
    shown: '[role=dialog] table',
  },
  {
    name: 'calendar of a start',
    path: '/send-sms',
    open: async (page) => {
      await page.getByText('Later', { exact: true }).click();
      await page.getByRole('button', { name: 'Open calendar' }).first().click();
    },
    shown: '[role=dialog] table',
  },
  {
    name: 'sender IDs',
    path: '/send-sms',
    open: click('combobox', 'Sender ID'),
    shown: '[role=option]:visible',
  },
  { name: 'templates', path: '/send-sms', open: click('button', 'Message templates'), shown: '[role=dialog] h2' },
  {
    name: 'search',
    path: '/dashboard',
    open: (page) => page.keyboard.press('Control+k'),
    shown: '[role=dialog] .mantine-Spotlight-action',
  },
  { name: 'bell', path: '/dashboard', open: click('button', /^Notifications/), shown: '[role=dialog] [role=tab]' },
  {
    name: 'tasks',
    path: '/dashboard',
    open: async (page) => {
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page.getByRole('button', { name: 'All tasks' }).click();
    },
    shown: '[role=dialog] .mantine-Drawer-header, [role=dialog] header',
  },
  { name: 'languages', path: '/dashboard', open: click('button', 'Language'), shown: '[role=menu]' },
  { name: 'account', path: '/dashboard', open: click('button', 'Account'), shown: '[role=menu]' },
  { name: 'keys', path: '/dashboard', open: click('button', /Shortcuts/), shown: '[role=dialog]' },
  {
    name: 'notice',
    path: '/profile',
    open: async (page) => {
      await page.getByRole('textbox', { name: /^Name/ }).fill(`Acme administrator ${++saved}`);
      await page.getByRole('button', { name: 'Save' }).first().click();
    },
    shown: '.mantine-Notification-root',
  },
];

/** Returns whether nothing moves in the page, except what turns for ever. */
const stillStands = () =>
  document
    .getAnimations()
    .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity);

/** Closes what is open above the screen. */
async function close(page: Page): Promise<void> {
  // On a busy machine, what opened may not have taken the focus yet, and only what has it hears the key.
  const inside = page.locator('[role=dialog]:visible button:visible, [role=menuitem]:visible').first();
  if ((await inside.count()) > 0) await inside.focus();
  await page.keyboard.press('Escape');
  const open = page.locator('[role=dialog]:visible, [role=menu]:visible, [role=listbox]:visible');
  await open.first().waitFor({ state: 'hidden' });
}

/**
 * Opens each of them and returns the barriers in it. All of them stand at the end of the page, outside of its landmarks:
 * they are reached by their button, so the rule about landmarks is not asked.
 */
async function barriersOf(page: Page, what: 'everything' | 'colours'): Promise<string[]> {
  const found: string[] = [];
  await page.goto(`${house.url}/dashboard`);
  await page.locator('h1').first().waitFor();
  for (const { name, path, open, shown } of OPENERS) {
    await go(page, path);
    await arrived(page, path);
    await open(page);
    await page.locator(shown).first().waitFor();
    // Dropdowns move and fade in; their colors count at the end.
    await page.waitForFunction(stillStands);
    for (const fault of await barriers(page, '[data-portal]', what, ['region'])) found.push(`${name}: ${fault}`);
    if (name !== 'notice') await close(page);
  }
  return found;
}

/** Presses Tab until the focus is on something with that name; fails after `most` steps. */
async function tabTo(page: Page, name: string, most = 120): Promise<void> {
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
  for (let step = 0; step < most; step++) {
    await page.keyboard.press('Tab');
    if ((await focused()).endsWith(name)) return;
  }
  assert.fail(`the keyboard does not reach ${name}`);
}

const focusOn = (page: Page, name: string) =>
  page.waitForFunction((text) => document.activeElement?.textContent?.trim().endsWith(text), name);

/** Walks without a mouse from a list to a row, into its form, and back to where the walk began. */
async function walkByKeyboard(page: Page): Promise<void> {
  // A row that opens its form in a drawer.
  await page.goto(`${house.url}/departments`);
  await page.getByRole('button', { name: 'Marketing', exact: true }).waitFor();
  await tabTo(page, 'Marketing');
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog').locator('form');
  await form.waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('[role=dialog] form') !== null);
  await form.getByRole('textbox', { name: 'Signature' }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Acme');
  await page.keyboard.press('Control+Enter');
  await form.waitFor({ state: 'detached' });
  await page.getByText('Acme', { exact: true }).first().waitFor();
  await focusOn(page, 'Marketing');
  // A row with a page, whose form is a page too.
  await page.goto(`${house.url}/users`);
  await page.getByRole('link', { name: 'Acme marketing user' }).waitFor();
  await tabTo(page, 'Acme marketing user');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  await tabTo(page, 'Edit');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/edit');
  await page.waitForFunction(() => document.activeElement?.matches('main form input'));
  await page.goBack();
  await focusOn(page, 'Edit');
  await page.goBack();
  await focusOn(page, 'Acme marketing user');
}

test('nothing that opens above a screen has a barrier, in both modes', { timeout: PATH_MS }, async (t) => {
  const context = await freshContext(t);
  const page = await signIn(context, house, 'corporate');
  const found: string[] = [];
  for (const mode of ['light', 'dark'] as const) {
    await context.addCookies([{ name: 'mode', value: mode, url: house.url }]);
    const faults = await barriersOf(page, mode === 'light' ? 'everything' : 'colours');
    found.push(...faults.map((fault) => `${mode}: ${fault}`));
  }
  assert.deepEqual(found, []);
});

test('the keyboard leads from a list to a row, into its form, and back', { timeout: PATH_MS }, async (t) => {
  await walkByKeyboard(await signIn(await freshContext(t), house, 'corporate'));
});
