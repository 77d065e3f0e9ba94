import type { ScopeLevel } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import type { Caller, Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { emit } from '#platform/realtime/realtime';

/** Fields of a person that the rules about rights use. */
export interface Target {
  id: number;
  scope_level: number;
}

/** Permission, by its id and name. */
export interface Held {
  id: number;
  name: string;
}

/** Reads the permissions of a role. */
export async function permissionsOfRole({ db }: Pick<Context, 'db'>, roleId: number): Promise<Held[]> {
  return db
    .selectFrom('role_permission as h')
    .innerJoin('permission as p', 'p.id', 'h.permission_id')
    .select(['p.id', 'p.name'])
    .where('h.role_id', '=', roleId)
    .orderBy('p.name')
    .execute();
}

/** Reads the permissions that were given to a person directly. */
export async function permissionsGiven({ db }: Pick<Context, 'db'>, userId: number): Promise<Held[]> {
  return db
    .selectFrom('user_permission as h')
    .innerJoin('permission as p', 'p.id', 'h.permission_id')
    .select(['p.id', 'p.name'])
    .where('h.user_id', '=', userId)
    .orderBy('p.name')
    .execute();
}

/** Tells whether the caller holds all of these permissions: nobody gives, or takes, a permission that they lack. */
export const holdsAll = (caller: Caller, held: readonly { name: string }[]): boolean =>
  held.every(({ name }) => caller.permissions.has(name));

/** Finds those of these people who hold a permission that the caller lacks. */
async function holdingMore(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM user_account u WHERE u.id = ANY (${[...ids]}) AND EXISTS (
      SELECT FROM permission p WHERE p.name <> ALL (${[...caller.permissions]}::text[]) AND (
        EXISTS (SELECT FROM role_permission h WHERE h.role_id = u.role_id AND h.permission_id = p.id)
        OR EXISTS (SELECT FROM user_permission h WHERE h.user_id = u.id AND h.permission_id = p.id)))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Finds those of these people that the caller may change: not themselves, nobody above their level or with more rights.
 */
export async function manageable(
  ctx: Pick<Context, 'db' | 'caller'>,
  people: readonly Target[],
): Promise<ReadonlySet<number>> {
  const { caller } = ctx;
  if (caller.scope_level === 4) return new Set();
  const below = people.filter(({ id, scope_level }) => id !== caller.user_id && scope_level >= caller.scope_level);
  const more = await holdingMore(
    ctx,
    below.map(({ id }) => id),
  );
  return new Set(below.map(({ id }) => id).filter((id) => !more.has(id)));
}

/** Throws `own_user` for the caller themselves and `forbidden` for people above them. */
export async function requireManageable(ctx: Pick<Context, 'db' | 'caller'>, person: Target): Promise<void> {
  if (person.id === ctx.caller.user_id) throw new BusinessError('own_user');
  if (!(await manageable(ctx, [person])).has(person.id)) throw new BusinessError('forbidden');
}

/** Lists the levels a caller may give: their own and those below. */
export const levelsBelow = (caller: Caller): ScopeLevel[] =>
  ([0, 1, 2, 3, 4] as const).filter((level) => level >= caller.scope_level);

/** Finds the ids of permissions by their names, in the order of the names; undefined for a name that does not exist. */
export async function permissionsNamed({ db }: Pick<Context, 'db'>, names: readonly string[]) {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('permission')
    .select(['id', 'name', 'guard'])
    .where('name', 'in', [...names])
    .execute();
  const byName = new Map(rows.map((row) => [row.name, row]));
  return names.map((name) => byName.get(name));
}

/** Tells a person's open consoles that their rights have changed. */
export const tellRights = ({ db }: Pick<Context, 'db'>, userId: number): Promise<void> =>
  emit(db, `private-App.Models.User.${userId}`, 'rights.changed', {});

/** Tells every open console that the menu, or the rights of a role, have changed. */
export const tellEverybody = ({ db }: Pick<Context, 'db'>, what: { role?: string }): Promise<void> =>
  emit(db, 'private-application.1', 'menu.changed', what);
