import type { Browser } from 'playwright-core';
import { lastFirst } from '../../apps/server/test/template-database.ts';
import { type House, openBrowser, signIn, startHouse } from '../../e2e/house.ts';
import type { Figure } from './report.ts';

/** Numbers of the list that is scrolled. */
const ROWS = 100_000;
/** Loads of each screen; the median counts. */
const LOADS = 7;
/** Interval between two turns of the wheel, and the pixels of each: a person who looks for a row in haste. */
const TURN_MS = 16;
const TURN_PX = 120;
const TURNS = 240;

/** Measures that a page takes of its own drawing. */
interface Drawing {
  /** Time until the largest element was shown, in milliseconds from the request. */
  lcp: number;
  /** Sum of the moves of what was shown already. */
  cls: number;
}

/**
 * Measures the console in Chromium over the whole product, without a cache: largest contentful paint and moves of
 * layout of sign-in and dashboard, and frames while the longest page of a list of 100,000 numbers is scrolled.
 */
export async function figuresInBrowser(): Promise<Figure[]> {
  const ends: (() => void | Promise<void>)[] = [];
  const scope = lastFirst({ after: (all) => void ends.push(all) });
  try {
    const house = await startHouse(scope);
    const browser = await openBrowser(scope);
    const login = await drawings(browser, `${house.url}/login`);
    const dashboard = await drawings(browser, `${house.url}/dashboard`, house);
    return [
      { figure: 'sign_in_lcp_ms', value: median(login.map(({ lcp }) => lcp)), unit: 'ms (under 1200)' },
      { figure: 'dashboard_lcp_ms', value: median(dashboard.map(({ lcp }) => lcp)), unit: 'ms (under 1200)' },
      { figure: 'cls', value: Math.max(...[...login, ...dashboard].map(({ cls }) => cls)), unit: '(0)' },
      ...(await scrolling(browser, house)),
    ];
  } finally {
    for (const end of ends) await end();
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Loads an address several times, each in a new browser context, whose cache is empty. */
async function drawings(browser: Browser, url: string, signedInTo?: House): Promise<Drawing[]> {
  const found: Drawing[] = [];
  for (let i = 0; i < LOADS; i++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    if (signedInTo) {
      const first = await signIn(context, signedInTo, 'corporate');
      const cdp = await context.newCDPSession(first);
      await cdp.send('Network.clearBrowserCache');
      await first.close();
    }
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    found.push(await page.evaluate(drawing));
    await context.close();
  }
  return found;
}

/** Runs in the page: reads its paints and moves from the beginning. */
const drawing = async (): Promise<Drawing> => {
  const entries = (type: string) =>
    new Promise<PerformanceEntry[]>((resolve) => {
      const seen: PerformanceEntry[] = [];
      const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
      observer.observe({ type, buffered: true });
      setTimeout(() => {
        observer.disconnect();
        resolve(seen);
      }, 300);
    });
  const [paints, moves] = await Promise.all([entries('largest-contentful-paint'), entries('layout-shift')]);
  return {
    lcp: paints.at(-1)?.startTime ?? Number.POSITIVE_INFINITY,
    cls: moves.reduce((sum, move) => sum + (move as PerformanceEntry & { value: number }).value, 0),
  };
};

/** Scrolls the longest page of a list of 100,000 numbers, and goes on to the next pages. */
async function scrolling(browser: Browser, house: House): Promise<Figure[]> {
  const { rows } = await house.database.query(
    `SELECT l.id FROM number_list l JOIN user_account u ON u.corporation_id = l.corporation_id
     WHERE u.email = 'corporate@heliograph.test' ORDER BY l.id LIMIT 1`,
  );
  await house.database.query(
    `INSERT INTO number_list_number (number_list_id, number, name, param1)
     SELECT $1, 639270000000 + i, 'Customer ' || i, 'Manila' FROM generate_series(1, $2::int) i`,
    [rows[0].id, ROWS],
  );
  await house.database.query('UPDATE number_list SET numbers_count = numbers_count + $2 WHERE id = $1', [
    rows[0].id,
    ROWS,
  ]);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/numbers-${rows[0].id}?per_page=200`);
  await page.getByRole('row').nth(150).waitFor();
  await page.evaluate(() => {
    const times: number[] = [];
    (window as unknown as { frames: number[] }).frames = times;
    const next = (at: number) => {
      times.push(at);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await page.mouse.move(800, 500);
  for (let i = 0; i < TURNS; i++) {
    await page.mouse.wheel(0, i < TURNS / 2 ? TURN_PX : -TURN_PX);
    await page.waitForTimeout(TURN_MS);
  }
  const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames);
  const gaps = frames.slice(1).map((at, i) => at - frames[i]!);
  const turns: number[] = [];
  for (let i = 2; i <= 12; i++) {
    const started = performance.now();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.locator(`button[aria-label="Page ${i}"][aria-current="page"]`).waitFor();
    await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
    turns.push(performance.now() - started);
  }
  await context.close();
  const sum = gaps.reduce((total, gap) => total + gap, 0);
  return [
    { figure: 'list_scroll_frames_per_second', value: (gaps.length / sum) * 1_000, unit: '/s (60)' },
    { figure: 'list_scroll_longest_frame_ms', value: Math.max(...gaps), unit: 'ms' },
    { figure: 'list_next_page_median_ms', value: median(turns), unit: 'ms' },
  ];
}
