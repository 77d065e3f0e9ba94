import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATH_MS, signIn } from './house.ts';
import { browser, house } from './own-house.ts';

const DESK = { width: 1360, height: 900 };
const PHONE = { width: 360, height: 740 };
/** Folder for pictures of the screen; none is made without it. */
const PICTURES = process.env['SANDBOX_PICTURES'];

test('a newcomer tries a call, sees it on the handset, answers, and lets time pass', { timeout: PATH_MS }, async () => {
  const context = await browser.newContext({ viewport: DESK });
  const page = await signIn(context, house, 'corporate');
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  await page.goto(`${house.url}/virtual-handsets`);
  await page.getByText('No test message yet').waitFor();
  await page.getByRole('link', { name: 'Open API reference' }).click();

  await page.getByRole('button', { name: 'Try it: Send a message', exact: true }).click();
  const form = page.getByRole('form', { name: 'Try it: Send a message' });
  await form.getByText('The network does not know the number').waitFor();
  await form.getByRole('button', { name: 'Create test key' }).click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('input')].some(({ value }) => /^hk_test_[\w-]{43}$/.test(value)),
  );
  const secret = await form.getByLabel('Test key').inputValue();
  await form.getByRole('button', { name: 'Send request' }).click();
  await form.getByText('202', { exact: true }).waitFor();
  if (PICTURES) await form.screenshot({ path: `${PICTURES}/try-it.png` });
  await form.getByRole('link', { name: 'Open virtual handsets' }).click();

  const handset = page.getByRole('region', { name: '639170000001' });
  await handset.getByText('Delivered', { exact: true }).waitFor();
  await handset.getByLabel('Text of the answer').fill('I come at eight');
  await handset.getByRole('button', { name: 'Send answer' }).click();
  await handset.getByRole('list', { name: 'Conversation' }).getByText('I come at eight').waitFor();
  const heard = await fetch(`${house.url}/v1/inbound`, { headers: { authorization: `Bearer ${secret}` } });
  const { data } = (await heard.json()) as { data: { from: string; text: string }[] };
  assert.deepEqual(
    data.map(({ from, text }) => [from, text]),
    [['639170000001', 'I come at eight']],
  );
  await page.getByRole('button', { name: 'Test time' }).click();
  await page.getByRole('menuitem', { name: 'Let an hour pass' }).click();
  await page.getByText(/^Moved: messages 0/).waitFor();

  if (PICTURES)
    for (const [name, size, mode, locale] of [
      ['light', DESK, 'light', 'en'],
      ['dark', DESK, 'dark', 'cn'],
      ['phone', PHONE, 'light', 'fp'],
      ['narrow', { width: 680, height: 900 }, 'dark', 'fp'],
    ] as const) {
      await context.addCookies([
        { name: 'locale', value: locale, url: house.url },
        { name: 'mode', value: mode, url: house.url },
      ]);
      await page.setViewportSize(size);
      await page.goto(`${house.url}/virtual-handsets`);
      await page.getByText('I come at eight').waitFor();
      await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
    }
  await page.setViewportSize(PHONE);
  // It fits a phone once it is drawn for it.
  await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  assert.deepEqual(faults, []);
  await context.close();

  const other = await browser.newContext({ viewport: DESK });
  const user = await signIn(other, house, 'user');
  await user.goto(`${house.url}/virtual-handsets`);
  await user.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(await user.getByText('639170000001').count(), 0, 'who may not make keys sees no handset');
  await other.close();
});
