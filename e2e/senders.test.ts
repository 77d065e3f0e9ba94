import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideSender } from './decide-sender.ts';
import { deskOf } from './desk.ts';
import { openBrowser, PATH_MS, signIn, startHouse } from './house.ts';
import { moderate } from './moderate.ts';
import { watch } from './screen-reader.ts';
import { liveOfSender } from './sender-life.ts';

test('what customers send under is decided at the desk of an operator', { timeout: PATH_MS }, async (t) => {
  const house = await startHouse(t);
  const browser = await openBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1360, height: 1000 } });
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  const seen = watch(context);
  const page = await signIn(context, house, 'superadmin');
  // The first screen must be complete, or it may lead away from the next one.
  await page.getByRole('heading', { level: 1 }).waitFor();
  await seen.settled(page);
  const desk = deskOf(page, seen);

  await t.test('an operator decides about a sender ID, and assigns a number', () => decideSender(desk, house));
  await t.test('a held campaign is rejected with a reason that its owner reads', () => moderate(desk, house));
  await t.test('a sender ID is rejected, approved, used, expires, and is suspended under way', () =>
    liveOfSender(browser, desk, house),
  );
  assert.deepEqual(faults, []);
});
