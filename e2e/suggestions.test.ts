import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from './house.ts';
import { browser, house } from './own-house.ts';

const LONG =
  'Dear  customer, please be informed that in order to  use the discount of 20 percent you have to show this text!!! ' +
  'It is valid until the end of the month of December at each of our stores and on our pages.';

test('a person shortens a text, and sees at which times people answered', async () => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 1000 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/send-sms`);
  await page.getByPlaceholder('Choose a sender ID').click();
  await page.getByRole('option', { name: /AcmeDeals/ }).click();
  const text = page.getByPlaceholder('Write the message here');
  await text.fill(LONG);
  await page.getByRole('button', { name: 'Shorten…' }).click();
  const suggestions = page.getByRole('dialog').filter({ hasText: 'characters less' });
  await suggestions.getByText('percent → %').waitFor();
  assert.equal(await text.inputValue(), LONG, 'nothing changes by itself');
  await suggestions.getByLabel('Remove needless spaces and lines').uncheck();
  await suggestions.getByRole('button', { name: 'Shorten text' }).click();
  const shorter = await text.inputValue();
  assert.ok(shorter.length < LONG.length && shorter.includes('20%') && shorter.includes('Dear  customer'), shorter);

  const times = async () => {
    await page.getByText('Later', { exact: true }).click();
    await page.getByRole('button', { name: 'Best time…' }).click();
    return page.getByRole('dialog').filter({ has: page.getByRole('radiogroup', { name: 'Result' }) });
  };
  await house.database.query(
    "UPDATE campaign SET started_at = now() - interval '2 years' WHERE started_at IS NOT NULL",
  );
  await (await times()).getByText('too little to say anything').waitFor();

  // Copies of a campaign: half of them began at nine in the morning in Manila, half at half past six in the evening.
  await house.database.query(
    `WITH model AS (
       SELECT c FROM campaign c JOIN corporation o ON o.id = c.corporation_id WHERE o.name = 'Acme Retail' ORDER BY c.id LIMIT 1
     ), made AS (
       INSERT INTO campaign OVERRIDING SYSTEM VALUE
       SELECT (jsonb_populate_record(c, jsonb_build_object('id', 900000 + n, 'state', 'completed', 'name', 'Past ' || n,
         'started_at', date_trunc('day', now(), 'UTC') - interval '7 days'
           + CASE WHEN n % 2 = 0 THEN interval '1 hour' ELSE interval '10 hours 30 minutes' END))).*
       FROM model, generate_series(1, 8) n RETURNING id, corporation_id
     ) INSERT INTO campaign_counter (campaign_id, corporation_id, delivered) SELECT id, corporation_id, 500 FROM made
       ON CONFLICT (campaign_id) DO UPDATE SET delivered = 500`,
  );
  await page.reload();
  await (await times()).getByText('8 campaigns with 4,000 delivered messages, nobody').waitFor();
  await house.database.query(
    `INSERT INTO inbox_message (corporation_id, link_id, inbound_id, oa, number, message, parts, total, handled, received_at, campaign_id)
     SELECT c.corporation_id, (SELECT min(id) FROM link), 900000 + c.id * 100 + n, '63917' || c.id || n, '4141', 'Yes', 1, 1, 'inbox',
       c.started_at + interval '1 hour', c.id
     FROM campaign c, generate_series(1, CASE WHEN c.id % 2 = 0 THEN 90 ELSE 5 END) n WHERE c.id BETWEEN 900001 AND 900008`,
  );
  await page.reload();
  const found = await times();
  await found.getByText('Better than the others: 09:00–12:00').waitFor();
  await found.getByText('Probable range').first().waitFor();
  await found.getByText('09:00–12:00').first().waitFor();
  await found.getByText('18:00–21:00').first().waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await (await times()).getByText('Probable range').first().waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(wide, false, 'it fits a phone');
  await context.close();
});
