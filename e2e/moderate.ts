import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { clientOf, readUntil, tokenOf } from './api-client.ts';
import type { House } from './house.ts';

/** Holds a campaign of Acme by a rule, rejects it in the queue, and reads the reason on the campaign's timeline. */
export async function moderate(
  { page, go }: { page: Page; go: (path: string) => Promise<void> },
  house: Pick<House, 'url'>,
): Promise<void> {
  const [operator, customer] = [await clientFor(house, 'superadmin'), await clientFor(house, 'corporate')];
  const rule = await operator('POST', '/api/v1/moderation-rules', {
    body: { name: 'Raffles', words: ['grand*raffle'] },
  });
  assert.equal(rule.status, 201, rule.text);
  const senders = await customer('GET', '/api/v1/sender-ids?search=ACME');
  const named = senders.body.data as unknown as { id: number; sender_id: string }[];
  const sender = named.find(({ sender_id }) => sender_id === 'ACME');
  const body = { sender_id: sender!.id, content: 'Our GRAND raffle: code 482910', custom_numbers: '639175550188' };
  const quote = await customer('POST', '/api/v1/campaigns/quotes', { body });
  const quote_id = quote.body.data.id;
  await readUntil(
    () => customer('GET', `/api/v1/campaigns/quotes/${quote_id}`),
    ({ state }) => state === 'ready',
  );
  const made = await customer('POST', '/api/v1/campaigns', { body: { quote_id, name: 'Raffle of May', undo: false } });
  assert.equal(made.status, 201, made.text);
  const path = `/api/v1/campaigns/${made.body.data.id}`;
  await readUntil(
    () => customer('GET', path),
    ({ state, pause_reason }) => state === 'paused' && pause_reason === 'moderation',
  );
  await go('/moderation');
  const row = page.getByRole('row').filter({ hasText: 'Raffle of May' });
  await row.getByText('Our GRAND raffle: code ••••••').waitFor();
  await row.getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Raffles need a permit');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await row.waitFor({ state: 'detached' });
  await readUntil(
    () => customer('GET', path),
    ({ state }) => state === 'stopped',
  );
  await go(`/campaign-history/${made.body.data.id}`);
  await page.getByText('Raffles need a permit').waitFor();
}

const clientFor = async (house: Pick<House, 'url'>, who: string) => clientOf(house, await tokenOf(house, who));
