import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from './house.ts';
import { browser, house } from './own-house.ts';
import { watch } from './screen-reader.ts';

const EVENTS_A_MINUTE = 10_000;
const SECONDS = 6;
const EVERY_MS = 60;
/** Duration of a task, in ms, from which the browser counts as blocked. */
const LONG_MS = 100;

/**
 * Tests the dashboard under a flood of updates: it follows, and neither the browser nor the server is kept busy by it.
 */
export function liveDashboard(): void {
  test('with 10,000 live updates a minute the dashboard reads again at its own pace', async (t) => {
    const { rows } = await house.database.query('SELECT max(id) AS id FROM campaign');
    const id = rows[0].id as number;
    await house.database.query("UPDATE campaign SET state = 'paused' WHERE id = $1", [id]);
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
    const seen = watch(context);
    const page = await signIn(context, house, 'superadmin');
    await page.goto(`${house.url}/dashboard`);
    await seen.settled(page);
    let reads = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/v1/dashboard') reads++;
    });
    await page.evaluate(() => {
      const long: number[] = [];
      Object.assign(window, { longTasks: long });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) long.push(Math.round(entry.duration));
      }).observe({ type: 'longtask' });
    });
    const data = { id, processed: 1, submitted: 1, delivered: 1, failed: 0, expired: 0, cancelled: 0 };
    const payload = JSON.stringify({ channel: `private-campaign.${id}`, event: 'campaign.progress', data });
    const each = Math.ceil((EVENTS_A_MINUTE / 60_000) * EVERY_MS);
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    // The loop also waits for the first read, because a busy browser may be slow to join.
    while (seconds() < SECONDS || (reads === 0 && seconds() < 60)) {
      await house.database.query(
        `SELECT pg_notify('heliograph_events', $1::text || repeat(' ', n)) FROM generate_series(1, $2::integer) n`,
        [payload, each],
      );
      await sleep(EVERY_MS);
    }
    const long = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks);
    await house.database.query("UPDATE campaign SET state = 'completed' WHERE id = $1", [id]);
    await context.close();
    const most = Math.ceil(seconds() / 2) + 2;
    // Other tests share the processors, so durations are only reported and decide nothing.
    const busy = long.filter((milliseconds) => milliseconds > LONG_MS);
    t.diagnostic(`tasks over ${LONG_MS} ms: ${busy.length > 0 ? busy.join(' ms, ') : 'none'}`);
    assert.ok(reads >= 1 && reads <= most, `the figures were read ${reads} times, at most ${most}`);
  });
}
