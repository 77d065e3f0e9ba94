import { contactTries } from './contact-tries.ts';
import { MAKE, owner, PLACES, type PlaceName } from './places.ts';
import { makeAccount } from './service-account.ts';

// Unique values that somebody beyond a wall holds, each with a free value.

for (const name of Object.keys(MAKE) as PlaceName[]) await MAKE[name]();

const one = async <T = number>(text: string, values: unknown[] = []) =>
  (await owner.query<{ id: T }>(text, values)).rows[0]!.id;
const acme = await one("SELECT id FROM corporation WHERE name = 'Acme Retail'");
const marketing = await one("SELECT id FROM department WHERE corporation_id = $1 AND name = 'Marketing'", [acme]);
const smpp = await one("SELECT id FROM connection_type WHERE upper(name) = 'SMPP'");
const person = await one("SELECT id FROM user_account WHERE email = 'user@heliograph.test'");
await owner.query('UPDATE user_account SET connection_type_id = $1 WHERE id = $2', [smpp, person]);
const corporateUser = await one("SELECT id FROM role WHERE name = 'corporate_user'");
const account = await makeAccount(owner, acme);
const reader = await one("SELECT id FROM user_account WHERE email = 'readonly@heliograph.test'");

/** Reads the value of a column in a place's row. */
const held = (place: PlaceName, table: string, column: string) =>
  one<string>(`SELECT ${column}::text AS id FROM ${table} WHERE id = $1`, [PLACES[place].ids[table]]);

export interface Try {
  record: string;
  login: string;
  method?: string;
  path: string;
  body: (value: string) => object;
  held: () => Promise<string>;
  free: string;
  /** Reason why both are refused. Without it, a free value is accepted. */
  refused?: string;
}

const PASSWORD = 'Lantern#41';
const secret = { password: PASSWORD, password_confirmation: PASSWORD };
const ofMarketing = { corporation_id: acme, department_id: marketing };
export const colleague = (email: string) => ({
  ...secret,
  ...ofMarketing,
  name: 'Colleague',
  email,
  role_id: corporateUser,
  scope_level: 4,
});
const retail = await one("SELECT id FROM price_plan WHERE name = 'Northwind retail'");

export const email = (place: PlaceName) => async () => {
  const address = `${place.replaceAll('_', '.')}@elsewhere.test`;
  await owner.query('UPDATE user_account SET email = $1 WHERE id = $2', [address, PLACES[place].ids['user_account']]);
  return address;
};
/** Puts a value that a body can carry into a place's row, and returns it. */
const put = (place: PlaceName, table: string, column: string, value: string) => async () => {
  await owner.query(`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [value, PLACES[place].ids[table]]);
  return value;
};

export const TRIES: readonly Try[] = [
  {
    record: 'audit-streams',
    login: 'reseller',
    path: 'audit-streams',
    body: (name) => ({ name, destination: 'https', url: 'https://siem.example.com/' }),
    held: put('rival', 'audit_stream', 'name', 'Rival stream'),
    free: 'Free stream',
  },
  {
    record: 'scheduled-files',
    login: 'reseller',
    path: 'scheduled-files',
    body: (name) => ({
      name,
      destination: 's3',
      endpoint: 'https://s3.example.com',
      bucket: 'files',
      username: 'key',
      secret: 'secret key',
    }),
    held: put('rival', 'scheduled_file', 'name', 'Rival files'),
    free: 'Free files',
  },
  {
    record: 'identity-providers',
    login: 'reseller',
    path: 'identity-providers',
    body: (name) => ({ name, issuer: 'https://login.example.com', client_id: 'console' }),
    held: put('rival', 'identity_provider', 'name', 'Rival sign-in'),
    free: 'Free sign-in',
  },
  {
    record: 'merchant-accounts',
    login: 'reseller',
    path: 'merchant-accounts',
    body: (name) => ({ name, driver: 'bank_transfer', currency: 'PHP', instructions: 'Bank of Test' }),
    held: put('rival', 'merchant_account', 'name', 'Rival bank'),
    free: 'Free bank',
  },
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
  ...contactTries(acme, put),
  {
    record: 'sending-limits',
    login: 'corporate',
    path: 'sending-limits',
    body: (name) => ({ corporation_id: acme, name, messages: 1_000 }),
    held: () => held('rival', 'sending_limit', 'name'),
    free: 'Free limit',
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
    record: 'service-accounts',
    login: 'corporate',
    path: 'service-accounts',
    body: (name) => ({ corporation_id: acme, name, contact_email: 'payroll@heliograph.test' }),
    held: () => held('rival', 'service_account', 'name'),
    free: 'Free account',
  },
  {
    record: 'service-account-keys',
    login: 'corporate',
    path: 'service-account-keys',
    body: (name) => ({ service_account_id: account, name }),
    held: () => held('rival', 'api_key', 'name'),
    free: 'Free key of an account',
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
