import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { type House, signIn } from './house.ts';

const PHONE = { width: 360, height: 740 };

/** Two people edit the same template, one of them on a phone and by keyboard, and nobody's entries are lost. */
export async function editTogether(browser: Browser, house: House): Promise<void> {
  const onPhone = await signIn(await browser.newContext({ viewport: PHONE }), house, 'superadmin');
  const atDesk = await signIn(await browser.newContext(), house, 'admin');
  const stored = async () => {
    const { rows } = await house.database.query<{ name: string; template: string }>(
      `SELECT name, template FROM message_template WHERE template LIKE 'Hi {name}, shared%' OR name = 'Shared'`,
    );
    return rows;
  };
  await house.database.query(
    `INSERT INTO message_template (corporation_id, department_id, name, template)
     SELECT corporation_id, department_id, 'Shared', 'Hi {name}, shared.' FROM message_template WHERE name = 'Sale' LIMIT 1`,
  );
  const open = async (page: Page, name: string) => {
    await page.goto(`${house.url}/message-templates?search=Shared`);
    await act(page, name, 'Edit');
  };
  const act = async (page: Page, name: string, what: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: what }).click();
  };
  const field = (page: Page, name: string) => page.getByRole('dialog').getByRole('textbox', { name });
  const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' });

  // Each changes another field: both stand, and nobody is asked.
  await open(onPhone, 'Shared');
  await open(atDesk, 'Shared');
  await field(atDesk, 'Template').fill('Hi {name}, shared by the desk.');
  await save(atDesk);
  await closed(atDesk);
  await field(onPhone, 'Name').fill('Shared twice');
  await save(onPhone);
  await closed(onPhone);
  assert.deepEqual(await stored(), [{ name: 'Shared twice', template: 'Hi {name}, shared by the desk.' }]);

  // Both change the text, one the name too: the text is asked for, and the name is the other's.
  await open(onPhone, 'Shared twice');
  await open(atDesk, 'Shared twice');
  await field(atDesk, 'Template').fill('Hi {name}, shared at noon.');
  await field(atDesk, 'Name').fill('Shared thrice');
  await save(atDesk);
  await closed(atDesk);
  await field(onPhone, 'Template').fill('Hi {name}, shared at night.');
  await save(onPhone);
  const asked = onPhone.getByRole('alert').filter({ hasText: 'Somebody else changed this while you were editing' });
  await asked.waitFor();
  assert.equal(await field(onPhone, 'Name').inputValue(), 'Shared thrice');
  assert.equal(await field(onPhone, 'Template').inputValue(), 'Hi {name}, shared at night.');
  assert.equal(await onPhone.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
  const choice = asked.getByRole('radiogroup', { name: 'Template' });
  assert.equal(await choice.getByRole('radio').count(), 2);
  assert.equal(await asked.getByRole('radiogroup').count(), 1);
  assert.equal((await stored())[0]!.template, 'Hi {name}, shared at noon.');

  // Without a choice nothing is saved.
  await save(onPhone);

  await onPhone.getByRole('alert').getByText('Choose a value for each field that somebody else changed too.').waitFor();
  await onPhone.keyboard.press('ArrowDown');
  await choice
    .getByRole('radio', { name: 'Take theirs: Hi {name}, shared at noon.' })
    .and(choice.locator(':checked'))
    .waitFor();
  assert.equal(await field(onPhone, 'Template').inputValue(), 'Hi {name}, shared at noon.');
  await onPhone.keyboard.press('ArrowUp');
  await choice
    .getByRole('radio', { name: 'Keep mine: Hi {name}, shared at night.' })
    .and(choice.locator(':checked'))
    .waitFor();
  await save(onPhone);
  await closed(onPhone);
  assert.deepEqual(await stored(), [{ name: 'Shared thrice', template: 'Hi {name}, shared at night.' }]);

  // What somebody changed is not deleted unseen.
  await atDesk.reload();
  await open(onPhone, 'Shared thrice');
  await field(onPhone, 'Name').fill('Shared at last');
  await save(onPhone);
  await closed(onPhone);
  const remove = async (name: string) => {
    await act(atDesk, name, 'Delete');
    await atDesk.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  };
  await remove('Shared thrice');
  await atDesk.getByText('Somebody else changed this record after the list was loaded.').waitFor();
  assert.equal((await stored()).length, 1);
  await remove('Shared at last');
  await atDesk.getByText('Deleted', { exact: true }).first().waitFor();
  assert.equal((await stored()).length, 0);
  for (const page of [onPhone, atDesk]) await page.context().close();
}
