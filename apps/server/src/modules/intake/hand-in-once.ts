import { together } from '#modules/delivery';
import { numberArray, textArray } from '#platform/database/array-literal';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import type { Program, Submission, Unit } from './program.ts';

const nameOf = ({ user_id }: Program, { client_ref }: Submission): string => `${user_id} ${client_ref}`;

const LOCK = 'SELECT pg_try_advisory_xact_lock(hashtextextended(name, 25)) AS taken FROM unnest($1::text[]) AS name';

const KNOWN = `
  SELECT m.user_id, m.client_ref FROM unnest($1::bigint[], $2::text[]) AS w(user_id, client_ref)
  JOIN program_message m ON m.user_id = w.user_id AND m.client_ref = w.client_ref`;

/**
 * Refuses some of the submissions that must be handed in only once. An earlier hand-in refuses with `client_ref_taken`,
 * one by a running transaction with `idempotency_in_flight`, and lateness with `unavailable`. This transaction keeps
 * the others until it ends.
 */
export async function handedInBefore(
  db: Queryable,
  units: readonly Unit[],
): Promise<ReadonlyMap<Submission, BusinessError>> {
  const asked = units.flatMap(({ program, submissions }) =>
    submissions.filter(({ once }) => once).map((submission) => ({ program, submission })),
  );
  const refused = new Map<Submission, BusinessError>();
  if (asked.length === 0) return refused;
  const names = asked.map(({ program, submission }) => nameOf(program, submission));
  // The messages are read behind the lock, in a statement of their own. It sees what the last holder of the lock
  // committed.
  const [locks, rows] = await together([
    rowsOf<{ taken: boolean }>(db, LOCK, [textArray(names)]),
    rowsOf<{ user_id: number; client_ref: string }>(db, KNOWN, [
      numberArray(asked.map(({ program }) => program.user_id)),
      textArray(asked.map(({ submission }) => submission.client_ref ?? null)),
    ]),
  ]);
  const known = new Set(rows.map(({ user_id, client_ref }) => `${user_id} ${client_ref}`));
  const now = performance.now();
  for (const [place, { submission }] of asked.entries()) {
    const name = names[place]!;
    if (!locks[place]!.taken) refused.set(submission, new BusinessError('idempotency_in_flight', { retryAfter: 1 }));
    else if (known.has(name)) refused.set(submission, new BusinessError('client_ref_taken'));
    else if (now > submission.once!.before)
      refused.set(submission, new BusinessError('unavailable', { outage: 'overloaded' }));
    // If several came together, the first is handed in. If it is refused, the others come again.
    else if (names.indexOf(name) < place) refused.set(submission, new BusinessError('idempotency_in_flight'));
  }
  return refused;
}
