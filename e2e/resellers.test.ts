import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import type { Page } from 'playwright-core';
import { png } from '../apps/server/test/organizations/png.ts';
import { startSmtpSink } from '../apps/server/test/organizations/smtp-sink.ts';
import { DEMO_PASSWORD, openBrowser, signIn, startHouse } from './house.ts';

const house = await startHouse({ after }, { PRIVATE_TARGETS: '127.0.0.1' });
const browser = await openBrowser({ after });
const sink = await startSmtpSink({ after });
// Browsers resolve every name under localhost to this machine.
const own = house.url.replace('127.0.0.1', 'harbor.localhost');

const context = async () => {
  const made = await browser.newContext({ viewport: { width: 1360, height: 950 } });
  after(() => made.close());
  return made;
};
const main = (page: Page) => page.locator('main');
const dialog = (page: Page) => page.getByRole('dialog');
const choose = async (page: Page, field: string, option: string) => {
  await dialog(page).getByLabel(field).first().fill(option);
  await page.getByRole('option', { name: option, exact: true }).click();
};

/** Returns the size of a picture when it has loaded; runs in the page. */
async function sizeOf(picture: HTMLElement | SVGElement): Promise<number[]> {
  if (!(picture instanceof HTMLImageElement)) return [];
  await picture.decode();
  return [picture.naturalWidth, picture.naturalHeight];
}

test('a corporation becomes a reseller with its own brand, host and mail server', async () => {
  await house.database.query(`UPDATE user_account SET role_id = (SELECT id FROM role WHERE name = 'admin')
    WHERE email = 'corporate@harbor.test'`);
  const page = await signIn(await context(), house, 'superadmin');

  await page.goto(`${house.url}/teams`);
  await main(page).getByRole('button', { name: 'Add reseller' }).click();
  await choose(page, 'Corporation', 'Blue Harbor Bank');
  await dialog(page).getByText('1 user will be downgraded').waitFor();
  await dialog(page).getByText('corporate@harbor.test').waitFor();
  await dialog(page).getByRole('button', { name: 'Downgrade and continue' }).click();
  await page.waitForURL(/\/teams\/\d+$/);

  await main(page).getByRole('link', { name: 'Edit' }).click();
  await page.waitForURL(/\/teams\/\d+\/edit$/);
  const form = main(page);
  await form.getByLabel('Application name').fill('Harbor Text');
  await form.getByLabel('Base URL').fill(own);
  await form.getByLabel('Short-link host').fill('Go.harbor.localhost');
  await form.getByLabel('Theme color').fill('#be185d');
  await form.getByLabel('Email address').fill('hello@harbor.test');
  await form.getByLabel('Mail outgoing server').fill('127.0.0.1');
  await form.getByLabel('Mail port').fill(String(sink.port));
  await form.getByLabel('Encryption').click();
  await page.getByRole('option', { name: 'Not encrypted' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/teams\/\d+$/);

  const picture = (label: string, width: number, height: number) =>
    page
      .getByLabel(`${label}: Choose image`, { exact: true })
      .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: png(width, height, [190, 24, 93]) });
  await picture('Logo', 151, 45);
  await main(page).getByText('The image must be exactly 150 × 45 pixels. This one is 151 × 45.').waitFor();
  for (const [label, width, height] of [
    ['Logo', 150, 45],
    ['Login logo', 250, 100],
    ['Favicon', 32, 32],
  ] as const) {
    await picture(label, width, height);
    await main(page).getByRole('img', { name: label, exact: true }).waitFor();
  }

  await main(page).getByRole('button', { name: 'Send test email' }).click();
  await main(page)
    .getByText('The server accepted the email. It is on its way to superadmin@heliograph.test.')
    .waitFor();
  assert.match(sink.mails[0]!.source, /^From: Harbor Text <hello@harbor\.test>/m);
  // The host of its short links shows no console.
  await main(page).getByText('go.harbor.localhost', { exact: true }).waitFor();
  const linked = await (await context()).newPage();
  await until('the host is known', async () => {
    const nothing = await linked.goto(`http://go.harbor.localhost:${new URL(house.url).port}/login`);
    return nothing?.status() === 404;
  });

  // Before and after its scripts run, no page on its host names the platform.
  const theirs = await (await context()).newPage();
  const html = await (await theirs.goto(`${own}/login`))!.text();
  assert.match(html, /<title>Harbor Text</);
  assert.equal(/heliograph|favicon\.svg/i.test(html), false);
  const logo = theirs.getByRole('img', { name: 'Harbor Text' });
  await logo.waitFor();
  assert.deepEqual(await logo.evaluate(sizeOf), [250, 100]);
  await theirs.waitForFunction(() => document.title === 'Harbor Text – Sign in');
  await theirs.waitForFunction(
    ([name, color]) =>
      [...document.querySelectorAll('button')].some(
        (button) => button.textContent?.trim() === name && getComputedStyle(button).backgroundColor === color,
      ),
    ['Sign in', 'rgb(190, 24, 93)'] as const,
  );
  assert.match((await theirs.locator('link[rel=icon]').getAttribute('href'))!, /team-images/);
  assert.equal(await theirs.getByText(/heliograph|northwind/i).count(), 0);
  await theirs.getByLabel('Email').fill('corporate@harbor.test');
  await theirs.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  const bar = theirs.getByRole('link', { name: 'Go to dashboard' }).getByRole('img', { name: 'Harbor Text' });
  await bar.waitFor();
  assert.deepEqual(await bar.evaluate(sizeOf), [150, 45]);
  const elsewhere = await (await context()).newPage();
  await elsewhere.goto(`${house.url}/login`);
  await elsewhere.getByRole('heading', { name: 'Sign in to Heliograph' }).waitFor();

  await page.goto(`${house.url}/corporations`);
  const valley = main(page).getByRole('row', { name: /Green Valley Clinic/ });
  await valley.getByRole('button', { name: 'Actions for Green Valley Clinic' }).click();
  await page.getByRole('menuitem', { name: 'Assign reseller' }).click();
  await choose(page, 'Reseller', 'Blue Harbor Bank');
  await dialog(page).getByText('No users will be downgraded.').waitFor();
  await dialog(page).getByRole('button', { name: 'Assign', exact: true }).click();
  await page.getByText('Green Valley Clinic now belongs to Blue Harbor Bank.').waitFor();
  await valley.getByText('Blue Harbor Bank').waitFor();
  await theirs.goto(`${own}/corporations`);
  await main(theirs)
    .getByRole('row', { name: /Green Valley Clinic/ })
    .waitFor();
});
