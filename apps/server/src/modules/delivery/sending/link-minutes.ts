import { LINK_MINUTE_COUNTS } from '@heliograph/contract/links/link-history';
import type pg from 'pg';
import { numberArray } from '#platform/database/array-literal';

const MINUTE = 60_000;
/** Maximum minutes that wait to be stored while the database is away, and maximum codes of errors in one of them. */
const KEPT = 60;
const CODES = 20;

type Counts = Record<(typeof LINK_MINUTE_COUNTS)[number], number>;

/** Traffic of one link in one minute. */
export interface LinkMinute extends Counts {
  /** Epoch milliseconds of its beginning. */
  minute: number;
  /** Number of answers other than success, by the name of their status. */
  errors: Record<string, number>;
}

const emptyMinute = (minute: number): LinkMinute => {
  const counts = Object.fromEntries(LINK_MINUTE_COUNTS.map((count) => [count, 0])) as Counts;
  return { minute, ...counts, errors: {} };
};

/** Counts of one link by minute, until they are stored. */
export class LinkMinutes {
  readonly #now: () => number;
  #current: LinkMinute;
  #over: LinkMinute[] = [];

  constructor(now: () => number) {
    this.#now = now;
    this.#current = emptyMinute(this.#minute);
  }

  get #minute(): number {
    return Math.floor(this.#now() / MINUTE) * MINUTE;
  }

  /** Adds to a count of the present minute. */
  add(count: keyof Counts, by: number): void {
    this.#turn();
    this.#current[count] += by;
  }

  /** Adds an answer other than success. */
  error(code: string): void {
    this.#turn();
    const { errors } = this.#current;
    const known = Object.hasOwn(errors, code) || Object.keys(errors).length < CODES;
    const key = known ? code : 'other';
    errors[key] = (errors[key] ?? 0) + 1;
  }

  /** Takes the minutes that are over, or also the present one. Minutes without traffic are left out. */
  take(andPresent = false): LinkMinute[] {
    this.#turn();
    if (andPresent) this.#end();
    return this.#over.splice(0);
  }

  /** Takes minutes back that could not be stored. */
  keep(minutes: readonly LinkMinute[]): void {
    this.#over = [...minutes, ...this.#over].slice(-KEPT);
  }

  #turn(): void {
    if (this.#minute > this.#current.minute) this.#end();
  }

  #end(): void {
    if (LINK_MINUTE_COUNTS.some((count) => this.#current[count] !== 0)) this.#over.push(this.#current);
    this.#over.splice(0, this.#over.length - KEPT);
    this.#current = emptyMinute(this.#minute);
  }
}

// Another sender may have held the link earlier in the same minute.
const ADD = `
  INSERT INTO link_minute AS m (link_id, minute, errors, ${LINK_MINUTE_COUNTS.join()})
  SELECT u.id, to_timestamp(u.minute / 1000), u.errors, ${LINK_MINUTE_COUNTS.map((count) => `greatest(u.${count}, 0)`).join()}
  FROM unnest($1::bigint[], $2::float8[], $3::jsonb[], ${LINK_MINUTE_COUNTS.map((_, i) => `$${i + 4}::bigint[]`).join()})
    AS u(id, minute, errors, ${LINK_MINUTE_COUNTS.join()}) JOIN link USING (id)
  ON CONFLICT (minute, link_id) DO UPDATE SET errors = add_counts(m.errors, excluded.errors),
    ${LINK_MINUTE_COUNTS.map((count) => `${count} = m.${count} + excluded.${count}`).join()}`;

/** Link whose minutes are stored. */
export interface MinutesOf {
  id: number;
  minutes: Pick<LinkMinutes, 'take' | 'keep'>;
}

/** Stores the minutes that are over, also the present ones if asked. What cannot be stored waits for the next time. */
export async function storeMinutes(pool: pg.Pool, links: readonly MinutesOf[], andPresent = false): Promise<void> {
  const taken = links.map(({ id, minutes }) => ({ id, minutes, rows: minutes.take(andPresent) }));
  const rows = taken.flatMap(({ id, rows: some }) => some.map((row) => ({ id, ...row })));
  if (rows.length === 0) return;
  try {
    await pool.query(ADD, [
      numberArray(rows.map(({ id }) => id)),
      numberArray(rows.map(({ minute }) => minute)),
      rows.map(({ errors }) => JSON.stringify(errors)),
      ...LINK_MINUTE_COUNTS.map((count) => numberArray(rows.map((row) => Math.round(row[count])))),
    ]);
  } catch (error) {
    for (const { minutes, rows: some } of taken) minutes.keep(some);
    throw error;
  }
}
