import { after } from 'node:test';
import { type Client, startTestApi } from '../test-api.ts';
import { writeCanaryFile } from './canary-file.ts';
import { readTables, type Table, tenantTables } from './tables.ts';
import { fill, makeRow, type Place, sharedIds } from './world.ts';

// The places of the walk, its people, and the places that are foreign to each person.

export const api = await startTestApi({ after });
export const owner = api.database.pool('owner');
export const tables = await readTables(owner);
export const tenants = tenantTables(tables);
export const names = new Set(tables.map(({ name }) => name));
writeCanaryFile(api.config.DATA_DIR);

const { one } = api.database;
const [northwind, acme, marketing] = [
  await one("SELECT id FROM corporation WHERE name = 'Northwind Telecom'"),
  await one("SELECT id FROM corporation WHERE name = 'Acme Retail'"),
  await one("SELECT id FROM department WHERE name = 'Marketing'"),
];
const shared = await sharedIds(owner);
const account = await one(`SELECT min(id) AS id FROM billing_account WHERE corporation_id = ${acme}`);
const plan = await one(`SELECT price_plan_id AS id FROM billing_account WHERE id = ${account}`);

const place = (code: string, corporation_id: number | null, ids: Record<string, number> = {}): Place => ({
  code,
  corporation_id,
  ids: { ...shared, ...ids },
});
export const PLACES = {
  platform: place('PL', null),
  rival: place('RV', null),
  rivals_customer: place('RC', null),
  sibling_corporation: place('SC', null, { parent: northwind }),
  parent: place('PA', northwind, { corporation: northwind }),
  sibling_department: place('SD', acme, { corporation: acme, billing_account: account, price_plan: plan }),
  sibling_person: place('SP', acme, {
    corporation: acme,
    department: marketing,
    billing_account: account,
    price_plan: plan,
  }),
};
export type PlaceName = keyof typeof PLACES;

/** Foreign places of each person, the most distant first. */
const corporations: PlaceName[] = ['platform', 'rival', 'rivals_customer', 'sibling_corporation', 'parent'];
export const FOREIGN: Readonly<Record<string, readonly PlaceName[]>> = {
  reseller: ['platform', 'rival', 'rivals_customer'],
  corporate: corporations,
  department: [...corporations, 'sibling_department'],
  user: [...corporations, 'sibling_department', 'sibling_person'],
  // A person who only reads sees a colleague's records.
  readonly: [...corporations, 'sibling_department'],
};
export const LOGINS = Object.keys(FOREIGN);

// Every permission is granted directly, so the roles stay unchanged.
await owner.query(`INSERT INTO user_permission SELECT u.id, p.id FROM user_account u, permission p
  WHERE u.email LIKE '%@heliograph.test' ON CONFLICT DO NOTHING`);
export const clients = new Map<string, Client>();
for (const login of ['superadmin', ...LOGINS]) clients.set(login, await api.as(login));

/** Tables about a message; the message's chunk shows its owner. */
const OF_MESSAGES = [
  'message',
  'submission',
  'outcome',
  'receipt',
  'correction',
  'resend',
  'retry',
  'chunk_state',
  'answer_pack',
  'receipt_pack',
];
/** Lists the tables with one of these columns, those about a message, and all that refer to one of them. */
function tablesWith(columns: readonly string[], but: readonly string[]): Table[] {
  const found = new Set(OF_MESSAGES);
  for (const { name, columns: present } of tenants)
    if (present.some((column) => columns.includes(column.name))) found.add(name);
  for (const name of but) found.delete(name);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { name, references } of tenants)
      if (!but.includes(name) && Object.values(references).some((to) => found.has(to))) found.add(name);
  }
  return tenants.filter(({ name }) => found.has(name));
}
/**
 * Tables that belong to the whole corporation. The card of a plan is the corporation's, no matter which person uploaded
 * it. A sender ID that is assigned is no longer available to others. A person who opts out does so for the whole
 * corporation, no matter who recorded it. A promotion belongs to its plan, and so does a volume discount. A key of texts is
 * for all texts of the corporation.
 */
const OF_ALL = [
  'department',
  'card_upload',
  'card_upload_row',
  'promotion',
  'volume_discount',
  'sender_id_assignment',
  'opt_out',
  'consent_event',
  'text_key',
];
/** Tables that a department has for itself. */
const departmental = tablesWith(['department_id', 'causer_id'], OF_ALL);
/** Tables that a person has for themselves. Who they are is visible to their department. */
const personal = tablesWith(
  ['user_id', 'created_by', 'causer_id'],
  [...OF_ALL, 'user_account', 'user_permission', 'user_image'],
);
const ofCorporation = tenants.filter(({ name }) => name !== 'corporation');
const PLATFORMS_OWN = [
  'price_plan',
  'user_account',
  'carrier_route',
  'activity_log',
  'card_upload',
  'download',
  'upload',
];

export const table = (name: string): Table => tables.find((each) => each.name === name)!;
/** Functions that create each place, in this order. */
export const MAKE: Readonly<Record<PlaceName, () => Promise<void>>> = {
  platform: async () => {
    await fill(owner, PLACES.platform, PLATFORMS_OWN.map(table));
  },
  rival: () => fill(owner, PLACES.rival, tenants),
  rivals_customer: () => {
    PLACES.rivals_customer.ids['parent'] = PLACES.rival.corporation_id!;
    return fill(owner, PLACES.rivals_customer, tenants);
  },
  sibling_corporation: () => fill(owner, PLACES.sibling_corporation, tenants),
  parent: () => fill(owner, PLACES.parent, ofCorporation),
  sibling_department: async () => {
    await makeRow(owner, table('department'), PLACES.sibling_department);
    await fill(owner, PLACES.sibling_department, departmental);
  },
  sibling_person: () => fill(owner, PLACES.sibling_person, personal),
};

/**
 * Returns the nearest foreign place of a person and one more, which differs for each thing tried. `npm run soak` tries
 * all.
 */
export function places(login: string, turn: number, least = 2): PlaceName[] {
  const foreign = FOREIGN[login]!;
  if (process.env['WALLS_ALL'] === 'true') return [...foreign];
  const other = foreign[turn % (foreign.length - 1)]!;
  return least === 1 ? [turn % 2 === 0 ? other : foreign.at(-1)!] : [other, foreign.at(-1)!];
}

/** Returns the id of a record that only the place may see, or undefined if the person may see it too. */
export function foreignId(name: PlaceName, of: string): number | undefined {
  const id = PLACES[name].ids[of];
  if (name === 'sibling_department' && of !== 'department' && !departmental.includes(table(of))) return undefined;
  if (name === 'sibling_person' && !personal.includes(table(of))) return undefined;
  return name === 'parent' && of === 'corporation' ? northwind : shared[of] === id ? undefined : id;
}
