import { type Kysely, sql } from 'kysely';
import { readModeration } from '#modules/moderation';
import type { Database } from '#platform/database/db';
import { isCommon } from './composer.ts';
import type { AudiencePlan, AudienceTotals } from './expand-audience.ts';
import type { Quote } from './quotes.ts';
import { plainFields } from './sealed-content.ts';

/** Smallest campaign that is sent while it is written, in messages. Smaller ones are written within a blink. */
const LARGE = 20_000;
/** Messages of a part. They are kept with the quote, because a part has the same messages at each try. */
const PART = 5_000;

/** Rows of an audience that a quote accepted: a bit for each, in the order in which they are read. */
export class AcceptedRows {
  #bits: Uint8Array;

  constructor(bits: Uint8Array = new Uint8Array(8_192)) {
    this.#bits = bits;
  }

  add(row: number): void {
    const place = row >> 3;
    if (place >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(place + 1, this.#bits.length * 2));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[place]! |= 1 << (row & 7);
  }

  has(row: number): boolean {
    return ((this.#bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
  }

  /** Returns the bits of the first rows. */
  bytes(rows: number): Buffer {
    return Buffer.from(this.#bits.subarray(0, (rows + 7) >> 3));
  }
}

/** Data that decides about the rows and texts of a campaign, besides its own content and its recorded prices. */
export interface Basis {
  part: number;
  rules: AudiencePlan['rules'];
  ending: string;
  /** Settings with which the file is read; null without a file. */
  file: Pick<NonNullable<AudiencePlan['sources']['file']>, 'reading' | 'columns' | 'mapping'> | null;
  /** Fingerprint of the blacklist and of everything else that may refuse a row. */
  refusals: string;
}

/** Rows that a quote accepted, and on what basis. */
export interface QuotedAudience {
  basis: Basis;
  accepted: AcceptedRows;
}

/**
 * Returns a fingerprint of what may refuse a row of a corporation's campaigns. Triggers count the changes of blacklists of
 * numbers, which are long. Every new or changed text has another id or transaction.
 */
export async function refusalsOf(db: Kysely<Database>, corporationId: number): Promise<string> {
  const { rows } = await sql<{ listed: number; words: string }>`
    SELECT (SELECT coalesce(sum(changes), 0)::bigint FROM blacklist_version WHERE corporation_id = ${corporationId}) AS listed,
      (SELECT concat(count(*), ' ', bit_xor(hashint8extended(id, xmin::text::bigint))) FROM blacklist_text) AS words`.execute(
    db,
  );
  return JSON.stringify(rows[0]!);
}

/**
 * Returns what a quote has to note before it reads anything, if its audience may be kept. Sources that may change at any
 * time are read again for the campaign, and so are small ones.
 */
export async function refusalsBefore(db: Kysely<Database>, quote: Quote): Promise<string | null> {
  const { list_ids, segment_ids } = plainFields(quote.content);
  const isSmall = quote.rows_expected !== null && quote.rows_expected < LARGE;
  return isSmall || list_ids.length > 0 || segment_ids.length > 0 ? null : refusalsOf(db, quote.corporation_id);
}

/**
 * Returns the basis of a plan as text, which is equal as long as nothing has changed. Returns null if rows may be decided
 * by something else: slices of tests, consents, limits of a recipient, registrations, web addresses, templates and short links are
 * decided while the messages are written. Values of contacts are read then, too.
 */
export function basisOf(plan: AudiencePlan, refusals: string): string | null {
  const { sources, limits, consent, unregistered, web, templates, short_link_base, skip_blacklist, contact_values } =
    plan;
  if (sources.lists.length > 0 || sources.segments.length > 0 || plan.slice) return null;
  if (limits.exhausted || consent || unregistered || web || templates || contact_values) return null;
  if (short_link_base !== null && !isCommon(plan)) return null;
  const { file } = sources;
  const basis: Basis = {
    part: PART,
    rules: plan.rules,
    ending: plan.ending,
    file: file && { reading: file.reading, columns: file.columns, mapping: file.mapping },
    refusals: JSON.stringify([refusals, skip_blacklist, limits.max_price]),
  };
  return JSON.stringify(basis);
}

/** Keeps the rows that a large quote accepted. A retry of the quote replaces them. */
export async function keepAudience(
  db: Kysely<Database>,
  { id, corporation_id }: Pick<Quote, 'id' | 'corporation_id'>,
  basis: string | null,
  accepted: AcceptedRows,
  { rows_read, total_count }: Pick<AudienceTotals, 'rows_read' | 'total_count'>,
): Promise<void> {
  if (basis === null || total_count < LARGE) return;
  const kept = { basis, accepted: accepted.bytes(rows_read) };
  await db
    .insertInto('quote_audience')
    .values({ quote_id: id, corporation_id, ...kept })
    .onConflict((conflict) => conflict.column('quote_id').doUpdateSet(kept))
    .execute();
}

/** Reads the rows that a quote accepted; undefined if they were not kept. */
export async function findAudience(
  db: Kysely<Database>,
  quoteId: number | null,
): Promise<(QuotedAudience & { text: string }) | undefined> {
  if (quoteId === null) return undefined;
  const row = await db
    .selectFrom('quote_audience')
    .select(['basis', 'accepted'])
    .where('quote_id', '=', quoteId)
    .executeTakeFirst();
  return row && { text: row.basis, basis: JSON.parse(row.basis) as Basis, accepted: new AcceptedRows(row.accepted) };
}

/** Tells if a quote's accepted rows are kept: they are until all of its messages are written. */
export async function hasAudience(db: Kysely<Database>, quoteId: number | null): Promise<boolean> {
  if (quoteId === null) return false;
  const row = await db
    .selectFrom('quote_audience')
    .select('quote_id')
    .where('quote_id', '=', quoteId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Tells if a moderator may have to decide about a campaign before any of its messages leaves. */
export async function mayBeHeld(
  db: Kysely<Database>,
  { corporation_id, sender_id }: { corporation_id: number; sender_id: string },
): Promise<boolean> {
  return (await readModeration(db)).of('campaigns', corporation_id, sender_id) !== null;
}
