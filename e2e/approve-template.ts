import type { Page } from 'playwright-core';
import { clientOf, tokenOf } from './api-client.ts';
import { choose } from './choose.ts';
import type { House } from './house.ts';

interface Desk {
  page: Page;
  action(row: string, name: string): Promise<void>;
  go(path: string): Promise<void>;
}

/** Approves a template with a placeholder, limits a sender ID to it, and fills it in the composer. */
export async function approveTemplate({ page, action, go }: Desk, house: Pick<House, 'url'>): Promise<void> {
  const operator = clientOf(house, await tokenOf(house, 'superadmin'));
  const one = async (path: string) => {
    const { body } = await operator('GET', path);
    return (body.data as unknown as { id: number; corporation_id: number; department_id: number }[])[0]!;
  };
  const { corporation_id, department_id } = await one('/api/v1/message-templates?search=Points');
  const sender = await one('/api/v1/sender-ids?search=AcmeOne');
  const texts = { name: 'Parcel', template: 'Parcel {1} is ready.' };
  await operator('POST', '/api/v1/message-templates', { body: { corporation_id, department_id, ...texts } });
  await go('/message-templates?search=Parcel');
  // The platform decides, so its submission is the approval.
  await action('Parcel', 'Submit for approval');
  await page.getByRole('row').filter({ hasText: 'Parcel' }).getByText('Approved', { exact: true }).waitFor();
  await operator('PATCH', `/api/v1/sender-ids/${sender.id}`, { body: { templates_only: true } });
  await go('/send-sms');
  await choose(page, 'Sender ID', 'AcmeOne · Acme Retail');
  await page.getByText('AcmeOne sends approved templates only.').waitFor();
  await choose(page, 'Approved template', 'Parcel');
  await page.getByRole('textbox', { name: 'Value of {1}' }).fill('XY-7');
  await page.getByText('Parcel XY-7 is ready.').first().waitFor();
}
