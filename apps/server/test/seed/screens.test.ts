import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { MENU_GROUPS, SCREENS } from '@heliograph/contract/kernel/screen-list';
import { seedReference } from '../../src/seed/reference.ts';
import { sentencesOf } from '../sentences.ts';
import { type Scope, testDatabase } from '../template-database.ts';

/** Entries of the menu that installations have, by group. New entries do not have to be added here. */
const INSTALLED: Readonly<Record<string, string>> = {
  sms: 'send-sms inbox campaigns pending-campaigns running-campaigns message-templates schedule-campaigns',
  corporations: 'corporations departments message-templates blackout-time assign-sender-ids',
  numbers: 'number-lists blacklist-numbers opt-outs',
  routing: 'aliases routings callbacks api-keys',
  configurations:
    'billing-accounts sender-ids price-plans rate-zones rates blacklist-text languages connection-types smpp-system-ids smpp-sessions',
  reports: 'transactions campaign-history activity-logs rate-details summary-reports credit-changes application-logs',
  administration: 'roles permissions assign-permissions teams users give-permissions menus global-configurations',
  engineering: 'links carrier-routes nodes connectivity-test',
  documentation: 'articles change-log',
};
/** Permissions that are not `<path>-index`. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  'send-sms': 'campaigns-create',
  'message-templates': 'templates-index',
  menus: 'menu-index',
};

async function seeded(t: Scope) {
  const owner = (await testDatabase(t)).pool('owner');
  const client = await owner.connect();
  await seedReference(client).finally(() => client.release());
  return owner;
}

test('entries of installed menus keep their key, order, route and permission', async (t) => {
  const owner = await seeded(t);
  const { rows } = await owner.query<{ key: string; title: string; url: string; permission: string | null }>(
    `SELECT m.key, m.title, m.url, m.permission FROM menu m LEFT JOIN menu g ON g.id = m.parent_id
     ORDER BY coalesce(g.position, m.position), g.id NULLS FIRST, m.position`,
  );
  const wanted = Object.entries(INSTALLED).flatMap(([group, paths]) => [
    { key: group, title: group, url: '', permission: null },
    ...paths.split(' ').map((path) => ({
      key: `${group}/${path}`,
      title: path,
      url: path,
      permission: PERMISSIONS[path] ?? `${path}-index`,
    })),
  ]);
  wanted.unshift({ key: 'dashboards', title: 'dashboards', url: 'dashboard', permission: 'dashboard-index' });
  const keys = new Set(wanted.map(({ key }) => key));
  assert.deepEqual(
    rows.filter(({ key }) => keys.has(key)),
    wanted,
  );
});

test('every screen and group of the menu has a title in each language', () => {
  for (const locale of LOCALES) {
    const said = sentencesOf(locale);
    for (const { title } of [...SCREENS, ...MENU_GROUPS]) assert.ok(said.has(`menu.${title}`), `${locale} ${title}`);
  }
});

test('no two screens share a path or an area of permissions', () => {
  const areas = SCREENS.filter(({ rights }) => Object.keys(rights).length > 0).map(({ area }) => area);
  assert.ok(areas.length >= 45, String(areas.length));
  assert.equal(new Set(areas).size, areas.length);
  assert.equal(new Set(SCREENS.map(({ path }) => path)).size, SCREENS.length);
});
