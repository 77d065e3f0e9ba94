import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from './house.ts';
import { browser, house } from './own-house.ts';

test('a person adds a verify service, reads its guard and lets it refuse', async () => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/verify-services/new`);
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Sign-up');
  await page.getByLabel('App name').fill('Shop');
  const senders = page
    .getByRole('combobox', { name: 'Sender IDs in order' })
    .or(page.getByLabel('Sender IDs in order'))
    .first();
  await senders.fill('ACME');
  await senders.press('Enter');
  await page.getByLabel('Text in English').fill('Your code is {cod}');
  await page.getByRole('button', { name: 'Create', exact: true }).last().click();
  await page.getByText('Use only {code}, {app} and {minutes} in braces.').waitFor();
  await page.getByLabel('Text in English').fill('{code} opens {app}');
  await page.getByRole('button', { name: 'Create', exact: true }).last().click();
  await page.getByText('Sign-up').first().waitFor();

  const { rows } = await house.database.query(
    "SELECT id, corporation_id, countries, texts FROM verify_service WHERE name = 'Sign-up'",
  );
  const [service] = rows;
  assert.deepEqual([service.countries, service.texts[0].text], [['PH'], '{code} opens {app}']);
  await house.database.query(
    `INSERT INTO verification (corporation_id, service_id, is_test, number, language, state, code_length, most_checks, sends, most_sends,
       resend_pause, message_ids, price, saved, decision, signals, created_at, last_sent_at, expires_at)
     SELECT $1, $2, false, '6391711122' || lpad(i::text, 2, '0'), 'en', CASE WHEN i % 5 = 0 THEN 'approved' ELSE 'failed' END, 6, 5, 1, 4, 30, '{}',
       600, CASE WHEN i < 10 THEN 600 ELSE 0 END, CASE WHEN i < 10 THEN 'would_refuse' ELSE 'allowed' END,
       CASE WHEN i < 10 THEN '[{"signal": "block", "figure": 6, "limit": 5, "reason": null}]'::jsonb ELSE '[]' END, now(), now(), now()
     FROM generate_series(0, 19) AS i`,
    [service.corporation_id, service.id],
  );
  await page.goto(`${house.url}/verify-services/${service.id}`);
  await page.getByText('The guard decides and records, and every code is sent.').waitFor();
  await page.getByRole('cell', { name: '100 numbers in a row' }).waitFor();
  await page.getByRole('button', { name: 'Start refusing' }).click();
  await page.getByText('10 of 20 starts would have been refused. 2 of them').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Start refusing' }).click();
  await page.getByText('Starts that the guard refuses get no code and cost nothing.').waitFor();
  const lines = page.getByLabel('Numbers and addresses');
  await lines.fill('63');
  await page.getByRole('button', { name: 'Save list' }).click();
  await page.getByText('Line 1:').waitFor();
  await lines.fill('+6391977,Sold in bulk');
  await page.getByRole('button', { name: 'Save list' }).click();
  await page.getByText('Reputation list saved: 1 line').first().waitFor();
  await page.getByRole('link', { name: 'Verifications' }).last().click();
  await page.getByText('6 open starts to 100 numbers in a row in an hour; limit 5').first().waitFor();
  await context.close();
});
