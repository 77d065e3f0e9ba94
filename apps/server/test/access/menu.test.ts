import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf, dataOf, messageOf } from '../answers.ts';
import { type Client, startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const { idOf, one } = api.database;
const roleOf = (name: string) => idOf('role', name);
const [superadmin, user] = (await Promise.all(['superadmin', 'user'].map((login) => api.as(login)))) as [
  Client,
  Client,
];

test('a menu entry makes its permissions and shows to the people who hold them', async () => {
  const entry = dataOf(
    await superadmin('POST', '/api/v1/menus', {
      title: 'Loyalty',
      url: 'loyalty',
      parent_id: await one("SELECT id FROM menu WHERE title = 'sms' AND parent_id IS NULL"),
      labels: { en: 'Loyalty', cn: '会员' },
      permissions: ['index', 'edit'],
      custom_permissions: 'send-points, close',
    }),
  );
  const { rows } = await owner.query("SELECT name, menu_id FROM permission WHERE name LIKE 'loyalty-%' ORDER BY 1");
  assert.deepEqual(
    rows,
    ['close', 'edit', 'index', 'send-points'].map((action) => ({ name: `loyalty-${action}`, menu_id: entry.id })),
  );
  type Menu = { data: { title: string; children: { url: string; labels: object | null }[] }[] };
  const urls = async (client: Client) =>
    ((await client('GET', '/api/v1/menus/nav-bar-menus')).body as Menu).data.flatMap(({ children }) =>
      children.map(({ url }) => url),
    );
  assert.ok((await urls(superadmin)).includes('loyalty'));
  assert.equal((await urls(user)).includes('loyalty'), false);
  await superadmin('PATCH', `/api/v1/assign-permissions/${await roleOf('corporate_user')}`, { add: ['loyalty-index'] });
  assert.ok((await urls(user)).includes('loyalty'));

  assert.equal((await user('PATCH', '/api/v1/profiles', { landing_page: 'loyalty' })).status, 200);
  const gone = await superadmin('DELETE', `/api/v1/menus/${entry.id}`);
  assert.deepEqual(
    [codeOf(gone), messageOf(gone)],
    ['menu_is_landing_page', 'This menu has assign for user landing page.'],
  );
  const permission = await one("SELECT id FROM permission WHERE name = 'loyalty-index'");
  const kept = await superadmin('DELETE', `/api/v1/permissions/${permission}`);
  assert.deepEqual(
    [codeOf(kept), messageOf(kept)],
    ['permission_is_landing_page', 'This permission has been assigned to a user landing page.'],
  );
  assert.equal(
    codeOf(await superadmin('PATCH', `/api/v1/menus/${entry.id}`, { url: 'points' })),
    'menu_is_landing_page',
  );
  assert.equal((await user('PATCH', '/api/v1/profiles', { landing_page: 'dashboard' })).status, 200);
  assert.equal((await superadmin('DELETE', `/api/v1/permissions/${permission}`)).status, 200);
  assert.equal((await superadmin('DELETE', `/api/v1/menus/${entry.id}`)).status, 200);
});

test('the order of the menu is saved as a whole or not at all', async () => {
  type Entry = { id: number; parent_id: number | null; title: string; url: string; position: number };
  const read = async () =>
    (await owner.query<Entry>('SELECT id, parent_id, title, url, position FROM menu ORDER BY position, id')).rows;
  const order = (entries: readonly Entry[]) =>
    superadmin('PUT', '/api/v1/menus/order', { entries: entries.map(({ id, parent_id }) => ({ id, parent_id })) });
  const all = await read();
  const named = (title: string) => all.find((each) => each.title === title)!;
  const [sms, reports, campaigns] = [named('sms'), named('reports'), all.find(({ url }) => url === 'campaigns')!];
  const inside = (id: number, parent_id: number | null) =>
    all.map((each) => (each.id === id ? { ...each, parent_id } : each));
  assert.equal((await order([...all].reverse())).status, 200);
  assert.deepEqual(
    (await read()).filter(({ parent_id }) => parent_id === null).map(({ id }) => id),
    [...all]
      .reverse()
      .filter(({ parent_id }) => parent_id === null)
      .map(({ id }) => id),
  );
  assert.equal(codeOf(await order(inside(sms.id, campaigns.id))), 'menu_too_deep', 'inside a link, and a circle');
  assert.equal((await order(inside(sms.id, reports.id))).status, 200, 'a sub-group');
  type Menu = { data: { title: string; children: { url: string; group: { title: string } | null }[] }[] };
  const shown = ((await superadmin('GET', '/api/v1/menus/nav-bar-menus')).body as Menu).data;
  assert.deepEqual(
    shown.find(({ title }) => title === 'reports')!.children.find(({ url }) => url === 'campaigns')!.group,
    { title: 'sms', labels: null },
  );
  assert.equal(codeOf(await order(all.slice(1))), 'changed_meanwhile');
  assert.equal(codeOf(await order([...all.slice(1), { ...all[0]!, id: 999_999 }])), 'changed_meanwhile');
  assert.equal((await order(all)).status, 200);
  const builtIn = await superadmin('PATCH', `/api/v1/menus/${campaigns.id}`, { url: 'elsewhere' });
  assert.equal(codeOf(builtIn), 'menu_built_in');
  assert.equal(codeOf(await superadmin('DELETE', `/api/v1/menus/${sms.id}`)), 'has_dependencies');
});
