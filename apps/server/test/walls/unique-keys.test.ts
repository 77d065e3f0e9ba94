import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_OPERATIONS, RESOURCES } from '@heliograph/contract/registry';
import type { Answer } from '../test-api.ts';
import { whoseOf } from './classification.ts';
import { clients, MAKE, owner, PLACES, type PlaceName } from './places.ts';

// A value that must be unique, and that somebody beyond a wall holds, is answered like one that nobody holds.

for (const name of Object.keys(MAKE) as PlaceName[]) await MAKE[name]();

const one = async <T = number>(text: string, values: unknown[] = []) =>
  (await owner.query<{ id: T }>(text, values)).rows[0]!.id;
const acme = await one("SELECT id FROM corporation WHERE name = 'Acme Retail'");
const marketing = await one("SELECT id FROM department WHERE corporation_id = $1 AND name = 'Marketing'", [acme]);
const smpp = await one("SELECT id FROM connection_type WHERE upper(name) = 'SMPP'");
const person = await one("SELECT id FROM user_account WHERE email = 'user@heliograph.test'");
await owner.query('UPDATE user_account SET connection_type_id = $1 WHERE id = $2', [smpp, person]);
const corporateUser = await one("SELECT id FROM role WHERE name = 'corporate_user'");
const reader = await one("SELECT id FROM user_account WHERE email = 'readonly@heliograph.test'");

/** The value of a column in the row that a place has. */
const held = (place: PlaceName, table: string, column: string) =>
  one<string>(`SELECT ${column}::text AS id FROM ${table} WHERE id = $1`, [PLACES[place].ids[table]]);

interface Try {
  record: string;
  login: string;
  method?: string;
  path: string;
  body: (value: string) => object;
  held: () => Promise<string>;
  free: string;
  /** Why both are refused; without it a free value is taken. */
  refused?: string;
}

const PASSWORD = 'Lantern#41';
const secret = { password: PASSWORD, password_confirmation: PASSWORD };
const ofMarketing = { corporation_id: acme, department_id: marketing };
const colleague = (email: string) => ({
  ...secret,
  ...ofMarketing,
  name: 'Colleague',
  email,
  role_id: corporateUser,
  scope_level: 4,
});
const retail = await one("SELECT id FROM price_plan WHERE name = 'Northwind retail'");

const email = (place: PlaceName) => async () => {
  const address = `${place.replaceAll('_', '.')}@elsewhere.test`;
  await owner.query('UPDATE user_account SET email = $1 WHERE id = $2', [address, PLACES[place].ids['user_account']]);
  return address;
};
/** Puts a value that a body can carry into the row that a place has, and answers it. */
const put = (place: PlaceName, table: string, column: string, value: string) => async () => {
  await owner.query(`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [value, PLACES[place].ids[table]]);
  return value;
};

const TRIES: readonly Try[] = [
  ...(['rival', 'platform'] as const).map((place) => ({
    record: 'users',
    login: 'reseller',
    path: 'users',
    body: colleague,
    held: email(place),
    free: `free-${place}@elsewhere.test`,
  })),
  { record: 'users', login: 'corporate', path: 'users', body: colleague, held: email('parent'), free: 'free-1@a.test' },
  {
    record: 'users',
    login: 'department',
    path: 'users',
    body: colleague,
    held: email('sibling_department'),
    free: 'free-2@a.test',
  },
  {
    record: 'users',
    login: 'corporate',
    method: 'PATCH',
    path: `users/${reader}`,
    body: (address) => ({ email: address }),
    held: email('rivals_customer'),
    free: 'free-3@a.test',
  },
  {
    record: 'corporations',
    login: 'reseller',
    path: 'corporations',
    body: (name) => ({ name }),
    held: () => held('rival', 'corporation', 'name'),
    free: 'Nobody Else',
  },
  {
    record: 'corporations',
    login: 'corporate',
    method: 'PATCH',
    path: `corporations/${acme}`,
    body: (name) => ({ name }),
    held: () => held('sibling_corporation', 'corporation', 'name'),
    free: 'Nobody Here',
    refused: 'its reseller or the platform names a corporation',
  },
  {
    record: 'billing-accounts',
    login: 'reseller',
    path: 'billing-accounts',
    body: (key) => ({ corporation_id: acme, price_plan_id: retail, name: key, key }),
    held: put('rival', 'billing_account', 'key', 'RV-1'),
    free: 'RV-2',
  },
  {
    record: 'smpp-system-ids',
    login: 'corporate',
    path: 'smpp-system-ids',
    body: (system_id) => ({ corporation_id: acme, user_id: person, system_id, password: 'lantern1' }),
    held: () => held('rival', 'smpp_system_id', 'system_id'),
    free: 'nobody',
    refused: 'the platform makes system IDs',
  },
  {
    record: 'departments',
    login: 'corporate',
    path: 'departments',
    body: (name) => ({ corporation_id: acme, name }),
    held: () => held('rival', 'department', 'name'),
    free: 'Free department',
  },
  {
    record: 'number-lists',
    login: 'corporate',
    path: 'number-lists',
    body: (name) => ({ ...ofMarketing, name }),
    held: () => held('rival', 'number_list', 'name'),
    free: 'Free list',
  },
  ...[true, false].map((hidden) => ({
    record: 'number-lists',
    login: 'user',
    path: 'number-lists',
    body: (name: string) => ({ ...ofMarketing, name, private: hidden }),
    held: () => held('sibling_person', 'number_list', 'name'),
    free: `Free list ${hidden}`,
  })),
  {
    record: 'message-templates',
    login: 'department',
    path: 'message-templates',
    body: (name) => ({ ...ofMarketing, name, template: 'Hello' }),
    held: () => held('sibling_department', 'message_template', 'name'),
    free: 'Free template',
  },
  {
    record: 'aliases',
    login: 'corporate',
    path: 'aliases',
    body: (word) => ({ corporation_id: acme, word, aliases: [`${word}s`] }),
    held: put('rival', 'alias', 'word', 'BEACON'),
    free: 'BUOY',
  },
  {
    record: 'blacklist-numbers',
    login: 'corporate',
    path: 'blacklist-numbers',
    body: (number) => ({ corporation_id: acme, sender_id_id: null, number }),
    held: put('rival', 'blacklist_number', 'number', '639170000101'),
    free: '639170000102',
  },
  {
    record: 'opt-outs',
    login: 'corporate',
    path: 'opt-outs',
    body: (number) => ({ corporation_id: acme, number, note: 'by mail' }),
    held: put('rival', 'opt_out', 'number', '639170000103'),
    free: '639170000104',
  },
  {
    record: 'routings',
    login: 'corporate',
    path: 'routings',
    body: (number) => ({ corporation_id: acme, number, keyword: 'JOIN', action: 'inbox' }),
    held: put('rival', 'routing', 'number', '29119'),
    free: '29118',
    refused: 'the platform gives out numbers',
  },
  {
    record: 'sender-ids',
    login: 'corporate',
    path: 'sender-ids',
    body: (sender_id) => ({ corporation_id: acme, sender_id }),
    held: put('rival', 'sender_id', 'sender_id', '29117'),
    free: '29116',
    refused: 'the platform gives out numbers',
  },
  {
    record: 'callbacks',
    login: 'corporate',
    path: 'callbacks',
    body: (url) => ({ corporation_id: acme, department_id: null, url, types: ['message.received'] }),
    held: put('rival', 'callback_endpoint', 'url', 'https://example.com/rival'),
    free: 'https://example.com/free',
  },
  {
    record: 'api-keys',
    login: 'corporate',
    path: 'api-keys',
    body: (name) => ({ user_id: person, name, mode: 'live', scopes: ['messages:send'] }),
    held: () => held('rival', 'api_key', 'name'),
    free: 'Free key',
  },
  {
    record: 'price-plans',
    login: 'reseller',
    path: 'price-plans',
    body: (name) => ({ name, type: 'prepaid_package', default_charge: '0.5' }),
    held: () => held('rival', 'price_plan', 'name'),
    free: 'Free plan',
  },
  {
    record: 'teams',
    login: 'reseller',
    method: 'PATCH',
    path: `teams/${await one('SELECT id FROM reseller WHERE corporation_id = (SELECT id FROM corporation WHERE name = $1)', ['Northwind Telecom'])}`,
    body: (base_url) => ({ base_url }),
    held: put('rival', 'reseller', 'base_url', 'https://rival.example.com'),
    free: 'https://free.example.com',
    refused: 'the platform sets addresses of consoles',
  },
];

/** Records whose keys cannot be another tenant's: they name a record of the caller's own. */
const OF_OWN_RECORDS: Readonly<Record<string, string>> = {
  'assign-sender-ids': 'a department and a sender ID, both the corporation’s own',
  'blackout-time': 'one for each corporation',
  numbers: 'a number of a list that the caller sees',
  rates: 'a prefix of a plan that the caller sees',
};

const shapeOf = ({ status, body }: Answer) => {
  const { code, errors, data } = (body ?? {}) as { code?: string; errors?: object; data?: object };
  return JSON.stringify({ status, code, errors, data: data && Object.keys(data).sort() });
};

/** Unique keys without a column that names a tenant or a record of theirs, by the reason why no tenant learns from them. */
const FOR_ALL: Readonly<Record<string, readonly string[]>> = {
  'only the platform writes them': [
    'article_parent_id_title_key',
    'blacklist_text_text_key',
    'carrier_route_name_key',
    'change_log_version_key',
    'connection_type_name_key',
    'global_configuration_pkey',
    'language_line_group_key_key',
    'link_name_key',
    'menu_parent_id_title_key',
    'permission_name_key',
    'rate_zone_name_key',
    'reseller_host_key',
    'role_name_key',
    'role_name_once',
    'role_permission_pkey',
    'smpp_system_id_system_id_key',
  ],
  'the program makes them': [
    'activity_log_position_key',
    'allowance_share_pkey',
    'api_key_digest_key',
    'api_key_previous_digest_key',
    'article_image_pkey',
    'article_key_key',
    'callback_progress_pkey',
    'campaign_quote_id_key',
    'card_upload_row_pkey',
    'carrier_route_version_pkey',
    'counted_quarter_pkey',
    'documentation_offered_pkey',
    'field_hold_pkey',
    'inbox_message_inbound_id_key',
    'key_fingerprint_pkey',
    'ledger_entry_pkey',
    'ledger_transfer_key_key',
    'menu_key_key',
    'menu_offered_pkey',
    'node_name_key',
    'password_reset_pkey',
    'rate_history_pkey',
    'redacted_day_pkey',
    'reseller_image_key_key',
    'schema_migrations_pkey',
    'session_token_access_digest_key',
    'session_token_refresh_digest_key',
    'short_link_click_pkey',
    'short_link_pkey',
    'smpp_failure_pkey',
    'smpp_feed_pkey',
    'smpp_part_pkey',
    'unknown_sign_in_pkey',
    'user_image_key_key',
  ],
  'whoever holds a number learns that a keyword of it was given away: a text from a phone goes to one place': [
    'routing_number_keyword_key',
  ],
};
const OF_TENANTS =
  /^(corporation|department|user|reseller|billing_account|price_plan|api_key|number_list|campaign|series|smpp_system_id|callback_endpoint|sender_id|link|article|chunk|message|outcome|alias|download|session)_id$/;

test('every unique key belongs to a tenant, or its reason is stated', async () => {
  const { rows } = await owner.query<{ name: string; columns: string[] }>(`
    SELECT i.relname AS name, ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = x.indrelid AND a.attnum = ANY (x.indkey)) AS columns
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
    WHERE x.indisunique AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition ORDER BY 1`);
  const open = rows.filter(({ columns }) => !columns.some((column) => column === 'id' || OF_TENANTS.test(column)));
  assert.deepEqual(
    open.map(({ name }) => name),
    Object.values(FOR_ALL).flat().sort(),
  );
});

test('every record with a unique key that a tenant may write is tried', () => {
  const tenants = RESOURCES.filter(
    (r) => whoseOf(ALL_OPERATIONS.find((o) => o === r.createOne)!) === 'tenant' && Object.keys(r.conflicts).length > 0,
  ).map(({ name }) => name);
  const known = new Set([...TRIES.map(({ record }) => record), ...Object.keys(OF_OWN_RECORDS)]);
  assert.deepEqual(
    tenants.filter((name) => !known.has(name)),
    [],
  );
});

test('a value that another tenant holds is answered like one that nobody holds', async () => {
  const wrong: string[] = [];
  for (const { record, login, method = 'POST', path, body, held: value, free, refused } of TRIES) {
    const client = clients.get(login)!;
    const taken = await client(method, `/api/v1/${path}`, body(await value()));
    const other = await client(method, `/api/v1/${path}`, body(free));
    const what = `${login} ${method} ${path} (${record})`;
    if (shapeOf(taken) !== shapeOf(other)) wrong.push(`${what}: ${shapeOf(taken)}, free: ${shapeOf(other)}`);
    if (other.status < 400 === (refused !== undefined))
      wrong.push(`${what}: free: ${other.status} ${JSON.stringify(other.body)}`);
  }
  assert.deepEqual(wrong, []);
});
