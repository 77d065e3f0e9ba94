import { sql } from 'kysely';
import type { Context } from '#platform/context';

/** Table and column with the name of a record, by kind. */
const NAMES: Readonly<Record<string, readonly [table: string, column: string]>> = {
  aliases: ['alias', 'word'],
  'api-keys': ['api_key', 'name'],
  'service-accounts': ['service_account', 'name'],
  'service-account-keys': ['api_key', 'name'],
  articles: ['article', 'title'],
  'billing-accounts': ['billing_account', 'name'],
  callbacks: ['callback_endpoint', 'url'],
  campaigns: ['campaign', 'name'],
  'carrier-routes': ['carrier_route', 'name'],
  'connection-types': ['connection_type', 'name'],
  'contact-fields': ['contact_field', 'name'],
  segments: ['segment', 'name'],
  journeys: ['journey', 'name'],
  'verify-services': ['verify_service', 'name'],
  corporations: ['corporation', 'name'],
  departments: ['department', 'name'],
  'global-configurations': ['global_configuration', 'name'],
  invoices: ['invoice', 'number'],
  'invoice-buyers': ['invoice_buyer', 'legal_name'],
  'invoice-issuers': ['invoice_issuer', 'legal_name'],
  languages: ['language_line', 'key'],
  links: ['link', 'name'],
  menus: ['menu', 'title'],
  'message-templates': ['message_template', 'name'],
  networks: ['network', 'name'],
  'number-sources': ['number_source', 'name'],
  'number-lists': ['number_list', 'name'],
  permissions: ['permission', 'name'],
  'price-plans': ['price_plan', 'name'],
  'rate-zones': ['rate_zone', 'name'],
  roles: ['role', 'name'],
  routings: ['routing', 'number'],
  'sender-ids': ['sender_id', 'sender_id'],
  'smpp-system-ids': ['smpp_system_id', 'system_id'],
  users: ['user_account', 'name'],
};
/** Kinds of record that belong to the platform and that nobody else may see. */
const OF_PLATFORM: ReadonlySet<string> = new Set(['links', 'carrier-routes']);

/** Names by kind of record and id, as far as the caller sees the records. */
export type RecordNames = (kind: string, id: number) => string | undefined;

/** Reads the names of records, a statement for each kind. */
export async function readRecordNames(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  wanted: Iterable<readonly [kind: string, id: number]>,
): Promise<RecordNames> {
  const ids = new Map<string, Set<number>>();
  for (const [kind, id] of wanted) {
    if (!NAMES[kind] || (OF_PLATFORM.has(kind) && caller.scope_level > 1)) continue;
    ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
  }
  const names = new Map<string, string>();
  for (const [kind, of] of ids) {
    const [table, column] = NAMES[kind]!;
    const { rows } = await sql<{ id: number; name: string }>`
      SELECT id, ${sql.ref(column)} AS name FROM ${sql.table(table)} WHERE id = ANY (${[...of]}::bigint[])`.execute(db);
    for (const { id, name } of rows) names.set(`${kind} ${id}`, name);
  }
  return (kind, id) => names.get(`${kind} ${id}`);
}
