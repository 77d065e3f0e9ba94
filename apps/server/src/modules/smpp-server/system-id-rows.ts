import { type Queryable, rowsOf } from '#platform/database/queryable';
import type { MessageClass } from '#platform/database/schema';

/** A system id as the server uses it. */
export interface SystemId {
  id: number;
  system_id: string;
  corporation_id: number;
  department_id: number | null;
  user_id: number;
  /** Null if its person has none, and cannot send. */
  billing_account_id: number | null;
  /** Maximum minutes for which a message of the account is valid. */
  most_minutes: number;
  password_hash: string | null;
  addresses: string[];
  max_binds: number;
  window_size: number;
  /** Messages per second; null for no limit but that of the corporation. */
  rate: number | null;
  default_class: MessageClass;
  classes: string[];
  default_charset: 'gsm' | 'gsm_packed' | 'latin1' | 'ascii';
  octets: 'refuse' | 'latin1' | 'utf8';
  receives_replies: boolean;
  /** True if it, its person, their corporation and their department are enabled, and the person connects by SMPP. */
  usable: boolean;
}

const READ = `
  SELECT s.id, s.system_id, s.corporation_id, u.department_id, s.user_id, u.billing_account_id,
    coalesce(b.sms_validity, 12) * 60 AS most_minutes, s.password_hash, s.addresses,
    s.max_binds, s.window_size, s.rate, s.default_class, s.classes, s.default_charset, s.octets, s.receives_replies,
    s.enabled AND u.enabled AND c.enabled AND coalesce(d.enabled, true) AND upper(t.name) = 'SMPP' AS usable
  FROM smpp_system_id s JOIN user_account u ON u.id = s.user_id JOIN corporation c ON c.id = s.corporation_id
  JOIN connection_type t ON t.id = u.connection_type_id
  LEFT JOIN department d ON d.id = u.department_id
  LEFT JOIN billing_account b ON b.id = u.billing_account_id`;

/** Answers the system id of that name; undefined if there is none. */
export async function findSystemId(db: Queryable, name: string): Promise<SystemId | undefined> {
  return (await rowsOf<SystemId>(db, `${READ} WHERE s.system_id = $1`, [name]))[0];
}

/** Answers those of the given system ids that still exist. */
export const readSystemIds = (db: Queryable, ids: readonly number[]): Promise<SystemId[]> =>
  rowsOf<SystemId>(db, `${READ} WHERE s.id = ANY ($1)`, [ids]);
