import assert from 'node:assert/strict';
import { until } from '@heliograph/fault-kit';
import type { Page } from 'playwright-core';
import { choose } from './choose.ts';
import type { House } from './house.ts';

const FIRST_OF_LIST = 639170300000;

/** Makes a list of Acme's marketing with the numbers from `from` to `to`; every second one has the tag Gold. */
async function makeList({ database }: House, name: string, from: number, to: number): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO number_list (corporation_id, department_id, name, created_by, numbers_count)
     SELECT c.id, (SELECT min(id) FROM department WHERE corporation_id = c.id AND name = 'Marketing'), $1, u.id, $2
     FROM corporation c, user_account u WHERE c.name = 'Acme Retail' AND u.email = 'corporate@heliograph.test' RETURNING id`,
    [name, to - from],
  );
  const id = Number(rows[0]!.id);
  await database.query(
    `INSERT INTO number_list_number (number_list_id, number, name, param1)
     SELECT $1, ($2::bigint + i)::text, 'Person ' || i, CASE i % 2 WHEN 0 THEN 'Gold' ELSE 'Silver' END
     FROM generate_series($3::int, $4::int - 1) i`,
    [id, FIRST_OF_LIST, from, to],
  );
  return id;
}

/** Merges, moves, removes duplicates, exports and deletes as a person does, and checks who opted out. */
export async function workOnLists(page: Page, house: House): Promise<void> {
  const [customers, visitors, gold] = [
    await makeList(house, 'Customers of spring', 0, 20),
    await makeList(house, 'Visitors', 10, 30),
    await makeList(house, 'Gold cards', 0, 0),
  ];
  await house.database.query(
    `INSERT INTO opt_out (corporation_id, number, source, message, keyword, opted_out_at)
     SELECT id, $1, 'message', 'Stop please', 'STOP', now() FROM corporation WHERE name = 'Acme Retail'`,
    [String(FIRST_OF_LIST + 3)],
  );
  const dialog = page.getByRole('dialog');
  const begin = async (what: string) => {
    await page.getByRole('button', { name: 'Bulk actions' }).click();
    await page.getByRole('menuitem', { name: what }).click();
  };
  const confirm = (word: string) => dialog.getByRole('button', { name: word, exact: true }).click();

  await page.goto(`${house.url}/numbers-${customers}`);
  const optedOut = page.getByRole('row').filter({ hasText: String(FIRST_OF_LIST + 3) });
  await optedOut.getByText('Opted out').waitFor();
  await begin('Merge other lists…');
  await choose(dialog, 'Other lists', 'Visitors');
  await page.keyboard.press('Escape');
  await confirm('Merge');
  await page.getByText('10 numbers were added').waitFor();
  await page.getByText('30 numbers').waitFor();

  await page.goto(`${house.url}/numbers-${customers}?param1=Gold`);
  await page.getByText('Parameter 1: Gold').waitFor();
  await begin('Move to another list…');
  await choose(dialog, 'Target list', 'Gold cards');
  await confirm('Move');
  await page.getByText('15 numbers were moved').waitFor();

  await page.goto(`${house.url}/numbers-${visitors}?search=0917 030 0010`);
  await page
    .getByRole('row')
    .filter({ hasText: String(FIRST_OF_LIST + 10) })
    .getByRole('checkbox')
    .check();
  await page.getByRole('button', { name: 'Copy to…' }).click();
  await choose(dialog, 'Target list', 'Gold cards');
  await confirm('Copy');
  await page.getByText('0 numbers were copied').waitFor();
  await begin('Remove duplicates…');
  await choose(dialog, 'Other lists', 'Gold cards');
  await page.keyboard.press('Escape');
  await confirm('Remove');
  await page.getByText('10 duplicates were removed').waitFor();

  await page.goto(`${house.url}/numbers-${gold}`);
  await page.getByRole('button', { name: 'Export CSV', exact: true }).click();
  await page.getByText('The file is being prepared. You are notified when it is ready.').first().waitFor();
  const exported = `SELECT rows, state FROM download WHERE kind = 'numbers' ORDER BY id DESC LIMIT 1`;
  const file = await until('the file is written', async () => {
    const { rows } = await house.database.query(exported);
    return rows[0]?.state === 'done' && rows[0];
  });
  assert.equal(Number(file.rows), 15);
  await watchTasks(page, house, begin, confirm);
  await begin('Delete numbers…');
  await confirm('Delete');
  await page.getByText('15 numbers were deleted').waitFor();

  await page.goto(`${house.url}/opt-outs?search=${FIRST_OF_LIST + 3}`);
  await page.getByRole('row').filter({ hasText: 'Stop please' }).getByText('Message from the person').waitFor();
}

/** Finds the work in the drawer of tasks, on a narrow screen too, and cancels a task there. */
async function watchTasks(
  page: Page,
  house: House,
  begin: (what: string) => Promise<void>,
  confirm: (word: string) => Promise<void>,
): Promise<void> {
  const drawer = page.getByRole('dialog', { name: 'Tasks' });
  const open = async () => {
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('button', { name: 'All tasks' }).click();
    await drawer.waitFor();
  };
  await open();
  const written = drawer.getByRole('article', { name: 'Gold cards.csv' });
  await written.getByText('Done').waitFor();
  const downloading = page.waitForEvent('download');
  await written.getByRole('button', { name: 'Download file' }).click();
  assert.equal((await downloading).suggestedFilename(), 'Gold cards.csv');
  await drawer.getByRole('button', { name: 'Close' }).click();

  try {
    await house.database.query('BEGIN; LOCK TABLE number_list_number IN EXCLUSIVE MODE');
    await begin('Delete numbers…');
    await confirm('Delete');
    await open();
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 360, height: 740 });
    const running = drawer.getByRole('article', { name: 'Delete numbers' }).first();
    await running.getByText('Running').waitFor();
    // The page needs a moment for its narrow form.
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 360);
    await running.getByRole('button', { name: 'Cancel task' }).click();
    await page
      .getByRole('dialog', { name: 'Cancel Delete numbers?' })
      .getByRole('button', { name: 'Cancel task' })
      .click();
    await running.getByText('Cancelled').waitFor();
    await page.setViewportSize(size);
    await drawer.getByRole('button', { name: 'Close' }).click();
  } finally {
    await house.database.query('ROLLBACK');
  }
}
