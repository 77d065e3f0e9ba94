import { type Kysely, sql } from 'kysely';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { containing } from '#platform/database/like';
import { fieldError } from '#platform/errors';

/** Person who needs a supervisor. */
export interface Supervised {
  /** Undefined for a person who is not created yet. */
  id?: number | undefined;
  corporation_id: number | null;
  department_id: number | null;
}

const CANDIDATES_SHOWN = 50;

/**
 * Selects the people who may approve for a person. They belong to the same corporation above user scope, see the
 * department, and hold the permission to approve.
 */
function candidates(db: Kysely<Database>, person: Supervised) {
  return db
    .selectFrom('user_account as u')
    .select(['u.id', 'u.name', 'u.email'])
    .where('u.corporation_id', '=', person.corporation_id)
    .where('u.enabled', '=', true)
    .where('u.is_service', '=', false)
    .where('u.scope_level', 'in', [2, 3])
    .where((eb) => eb.or([eb('u.scope_level', '=', 2), eb('u.department_id', '=', person.department_id)]))
    .where(
      sql<boolean>`EXISTS (SELECT FROM permission p WHERE p.name = 'pending-campaigns-approve' AND (
        EXISTS (SELECT FROM role_permission h WHERE h.role_id = u.role_id AND h.permission_id = p.id)
        OR EXISTS (SELECT FROM user_permission h WHERE h.user_id = u.id AND h.permission_id = p.id)))`,
    )
    .$if(person.id !== undefined, (q) => q.where('u.id', '<>', person.id!));
}

/** Finds the first 50 people who may approve for a person, by name or email address. */
export function findCandidates({ db }: Pick<Context, 'db'>, person: Supervised, search: string | undefined) {
  const pattern = containing(search ?? '');
  return candidates(db, person)
    .where((eb) => eb.or([eb('u.name', 'ilike', pattern), eb('u.email', 'ilike', pattern)]))
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(CANDIDATES_SHOWN)
    .execute();
}

/**
 * Sets the supervisors of a person; those hidden from the caller stay. Throws a 422 for people who may not
 * approve for them.
 */
export async function replaceSupervisors(
  { db }: Pick<Context, 'db'>,
  person: Supervised & { id: number },
  ids: readonly number[],
): Promise<void> {
  const wanted = [...new Set(ids)];
  const fitting = wanted.length > 0 ? await candidates(db, person).where('u.id', 'in', wanted).execute() : [];
  if (fitting.length < wanted.length) throw fieldError('supervisor_ids', 'supervisor');
  await db
    .deleteFrom('user_supervisor')
    .where('user_id', '=', person.id)
    .$if(wanted.length > 0, (q) => q.where('supervisor_id', 'not in', wanted))
    .execute();
  if (wanted.length > 0) {
    await db
      .insertInto('user_supervisor')
      .values(wanted.map((supervisor_id) => ({ user_id: person.id, supervisor_id })))
      .onConflict((c) => c.doNothing())
      .execute();
  }
}

/** Removes supervisors who can no longer approve for a person who has moved. */
export async function dropUnfitting({ db }: Pick<Context, 'db'>, person: Supervised & { id: number }): Promise<void> {
  await db
    .deleteFrom('user_supervisor')
    .where('user_id', '=', person.id)
    .where('supervisor_id', 'not in', candidates(db, person).clearSelect().select('u.id'))
    .execute();
}

/** Tells whether a person is a supervisor, even if the caller does not see the supervised people. */
export async function isSupervisor({ db }: Pick<Context, 'db'>, id: number): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`SELECT supervises(${id}) AS yes`.execute(db);
  return rows[0]?.yes === true;
}
