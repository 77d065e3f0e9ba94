/** Version of the Open Cybersecurity Schema Framework (OCSF) that the events follow. */
export const OCSF_VERSION = '1.8.0';

/** Entry of the activity log as a stream reads it. */
export interface Entry {
  position: number;
  id: number;
  corporation_id: number | null;
  name: string;
  description: string;
  subject_type: string;
  subject_id: number | null;
  causer_id: number | null;
  causer_name: string | null;
  properties: unknown;
  /** RFC 3339 in UTC, with microseconds. */
  created_at: string;
  /** Text that the hash covers, after the hash of the entry before. */
  text: string;
  hash: string;
  previous_hash: string | null;
}

interface OcsfClass {
  category_uid: number;
  class_uid: number;
  class_name: string;
}
const ACCOUNT_CHANGE: OcsfClass = { category_uid: 3, class_uid: 3001, class_name: 'Account Change' };
const AUTHENTICATION: OcsfClass = { category_uid: 3, class_uid: 3002, class_name: 'Authentication' };
const API_ACTIVITY: OcsfClass = { category_uid: 6, class_uid: 6003, class_name: 'API Activity' };

const OTHER = 99;
/** Activities of sessions, by the description of an entry. */
const SESSIONS: Readonly<Record<string, number>> = {
  'signed in': 1,
  'signed out': 2,
  'support session begun': 1,
  'support session ended': 2,
};
/** Activities of accounts, by the description of an entry about a person. */
const ACCOUNTS: Readonly<Record<string, number>> = {
  created: 1,
  invited: 1,
  enable: 2,
  changed: 3,
  reset: 4,
  'reset link sent': 4,
  disable: 5,
  deleted: 6,
  'passkey added': 10,
  'authenticator added': 10,
  'passkey removed': 11,
  'authenticator removed': 11,
  unlocked: 12,
};
/** Activities of all other records, by the description of an entry. */
const CALLS: Readonly<Record<string, number>> = { created: 1, updated: 3, changed: 3, renamed: 3, deleted: 4 };
const PEOPLE: ReadonlySet<string> = new Set(['users', 'passkeys']);
const SUCCESS = 1;
const INFORMATIONAL = 1;

function classOf({ description, subject_type }: Entry): { of: OcsfClass; activity_id: number } {
  const session = SESSIONS[description];
  if (session !== undefined) return { of: AUTHENTICATION, activity_id: session };
  if (PEOPLE.has(subject_type)) return { of: ACCOUNT_CHANGE, activity_id: ACCOUNTS[description] ?? OTHER };
  return { of: API_ACTIVITY, activity_id: CALLS[description] ?? OTHER };
}

/** Writes an entry as an OCSF event of the class Account Change, Authentication or API Activity. */
export function toOcsf(entry: Entry): Record<string, unknown> {
  const { of, activity_id } = classOf(entry);
  const uid = entry.subject_id === null ? undefined : String(entry.subject_id);
  const person = { uid, type: 'User', type_id: 1 };
  return {
    metadata: {
      version: OCSF_VERSION,
      product: { name: 'Heliograph', vendor_name: 'Heliograph' },
      uid: String(entry.id),
      sequence: entry.position,
      event_code: `${entry.name}.${entry.description.replace(/[ -]/g, '_')}`,
      original_time: entry.created_at,
      log_name: 'activity-logs',
      ...(entry.corporation_id !== null && { tenant_uid: String(entry.corporation_id) }),
    },
    time: Date.parse(entry.created_at),
    ...of,
    activity_id,
    activity_name: entry.description,
    type_uid: of.class_uid * 100 + activity_id,
    severity_id: INFORMATIONAL,
    status_id: SUCCESS,
    actor:
      entry.causer_id === null
        ? { app_name: 'system' }
        : { user: { uid: String(entry.causer_id), ...(entry.causer_name !== null && { name: entry.causer_name }) } },
    ...(of === API_ACTIVITY
      ? {
          api: { operation: `${entry.name}.${entry.description}`, service: { name: entry.name } },
          resources: [{ type: entry.subject_type, ...(uid !== undefined && { uid }) }],
          src_endpoint: { svc_name: 'heliograph' },
        }
      : { user: person }),
    raw_data: entry.text,
    // Links of the log's chain, with which a customer checks a part of it.
    unmapped: {
      position: entry.position,
      hash: entry.hash,
      previous_hash: entry.previous_hash,
      properties: entry.properties,
    },
  };
}
