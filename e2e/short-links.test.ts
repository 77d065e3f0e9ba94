import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { signIn } from './house.ts';
import { browser, house } from './own-house.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36';

test('a person sends links, and reads who followed which, without the programs', async () => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/send-sms`);
  await page.getByPlaceholder('Choose a sender ID').click();
  await page.getByRole('option', { name: /AcmeDeals/ }).click();
  await page.getByLabel('Numbers', { exact: true }).fill('639171230001, 639171230002');
  await page
    .getByPlaceholder('Write the message here')
    .fill('Sale https://shop.test/sale and map https://shop.test/map');
  await page.getByText('More options').click();
  await page.getByRole('switch', { name: 'Short links' }).press('Space');
  await page.getByRole('button', { name: 'Review & send' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.waitForURL(/\/campaign-history\/\d+/);
  const id = Number(/\d+$/.exec(new URL(page.url()).pathname)![0]);

  const codes = await until('the links are written', async () => {
    const { rows } = await house.database.query(
      `SELECT l.code, t.place FROM short_link l JOIN short_link_target t ON t.id = l.target_id WHERE l.campaign_id = $1
       ORDER BY t.place, l.msisdn`,
      [id],
    );
    return rows.length === 4 ? (rows as { code: string; place: number }[]) : undefined;
  });
  const visit = (code: string, agent: string) =>
    fetch(`${house.url}/s/${code}`, { redirect: 'manual', headers: { 'user-agent': agent } });
  for (const { code } of codes.slice(0, 3)) assert.equal((await visit(code, PHONE)).status, 302);
  await visit(codes[3]!.code, 'WhatsApp/2.26');

  await house.database.query(
    `INSERT INTO conversion (corporation_id, reference_hash, name, value, currency, happened_at, counted_by, campaign_id, place)
     SELECT corporation_id, 'e2e', 'purchase', 499000, 'PHP', now(), 'click', id, 1 FROM campaign WHERE id = $1`,
    [id],
  );
  await page.reload();
  const links = page.getByRole('table', { name: 'Links' });
  await links.getByText('1. https://shop.test/sale').waitFor();
  const cells = await links.getByRole('row').nth(2).getByRole('cell').allTextContents();
  assert.deepEqual([cells[0], cells[1], cells[3], cells[4]], ['2. https://shop.test/map', '1', '1', '1']);
  await page.getByText('1 by programs that name themselves').waitFor();
  await page.getByRole('table', { name: 'Conversions' }).getByText('₱499.00').waitFor();
  await page.getByRole('tab', { name: 'Clicks' }).click();
  await page.getByText('639171230001').first().waitFor();
  assert.equal(await page.getByRole('row').filter({ hasText: '63917123' }).count(), 3);
  await page.setViewportSize({ width: 360, height: 740 });
  // The list fits a phone.
  await page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth);
  await page.setViewportSize({ width: 1360, height: 900 });

  await page.goto(`${house.url}/campaigns`);
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
  await boxes.first().press('Space');
  await page.getByText('Choose 2 to 5 campaigns to compare').waitFor();
  await boxes.nth(1).press('Space');
  await page.getByRole('button', { name: 'Compare' }).click();
  const side = page.getByRole('table', { name: 'Comparison' });
  await side.getByText('Sale and map').waitFor();
  const clicked = side.getByRole('row').filter({ hasText: 'Clicked a link' });
  assert.match((await clicked.getByRole('cell').first().textContent())!, /^2 \(100%\)$/);
  await page.keyboard.press('Escape');
  await page.goto(`${house.url}/campaign-history/${id}`);

  await house.database.query("UPDATE corporation SET names_clicks = false WHERE name = 'Acme Retail'");
  await page.reload();
  await page.getByRole('tab', { name: 'Clicks' }).click();
  await page.getByText('Clicks are counted without names').waitFor();
  await context.close();
});
