import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { DEMO_PASSWORD, signIn } from './house.ts';
import { browser, house } from './own-house.ts';
import { watch } from './screen-reader.ts';

/** Gives a page a device that keeps passkeys and knows its owner, by Chromium's own simulation. */
export async function giveDevice(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const knowsOwner = (isUserVerified: boolean) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return { knowsOwner };
}

/** Tests the passkeys of a person: one is made, signs in without a password, confirms a password, and is removed. */
export function passkeyPath(): void {
  // Browsers make no passkeys for an IP address.
  const url = house.url.replace('127.0.0.1', 'localhost');

  test('a person adds a passkey, signs in with it, and removes it', async (t) => {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
    t.after(() => context.close());
    const seen = watch(context);
    const page = await signIn(context, { url }, 'department');
    const device = await giveDevice(page);
    await page.goto(`${url}/profile`);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('My laptop');
    // The sign-in is long ago: the password is asked for first, and the passkey is added then.
    await house.database.query("UPDATE session SET proved_at = now() - interval '1 hour'");
    await dialog.getByRole('button', { name: 'Add passkey' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByLabel('Your password').fill('Wrong#2026');
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await proof.getByText('This is not your current password.').waitFor();
    await proof.getByLabel('Your password').fill(DEMO_PASSWORD);
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Recovery codes').first().waitFor();
    const code = (await dialog.locator('code').first().textContent())!.trim();
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('My laptop').waitFor();
    // The application does not run while its session is forgotten.
    const leave = async () => {
      await page.goto(`${url}/start.css`);
      await page.evaluate(() => localStorage.clear());
      await page.goto(`${url}/login`);
      await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    };

    // The email field offers the passkey by itself, and the simulated owner takes it.
    await page.goto(`${url}/start.css`);
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${url}/login`);
    await page.waitForURL((at) => at.pathname === '/dashboard');

    // A stranger to the device does not get in by it.
    await device.knowsOwner(false);
    await leave();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('alert').waitFor();

    // With the password the passkey is the second factor, and a recovery code stands in for it.
    const byPassword = async () => {
      await page.getByLabel('Email').fill('department@heliograph.test');
      await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL((at) => at.pathname === '/verify-otp');
    };
    await byPassword();
    await page.getByRole('button', { name: 'Use another way' }).click();
    await page.getByLabel('App code or recovery code').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL((at) => at.pathname === '/dashboard');
    await leave();
    await byPassword();
    await device.knowsOwner(true);
    await page.getByRole('button', { name: 'Use your passkey' }).click();
    await page.waitForURL((at) => at.pathname === '/dashboard');

    await page.goto(`${url}/profile`);
    await seen.settled(page);
    await house.database.query("UPDATE session SET proved_at = now() - interval '1 hour'");
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click();
    await proof.getByRole('button', { name: 'Use your passkey' }).click();
    await page.getByText('You have no passkey yet.').waitFor();
    const { rows } = await house.database.query('SELECT count(*)::int AS left FROM passkey');
    assert.equal(rows[0].left, 0);
    // The proofs that were missing or wrong.
    assert.deepEqual(
      seen.faults.filter((fault) => !/status of (403|422)/.test(fault)),
      [],
    );
  });
}
