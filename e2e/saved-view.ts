import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from './house.ts';
import { browser, house } from './own-house.ts';
import { watch } from './screen-reader.ts';

/** Tests a view of a report: saved by a name, opened on another day, and sent by email. */
export function savedView(): void {
  test('a view keeps its filters and columns, is restored, and is sent by email', async () => {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
    const seen = watch(context);
    const page = await signIn(context, house, 'corporate');
    await page.goto(`${house.url}/transactions?state=failed_submit&columns=number,state`);
    await seen.settled(page);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByLabel('View name').fill('Refused');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Email Refused' }).click();
    await page.getByRole('dialog', { name: 'Email Refused' }).getByRole('button', { name: 'Start sending' }).click();
    for (const end = Date.now() + 60_000; ; await page.waitForTimeout(50)) {
      const { rows } = await house.database.query("SELECT every, next_at FROM saved_view WHERE name = 'Refused'");
      if (rows[0]?.every === 'week' && rows[0].next_at !== null) break;
      assert.ok(Date.now() < end, 'the view is not sent');
    }
    await page.goto(`${house.url}/transactions`);
    await seen.settled(page);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Refused', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('state') === 'failed_submit');
    await seen.settled(page);
    assert.equal(new URL(page.url()).searchParams.get('columns'), 'number,state');
    await context.close();
    assert.deepEqual(seen.faults, []);
  });
}
