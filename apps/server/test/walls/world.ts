import type pg from 'pg';
import { pay } from '#modules/billing';
import { AB_TEST_COLUMNS } from './ab-test-columns.ts';
import { CANARY_FILE } from './canary-file.ts';
import { JOURNEY_COLUMNS } from './journey-columns.ts';
import { MONEY_COLUMNS } from './money-columns.ts';
import { SENT_VALUES } from './sent-values.ts';
import { makeKeyOfAccount } from './service-account.ts';
import type { Column, Table } from './tables.ts';
import { VERIFY_COLUMNS } from './verify-columns.ts';

// Rows of every tenant table in a foreign place, made from the database's catalog of tables. All their texts carry a
// canary: a word that names its place and occurs nowhere else. Phone numbers carry one in digits.

/** Pattern of a canary, in upper or lower case; the first group is the place's code. */
export const CANARY = /cnry([A-Z]{2})|63999550(\d\d)/i;

/** A place that holds rows. */
export interface Place {
  /** Two capital letters. */
  code: string;
  corporation_id: number | null;
  /** Row that others of the place refer to, by table. */
  ids: Record<string, number>;
}

type Value = string | number | boolean | Buffer | null;
type Made = (place: Place, word: string) => Value;

const now = () => new Date().toISOString();
const content = (word: string) =>
  JSON.stringify({ content_type: 'single', content: word, flash: false, sms_validity: 12, sender_id: 1 });
/** Values of columns with a reference that is no foreign key, or in rows that a call must show. */
const COLUMNS: Readonly<Record<string, Made>> = {
  'answer_pack.delays': () => '1',
  'api_key.allowed_ips': () => '{}',
  'api_key.scopes': () => '{messages:read}',
  'api_key.service_account_id': () => null,
  'service_account.allowed_ips': () => '{}',
  'service_account.scopes': () => '{messages:read}',
  'service_account.contact_email': (_, word) => `${word.toLowerCase()}@canary.test`,
  'answer_pack.id_hashes': () => '{1}',
  'answer_pack.places': () => '0',
  'chunk_state.states': () => Buffer.from([0x31]),
  'receipt_pack.delays': () => '1',
  'receipt_pack.places': () => '0',
  'receipt_pack.sizes': () => '1',
  'activity_log.properties': (_, word) => JSON.stringify({ before: null, after: { name: word } }),
  'billing_account.price_plan_id': ({ ids }) => ids['price_plan']!,
  'blackout_time.start_time': () => '01:00',
  'blackout_time.end_time': () => '02:00',
  'bulk_upload.error_path': () => CANARY_FILE,
  'bulk_upload.finished_at': now,
  'bulk_upload.kind': () => 'blacklist-numbers',
  'bulk_upload.rows_rejected': () => 1,
  'bulk_upload.state': () => 'done',
  'support_consent.until': () => new Date(Date.now() + 3_600_000).toISOString(),
  'support_session.ends_at': () => new Date(Date.now() + 60_000).toISOString(),
  'user_preference.timezone': () => 'Asia/Kathmandu',
  'callback.body': (_, word) => JSON.stringify({ text: word }),
  'callback.state': () => 'done',
  'callback.type': () => 'message.received',
  'callback_endpoint.url': (_, word) => `https://${word}.test/`,
  'callback_endpoint.types': () => '{}',
  'routing_call.type': () => null,
  'http_delivery.body': (_, word) => JSON.stringify({ text: word }),
  'http_delivery.kind': () => 'callback',
  'http_delivery.state': () => 'done',
  'http_delivery.type': () => 'message.received',
  'event.type': () => 'message.received',
  'event.user_id': () => null,
  'contact_field.key': (_, word) => word.toLowerCase().replace(/\W/g, ''),
  'contact_field.slot': () => 'text_1',
  ...JOURNEY_COLUMNS,
  ...VERIFY_COLUMNS,
  'segment.rule': (_, word) => JSON.stringify({ match: 'all', rules: [{ on: 'tag', tag: word }] }),
  'campaign.content': (_, word) => content(word),
  'campaign_draft.content': (_, word) => content(word),
  'moderation_item.chunk_id': () => null,
  'campaign.rejected_count': () => 1,
  'campaign.rejected_path': () => CANARY_FILE,
  'campaign.state': () => 'pending',
  'campaign.canary_state': () => 'passed',
  'campaign.pause_reason': () => 'person',
  'campaign.schedule': () => '{}',
  'campaign_series.content': (_, word) => content(word),
  'campaign_series.schedule': () => '{}',
  'campaign_series.state': () => 'waiting',
  ...AB_TEST_COLUMNS,
  'campaign_transition.reason': () => 'edited',
  'chunk.quiet_zone': () => 'Asia/Manila',
  'card_upload.rows_rejected': () => 1,
  'card_upload.state': () => 'ready',
  'card_upload.error_path': () => CANARY_FILE,
  'chunk.campaign_id': ({ ids }) => ids['campaign']!,
  'corporation.reseller_id': ({ ids }) => ids['parent'] ?? null,
  'corporation.is_reseller': ({ ids }) => ids['parent'] === undefined,
  'download.file_path': () => CANARY_FILE,
  'download.kind': () => 'transactions',
  'download.parameters': () => JSON.stringify({ from: '2026-01-01', to: '2026-01-01', locale: 'en' }),
  'download.state': () => 'done',
  'import.error_path': () => CANARY_FILE,
  'import.finished_at': now,
  'import.rows_rejected': () => 1,
  'import.state': () => 'done',
  'inbox_message.inbound_id': ({ code }) => Number.parseInt(code, 36) * 1_000 + ++words,
  'price_trial.lines': () => '[]',
  ...MONEY_COLUMNS,
  'merchant_account.currency': () => 'PHP',
  'identity_provider.break_glass_ids': () => '{}',
  'identity_provider.role_rules': () => '[]',
  'identity_provider.sso_url': (_, word) => `https://${word.toLowerCase()}.test`,
  'identity_provider.issuer': (_, word) => `https://${word.toLowerCase()}.test`,
  'identity_domain.domain': (_, word) => `${word.toLowerCase()}.test`,
  // Customers are offered the enabled ones of their seller.
  'merchant_account.enabled': () => false,
  'merchant_account.minimum': () => 10,
  'merchant_account.maximum': () => 20,
  'merchant_account.driver': () => 'bank_transfer',
  'merchant_account.instructions': (_, word) => word,
  'top_up.problem': () => null,
  'top_up.proof_path': () => CANARY_FILE,
  'top_up.proof_type': () => 'application/pdf',
  'top_up.amount': () => 7_777,
  'top_up.total': () => 7_777,
  'top_up.driver': () => 'bank_transfer',
  // Its payment method is of the seller, which is another place.
  'top_up.merchant_account_id': () => null,
  'invoice.language': () => 'en',
  'invoice.timezone': () => 'Asia/Manila',
  'invoice_buyer.country': () => 'PH',
  'invoice_buyer.email': (_, word) => `${word.toLowerCase()}@canary.test`,
  'invoice_issuer.email': (_, word) => `${word.toLowerCase()}@canary.test`,
  'invoice_issuer.country': () => 'PH',
  'invoice_series.invoice_issuer_id': ({ ids }) => ids['invoice_issuer']!,
  'invoice_issuer.tax_number': (_, word) => word,
  'message.id': ({ ids }) => ids['chunk']! * 1024,
  'message.parts': () => 1,
  // A row of the past, because the rows of sender IDs and routings open the present ones.
  'number_assignment.until_at': now,
  'number_list.private': ({ code }) => code === 'SP',
  'outcome.state': () => 'delivered',
  'quote.content': (_, word) => content(word),
  'quote.details': (_, word) => JSON.stringify({ dearest: [{ number: '639', text: word, parts: 1, cost: '1.000' }] }),
  'quote.rejected_count': () => 1,
  'quote.rejected_path': () => CANARY_FILE,
  'quote.state': () => 'ready',
  'receipt.state': () => 'delivered',
  'sender_document.file_path': () => CANARY_FILE,
  'sender_document.sender_id_id': ({ ids }) => ids['sender_id']!,
  'sender_document.type': () => 'application/pdf',
  'sender_event.from_state': () => 'submitted',
  'sender_event.sender_id_id': ({ ids }) => ids['sender_id']!,
  'sender_event.to_state': () => 'approved',
  'short_link_target.url': (_, word) => `https://${word}.test/`,
  'routing.url': (_, word) => `https://${word}.test/`,
  'smpp_part.number': () => 1,
  // A bind with a lifetime longer than the test.
  'smpp_session.seen_at': () => '2100-01-01',
  'statement.closing_balance': () => 6,
  'statement.month': () => '2026-01-01',
  ...SENT_VALUES,
  'upload.columns': () => '["number"]',
  'upload.preview': (_, word) => JSON.stringify([[word]]),
  'user_account.email': (_, word) => `${word.toLowerCase()}@canary.test`,
  'user_account.landing_page': () => 'dashboard',
  'user_account.scope_level': ({ corporation_id }) => (corporation_id === null ? 1 : 4),
  // A test signs in as these people with the demo's password.
  'user_account.password_hash': ({ ids }) => ids['password'] as unknown as string,
};
/** Values by the name of a column only. */
const NAMES: Readonly<Record<string, Made>> = {
  callback_url: (_, word) => `https://${word}.test/`,
  carrier_id: (_, word) => word,
  link_id: ({ ids }) => ids['link']!,
  msisdn: (place) => numberOf(place),
  number: (place) => numberOf(place),
  optout_keyword: (_, word) => word,
  phone: (place) => numberOf(place),
  prefix: (place) => numberOf(place).slice(0, 12),
};

const codes = ['RV', 'RC', 'SC', 'PA', 'SD', 'SP', 'PL'];
const numberOf = ({ code }: Place) => `63999550${String(codes.indexOf(code) + 1 || 99).padStart(2, '0')}`;
let words = 0;
/** Makes a new word of a place: short, with only letters and digits. */
const wordOf = ({ code }: Place) => `Cnry${code}${(++words).toString(36).toUpperCase().padStart(3, '0')}`;

function valueFor(table: Table, column: Column, place: Place): Value | undefined {
  const { name, type, required, given, labels } = column;
  const made = COLUMNS[`${table.name}.${name}`] ?? NAMES[name];
  const word = wordOf(place);
  if (made) return made(place, word);
  if (name === 'corporation_id') return place.corporation_id;
  const to =
    table.references[name] ?? (/_id$/.test(name) ? (PERSONS[name] ?? name.replace(/_id$/, '')) : PERSONS[name]);
  const referred = to && place.ids[to];
  if (referred !== undefined && /_id$|_by$/.test(name) && (to === 'reseller' || !/^reseller/.test(name)))
    return referred;
  if (given) return undefined;
  const checked = new RegExp(`\\b${name}\\b`).test(table.checks);
  if (type === 'text' && !checked) return word;
  if (type === 'text[]') return `{${word}}`;
  if (!required) return undefined;
  if (labels) return labels[0]!;
  if (type === 'text') return new RegExp(`\\b${name} = ANY \\(ARRAY\\['([^']+)'`).exec(table.checks)?.[1] ?? word;
  if (type === 'jsonb') return JSON.stringify({ canary: word });
  if (type === 'bytea') return Buffer.from(word);
  if (type === 'boolean') return false;
  if (type.startsWith('timestamp')) return now();
  if (type === 'date') return '2026-01-01';
  if (type === 'uuid') return crypto.randomUUID();
  return 1;
}
const PERSONS: Readonly<Record<string, string>> = {
  causer_id: 'user_account',
  created_by: 'user_account',
  user_id: 'user_account',
};

/** Finds a row of a table that the place's corporation has. */
async function ofCorporation(owner: pg.Pool, table: string, place: Place): Promise<number | undefined> {
  const { rows } = await owner.query<{ id: number }>(`SELECT id FROM ${table} WHERE corporation_id = $1 LIMIT 1`, [
    place.corporation_id,
  ]);
  return rows[0]?.id;
}

/** Finds a row that a place's row can refer to, if none was made there for it. */
async function findReferred(owner: pg.Pool, table: string, place: Place): Promise<void> {
  if (place.ids[table] !== undefined || place.corporation_id === null) return;
  const id = await ofCorporation(owner, table, place).catch(() => undefined);
  if (id !== undefined) place.ids[table] = id;
}

/** Makes one row of a table in a place. */
export async function makeRow(owner: pg.Pool, table: Table, place: Place): Promise<void> {
  const values: [string, Value][] = [];
  for (const to of Object.values(table.references)) await findReferred(owner, to, place);
  for (const column of table.columns) {
    const value = valueFor(table, column, place);
    if (value !== undefined) values.push([column.name, value]);
  }
  const text = `INSERT INTO ${table.name} (${values.map(([name]) => `"${name}"`).join()})
    OVERRIDING SYSTEM VALUE VALUES (${values.map((_, i) => `$${i + 1}`).join()}) 
    ON CONFLICT DO NOTHING ${table.rowId ? 'RETURNING id' : ''}`;
  try {
    const { rows } = await owner.query<{ id: number }>(
      text,
      values.map(([, value]) => value),
    );
    // If only one can exist, the corporation has it already.
    if (table.rowId) place.ids[table.name] = rows[0]?.id ?? (await ofCorporation(owner, table.name, place))!;
  } catch (error) {
    const { message, detail } = error as { message: string; detail?: string };
    throw new Error(
      `walls/world.ts makes no row of ${table.name}: say in COLUMNS what it takes (${message} ${detail ?? ''})`,
    );
  }
}

/** Fills a place with a row of each of these tables, and a payment if it has its own account. */
export async function fill(owner: pg.Pool, place: Place, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    await makeRow(owner, table, place);
    if (table.name === 'api_key') await makeKeyOfAccount(owner, place, `${wordOf(place)} program`);
    if (table.name === 'corporation') place.corporation_id = place.ids['corporation']!;
    if (table.name === 'billing_account') {
      const [billing_account_id, corporation_id] = [place.ids['billing_account']!, place.corporation_id!];
      const note = wordOf(place);
      await pay(owner, { key: note, billing_account_id, corporation_id, amount: 777_000, note, created_at: now() });
      for (const name of ['credit_change', 'account_payment']) {
        const { rows } = await owner.query(`SELECT max(id) AS id FROM ${name} WHERE billing_account_id = $1`, [
          billing_account_id,
        ]);
        place.ids[name] = rows[0].id;
      }
    }
  }
  // Each document has both of its files.
  await owner.query(
    `INSERT INTO invoice_document (invoice_id, kind, content, sha256)
    SELECT invoice_id, kind, content, sha256 FROM (
      SELECT invoice_id, content, sha256 FROM invoice_document WHERE invoice_id = $1 LIMIT 1
    ) d, unnest(ARRAY['pdf', 'xml']) AS kind ON CONFLICT DO NOTHING`,
    [place.ids['invoice']],
  );
}

/** Reads the ids that all places share: the platform's records, and the hash of the demo's password. */
export async function sharedIds(owner: pg.Pool): Promise<Record<string, number>> {
  const { rows } =
    await owner.query(`SELECT (SELECT min(id) FROM link) AS link, (SELECT id FROM role WHERE name = 'corporate_user') AS role,
    (SELECT min(id) FROM permission) AS permission, (SELECT min(id) FROM rate_zone) AS rate_zone,
    (SELECT min(id) FROM connection_type) AS connection_type, (SELECT min(id) FROM menu) AS menu,
    (SELECT password_hash FROM user_account WHERE email = 'user@heliograph.test') AS password`);
  return rows[0];
}
