import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { signIn } from './house.ts';
import { browser, house } from './own-house.ts';
import { watch } from './screen-reader.ts';

/** Tests a support session: consent, banner, a refused change, the end by support, and the withdrawal by the person. */
export function supportSessionPath(): void {
  const person = async () =>
    (await house.database.query("SELECT id, name FROM user_account WHERE email = 'corporate@heliograph.test'"))
      .rows[0] as {
      id: number;
      name: string;
    };
  const kept = (page: Page) =>
    page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]).includes('hgs_'));

  async function begin(page: Page, id: number): Promise<void> {
    await page.goto(`${house.url}/users/${id}`);
    await page.getByRole('button', { name: 'See console as user' }).click();
    await page.getByLabel('Reason').fill('The dashboard looks empty to her');
    await page.getByRole('button', { name: 'Begin', exact: true }).click();
  }

  test('support sees the console of a person who consents, and changes nothing', async (t) => {
    const { id, name } = await person();
    const [hers, theirs] = [
      await browser.newContext({ viewport: { width: 1360, height: 900 } }),
      await browser.newContext({ viewport: { width: 1360, height: 900 } }),
    ];
    t.after(() => Promise.all([hers.close(), theirs.close()]));
    const customer = await signIn(hers, house, 'corporate');
    const support = await signIn(theirs, house, 'admin');
    const seen = watch(theirs);

    // Without consent, a sentence says what to ask for.
    await begin(support, id);
    await support.getByRole('alert').getByText('has not allowed support to see the console').waitFor();

    await customer.goto(`${house.url}/profile`);
    await customer.getByRole('button', { name: 'Let support see' }).click();
    await customer.getByText('Support may see the console until').waitFor();

    await begin(support, id);
    const banner = support.getByRole('region', { name: 'Support session' });
    await banner.getByText(`You see the console as ${name} of Acme Retail.`).waitFor();
    await banner.getByText('60 minutes left').waitFor();
    await seen.settled(support);
    for (const path of ['/number-lists', '/profile', '/send-sms']) {
      await support.goto(house.url + path);
      await banner.waitFor();
    }
    // A change is refused with one sentence, and the screen stays.
    await support.goto(`${house.url}/departments`);
    await support.locator('main [data-create]').click();
    const form = support.getByRole('dialog');
    await form.getByLabel('Name').first().fill('Night shift');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await support.getByText('Nothing can be changed or exported here').first().waitFor();
    assert.equal(new URL(support.url()).pathname, '/departments');

    // Another tab is still the person's own.
    const other = await theirs.newPage();
    await other.goto(`${house.url}/users/${id}`);
    await other.getByRole('heading', { name }).waitFor();
    assert.equal(await other.getByRole('region', { name: 'Support session' }).count(), 0);
    assert.equal(await kept(other), false);

    // The customer sees who looks, and the log has it.
    await customer.reload();
    await customer.getByText('The dashboard looks empty to her').waitFor();

    await banner.getByRole('button', { name: 'End' }).click();
    await support.waitForURL((at) => at.pathname === `/users/${id}`);
    await support.getByRole('heading', { name }).waitFor();
    assert.equal(await banner.count(), 0);
    assert.equal(await kept(support), false);
    // The way back shows nothing of the other person.
    await support.goBack();
    await support.waitForLoadState();
    assert.equal(await banner.count(), 0);

    // A withdrawn consent ends the session in the open tab.
    await begin(support, id);
    await banner.waitFor();
    await customer.getByRole('button', { name: 'Withdraw' }).click();
    await customer.getByText('Support can no longer see the console.').waitFor();
    await support.waitForURL((at) => at.pathname === `/users/${id}`);
    await support.getByText('The support session has ended.').waitFor();
    assert.equal(await kept(support), false);
    const { rows } = await house.database.query(
      "SELECT description FROM activity_log WHERE description LIKE 'support session %' ORDER BY id",
    );
    assert.deepEqual(
      rows.map(({ description }) => description.split(' ')[2]),
      ['begun', 'ended', 'begun', 'ended'],
    );
  });
}
