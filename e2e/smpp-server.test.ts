import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ownPort } from '../apps/server/test/own-port.ts';
import { type Closing, openSession } from '../packages/smpp/src/index.ts';
import { openBrowser, signIn, startHouse } from './house.ts';

const smppPort = await ownPort();
const house = await startHouse({ after }, { SMPP_SERVER_PORT: String(smppPort) });
const browser = await openBrowser({ after });

test('an administrator makes a system ID, sees its bind, and ends its session', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await signIn(context, house, 'superadmin');
  const { rows } = await house.database.query<{ corporation: string; person: string }>(
    `UPDATE user_account u SET connection_type_id = t.id FROM connection_type t, corporation c
     WHERE u.email = 'user@heliograph.test' AND t.name = 'SMPP' AND c.id = u.corporation_id
     RETURNING c.name AS corporation, u.name AS person`,
  );
  const { corporation, person } = rows[0]!;
  await page.goto(`${house.url}/smpp-system-ids`);
  await page.getByRole('button', { name: 'Add system ID' }).click();
  const form = page.getByRole('main');
  const choose = async (label: string, option: string) => {
    await form.getByLabel(label, { exact: false }).first().click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Corporation', corporation);
  await choose('User', person);
  await form.getByRole('textbox', { name: 'System ID' }).fill('harbor');
  await form.getByRole('textbox', { name: 'Password' }).fill('short');
  await form.getByText('8 to 64 letters, digits or symbols').waitFor();
  await form.getByRole('textbox', { name: 'Password' }).fill('lantern1');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(`${house.url}/smpp-system-ids`);
  await page.getByRole('row').getByText('harbor', { exact: true }).first().waitFor();

  const closed = Promise.withResolvers<Closing>();
  const bound = Promise.withResolvers<void>();
  const session = openSession<string>(
    {
      host: '127.0.0.1',
      port: smppPort,
      bind: { mode: 'transceiver', system_id: 'harbor', password: 'lantern1' },
    },
    {
      onBound: () => bound.resolve(),
      onClose: (closing) => {
        bound.reject(new Error(closing.reason));
        closed.resolve(closing);
      },
    },
  );
  await bound.promise;
  for (let i = 0; i < 3; i++) session.submit({ destination_addr: '12', short_message: Buffer.from('x') }, 'refused');
  await page.goto(`${house.url}/smpp-sessions`);
  const row = page.getByRole('row', { name: /harbor/ });
  await row.getByText('Transceiver').waitFor();
  await row.getByText('127.0.0.1').waitFor();
  // The change shows without a reload of the page.
  await row.getByText('3', { exact: true }).first().waitFor();
  await row.getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'End session' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await page.getByText('The session of harbor is being ended.').waitFor();
  assert.equal((await closed.promise).reason, 'peer_unbound');
  await row.waitFor({ state: 'detached' });
  await context.close();
});
