import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { ROLE_LEVELS } from '@heliograph/contract/access/role-permissions';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { BrowserContext, Page } from 'playwright-core';
import { SCREENS } from '../apps/console/src/app/screens.ts';
import { openBrowser, signIn, startHouse } from './house.ts';
import { englishIn, keysIn, type Watch, watch, wordsOf } from './screen-reader.ts';

const house = await startHouse({ after });
const browser = await openBrowser({ after });

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1360, height: 900 };
/** Terms that are the same in every language, names of rights, routes, settings and texts, and the languages' own names. */
const KNOWN =
  /\b[a-z]+(?:[-_.][a-z\d]+)+\b|heliograph|filipino|english|sender ID|GSM 7-bit|Unicode \(UCS-2\)|number,name,param1/gi;
/** Public screens by how they can be reached. The last of the first kind ends the session. */
const SIGNED_IN = ['/verify-otp', '/forbidden', '/not-found', '/unauthorized'];
const SIGNED_OUT = ['/login', '/forgot-password', '/reset-password', '/reset-expired-password'];

const first = async (sql: string) => (await house.database.query(sql)).rows[0].id as number;
const ids: Record<string, number> = {
  numbers: await first(`SELECT l.id FROM number_list l WHERE name = 'Loyalty customers'`),
  campaign: await first(`SELECT id FROM campaign WHERE corporation_id =
    (SELECT id FROM corporation WHERE name = 'Acme Retail') ORDER BY id DESC LIMIT 1`),
  link: await first('SELECT min(id) AS id FROM link'),
  user: await first(`SELECT id FROM user_account WHERE email = 'user@heliograph.test'`),
  team: await first('SELECT min(id) AS id FROM reseller'),
  'message-charge': await first(`SELECT m.id FROM message_row m JOIN corporation c ON c.id = m.corporation_id
    WHERE c.name = 'Acme Retail' ORDER BY m.id DESC LIMIT 1`),
};

/** The paths a role may open. */
async function pathsOf(role: keyof typeof ROLE_LEVELS): Promise<string[]> {
  const { rows } = await house.database.query(
    `SELECT p.name FROM permission p JOIN role_permission rp ON rp.permission_id = p.id JOIN role r ON r.id = rp.role_id
     WHERE r.name = $1`,
    [role],
  );
  const held = new Set(rows.map(({ name }) => name as string));
  return SCREENS.filter(({ permission }) => permission === null || held.has(permission)).map(
    ({ path, title }) => `/${path.replace(/\{?\$id\}?/, String(ids[title]))}`,
  );
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A person's session, as the browser keeps it after the sign-in. */
async function sessionOf(who: string): Promise<Session> {
  const context = await browser.newContext();
  await signIn(context, house, who);
  const session = await context.storageState();
  await context.close();
  return session;
}

interface Visit {
  context: BrowserContext;
  page: Page;
  seen: Watch;
}

/** A signed-in person's browser in a language and a mode. */
async function visit(session: Session, locale: Locale, mode: 'light' | 'dark'): Promise<Visit> {
  const domain = new URL(house.url).hostname;
  const cookie = { domain, path: '/', expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' } as const;
  const chosen = [
    { ...cookie, name: 'locale', value: locale },
    { ...cookie, name: 'mode', value: mode },
  ];
  const storageState = { ...session, cookies: [...session.cookies, ...chosen] };
  const context = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce', storageState });
  const seen = watch(context);
  const page = await context.newPage();
  await page.goto(`${house.url}/dashboard`);
  await seen.settled(page);
  return { context, page, seen };
}

/** Goes to another screen without a reload, as a click in the menu does. */
async function open({ page, seen }: Visit, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
  await page.waitForFunction((to) => location.pathname === to, path);
  await seen.settled(page);
}

/** What keeps people from using what is in `part` of the page, as axe sees it. */
async function barriers(page: Page, part: string): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .include(part)
    .options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 200)} ${node.any[0]?.message}`),
    );
}

/** How far the page is wider than a phone, once it has taken the phone's shape. */
async function overflow(page: Page): Promise<string[]> {
  await page.setViewportSize(PHONE);
  const narrow = () => document.documentElement.scrollWidth <= innerWidth;
  const fits = await page.waitForFunction(narrow, undefined, { polling: 50, timeout: 60_000 }).then(
    () => true,
    () => false,
  );
  const faults = fits ? [] : await page.evaluate(widest);
  await page.setViewportSize(DESK);
  return faults;
}

/** The elements that reach beyond the right edge; runs in the page. */
function widest(): string[] {
  const beyond = [...document.querySelectorAll('main *')].filter(
    (e) => e.getBoundingClientRect().right > innerWidth + 1,
  );
  return [
    `${document.documentElement.scrollWidth} px wide on a phone`,
    ...beyond.slice(0, 3).map((e) => `reaches beyond: ${e.outerHTML.slice(0, 150)}`),
  ];
}

interface Tour {
  /** What is wrong, by screen. */
  wrong: string[];
  /** The lines of each screen. */
  words: Map<string, string[]>;
  /** The texts that came from the server. */
  data: Set<string>;
}

/** Opens each screen, and the form for a new record where there is one, and notes what is wrong there. */
async function tour(
  session: Session,
  paths: readonly string[],
  [locale, mode]: readonly [Locale, 'light' | 'dark'],
  look: (page: Page, part: string) => Promise<string[]>,
): Promise<Tour> {
  const at = await visit(session, locale, mode);
  const found: Tour = { wrong: [], words: new Map(), data: at.seen.data };
  const note = async (name: string, part: string) => {
    const lines = await wordsOf(at.page);
    found.words.set(name, lines);
    for (const fault of [...keysIn(lines, at.seen.data), ...(await look(at.page, part)), ...at.seen.faults.splice(0)])
      found.wrong.push(`${name}: ${fault}`);
  };
  for (const path of [...paths, ...SIGNED_IN, ...SIGNED_OUT]) {
    await open(at, path);
    // Top bar and menu are the same everywhere.
    await note(path, path === '/dashboard' || !paths.includes(path) ? 'html' : 'main');
    const create = at.page.locator('main button[data-create]').first();
    if ((await create.count()) === 0) continue;
    await create.click();
    const form = at.page.getByRole('dialog');
    await form.waitFor();
    await at.seen.settled(at.page);
    await note(`${path} (new)`, '[role=dialog]');
    await at.page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  }
  await at.context.close();
  return found;
}

/**
 * Opens every screen a person may open: in English, where axe looks for barriers, and in each of `looks` on a phone. None
 * may show a key, an error or English in another language, or keep the person out.
 */
export function screensOf(
  who: string,
  role: keyof typeof ROLE_LEVELS,
  mode: 'light' | 'dark',
  looks: readonly (readonly [Locale, 'light' | 'dark'])[],
): void {
  test(`no screen of ${who} shows a key, an error or English in another language, or keeps anybody out`, {
    timeout: 900_000,
  }, async (t) => {
    const paths = await pathsOf(role);
    assert.ok(paths.length >= 12, `${paths.length} screens`);
    const session = await sessionOf(who);
    const english = new Map<string, ReadonlySet<string>>();
    const data = new Set<string>();
    await t.test(`en, ${mode}: axe finds no barrier`, async () => {
      const found = await tour(session, paths, ['en', mode], barriers);
      for (const [path, lines] of found.words) english.set(path, new Set(lines));
      for (const text of found.data) data.add(text);
      assert.deepEqual(found.wrong, []);
    });
    for (const look of looks) {
      await t.test(`${look.join(', ')}: nothing scrolls sideways on a phone`, async () => {
        const found = await tour(session, paths, look, overflow);
        const texts = new Set([...data, ...found.data]);
        for (const [path, lines] of found.words)
          for (const line of englishIn(lines, english.get(path) ?? new Set(), texts, KNOWN))
            found.wrong.push(`${path}: in English: ${line}`);
        assert.deepEqual(found.wrong, []);
      });
    }
  });
}
