import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES, type RoleName } from '@heliograph/contract/access/role-permissions';
import { SCREENS } from '@heliograph/contract/kernel/screen-list';
import type { BrowserContext, Page } from 'playwright-core';
import { showFewRows, signIn } from './house.ts';
import { browser, house } from './own-house.ts';
import { watch } from './screen-reader.ts';

// Tests each of the seven roles: every menu entry opens its screen, and missing permissions act as in section 4 of the
// specification.

const LOGINS: Readonly<Record<RoleName, string>> = {
  super_admin: 'superadmin',
  admin: 'admin',
  reseller: 'reseller',
  corporate_admin: 'corporate',
  department_admin: 'department',
  corporate_user: 'user',
  read_only_user: 'readonly',
};

/** Headings that the dashboard of each role shows. */
const OPERATOR = ['Throughput by carrier, last hour', 'Carriers', 'Customers low on credit', 'Processes'];
const SENDER = ['Messages by day', 'Your work', 'Next campaigns', 'Recent campaigns'];
const DASHBOARDS: Readonly<Record<RoleName, readonly string[]>> = {
  super_admin: OPERATOR,
  admin: OPERATOR,
  reseller: ['Margin and cost by day', 'Your balance with the platform', 'Customers low on credit', 'Top customers'],
  corporate_admin: ['Balance', ...SENDER],
  department_admin: SENDER,
  corporate_user: SENDER,
  read_only_user: SENDER,
};

async function heldBy(role: RoleName): Promise<Set<string>> {
  const { rows } = await house.database.query<{ name: string }>(
    `SELECT p.name FROM permission p JOIN role_permission h ON h.permission_id = p.id JOIN role r ON r.id = h.role_id
     WHERE r.name = $1`,
    [role],
  );
  return new Set(rows.map(({ name }) => name));
}
const held = new Map<RoleName, Set<string>>();
for (const role of ROLES) held.set(role, await heldBy(role));
const { rows: menu } = await house.database.query<{ url: string }>("SELECT url FROM menu WHERE url <> ''");
const inMenu = new Set(menu.map(({ url }) => url));
/** Screens without an id in their path. */
const plain = SCREENS.filter(({ path, permission }) => !path.includes('$') && permission !== null);
const permissionOf = (path: string) => SCREENS.find((screen) => screen.path === path)!.permission;
const may = (role: RoleName, permission: string | null) => permission === null || held.get(role)!.has(permission);

const arrived = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
const go = (page: Page, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);

async function fresh(): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  return context;
}

for (const role of ROLES) {
  test(`${LOGINS[role]}: menu entries open their screens without an error`, async () => {
    await showFewRows(house, LOGINS[role]);
    const context = await fresh();
    const seen = watch(context);
    const page = await signIn(context, house, LOGINS[role]);
    await seen.settled(page);
    if (new URL(page.url()).pathname !== '/dashboard') await page.goto(`${house.url}/dashboard`);
    for (const name of DASHBOARDS[role]) await page.getByRole('heading', { name, exact: true }).waitFor();
    // A read-only user sees what everybody has sent, not only messages of their own.
    if (role === 'read_only_user') await page.getByRole('cell', { name: 'ACME', exact: true }).first().waitFor();
    await seen.settled(page);
    const nav = page.getByRole('navigation');
    // The groups are opened from the last to the first, because an opened group moves those below it.
    for (const group of (await nav.locator('button[aria-expanded=false]').all()).reverse()) await group.click();
    const links = nav.getByRole('link');
    const shown = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!.slice(1)));
    const wanted = plain.filter(({ path, permission }) => inMenu.has(path) && may(role, permission));
    // The templates are in two groups.
    assert.deepEqual(
      [...new Set(shown)].sort(),
      wanted.map(({ path }) => path).sort(),
      'the menu shows what may be opened',
    );
    // A screen is opened by the last of the roles that have it, which may make the fewest calls; by the others now and
    // then. The tours of screens open everything that a super admin and a corporate admin may.
    const last = (path: string) => ROLES.findLast((each) => may(each, permissionOf(path))) === role;
    const toured = role === 'super_admin' || role === 'corporate_admin';
    const opened = [...new Set(shown)].filter((path, place) => place % 6 === 0 || (!toured && last(path)));
    const faults: string[] = [];
    for (const path of opened) {
      await nav.locator(`a[href="/${path}"]`).first().click();
      await arrived(page, `/${path}`);
      await seen.settled(page);
      assert.equal(new URL(page.url()).pathname, `/${path}`);
      assert.ok(((await page.locator('h1').first().textContent()) ?? '').trim().length > 1, path);
      for (const fault of seen.faults.splice(0)) faults.push(`${path}: ${fault}`);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test('a screen without its permission clears the session and leads to the sign-in', async () => {
  // Each screen is tried by one of the roles that lack it, in turn.
  const tries = new Map<RoleName, string[]>();
  for (const [turn, { path, permission }] of SCREENS.entries()) {
    const barred = ROLES.filter((role) => !may(role, permission));
    const role = barred[turn % barred.length];
    if (role) tries.set(role, [...(tries.get(role) ?? []), `/${path.replace(/\{?\$id\}?/, '1')}`]);
  }
  assert.ok([...tries.values()].flat().length > 15);
  for (const [role, paths] of tries) {
    const context = await fresh();
    const page = await signIn(context, house, LOGINS[role]);
    await page.locator('h1').first().waitFor();
    const kept = await page.evaluate(() => ({ ...localStorage }));
    assert.ok(kept['token']);
    for (const path of paths) {
      await go(page, path);
      await arrived(page, '/login');
      const left = await page.evaluate(() =>
        ['token', 'refresh_token', 'expires_in'].map((key) => localStorage.getItem(key)),
      );
      assert.deepEqual(left, [null, null, null], `${role} ${path}`);
      // The same session is used again, as if the person had never gone there.
      await page.evaluate((entries) => {
        for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, String(value));
        dispatchEvent(new StorageEvent('storage', { key: 'session' }));
      }, kept);
      await go(page, '/profile');
      await arrived(page, '/profile');
    }
    await context.close();
  }
});

test('a withdrawn permission and an ended session each lead to their own notice', async () => {
  const context = await fresh();
  const page = await signIn(context, house, 'department');
  await page.locator('h1').first().waitFor();
  await house.database.query(`DELETE FROM role_permission WHERE role_id = (SELECT id FROM role WHERE name = 'department_admin')
    AND permission_id = (SELECT id FROM permission WHERE name = 'credit-changes-index')`);
  await go(page, '/credit-changes');
  await arrived(page, '/forbidden');
  await go(page, '/profile');
  await arrived(page, '/profile');
  // A background call may learn of it before the screen does.
  const told = arrived(page, '/unauthorized');
  await house.database.query(`UPDATE session SET ended_at = now() WHERE user_id =
    (SELECT id FROM user_account WHERE email = 'department@heliograph.test')`);
  await go(page, '/number-lists');
  await told;
  await context.close();
});
