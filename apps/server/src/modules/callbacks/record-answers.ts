import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { failpoint } from '#platform/failpoints';
import type { Due } from './lanes.ts';
import { pauseEndpoints } from './pause-endpoints.ts';

/** Result of one try. */
export interface Attempt {
  /** RFC 3339. */
  at: string;
  status: number | null;
  fault: string | null;
  ms: number;
  answer: string;
}

/** Try of a callback, and its consequences. */
export interface Answered {
  due: Due;
  attempt: Attempt;
  state: 'waiting' | 'done' | 'failed';
  /** Seconds until the next try; null if none follows. */
  again: number | null;
  /** True if the receiver answered that it wants no more callbacks. */
  gone: boolean;
}

/** Maximum tries that are stored for a callback. */
const KEPT = 30;

// A batch comes twice if the session broke before its commit was acknowledged. Its tries are already recorded and are
// left out.
const RECORD = `
  UPDATE callback c SET state = u.state, tries = c.tries + 1,
    next_at = CASE WHEN u.again IS NULL THEN c.next_at ELSE now() + make_interval(secs => u.again) END,
    done_at = CASE WHEN u.state = 'waiting' THEN NULL ELSE now() END,
    attempts = CASE WHEN jsonb_array_length(c.attempts) >= ${KEPT} THEN c.attempts - 0 ELSE c.attempts END || u.attempt::jsonb
  FROM unnest($1::bigint[], $2::text[], $3::float8[], $4::text[]) AS u(id, state, again, attempt)
  WHERE c.id = u.id AND NOT c.attempts @> jsonb_build_array(u.attempt::jsonb)`;

const HEALED = `
  UPDATE callback_endpoint SET failing_since = NULL WHERE id = ANY ($1::bigint[]) AND failing_since IS NOT NULL`;
const FAILING = `
  UPDATE callback_endpoint SET failing_since = now() WHERE id = ANY ($1::bigint[]) AND failing_since IS NULL`;

/**
 * Records tries and their consequences for endpoints in one transaction. A try that is given several times is recorded
 * once.
 */
export async function recordAnswers(database: Kysely<Database>, answers: readonly Answered[]): Promise<void> {
  await database.transaction().execute(async (db) => {
    // One fixed order of locks, so that two workers never wait for each other in a circle.
    const sorted = answers.toSorted((a, b) => a.due.id - b.due.id);
    await rowsOf(db, RECORD, [
      sorted.map(({ due }) => due.id),
      sorted.map(({ state }) => state),
      sorted.map(({ again }) => again),
      sorted.map(({ attempt }) => JSON.stringify(attempt)),
    ]);
    const real = answers.filter(({ due }) => !due.test);
    const endpoints = (of: readonly Answered[]) =>
      [...new Set(of.map(({ due }) => due.callback_endpoint_id))].sort((a, b) => a - b);
    const good = endpoints(real.filter(({ state }) => state === 'done'));
    const bad = endpoints(real.filter(({ state }) => state !== 'done')).filter((id) => !good.includes(id));
    if (good.length > 0) await rowsOf(db, HEALED, [good]);
    if (bad.length > 0) {
      await rowsOf(db, FAILING, [bad]);
      await pauseEndpoints(db, bad, endpoints(real.filter(({ gone }) => gone)));
    }
  });
  failpoint('callbacks.recorded');
}
