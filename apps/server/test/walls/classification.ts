import { referenceOf } from '@heliograph/contract/kernel/fields';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { type Screen, screenOf } from '@heliograph/contract/kernel/screen-list';
import { RESOURCES } from '@heliograph/contract/registry';
import type { z } from 'zod';
import { kindOfId, resourceNamed, tableOf } from '../every-resource/records.ts';
import { shapeOf } from '../every-resource/sample.ts';

// Owner of each call's data, and which record its ids refer to. Most of it follows from the contract; the rest is
// stated here. A call that is not covered fails the tests of the walls, and the message says where to add it.

/**
 * `tenant`: each corporation, department or person has their own data, and another's data does not exist for them.
 * `platform`: one for all, and only the platform's own people change it, whatever permissions a tenant has. `self`: the
 * caller's own, without an id of anybody else. `public`: needs no session. Calls of a screen have the owner that its
 * declaration states.
 */
export type Whose = NonNullable<Screen['data']> | 'public';

/** Owners by the word after `/api/v1/`, where it is not the path of a screen. */
const WHOSE: Readonly<Record<string, Whose>> = {
  'agent-connections': 'self',
  alarms: 'platform',
  'asked-notify': 'self',
  'carrier-rates': 'platform',
  'bulk-uploads': 'tenant',
  'campaign-tests': 'tenant',
  'card-uploads': 'tenant',
  'contact-imports': 'tenant',
  conversations: 'tenant',
  customers: 'tenant',
  downloads: 'tenant',
  'file-previews': 'self',
  'first-run': 'self',
  imports: 'tenant',
  'http-deliveries': 'tenant',
  'inbox-notify': 'self',
  'list-jobs': 'tenant',
  logout: 'self',
  'margin-losses': 'platform',
  messages: 'tenant',
  'network-versions': 'platform',
  numbers: 'tenant',
  otp: 'self',
  proof: 'self',
  password: 'self',
  passkeys: 'tenant',
  'pending-approval-notify': 'tenant',
  profiles: 'self',
  'push-device': 'self',
  'queue-download-notify': 'self',
  'queue-download-unread-file': 'tenant',
  'routing-calls': 'tenant',
  'callback-log': 'tenant',
  'saved-views': 'tenant',
  'scheduled-file-runs': 'tenant',
  search: 'tenant',
  'service-account-keys': 'tenant',
  'sender-documents': 'tenant',
  sessions: 'self',
  'support-consent': 'self',
  statements: 'tenant',
  tasks: 'tenant',
  'text-keys': 'tenant',
  'top-up-returns': 'tenant',
  'total-outstanding-notify': 'tenant',
  'two-factor': 'self',
  verifications: 'tenant',
  'validation-rules': 'self',
  'web-links': 'tenant',
};

export const label = (o: Operation) => `${o.method} ${o.path}`;
const areaOf = (o: Operation) => o.path.split('/')[3] ?? o.path;

/** Returns the owner of a call's data, or undefined if it is not stated here. */
export const whoseOf = (o: Operation): Whose | undefined =>
  o.session === 'public' ? 'public' : (screenOf(areaOf(o))?.data ?? WHOSE[areaOf(o)]);

/** Lists the words above that no call uses any more, or that a screen declares. */
export const unusedWords = (operations: readonly Operation[]): string[] => {
  const used = new Set(operations.map(areaOf));
  return Object.keys(WHOSE).filter((word) => !used.has(word) || screenOf(word)?.data);
};

/** Tables of the ids in paths that belong to no resource. */
const TABLES_OF_PATHS: Readonly<Record<string, string>> = {
  'account-transfers': 'account_transfer',
  'assign-permissions': 'role',
  'bulk-uploads': 'bulk_upload',
  'campaign-tests': 'campaign_test',
  campaigns: 'campaign',
  'closed-months': 'closed_month',
  'campaigns/drafts': 'campaign_draft',
  'campaigns/files': 'upload',
  'campaigns/quotes': 'quote',
  'card-uploads': 'card_upload',
  'contact-imports': 'bulk_upload',
  conversations: 'conversation',
  'credit-changes': 'credit_change',
  'documentation/articles': 'article',
  downloads: 'download',
  'give-permissions': 'user_account',
  imports: 'import',
  invoices: 'invoice',
  'list-jobs': 'list_job',
  inbox: 'inbox_message',
  'margin-losses/campaigns': 'campaign',
  'margins/messages': 'message',
  messages: 'message',
  'network-versions': 'network',
  nodes: 'node',
  'number-assignments': 'number_assignment',
  promotions: 'promotion',
  passkeys: 'passkey',
  privacy: 'person_request',
  'text-keys': 'text_key',
  'queue-download-unread-file': 'download',
  'callback-log': 'callback',
  'carrier-invoices': 'carrier_invoice',
  'routing-calls': 'routing_call',
  'saved-views': 'saved_view',
  'sender-documents': 'sender_document',
  'scheduled-file-runs': 'scheduled_file_run',
  // Keys of people and of service accounts are rows of one table.
  'service-account-keys': 'service_account_key_row',
  'smpp-sessions': 'smpp_session',
  statements: 'statement',
  tasks: 'import',
  'top-up-returns': 'top_up_return',
  'top-ups': 'top_up',
  // A handset is named by a message that it received.
  'virtual-handsets': 'message',
  'volume-discounts': 'volume_discount',
  vouchers: 'voucher_batch',
};

/** Returns the table of the id in a call's path. */
export function tableOfPath(o: Operation): string {
  const kind = kindOfId(o);
  const found = RESOURCES.find((r) => r.name === kind);
  const table = TABLES_OF_PATHS[kind] ?? (found && tableOf(found));
  if (!table) throw new Error(`${label(o)}: say in TABLES_OF_PATHS of walls/classification.ts what “${kind}” is`);
  return table;
}

/** Tables of the ids in queries and bodies that their names do not show. */
const TABLES_OF_FIELDS: Readonly<Record<string, string>> = {
  causer_id: 'user_account',
  break_glass_id: 'user_account',
  confirmed_user_id: 'user_account',
  file_id: 'upload',
  payment_id: 'account_payment',
  reseller_id: 'corporation',
  sender_id: 'sender_id',
  service_id: 'verify_service',
  supervisor_id: 'user_account',
  user_id: 'user_account',
};
/** Fields that end like an id but are none, by area and name or by name. */
const NO_IDS = new Set([
  'activity-logs.subject_id',
  'articles.parent_id',
  'identity-providers.client_id',
  'oauth.client_id',
  'menus.parent_id',
  'links.system_id',
  'smpp-system-ids.system_id',
]);

/** A field of a query or a body that names a record; `many` if it takes several. */
export interface IdField {
  name: string;
  table: string;
  many: boolean;
}

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

/** Returns the fields of a call's query or body that are ids. `tables` lists the existing tables. */
export function idFields(o: Operation, of: z.ZodType, tables: ReadonlySet<string>): IdField[] {
  return Object.entries(shapeOf(of)).flatMap(([name, schema]): IdField[] => {
    const to = referenceOf(schema);
    if (to) return [{ name, table: tableOf(resourceNamed(to)), many: takes(schema, [1]) }];
    const [, stem, several] = /^(.+)_id(s?)$/.exec(name) ?? [];
    if (stem === undefined || NO_IDS.has(`${areaOf(o)}.${name}`) || takes(schema, 'NO ID')) return [];
    const singular = `${stem}_id`;
    const table = TABLES_OF_FIELDS[singular] ?? [stem, `number_${stem}`].find((each) => tables.has(each));
    if (!table) throw new Error(`${label(o)}: say in walls/classification.ts what “${name}” is the id of`);
    return [{ name, table, many: several === 's' }];
  });
}
