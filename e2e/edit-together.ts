import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { clientOf, tokenOf } from './api-client.ts';
import { editRules } from './edit-rules.ts';
import { type House, signIn } from './house.ts';

const PHONE = { width: 360, height: 740 };

/** Has two people edit the same template, one of them on a phone and by keyboard; no entry is lost. */
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

  // Each changes another field: both changes are saved without a question.
  await open(onPhone, 'Shared');
  await open(atDesk, 'Shared');
  await field(atDesk, 'Template').fill('Hi {name}, shared by the desk.');
  await save(atDesk);
  await closed(atDesk);
  await field(onPhone, 'Name').fill('Shared twice');
  await save(onPhone);
  await closed(onPhone);
  assert.deepEqual(await stored(), [{ name: 'Shared twice', template: 'Hi {name}, shared by the desk.' }]);

  // Both change the text, and one also the name. The page asks about the text and takes the other's name.
  await open(onPhone, 'Shared twice');
  await open(atDesk, 'Shared twice');
  await field(atDesk, 'Template').fill('Hi {name}, shared at noon.');
  await field(atDesk, 'Name').fill('Shared thrice');
  await save(atDesk);
  await closed(atDesk);
  await field(onPhone, 'Template').fill('Hi {name}, shared at night.');
  await save(onPhone);
  const asked = onPhone.getByRole('alert').filter({ hasText: 'Someone else changed this while you were editing' });
  await asked.waitFor();
  assert.equal(await field(onPhone, 'Name').inputValue(), 'Shared thrice');
  assert.equal(await field(onPhone, 'Template').inputValue(), 'Hi {name}, shared at night.');
  assert.equal(await onPhone.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
  const choice = asked.getByRole('radiogroup', { name: 'Template' });
  assert.equal(await choice.getByRole('radio').count(), 2);
  assert.equal(await asked.getByRole('radiogroup').count(), 1);
  assert.equal((await stored())[0]!.template, 'Hi {name}, shared at noon.');

  // Without a choice the save is refused.
  await save(onPhone);

  await onPhone.getByRole('alert').getByText('Choose a value for each field that someone else also changed.').waitFor();
  await onPhone.keyboard.press('ArrowDown');
  await choice
    .getByRole('radio', { name: 'Use theirs: Hi {name}, shared at noon.' })
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

  // A record with unseen changes of another person is not deleted.
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
  await atDesk.getByText('Someone else changed this record after the list was loaded.').waitFor();
  assert.equal((await stored()).length, 1);
  await remove('Shared at last');
  await atDesk.getByText('Deleted', { exact: true }).first().waitFor();
  assert.equal((await stored()).length, 0);
  await ownProfile(onPhone, house);
  await supervisorsOf(atDesk, house);
  await orderOfMenu(atDesk, house);
  await editRules(atDesk, house);
  for (const page of [onPhone, atDesk]) await page.context().close();
}

const CONFLICT = 'Someone else changed this while you were editing';

/** Edits one's own profile, open in two places. */
async function ownProfile(page: Page, house: House): Promise<void> {
  await page.goto(`${house.url}/profile`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const before = await name.inputValue();
  const elsewhere = clientOf(house, await tokenOf(house, 'superadmin'));
  await elsewhere('PATCH', '/api/v1/profiles', { body: { name: 'Second place', phone: '639170009123' } });
  await name.fill('First place');
  const save = page.getByRole('button', { name: 'Save', exact: true }).first();
  await save.click();
  const asked = page.getByRole('alert').filter({ hasText: CONFLICT });
  await asked.getByRole('radio', { name: 'Use theirs: Second place' }).waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Phone' }).inputValue(), '639170009123');
  await asked.getByRole('radio', { name: 'Keep mine: First place' }).check();
  await save.click();
  await asked.waitFor({ state: 'detached' });
  const stored = async () =>
    (await house.database.query("SELECT name FROM user_account WHERE email = 'superadmin@heliograph.test'")).rows[0]
      .name;
  assert.equal(await stored(), 'First place');
  await elsewhere('PATCH', '/api/v1/profiles', { body: { name: before, phone: null } });
}

/** Edits the supervisors of a person, which two people choose. */
async function supervisorsOf(page: Page, house: House): Promise<void> {
  const { rows } = await house.database.query<{ id: number; name: string }>(
    "SELECT id, name FROM user_account WHERE email IN ('user@heliograph.test', 'corporate@heliograph.test', 'department@heliograph.test') ORDER BY email",
  );
  const [above, department, person] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
  const set = async (ids: unknown[]) => {
    const client = clientOf(house, await tokenOf(house, 'superadmin'));
    const { status } = await client('PUT', `/api/v1/users/${person.id}/supervisors`, {
      body: { supervisor_ids: ids.map(Number) },
    });
    assert.equal(status, 200);
  };
  await set([]);
  await page.goto(`${house.url}/users?search=user%40heliograph.test`);
  await page.getByRole('button', { name: `Actions for ${person.name}` }).click();
  await page.getByRole('menuitem', { name: 'Supervisors' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: above.name }).check();
  await set([department.id]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('radio', { name: `Keep mine: ${above.name}` }).waitFor();
  await dialog.getByRole('radio', { name: `Use theirs: ${department.name}` }).check();
  assert.equal(await dialog.getByRole('checkbox', { name: above.name }).isChecked(), false);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const stored = await house.database.query('SELECT supervisor_id::int AS id FROM user_supervisor WHERE user_id = $1', [
    person.id,
  ]);
  assert.deepEqual(stored.rows, [{ id: Number(department.id) }]);
}

/** Changes the order of the menu, as two people do. */
async function orderOfMenu(page: Page, house: House): Promise<void> {
  const client = clientOf(house, await tokenOf(house, 'superadmin'));
  const read = async () => {
    const { body } = await client('GET', '/api/v1/menus?per_page=200&sort=position');
    return (body.data as unknown as { id: number; parent_id: number | null; title: string }[]).map(
      ({ id, parent_id }) => ({ id, parent_id }),
    );
  };
  const titles = async () =>
    (
      await house.database.query<{ title: string }>(
        'SELECT title FROM menu WHERE parent_id IS NULL ORDER BY position, id',
      )
    ).rows.map(({ title }) => title);
  const before = await read();
  await page.goto(`${house.url}/menus`);
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Move Numbers', exact: true }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  const last = before.findLast(({ parent_id }) => parent_id === null)!;
  const entries = [last, ...before.filter((place) => place !== last)];
  assert.equal((await client('PUT', '/api/v1/menus/order', { body: { entries } })).status, 200);
  const theirs = await titles();
  await main.getByRole('button', { name: 'Save order' }).click();
  await main.getByText('Someone else changed the order while you moved entries.').waitFor();
  assert.deepEqual(await titles(), theirs);
  await main.getByRole('button', { name: 'Keep mine' }).click();
  await main.getByRole('button', { name: 'Keep mine' }).waitFor({ state: 'detached' });
  assert.notDeepEqual(await titles(), theirs);
  assert.equal((await client('PUT', '/api/v1/menus/order', { body: { entries: before } })).status, 200);
}
