import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from './house.ts';
import { browser, house } from './own-house.ts';

const NUMBERS = Array.from({ length: 60 }, (_, at) => `63917777${String(at).padStart(4, '0')}`);

test('a person prices and starts an A/B test, and the winner goes to the rest', async () => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/send-sms`);
  await page.getByPlaceholder('Choose a sender ID').click();
  await page.getByRole('option', { name: /AcmeDeals/ }).click();
  await page.getByLabel('Numbers', { exact: true }).first().fill(NUMBERS.join('\n'));
  await page.getByPlaceholder('Write the message here').fill('Greeting from variant A');
  await page.getByText('60 people').first().waitFor();
  await page.getByRole('link', { name: 'Test variants' }).click();

  await page.getByRole('heading', { name: 'New A/B test' }).waitFor();
  await page.getByText('60 recipients').waitFor();
  await page.getByLabel('Text of variant B').fill('Greeting from variant B, which says a little more');
  const share = page.getByRole('slider');
  await share.focus();
  for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowRight');
  await page.getByText('only a difference of').waitFor();
  await page.getByRole('button', { name: 'Check price' }).click();

  await page.waitForURL(/\/campaign-tests\/\d+/);
  await page.getByText('Total, at most').waitFor();
  await page.getByRole('button', { name: 'Start test' }).click();
  await page.getByText('The test has started.').waitFor();
  await page.getByText('Next step').waitFor();
  const id = Number(page.url().split('/').at(-1));

  const samples = async () =>
    (
      await house.database.query(
        `SELECT c.state, c.id FROM campaign_test_variant v JOIN campaign c ON c.id = v.campaign_id WHERE v.test_id = $1`,
        [id],
      )
    ).rows as { state: string; id: number }[];
  while ((await samples()).some(({ state }) => state !== 'completed')) await page.waitForTimeout(250);
  // The hours until the decision pass in the database.
  await house.database.query(
    `UPDATE campaign SET started_at = started_at - interval '5 hours'
     WHERE id IN (SELECT campaign_id FROM campaign_test_variant WHERE test_id = $1)`,
    [id],
  );
  await house.database.query('UPDATE campaign_test SET looks_at = now() WHERE id = $1', [id]);
  await page.getByText('Finished').first().waitFor({ timeout: 60_000 });
  await page.getByText('Chosen', { exact: true }).waitFor();

  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await page.getByText('Chosen', { exact: true }).waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(wide, false, 'the page of a test fits a phone');
  await page.getByRole('link', { name: 'Open the campaign of the rest' }).click();
  await page.waitForURL(/\/campaign-history\/\d+/);
  const { rows } = await house.database.query(
    `SELECT m.msisdn FROM message m JOIN campaign_test t ON t.id = $1
     WHERE m.campaign_id = t.rest_campaign_id
       OR m.campaign_id IN (SELECT campaign_id FROM campaign_test_variant WHERE test_id = t.id) ORDER BY 1`,
    [id],
  );
  assert.deepEqual(
    (rows as { msisdn: string }[]).map(({ msisdn }) => msisdn),
    NUMBERS,
  );
  await context.close();
});
