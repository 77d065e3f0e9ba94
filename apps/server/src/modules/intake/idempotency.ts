import { together } from '#modules/delivery';
import { numberArray, textArray } from '#platform/database/array-literal';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import type { Outcome, Unit } from './program.ts';

/** Hours for which an answer is kept for repetitions. */
export const KEPT_HOURS = 24;

interface Kept {
  api_key_id: number;
  key: string;
  request_hash: Buffer;
  status: number;
  answer: string;
}

const nameOf = ({ program, idempotency }: Unit): string => `${program.api_key_id} ${idempotency!.key}`;

const LOCK = `SELECT pg_try_advisory_xact_lock(hashtextextended(name, 24)) AS taken FROM unnest($1::text[]) AS name`;

const KEPT = `
  SELECT api_key_id, key, request_hash, status, answer FROM idempotency_key
  WHERE (api_key_id, key) IN (SELECT * FROM unnest($1::bigint[], $2::text[])) AND created_at > $3`;

const KEEP = `
  INSERT INTO idempotency_key (corporation_id, api_key_id, key, request_hash, status, answer, created_at)
  SELECT *, $1::timestamptz FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bytea[], $6::smallint[], $7::text[])
  ON CONFLICT (api_key_id, key) DO UPDATE SET request_hash = excluded.request_hash, status = excluded.status,
    answer = excluded.answer, created_at = excluded.created_at`;

/**
 * Takes the keys of units for this transaction, and answers the units that need no more work. Such a unit was answered
 * before, or another process is handling a call with its key. Throws nothing: an error is returned for its unit.
 */
export async function takeKeys(
  db: Queryable,
  units: readonly Unit[],
  now: Date,
): Promise<ReadonlyMap<Unit, Outcome | BusinessError>> {
  const keyed = units.filter(({ idempotency }) => idempotency);
  const done = new Map<Unit, Outcome | BusinessError>();
  if (keyed.length === 0) return done;
  const names = keyed.map(nameOf);
  // The keys are read behind the lock, in a statement of their own. It sees what the last holder of the lock committed.
  const [locks, rows] = await together([
    rowsOf<{ taken: boolean }>(db, LOCK, [textArray(names)]),
    rowsOf<Kept>(db, KEPT, [
      numberArray(keyed.map(({ program }) => program.api_key_id)),
      textArray(keyed.map(({ idempotency }) => idempotency!.key)),
      oldest(now),
    ]),
  ]);
  const kept = new Map(rows.map((row) => [`${row.api_key_id} ${row.key}`, row]));
  for (const [place, unit] of keyed.entries()) {
    const known = kept.get(nameOf(unit));
    if (!locks[place]!.taken) done.set(unit, new BusinessError('idempotency_in_flight', { retryAfter: 1 }));
    else if (known) done.set(unit, repeated(unit, known));
  }
  return done;
}

const oldest = (now: Date) => new Date(now.getTime() - KEPT_HOURS * 3_600_000).toISOString();

function repeated(unit: Unit, { request_hash, status, answer }: Kept): Outcome | BusinessError {
  if (!request_hash.equals(unit.idempotency!.hash)) return new BusinessError('idempotency_key_reused');
  return { results: [], batch_id: null, answer: { status, body: answer }, replayed: true };
}

/** Stores the answers to accepted units. A refusal leaves its key free. */
export async function keepAnswers(db: Queryable, outcomes: ReadonlyMap<Unit, Outcome>, now: Date): Promise<void> {
  const kept = [...outcomes].flatMap(([unit, { answer }]) => (unit.idempotency && answer ? [{ unit, answer }] : []));
  if (kept.length === 0) return;
  await rowsOf(db, KEEP, [
    now.toISOString(),
    numberArray(kept.map(({ unit }) => unit.program.corporation_id)),
    numberArray(kept.map(({ unit }) => unit.program.api_key_id)),
    textArray(kept.map(({ unit }) => unit.idempotency!.key)),
    kept.map(({ unit }) => unit.idempotency!.hash),
    numberArray(kept.map(({ answer }) => answer.status)),
    textArray(kept.map(({ answer }) => answer.body)),
  ]);
}
