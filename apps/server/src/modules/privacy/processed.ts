import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { Permission } from '@heliograph/contract/kernel/screen-list';
import type { ProcessedKind } from '@heliograph/contract/privacy/data-processing';
import type { KeptField } from '@heliograph/contract/privacy/retention-rule';
import { OLD_RECORDS } from './old-records.ts';
import { FILE_COLUMNS } from './person-files.ts';
import { OTHER_KINDS, PERSONAL_COLUMNS } from './personal-columns.ts';
import { PLACES } from './places.ts';

/** Facts about the data of one kind that its tables share. */
interface Processed {
  subject: 'recipient' | 'user' | 'company';
  /** Permissions with which people read it. */
  readers: readonly Permission[];
  recipients: readonly Recipient[];
}
type Recipient =
  | 'carriers'
  | 'programs'
  | 'files'
  | 'streams'
  | 'mail'
  | 'payments'
  | 'providers'
  | 'registrars'
  | 'lookups';

/** Facts by kind, in the order of the record. */
export const PROCESSED: Readonly<Record<Exclude<ProcessedKind, 'waiting'>, Processed>> = {
  messages: {
    subject: 'recipient',
    readers: ['transactions-index', 'campaign-history-index'],
    recipients: ['carriers', 'programs', 'files'],
  },
  inbox: { subject: 'recipient', readers: ['inbox-index'], recipients: ['carriers', 'programs'] },
  lists: { subject: 'recipient', readers: ['number-lists-index'], recipients: ['carriers'] },
  contacts: { subject: 'recipient', readers: ['contacts-index'], recipients: ['carriers', 'programs'] },
  opt_outs: { subject: 'recipient', readers: ['opt-outs-index'], recipients: [] },
  blacklist: { subject: 'recipient', readers: ['blacklist-numbers-index'], recipients: [] },
  consents: { subject: 'recipient', readers: ['consents-index'], recipients: [] },
  short_links: { subject: 'recipient', readers: ['campaigns-show'], recipients: [] },
  deliveries: { subject: 'recipient', readers: ['callbacks-index'], recipients: ['programs'] },
  campaigns: { subject: 'recipient', readers: ['campaigns-show', 'moderation-index'], recipients: [] },
  tasks: { subject: 'recipient', readers: ['transactions-index'], recipients: [] },
  limits: { subject: 'recipient', readers: ['sending-limits-index'], recipients: [] },
  log: { subject: 'user', readers: ['activity-logs-index', 'application-logs-index'], recipients: ['streams'] },
  lookups: { subject: 'recipient', readers: ['number-sources-index'], recipients: ['lookups'] },
  tests: { subject: 'recipient', readers: ['test-numbers-index'], recipients: ['carriers'] },
  files: { subject: 'recipient', readers: ['scheduled-files-index'], recipients: ['files', 'mail'] },
  users: { subject: 'user', readers: ['users-index'], recipients: ['mail', 'providers'] },
  sessions: { subject: 'user', readers: ['users-show'], recipients: [] },
  customers: { subject: 'company', readers: ['invoices-index', 'invoice-buyers-index'], recipients: ['mail'] },
  payments: { subject: 'company', readers: ['top-ups-index'], recipients: ['payments'] },
  senders: { subject: 'company', readers: ['sender-ids-index'], recipients: ['registrars'] },
  requests: { subject: 'recipient', readers: ['privacy-index'], recipients: [] },
};

/** Tables of the platform: no corporation sees them in its record. */
export const OF_PLATFORM: ReadonlySet<string> = new Set([
  'application_log',
  'carrier_callback',
  'inbound_part',
  'link_test',
  'number_lookup',
  'number_wanted',
  'set_aside',
  'test_number',
  'unknown_sign_in',
]);

/** Parts of messages, and the rules that remove them with their day. */
const OF_DAYS: Readonly<Record<string, readonly KeptField[]>> = {
  message: ['otp_days', 'transactional_days', 'bulk_days', 'number_days'],
  chunk: ['otp_days', 'transactional_days', 'bulk_days'],
  outcome: ['otp_days', 'transactional_days', 'bulk_days', 'number_days'],
  receipt: ['otp_days', 'transactional_days', 'bulk_days', 'number_days'],
  receipt_pack: ['otp_days', 'transactional_days', 'bulk_days', 'number_days'],
  inbound_message: ['reply_days'],
  short_link: ['number_days'],
  short_link_click: ['number_days'],
  activity_log: ['log_days'],
};

/** Returns the fields of the rules of retention that a table follows. */
export const rulesOf = (table: string): readonly KeptField[] => [
  ...new Set<KeptField>([
    ...(OF_DAYS[table] ?? []),
    ...OLD_RECORDS.filter((each) => each.table === table).map(({ field }) => field),
    ...(FILE_COLUMNS.some(([of]) => of === table) ? (['file_days'] as const) : []),
  ]),
];

/** Returns the kind of a table: that of its place in searches for people, or its own. */
export function kindOf(table: string): keyof typeof PROCESSED {
  const place = PLACES.find((each) => each.table === table && each.kind !== 'waiting');
  const kind =
    place?.kind ?? (Object.keys(OTHER_KINDS) as ProcessedKind[]).find((each) => OTHER_KINDS[each]!.includes(table));
  if (kind === undefined || kind === 'waiting') throw new Error(`no kind of personal data is known for ${table}`);
  return kind;
}

/** Tables with personal data in the order of the record, with their columns. */
export const PROCESSED_TABLES: readonly { table: string; kind: keyof typeof PROCESSED; columns: readonly string[] }[] =
  Object.entries(PERSONAL_COLUMNS)
    .map(([table, columns]) => ({ table, kind: kindOf(table), columns: columns.split(' ') }))
    .sort((a, b) => order(a.kind) - order(b.kind));

function order(kind: keyof typeof PROCESSED): number {
  return Object.keys(PROCESSED).indexOf(kind);
}

/** Returns the key of the name of a kind. */
export const nameOf = (kind: keyof typeof PROCESSED): MessageKey =>
  kind in NAMES ? NAMES[kind as keyof typeof NAMES] : (`person.kind.${kind}` as MessageKey);

const NAMES = {
  users: 'processing.kind.users',
  sessions: 'processing.kind.sessions',
  customers: 'processing.kind.customers',
  payments: 'processing.kind.payments',
  senders: 'processing.kind.senders',
  requests: 'processing.kind.requests',
} as const satisfies Partial<Record<ProcessedKind, MessageKey>>;
