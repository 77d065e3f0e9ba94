import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
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

/**
 * Takes the keys of units for this transaction, and answers the units that need no more work. Such a unit was answered
 * before, or another process is handling a call with its key. Throws nothing: an error is returned for its unit.
 */
export async function takeKeys(
  db: Kysely<Database>,
  units: readonly Unit[],
  now: Date,
): Promise<ReadonlyMap<Unit, Outcome | BusinessError>> {
  const keyed = units.filter(({ idempotency }) => idempotency);
  const done = new Map<Unit, Outcome | BusinessError>();
  if (keyed.length === 0) return done;
  const { rows: locks } = await sql<{ taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(name, 24)) AS taken
    FROM unnest(${keyed.map(nameOf)}::text[]) AS name`.execute(db);
  // Read behind the lock, in its own statement. It sees what the last holder of the lock committed.
  const { rows } = await sql<Kept>`
    SELECT api_key_id, key, request_hash, status, answer FROM idempotency_key
    WHERE (api_key_id, key) IN (SELECT * FROM unnest(${keyed.map(({ program }) => program.api_key_id)}::bigint[],
      ${keyed.map(({ idempotency }) => idempotency!.key)}::text[])) AND created_at > ${oldest(now)}`.execute(db);
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
export async function keepAnswers(
  db: Kysely<Database>,
  outcomes: ReadonlyMap<Unit, Outcome>,
  now: Date,
): Promise<void> {
  const kept = [...outcomes].flatMap(([unit, { answer }]) => (unit.idempotency && answer ? [{ unit, answer }] : []));
  if (kept.length === 0) return;
  await sql`
    INSERT INTO idempotency_key (corporation_id, api_key_id, key, request_hash, status, answer, created_at)
    SELECT *, ${now.toISOString()}::timestamptz FROM unnest(${kept.map(({ unit }) => unit.program.corporation_id)}::bigint[],
      ${kept.map(({ unit }) => unit.program.api_key_id)}::bigint[], ${kept.map(({ unit }) => unit.idempotency!.key)}::text[],
      ${kept.map(({ unit }) => unit.idempotency!.hash)}::bytea[], ${kept.map(({ answer }) => answer.status)}::smallint[],
      ${kept.map(({ answer }) => answer.body)}::text[])
    ON CONFLICT (api_key_id, key) DO UPDATE SET request_hash = excluded.request_hash, status = excluded.status,
      answer = excluded.answer, created_at = excluded.created_at`.execute(db);
}
