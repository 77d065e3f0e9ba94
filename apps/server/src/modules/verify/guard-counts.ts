import { numberArray, plainArray, textArray } from '#platform/database/array-literal';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import type { Count, History, Known } from './guard.ts';
import {
  BUCKETS_OF_AN_HOUR,
  bucketOf,
  type Counter,
  type GuardKeys,
  KINDS,
  type Kind,
  type Person,
  prefixesOf,
  reputationValues,
} from './guard-keys.ts';

/** Person at a service whose starts are counted. */
export interface Counted {
  service_id: number;
  corporation_id: number;
  /** True if the service has a reputation list. */
  listed: boolean;
  person: Person;
  counters: readonly Counter[];
  prefixes: ReturnType<typeof prefixesOf>;
}

/** Returns a person at a service, with the keys of the counters. */
export const countedOf = (
  keys: GuardKeys,
  { id, corporation_id, reputation_lines }: { id: number; corporation_id: number; reputation_lines: number },
  person: Person,
): Counted => ({
  service_id: id,
  corporation_id,
  listed: reputation_lines > 0,
  person,
  counters: keys.of(id, person),
  prefixes: prefixesOf(person.number),
});

// Each key is looked up by itself: the planner would otherwise join with all counters of the service.
const COUNTERS = `
  SELECT w.place, c.starts, c.approved
  FROM unnest($1::bigint[], $2::smallint[], $3::text[]) WITH ORDINALITY AS w(service_id, kind, key, place)
  CROSS JOIN LATERAL (SELECT sum(starts)::integer AS starts, sum(approved)::integer AS approved FROM verify_counter c
    WHERE c.service_id = w.service_id AND c.kind = w.kind AND c.key = decode(w.key, 'hex') AND c.bucket > $4::integer) c
  WHERE c.starts IS NOT NULL`;

const PREFIXES = `
  SELECT p.service_id, p.prefix, fresh_starts * power(0.5, least(age * 60, 1000)) AS fresh_starts, hour_starts * power(0.5, least(age, 1000)) AS hour_starts, hour_approved * power(0.5, least(age, 1000)) AS hour_approved,
    recent_starts * power(0.5, age / 6) AS recent_starts, recent_approved * power(0.5, age / 6) AS recent_approved,
    past_starts * power(0.5, age / 168) AS past_starts, past_approved * power(0.5, age / 168) AS past_approved
  FROM (SELECT DISTINCT * FROM unnest($1::bigint[], $2::text[])) AS w(service_id, prefix)
  CROSS JOIN LATERAL (SELECT * FROM verify_prefix p WHERE p.service_id = w.service_id AND p.prefix = w.prefix OFFSET 0) p
  CROSS JOIN LATERAL (SELECT greatest(0, extract(epoch FROM $3::timestamptz - p.at)::float8 / 3600) AS age) a`;

const REPUTATION = `
  SELECT w.place, min(r.reason) AS reason FROM unnest($1::bigint[], $2::text[], $3::integer[]) AS w(service_id, value, place)
  CROSS JOIN LATERAL (SELECT reason FROM verify_reputation r WHERE r.service_id = w.service_id AND r.value = w.value OFFSET 0) r
  GROUP BY w.place`;

// Rows are changed in the order of their keys, so that two transactions never wait for each other.
const ADD_COUNTERS = `
  INSERT INTO verify_counter AS c (service_id, corporation_id, kind, key, bucket, starts, approved)
  SELECT service_id, corporation_id, kind, decode(key, 'hex'), $5::integer, starts, approved
  FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[], $6::integer[], $7::integer[])
    AS w(service_id, corporation_id, kind, key, starts, approved)
  ON CONFLICT (service_id, kind, key, bucket) DO UPDATE SET starts = c.starts + excluded.starts, approved = c.approved + excluded.approved`;

const faded = (column: string, hours: number) =>
  `${column} = p.${column} * power(0.5, least(1000, greatest(0, extract(epoch FROM excluded.at - p.at)::float8 / ${hours * 3_600}))) + excluded.${column}`;
const ADD_PREFIXES = `
  INSERT INTO verify_prefix AS p (service_id, corporation_id, prefix, fresh_starts, hour_starts, hour_approved, recent_starts, recent_approved,
    past_starts, past_approved, at)
  SELECT service_id, corporation_id, prefix, starts, starts, approved, starts, approved, starts, approved, $6::timestamptz
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::integer[], $5::integer[]) AS w(service_id, corporation_id, prefix, starts, approved)
  ON CONFLICT (service_id, prefix) DO UPDATE SET ${faded('fresh_starts', 1 / 60)}, ${faded('hour_starts', 1)}, ${faded('hour_approved', 1)},
    ${faded('recent_starts', 6)}, ${faded('recent_approved', 6)}, ${faded('past_starts', 168)}, ${faded('past_approved', 168)},
    at = greatest(p.at, excluded.at)`;

interface CounterRow extends Counter, Count {
  service_id: number;
  corporation_id: number;
}
interface PrefixRow extends Count {
  service_id: number;
  corporation_id: number;
  prefix: string;
}

const byKey = (a: readonly [string, unknown], b: readonly [string, unknown]) =>
  a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;

const placeOf = (service_id: number, prefix: string): string => `${service_id} ${prefix}`;

/** Counts of one time that a transaction adds, one row for each counter and prefix. */
export class Added {
  readonly #bucket: number;
  readonly #counters = new Map<string, CounterRow>();
  readonly #prefixes = new Map<string, PrefixRow>();

  constructor(at: Date) {
    this.#bucket = bucketOf(at);
  }

  /** Adds a start or an approval. A start without a code is not counted for prefixes: nobody could enter it. */
  add({ service_id, corporation_id, counters, prefixes }: Counted, count: Count, { sent = true } = {}): void {
    for (const { kind, key } of counters) {
      const row = this.#counters.get(key);
      if (row) plus(row, count);
      else this.#counters.set(key, { service_id, corporation_id, kind, key, ...count });
    }
    if (!sent) return;
    for (const prefix of new Set(Object.values(prefixes))) {
      const place = placeOf(service_id, prefix);
      const row = this.#prefixes.get(place);
      if (row) plus(row, count);
      else this.#prefixes.set(place, { service_id, corporation_id, prefix, ...count });
    }
  }

  /** Returns what this transaction has added to a counter. */
  counter(key: string): Count {
    return this.#counters.get(key) ?? NONE;
  }

  prefix(place: string): Count {
    return this.#prefixes.get(place) ?? NONE;
  }

  /** Sends the statements that write them. */
  async write(sent: Queryable, now: Date): Promise<void> {
    const counters = [...this.#counters].sort(byKey).map(([, row]) => row);
    const prefixes = [...this.#prefixes].sort(byKey).map(([, row]) => row);
    await Promise.all([
      counters.length > 0 &&
        rowsOf(sent, ADD_COUNTERS, [
          numberArray(counters.map((row) => row.service_id)),
          numberArray(counters.map((row) => row.corporation_id)),
          numberArray(counters.map(({ kind }) => KINDS[kind])),
          plainArray(counters.map(({ key }) => key)),
          this.#bucket,
          numberArray(counters.map(({ starts }) => starts)),
          numberArray(counters.map(({ approved }) => approved)),
        ]),
      prefixes.length > 0 &&
        rowsOf(sent, ADD_PREFIXES, [
          numberArray(prefixes.map((row) => row.service_id)),
          numberArray(prefixes.map((row) => row.corporation_id)),
          textArray(prefixes.map(({ prefix }) => prefix)),
          numberArray(prefixes.map(({ starts }) => starts)),
          numberArray(prefixes.map(({ approved }) => approved)),
          now.toISOString(),
        ]),
    ]);
  }
}

const NONE: Count = { starts: 0, approved: 0 };

function plus(row: Count, { starts, approved }: Count): void {
  row.starts += starts;
  row.approved += approved;
}

const sum = (a: Count, b: Count): Count => ({ starts: a.starts + b.starts, approved: a.approved + b.approved });

type Stored = Record<`${'hour' | 'recent' | 'past'}_${'starts' | 'approved'}` | 'fresh_starts', number>;
const historyOf = (row: Stored | undefined, more: Count): History => {
  const part = (name: 'hour' | 'recent' | 'past') =>
    sum(row ? { starts: row[`${name}_starts`], approved: row[`${name}_approved`] } : NONE, more);
  return {
    fresh: (row?.fresh_starts ?? 0) + more.starts,
    hour: part('hour'),
    recent: part('recent'),
    past: part('past'),
  };
};

/**
 * Reads what is known about some starts. The returned function adds what `added` has counted since, so that starts of one
 * transaction see each other.
 */
export async function readKnown(
  sent: Queryable,
  starts: readonly Counted[],
  now: Date,
): Promise<(start: Counted, added: Added) => Known> {
  const counters = starts.flatMap((start) => start.counters.map((each) => ({ start, ...each })));
  const prefixes = starts.flatMap((start) =>
    Object.values(start.prefixes).map((prefix) => ({ service_id: start.service_id, prefix })),
  );
  const listed = starts.flatMap((start, place) =>
    start.listed ? reputationValues(start.person).map((value) => ({ service_id: start.service_id, value, place })) : [],
  );
  const [counts, histories, reasons] = await Promise.all([
    rowsOf<Count & { place: number }>(sent, COUNTERS, [
      numberArray(counters.map(({ start }) => start.service_id)),
      numberArray(counters.map(({ kind }) => KINDS[kind])),
      plainArray(counters.map(({ key }) => key)),
      bucketOf(now) - BUCKETS_OF_AN_HOUR,
    ]),
    rowsOf<Stored & { service_id: number; prefix: string }>(sent, PREFIXES, [
      numberArray(prefixes.map(({ service_id }) => service_id)),
      textArray(prefixes.map(({ prefix }) => prefix)),
      now.toISOString(),
    ]),
    listed.length === 0
      ? []
      : rowsOf<{ place: number; reason: string }>(sent, REPUTATION, [
          numberArray(listed.map(({ service_id }) => service_id)),
          textArray(listed.map(({ value }) => value)),
          numberArray(listed.map(({ place }) => place)),
        ]),
  ]);
  const counted = new Map(
    counts.map(({ place, starts: from, approved }) => [counters[place - 1]!.key, { starts: from, approved }]),
  );
  const history = new Map(histories.map((row) => [placeOf(row.service_id, row.prefix), row]));
  const reason = new Map(reasons.map((row) => [starts[row.place], row.reason]));
  return (start, added) => {
    const countOf = (kind: Kind): Count | null => {
      const key = start.counters.find((each) => each.kind === kind)?.key;
      return key === undefined ? null : sum(counted.get(key) ?? NONE, added.counter(key));
    };
    const of = (prefix: string) => {
      const place = placeOf(start.service_id, prefix);
      return historyOf(history.get(place), added.prefix(place));
    };
    const { near, wide, range, service } = start.prefixes;
    return {
      number: countOf('number')!,
      address: countOf('address'),
      device: countOf('device'),
      block: countOf('block')!,
      near: of(near),
      wide: of(wide),
      range: of(range),
      service: of(service),
      reputation: reason.get(start) ?? null,
    };
  };
}
