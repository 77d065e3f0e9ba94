import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Program, Submission, Unit } from './program.ts';

const nameOf = ({ user_id }: Program, { client_ref }: Submission): string => `${user_id} ${client_ref}`;

/**
 * Refuses some of the submissions that must be handed in only once. An earlier hand-in refuses with `client_ref_taken`,
 * one by a running transaction with `idempotency_in_flight`, and lateness with `unavailable`. This transaction keeps
 * the others until it ends.
 */
export async function handedInBefore(
  db: Kysely<Database>,
  units: readonly Unit[],
): Promise<ReadonlyMap<Submission, BusinessError>> {
  const asked = units.flatMap(({ program, submissions }) =>
    submissions.filter(({ once }) => once).map((submission) => ({ program, submission })),
  );
  const refused = new Map<Submission, BusinessError>();
  if (asked.length === 0) return refused;
  const names = asked.map(({ program, submission }) => nameOf(program, submission));
  const { rows: locks } = await sql<{ taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(name, 25)) AS taken FROM unnest(${names}::text[]) AS name`.execute(
    db,
  );
  // Read behind the lock, in its own statement. It sees what the last holder of the lock committed.
  const { rows } = await sql<{ user_id: number; client_ref: string }>`
    SELECT m.user_id, m.client_ref
    FROM unnest(${asked.map(({ program }) => program.user_id)}::bigint[], ${asked.map(({ submission }) => submission.client_ref)}::text[])
      AS w(user_id, client_ref)
    JOIN program_message m ON m.user_id = w.user_id AND m.client_ref = w.client_ref`.execute(db);
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
