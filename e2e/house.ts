import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { until } from '@heliograph/fault-kit';
import pg from 'pg';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { connectionSettings } from '../apps/server/src/platform/database/db.ts';
import { ownPort } from '../apps/server/test/own-port.ts';
import { DEMO_VARIABLE, demoDatabase, type Scope, testClusterHome } from '../apps/server/test/template-database.ts';
import { CHROMIUM_VARIABLE, ensureChromium } from '../scripts/chromium.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** The whole product as `npm start` runs it, in its own folder and on its own ports. */
export interface House {
  url: string;
  /** Address of the virtual handsets and of the simulator's own log. */
  simulator: string;
  dataDir: string;
  /** DATABASE_URL for more processes of the same installation. */
  databaseUrl: string;
  /** The owner's connection to its database. */
  database: pg.Client;
  process: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts everything with the demo in it; stops and deletes it after the test. Under `npm test` its database is a copy
 * of one that was filled once. In a test file that runs alone, `npm start` fills a database of its own.
 */
export async function startHouse(t: Scope, settings: Record<string, string> = {}): Promise<House> {
  const dataDir = mkdtempSync(join(testClusterHome(), 'heliograph-e2e-'));
  const [port, smpp, http, database] = [await ownPort(), await ownPort(), await ownPort(), await ownPort()];
  const ends: (() => void | Promise<void>)[] = [];
  const copy = await copyDemo({ after: (end) => void ends.push(end) }, dataDir, smpp, http);
  const child = spawn(process.execPath, [join(ROOT, 'apps/server/src/processes/all.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      // All browsers here have the same address.
      CALLS_PER_MINUTE: '1000000',
      PORT: String(port),
      DATA_DIR: dataDir,
      ...(copy ? { DATABASE_URL: copy } : { DATABASE_PORT: String(database) }),
      SIMULATOR_SMPP_PORT: String(smpp),
      SIMULATOR_HTTP_PORT: String(http),
      PAYMENT_SIMULATOR_PORT: '0',
      SMPP_SERVER_PORT: '0',
      OPERATIONS_PORT: '0',
      LOG_LEVEL: 'warn',
      ...settings,
    },
  });
  const gone = new Promise<number | null>((exited) => child.once('exit', exited));
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await gone;
    for (const end of ends.splice(0)) await end();
    rmSync(dataDir, { recursive: true, force: true });
  };
  t.after(stop);
  let said = '';
  const ready = new Promise<void>((started, failed) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes('Press Ctrl-C to stop')) started();
    });
    void gone.then((code) => failed(new Error(`the house did not start (exit ${code}): ${said}`)));
  });
  await ready;
  const simulator = /Virtual handsets:\s+(\S+)/.exec(said)?.[1] ?? `http://127.0.0.1:${http}`;
  const databaseUrl = copy ?? embeddedUrl(dataDir);
  const client = new pg.Client(connectionSettings({ DATABASE_URL: databaseUrl }, 'owner'));
  client.on('error', () => undefined); // the house ends it
  await client.connect();
  await endTours(client);
  const end = client.end.bind(client);
  t.after(() => end().catch(() => undefined));
  return { url: `http://127.0.0.1:${port}`, simulator, dataDir, databaseUrl, database: client, process: child, stop };
}

/**
 * Makes a database of the test cluster with the demo, with a carrier on `smpp`, and its web API on `http`; undefined
 * if there is no such cluster.
 */
async function copyDemo(t: Scope, dataDir: string, smpp: number, http: number): Promise<string | undefined> {
  const demo = process.env[DEMO_VARIABLE];
  if (!demo) return undefined;
  cpSync(demo, dataDir, { recursive: true });
  const { url } = await demoDatabase(t);
  const client = new pg.Client(connectionSettings({ DATABASE_URL: url }, 'owner'));
  await client.connect();
  await client.query("UPDATE link SET port = $1 WHERE protocol = 'smpp'", [smpp]);
  await client.query(
    `UPDATE link SET port = $1::int, http = jsonb_set(http, '{url}',
       to_jsonb(regexp_replace(http ->> 'url', ':[0-9]+/', format(':%s/', $1::int))))
     WHERE protocol = 'http'`,
    [http],
  );
  await client.end();
  return url;
}

/** Ends the guided tour of everybody, so that it stands in no test's way. */
async function endTours(database: pg.Client): Promise<void> {
  await database.query(`INSERT INTO user_preference (user_id, tour_seen) SELECT id, true FROM user_account
    ON CONFLICT (user_id) DO UPDATE SET tour_seen = true`);
}

/** Returns the URL of the embedded database of a data folder. */
function embeddedUrl(dataDir: string): string {
  const { port, owner_password } = JSON.parse(readFileSync(join(dataDir, 'database.json'), 'utf8')) as {
    port: number;
    owner_password: string;
  };
  return `postgres://heliograph:${owner_password}@127.0.0.1:${port}/heliograph`;
}

/** Shows a person ten rows per page: rows are alike, and each costs the browser time. */
export async function showFewRows({ database }: House, who: string): Promise<void> {
  await database.query(
    `INSERT INTO user_preference (user_id, page_size) SELECT id, 10 FROM user_account WHERE email = $1
     ON CONFLICT (user_id) DO UPDATE SET page_size = 10`,
    [`${who}@heliograph.test`],
  );
}

/** Longest time that a busy machine may need for anything on a page. */
export const PATIENCE_MS = 120_000;
/** Longest time of a whole test in a browser: only one that hangs takes longer, however busy the machine is. */
export const PATH_MS = 1_800_000;

/** A proxy that a browser uses. */
export interface ProxySettings {
  server: string;
}

/**
 * Opens a browser for a test file and closes it with the file. Its pages wait as long as a busy machine may need and
 * have no animations.
 */
export async function openBrowser(t: Scope, proxy?: ProxySettings): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env[CHROMIUM_VARIABLE] ?? ensureChromium(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu', '--disable-component-update'],
    ...(proxy && { proxy }),
  });
  t.after(() => browser.close());
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    // A service worker would answer in place of the requests that tests look at.
    const context = await newContext({ reducedMotion: 'reduce', serviceWorkers: 'block', ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

export const DEMO_PASSWORD = 'Helio#2026';

/** Answers to a page's requests to join channels, since it was loaded. */
const joined = new WeakMap<Page, string[]>();

/**
 * Watches the channels that a page joins, from before it is opened. After a reload, a page joins its channels again.
 */
export function watchLive(page: Page): void {
  const begin = () => void joined.set(page, []);
  begin();
  page.on('request', (request) => {
    if (request.isNavigationRequest()) begin();
  });
  page.on('websocket', (socket) => {
    const answers = joined.get(page);
    socket.on('framereceived', ({ payload }) => {
      if (/subscription_succeeded/.test(String(payload))) answers?.push(String(payload));
    });
  });
}

/**
 * Waits until a watched page, as `signIn` makes it, has joined a channel: its person's own, unless another is given.
 * Earlier events do not reach the page.
 */
export async function hearing(page: Page, channel = 'App.Models.User.'): Promise<void> {
  if (!joined.has(page)) throw new Error('nobody listens to this page');
  await until(`the page hears of ${channel}`, () => joined.get(page)!.some((answer) => answer.includes(channel)));
}

/** Signs in as one of the demo logins, with the form. */
export async function signIn(context: BrowserContext, house: Pick<House, 'url'>, who: string): Promise<Page> {
  const page = await context.newPage();
  watchLive(page);
  await page.goto(`${house.url}/login`);
  // In Firefox the form is filled by keys: React does not notice a field that WebDriver BiDi fills.
  const byKeys = context.browser()?.browserType().name() === 'firefox';
  const enter = (field: Locator, text: string) => (byKeys ? field.pressSequentially(text) : field.fill(text));
  await enter(page.getByLabel('Email'), `${who}@heliograph.test`);
  await enter(page.getByLabel('Password', { exact: true }), DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  return page;
}
