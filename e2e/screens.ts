import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ROLE_LEVELS } from '@heliograph/contract/access/role-permissions';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { SCREENS } from '@heliograph/contract/kernel/screen-list';
import type { BrowserContext, Page } from 'playwright-core';
import { FILIPINO_LOANS } from '../apps/server/test/sentences.ts';
import { clientOf, tokenOf } from './api-client.ts';
import { PATH_MS, showFewRows, signIn } from './house.ts';
import { browser, house } from './own-house.ts';
import { cutTexts, pseudoTexts, untranslatedIn } from './pseudo-locale.ts';
import { barriers, cutOff, lostFocus, markedTwice, overflow } from './screen-faults.ts';
import { englishIn, keysIn, type Watch, watch, wordsOf } from './screen-reader.ts';

/** Windows in which the tours look: a desk, the same at a zoom of 200 %, and the narrowest that WCAG asks for. */
const WINDOWS = {
  desk: { width: 1360, height: 900 },
  zoomed: { width: 680, height: 450 },
  phone: { width: 320, height: 740 },
} as const;
/**
 * Terms that are the same in every language: names of permissions, routes, settings and texts, and the languages' own
 * names.
 */
const KNOWN =
  /\b[a-z]+(?:[-_.][a-z\d]+)+\b|heliograph|filipino|english|sender ID|GSM 7-bit|Unicode \(UCS-2\)|number,name,param1/gi;
/** Tells whether Filipino software says this in English too, such as Campaign history. */
const isLoan = (line: string) =>
  (line.replace(KNOWN, '').match(/[a-z][a-z-]*/gi) ?? []).every((word) => FILIPINO_LOANS.has(word.toLowerCase()));
/** Public screens, grouped by how they can be reached. The last of the first group ends the session. */
const SIGNED_IN = ['/verify-otp', '/forbidden', '/not-found', '/unauthorized'];
const SIGNED_OUT = ['/login', '/forgot-password', '/reset-password', '/reset-expired-password'];

const first = async (sql: string) => (await house.database.query(sql)).rows[0].id as number;
const ids: Record<string, number> = {
  numbers: await first(`SELECT l.id FROM number_list l WHERE name = 'Loyalty customers'`),
  contact: await first(
    `SELECT max(c.id) AS id FROM contact c JOIN corporation o ON o.id = c.corporation_id WHERE o.name = 'Acme Retail'`,
  ),
  campaign: await first(`SELECT id FROM campaign WHERE corporation_id =
    (SELECT id FROM corporation WHERE name = 'Acme Retail') ORDER BY id DESC LIMIT 1`),
  corporation: await first(`SELECT id FROM corporation WHERE name = 'Acme Retail'`),
  'billing-account': await first(`SELECT id FROM billing_account WHERE name = 'Acme main'`),
  'sender-id': await first(`SELECT id FROM sender_id WHERE sender_id = 'AcmeDeals'`),
  link: await first('SELECT min(id) AS id FROM link'),
  user: await first(`SELECT id FROM user_account WHERE email = 'user@heliograph.test'`),
  team: await first('SELECT min(id) AS id FROM reseller'),
  documentation: await first(`SELECT id FROM article WHERE key = 'send-sms'`),
  'margin-rule': await first(`SELECT id FROM price_plan WHERE name = 'Northwind retail'`),
  'change-log': await first('SELECT min(id) AS id FROM change_log'),
  'message-charge': await first(`SELECT m.id FROM message_row m JOIN corporation c ON c.id = m.corporation_id
    WHERE c.name = 'Acme Retail' ORDER BY m.id DESC LIMIT 1`),
  'carrier-invoice': await first('SELECT min(id) AS id FROM carrier_invoice'),
  'person-request': await searchedPerson(),
};

/** Searches for what is kept of a person in the demo; returns the id of the search. */
async function searchedPerson(): Promise<number> {
  const client = clientOf(house, await tokenOf(house, 'corporate'));
  const { status, text, body } = await client('POST', '/api/v1/privacy', { body: { number: '639170000001' } });
  assert.equal(status, 201, text);
  return body.data.id;
}

const NOT_IN_DEMO = new Set(['campaign-test', 'card-replay', 'invoice', 'journey', 'top-up', 'verify-guard']);

/** Returns the paths that a role may open. */
export async function pathsOf(role: keyof typeof ROLE_LEVELS): Promise<string[]> {
  const { rows } = await house.database.query(
    `SELECT p.name FROM permission p JOIN role_permission rp ON rp.permission_id = p.id JOIN role r ON r.id = rp.role_id
     WHERE r.name = $1`,
    [role],
  );
  const held = new Set(rows.map(({ name }) => name as string));
  // The documentation opens one of its articles.
  const opens = SCREENS.filter(({ path }) => path !== 'documentation');
  return (
    opens
      .filter(({ permission }) => permission === null || held.has(permission))
      // The demo has no invoices of its own, no top-up, no A/B test, no journey, no verify service and no replay of a card.
      .filter(({ title }) => !NOT_IN_DEMO.has(title))
      .map(({ path, title }) => `/${path.replace(/\{?\$id\}?/, String(ids[title]))}`)
  );
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Signs a person in and returns the new session as the browser stores it. */
async function sessionOf(who: string): Promise<Session> {
  await showFewRows(house, who);
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

/** Settings with which a tour opens the screens. */
interface View {
  /** `pseudo`: English with accents and longer, which shows what is not translated or has no room. */
  locale: Locale | 'pseudo';
  mode: 'light' | 'dark';
  /** The window; nothing may scroll sideways in the small ones. */
  on: keyof typeof WINDOWS;
  /** Checks by axe: all its rules, or only those that depend on the colors. */
  axe?: 'everything' | 'colours';
}

/** Opens a signed-in person's browser with such a view. */
async function visit(session: Session, { locale, mode, on }: View): Promise<Visit> {
  const domain = new URL(house.url).hostname;
  const cookie = { domain, path: '/', expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' } as const;
  const chosen = [
    { ...cookie, name: 'locale', value: locale === 'pseudo' ? 'en' : locale },
    { ...cookie, name: 'mode', value: mode },
  ];
  const storageState = { ...session, cookies: [...session.cookies, ...chosen] };
  const context = await browser.newContext({ viewport: WINDOWS[on], storageState });
  if (locale === 'pseudo')
    await context.route('**/assets/messages-en-*.json', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: pseudoTexts(await response.json()) });
    });
  const seen = watch(context, { reads: true });
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

interface Tour {
  /** Faults, by screen. */
  wrong: string[];
  /** Lines of each screen. */
  words: Map<string, string[]>;
  /** Texts that came from the server. */
  data: Set<string>;
  /** Number of screens on which the extra step ran. */
  tried: number;
}

/** An extra step on a screen: returns its faults, or undefined if there is nothing to do. */
export type Deed = (page: Page, settled: () => Promise<void>) => Promise<string[] | undefined>;

/** Opens each screen, and the form for a new record if there is one, and records their faults. */
async function tour(session: Session, paths: readonly string[], view: View, deed?: Deed): Promise<Tour> {
  const at = await visit(session, view);
  const found: Tour = { wrong: [], words: new Map(), data: at.seen.data, tried: 0 };
  const add = (name: string, faults: readonly string[]) => {
    for (const fault of [...faults, ...at.seen.faults.splice(0)]) found.wrong.push(`${name}: ${fault}`);
  };
  const note = async (name: string, part: string) => {
    const lines = await wordsOf(at.page);
    found.words.set(name, lines);
    // Data that came with these words may still have to be read.
    if (keysIn(lines, at.seen.data).length > 0) await at.seen.settled(at.page);
    add(name, keysIn(lines, at.seen.data));
    if (view.locale === 'pseudo')
      add(name, [...untranslatedIn(lines, at.seen.data), ...(await at.page.evaluate(cutTexts))]);
    add(name, await barriers(at.page, part, view.axe));
    add(name, await at.page.evaluate(cutOff));
    add(name, await markedTwice(at.page));
    if (view.on !== 'desk') add(name, await overflow(at.page));
  };
  let drawers = 0;
  for (const path of [...paths, ...SIGNED_IN, ...SIGNED_OUT]) {
    await open(at, path);
    // Top bar and menu are the same everywhere.
    await note(path, path === '/dashboard' || !paths.includes(path) ? 'html' : 'main');
    const create = at.page.locator('main button[data-create]').first();
    if ((await create.count()) > 0) {
      await create.click();
      // The form opens in a drawer, or on a page of its own.
      const form = at.page.locator('[role=dialog] form, main form');
      await form.waitFor();
      await at.seen.settled(at.page);
      const paged = new URL(at.page.url()).pathname !== path;
      // All drawers stand in the same page.
      await note(`${path} (new)`, paged ? 'main' : drawers++ === 0 ? 'html' : '[role=dialog]');
      await (paged ? at.page.goBack() : at.page.keyboard.press('Escape'));
      await form.waitFor({ state: 'detached' });
      add(path, await lostFocus(create));
    }
    const faults = await deed?.(at.page, () => at.seen.settled(at.page));
    if (faults) found.tried++;
    add(path, faults ?? []);
  }
  await at.context.close();
  return found;
}

/**
 * Tours of a person. The first opens every permitted screen in English and runs the extra step on at least `least` of
 * them.
 */
interface Tours {
  who: string;
  role: keyof typeof ROLE_LEVELS;
  english: Omit<View, 'locale'>;
  others: readonly View[];
  /** Screens that the tours of another role see in the other languages. */
  seenBy?: keyof typeof ROLE_LEVELS;
  also?: { deed: Deed; least: number };
}

/**
 * Opens every screen a person may open: in English, and in each other language. No screen may show a key, an error, or
 * English in another language. None may have a barrier for people, cut off a list or a button's name, lose the focus with a
 * form, or scroll sideways in a small window.
 */
export function screensOf({ who, role, english, others, seenBy, also }: Tours): void {
  test(`no screen of ${who} shows a key, an error or a foreign text, or has a barrier`, {
    timeout: PATH_MS,
  }, async (t) => {
    const paths = await pathsOf(role);
    assert.ok(paths.length >= 12, `${paths.length} screens`);
    const elsewhere = new Set(seenBy ? await pathsOf(seenBy) : []);
    const own = paths.filter((path) => !elsewhere.has(path));
    const plain = new Map<string, ReadonlySet<string>>();
    const data = new Set<string>();
    await t.test(nameOf({ locale: 'en', ...english }), async () => {
      const found = await tour(await sessionOf(who), paths, { locale: 'en', ...english }, also?.deed);
      for (const [path, lines] of found.words) plain.set(path, new Set(lines));
      for (const text of found.data) data.add(text);
      assert.deepEqual(found.wrong, []);
      assert.ok(found.tried >= (also?.least ?? 0), `${found.tried} screens`);
    });
    for (const view of others) {
      await t.test(nameOf(view), async () => {
        // Texts that are not translated, or have no room, are looked for on every screen once.
        // A copy of an older session would be refused once the first has renewed its tokens.
        const found = await tour(await sessionOf(who), view.locale === 'pseudo' ? paths : own, view);
        const texts = new Set([...data, ...found.data]);
        for (const [path, lines] of found.words)
          for (const line of englishIn(lines, plain.get(path) ?? new Set(), texts, KNOWN))
            if (!(view.locale === 'fp' && isLoan(line))) found.wrong.push(`${path}: in English: ${line}`);
        assert.deepEqual(found.wrong, []);
      });
    }
  });
}

function nameOf({ locale, mode, on, axe }: View): string {
  const axes = axe === 'everything' ? ', axe finds no barrier' : axe === 'colours' ? ', axe finds no faint colour' : '';
  return `${locale}, ${mode}: nothing is wrong${axes}${on === 'desk' ? '' : `, nothing scrolls sideways at ${WINDOWS[on].width} px`}`;
}
