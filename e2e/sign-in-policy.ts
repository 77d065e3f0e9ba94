import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEMO_PASSWORD, signIn } from './house.ts';
import { browser, house } from './own-house.ts';
import { giveDevice } from './passkey.ts';
import { watch } from './screen-reader.ts';

/** Tests a sign-in policy: its form, the refusal of a lock-out, and the screen for people who must add a passkey. */
export function signInPolicyPath(): void {
  const url = house.url.replace('127.0.0.1', 'localhost');

  test('a policy refuses to lock its author out, and leads people to a passkey', async (t) => {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
    t.after(() => context.close());
    const page = await signIn(context, { url }, 'corporate');
    await page.goto(`${url}/sign-in-policies/new`);
    await page.getByLabel('End after a pause of (min)').fill('30');
    await page.getByRole('combobox', { name: 'Allowed addresses' }).fill('203.0.113.0/24');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('is not in this list. Add it').first().waitFor();
    for (const own of ['127.0.0.1', '::1']) {
      await page.getByRole('combobox', { name: 'Allowed addresses' }).fill(own);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL((at) => at.pathname === '/sign-in-policies');
    await page.getByRole('cell', { name: '203.0.113.0/24, 127.0.0.1, ::1' }).waitFor();

    // From now on, everybody of the corporation needs a passkey.
    await house.database.query("UPDATE sign_in_policy SET passkeys = 'everyone'");
    const other = await browser.newContext({ viewport: { width: 1360, height: 900 } });
    t.after(() => other.close());
    const seen = watch(other);
    const person = await other.newPage();
    await giveDevice(person);
    await person.goto(`${url}/login`);
    await person.getByLabel('Email').fill('user@heliograph.test');
    await person.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await person.getByRole('button', { name: 'Sign in', exact: true }).click();
    await person.waitForURL((at) => at.pathname === '/verify-otp');
    await seen.settled(person);
    // Every other screen leads back.
    await person.goto(`${url}/campaign-history`);
    await person.waitForURL((at) => at.pathname === '/verify-otp');
    await person.getByRole('button', { name: 'Add passkey' }).click();
    await person.getByRole('button', { name: 'I have saved them' }).click();
    await person.waitForURL((at) => !['/verify-otp', '/login'].includes(at.pathname));
    const { rows } = await house.database.query('SELECT count(*)::int AS left FROM passkey');
    assert.equal(rows[0].left, 1);
    await house.database.query('DELETE FROM passkey');
    await house.database.query('DELETE FROM sign_in_policy');
  });
}
