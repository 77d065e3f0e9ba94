import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Kysely, Selectable } from 'kysely';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import { firstDayOf } from './period.ts';

/** Limit with the time zone and currency of its corporation. */
export type Limit = Pick<
  Selectable<Database['sending_limit']>,
  'id' | 'corporation_id' | 'name' | 'kind' | 'class' | 'period' | 'messages' | 'spend'
> & {
  user_id: number | null;
  api_key_id: number | null;
  sender_id_id: number | null;
  timezone: string;
  currency: string;
};

/** One message of a program, or all messages of a campaign, as limits count them. */
export interface Counted {
  corporation_id: number;
  user_id: number;
  /** Null for the console and SMPP. */
  api_key_id: number | null;
  sender_id_id: number;
  class: 'otp' | 'transactional' | 'bulk';
  /** Recipient, digits only; null for a campaign, whose recipients are counted with its messages. */
  msisdn: string | null;
  messages: number;
  /** Thousandths. */
  cost: number;
}

/** Amount that a limit counted for a subject in the period that begins on a day. */
export interface Count {
  limit_id: number;
  corporation_id: number;
  starts_on: string;
  subject: number;
  amount: number;
}

const LIMITS = `
  SELECT l.id, l.corporation_id, l.name, l.kind, l.class, l.period, l.messages, l.spend, l.user_id, l.api_key_id,
    l.sender_id_id, c.timezone, c.currency
  FROM sending_limit l JOIN corporation c ON c.id = l.corporation_id
  WHERE l.corporation_id = ANY ($1::bigint[]) AND l.enabled AND num_nonnulls(l.messages, l.spend) = 1 ORDER BY l.id`;

// The conflict locks the row, so that the amount stays true until the transaction ends. Rows are locked in one order.
const LOCK = `
  INSERT INTO sending_limit_use (limit_id, corporation_id, starts_on, subject, used)
  SELECT limit_id, corporation_id, starts_on, subject, 0
  FROM unnest($1::bigint[], $2::bigint[], $3::date[], $4::bigint[]) AS k(limit_id, corporation_id, starts_on, subject)
  ORDER BY limit_id, starts_on, subject
  ON CONFLICT (limit_id, starts_on, subject) DO UPDATE SET used = sending_limit_use.used
  RETURNING limit_id, starts_on::text AS starts_on, subject, used`;
const READ = `
  SELECT limit_id, starts_on::text AS starts_on, subject, used FROM sending_limit_use u
  JOIN unnest($1::bigint[], $2::bigint[], $3::date[], $4::bigint[]) AS k(limit_id, corporation_id, starts_on, subject)
    USING (limit_id, starts_on, subject)`;
const ADD = `
  UPDATE sending_limit_use u SET used = greatest(0, u.used + k.amount)
  FROM unnest($1::bigint[], $2::bigint[], $3::date[], $4::bigint[], $5::bigint[])
    AS k(limit_id, corporation_id, starts_on, subject, amount)
  WHERE u.limit_id = k.limit_id AND u.starts_on = k.starts_on AND u.subject = k.subject`;

const columnsOf = (counts: readonly Count[]) => [
  counts.map((each) => each.limit_id),
  counts.map((each) => each.corporation_id),
  counts.map((each) => each.starts_on),
  counts.map((each) => each.subject),
];
const keyOf = ({ limit_id, starts_on, subject }: Pick<Count, 'limit_id' | 'starts_on' | 'subject'>) =>
  `${limit_id} ${starts_on} ${subject}`;

/** Reads the limits of corporations that are in force. */
export const readLimits = (db: Kysely<Database>, corporations: readonly number[]): Promise<Limit[]> =>
  rowsOf<Limit>(db, LIMITS, [corporations]);

/** Returns the subject under which a limit counts an entry, or null if the limit is not about it. */
function subjectOf(limit: Limit, entry: Counted): number | null {
  if (limit.corporation_id !== entry.corporation_id || (limit.class !== null && limit.class !== entry.class))
    return null;
  const only = (own: number | null, of: number | null) => (own === null || own === of ? of : null);
  switch (limit.kind) {
    case 'recipient':
      return entry.msisdn === null ? null : Number(entry.msisdn);
    case 'user':
      return only(limit.user_id, entry.user_id);
    case 'api_key':
      return only(limit.api_key_id, entry.api_key_id);
    case 'sender_id':
      return only(limit.sender_id_id, entry.sender_id_id);
    default:
      return entry.corporation_id;
  }
}

/** Returns the amount by which a limit counts an entry: its messages, or its cost in thousandths. */
const amountOf = (limit: Limit, entry: Counted) => (limit.messages === null ? entry.cost : entry.messages);
const inWords = ({ messages, currency }: Limit, amount: number) =>
  messages === null ? `${fromThousandths(amount)} ${currency}` : amount.toLocaleString('en');

/** Makes the refusal of an entry, which names the limit, its amount and the rest. */
function refusal(limit: Limit, needed: number, left: number): BusinessError {
  const allowed = (limit.messages ?? limit.spend)!;
  const shown = { name: limit.name, limit: inWords(limit, allowed), needed: inWords(limit, needed) };
  if (limit.kind === 'message') return new BusinessError('price_above_limit', { params: shown });
  return new BusinessError('sending_limit_reached', { params: { ...shown, left: inWords(limit, Math.max(0, left)) } });
}

/** Limits of a transaction's messages, with the amounts that were used so far. */
export class OpenLimits {
  readonly #db: Kysely<Database>;
  readonly #limits: readonly Limit[];
  readonly #now: Date;
  readonly #used = new Map<string, Count>();
  readonly #added = new Map<string, Count>();

  private constructor(db: Kysely<Database>, limits: readonly Limit[], now: Date) {
    this.#db = db;
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Reads the limits that are about some entries. With `lock`, other transactions that count for the same subjects wait
   * until this one ends, so that no limit is passed.
   */
  static async of(
    db: Kysely<Database>,
    entries: readonly Counted[],
    now: Date,
    { lock = true }: { lock?: boolean } = {},
  ): Promise<OpenLimits> {
    const limits = await readLimits(db, [...new Set(entries.map((each) => each.corporation_id))]);
    const open = new OpenLimits(db, limits, now);
    const keys = new Map<string, Count>();
    for (const limit of limits)
      for (const entry of entries) {
        const count = open.#countOf(limit, entry);
        if (count) keys.set(keyOf(count), count);
      }
    if (keys.size === 0) return open;
    const rows = await rowsOf<Count & { used: number }>(db, lock ? LOCK : READ, columnsOf([...keys.values()]));
    for (const row of rows) open.#used.set(keyOf(row), { ...row, amount: row.used });
    return open;
  }

  /** Counts an entry, or returns the refusal of the limit that has too little left. A refused entry counts nowhere. */
  take(entry: Counted): BusinessError | null {
    const counts: Count[] = [];
    for (const limit of this.#limits) {
      const needed = amountOf(limit, entry);
      if (limit.kind === 'message') {
        if (subjectOf(limit, entry) !== null && entry.msisdn !== null && needed > limit.spend!)
          return refusal(limit, needed, 0);
        continue;
      }
      const count = this.#countOf(limit, entry);
      if (!count) continue;
      const key = keyOf(count);
      const used = (this.#used.get(key)?.amount ?? 0) + (this.#added.get(key)?.amount ?? 0);
      const left = (limit.messages ?? limit.spend)! - used;
      if (needed > left) return refusal(limit, needed, left);
      counts.push(count);
    }
    for (const count of counts) {
      const key = keyOf(count);
      this.#added.set(key, { ...count, amount: count.amount + (this.#added.get(key)?.amount ?? 0) });
    }
    return null;
  }

  /** Stores everything that was taken, and returns it. */
  async write(): Promise<Count[]> {
    const added = [...this.#added.values()].filter(({ amount }) => amount > 0);
    await addCounts(this.#db, added);
    return added;
  }

  #countOf(limit: Limit, entry: Counted): Count | null {
    const subject = limit.kind === 'message' ? null : subjectOf(limit, entry);
    if (subject === null) return null;
    const starts_on = firstDayOf(limit.period as Period, this.#now, limit.timezone);
    return {
      limit_id: limit.id,
      corporation_id: limit.corporation_id,
      starts_on,
      subject,
      amount: amountOf(limit, entry),
    };
  }
}

type Period = Parameters<typeof firstDayOf>[0];

/** Adds amounts to rows that the transaction holds; amounts below 0 are given back. */
export async function addCounts(db: Kysely<Database>, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return;
  await rowsOf(db, ADD, [...columnsOf(counts), counts.map(({ amount }) => amount)]);
}

/** Locks the rows of some counts until the transaction ends, in the order of all. */
export async function lockCounts(db: Kysely<Database>, counts: readonly Count[]): Promise<void> {
  if (counts.length > 0) await rowsOf(db, LOCK, columnsOf(counts));
}
