import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { clientOf, readUntil, tokenOf } from './api-client.ts';
import { choose } from './choose.ts';
import type { House } from './house.ts';

/**
 * Requests a protected name with a letter as Acme. The operator finds it in the queue, reads the letter and rejects it.
 * Then the operator assigns a number and takes it back.
 */
export async function decideSender(
  { page, go }: { page: Page; go: (path: string) => Promise<void> },
  house: Pick<House, 'url'>,
): Promise<void> {
  const customer = clientOf(house, await tokenOf(house, 'corporate'));
  const { body: known } = await customer('GET', '/api/v1/sender-ids');
  const [{ corporation_id }] = known.data as unknown as [{ corporation_id: number }];
  const asked = await customer('POST', '/api/v1/sender-ids', { body: { corporation_id, sender_id: 'GCash Deals' } });
  assert.equal(asked.status, 201, asked.text);
  const letter = new FormData();
  letter.append('file', new Blob(['%PDF-1.7\n']), 'Letter.pdf');
  const path = `/api/v1/sender-ids/${asked.body.data.id}`;
  assert.equal((await customer('POST', `${path}/documents`, { body: letter })).status, 201);

  await go('/sender-requests');
  await page.getByRole('link', { name: /Sender ID requests.*1 waiting/ }).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'GCash Deals' });
  await row.getByText('Like the protected name GCash').waitFor();
  await row.getByText('GCash Deals').click();
  const drawer = page.getByRole('dialog', { name: 'GCash Deals' });
  const download = page.waitForEvent('download');
  await drawer.getByRole('button', { name: 'Download Letter.pdf' }).click();
  assert.equal((await download).suggestedFilename(), 'Letter.pdf');
  await drawer.getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject GCash Deals?' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The letter has no signature');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('No request waits for you').waitFor();
  await readUntil(
    () => customer('GET', path),
    ({ state, state_reason }) => state === 'rejected' && state_reason === 'The letter has no signature',
  );

  await go('/number-assignments');
  await page.getByRole('button', { name: 'Assign number' }).click();
  const assign = page.getByRole('dialog', { name: 'Assign a number' });
  await assign.getByRole('textbox', { name: 'Number' }).fill('7171');
  await choose(assign, 'Corporation', 'Acme Retail');
  await assign.getByRole('button', { name: 'Assign number' }).click();
  await page.getByRole('link', { name: '7171' }).click();
  const history = page.getByRole('region', { name: 'Assignment of this number' });
  await history.getByText('Acme Retail').waitFor();
  await history.getByRole('button', { name: 'Take back' }).click();
  const back = page.getByRole('dialog', { name: 'Take back 7171?' });
  await back.getByRole('textbox', { name: 'Reason' }).fill('Unpaid');
  await back.getByRole('button', { name: 'Take back' }).click();
  await history.getByText('“Unpaid”').waitFor();
}
