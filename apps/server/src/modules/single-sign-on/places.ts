import { READ_ONLY_ROLE } from '@heliograph/contract/access/role-permissions';
import { type Kysely, sql } from 'kysely';
import { signOut } from '#modules/access';
import type { Identity } from '#modules/identity';
import { auditAll } from '#platform/access/audit';
import type { Database } from '#platform/database/db';
import type { Provider } from './read-provider.ts';
import type { Directory } from './scim-directory.ts';

/** Role of a person, and where they have it. */
interface Place {
  role_id: number;
  scope_level: number;
  department_id: number | null;
}

/** Entry of the activity log for a change that groups caused. */
const FOLLOWED = { name: 'users', description: 'role followed groups', subject_type: 'users' } as const;

type Rule = Provider['role_rules'][number];

const ruleFor = ({ role_rules }: Provider, groups: readonly string[]): Rule | undefined =>
  role_rules.find(({ group }) => groups.includes(group));

/** Answers the place of people with these groups: that of the first rule that fits, else the usual one; null if none. */
export const placeFor = (db: Kysely<Database>, provider: Provider, groups: readonly string[]): Promise<Place | null> =>
  placeOf(db, provider, ruleFor(provider, groups));

async function placeOf(db: Kysely<Database>, provider: Provider, rule: Rule | undefined): Promise<Place | null> {
  const role_id = rule?.role_id ?? provider.role_id;
  if (role_id === null) return null;
  const role = await db.selectFrom('role').select(['name', 'level']).where('id', '=', role_id).executeTakeFirst();
  if (!role) return null;
  const { corporation_id } = provider;
  if (corporation_id === null) return role.level < 2 ? { role_id, scope_level: role.level, department_id: null } : null;
  if (role.level < 2) return null;
  const asked = role.level > 2 ? (rule?.department_id ?? provider.department_id) : null;
  const { rows } = await sql<{ is_reseller: boolean; department_id: number | null }>`
    SELECT c.is_reseller, (SELECT d.id FROM department d WHERE d.id = ${asked} AND d.corporation_id = c.id) AS department_id
    FROM corporation c WHERE c.id = ${corporation_id}`.execute(db);
  const [corporation] = rows;
  if (!corporation || (role.name === 'reseller' && !corporation.is_reseller)) return null;
  const { department_id } = corporation;
  // Read-only people without a department see the whole corporation.
  if (role.name === READ_ONLY_ROLE && department_id === null) return { role_id, scope_level: 2, department_id };
  return role.level > 2 && department_id === null ? null : { role_id, scope_level: role.level, department_id };
}

/** Gives people another place, in a few statements for all of them. `by` is who caused it; null for a directory. */
export async function moveTo(
  db: Kysely<Database>,
  { clock }: Identity,
  provider: Provider,
  people: readonly number[],
  place: Place,
  by: number | null,
): Promise<void> {
  const { rows: moved } = await sql<Place & { id: number }>`
    SELECT id, role_id, scope_level, department_id FROM user_account WHERE id = ANY (${people}::bigint[])
      AND (role_id, scope_level, department_id)
        IS DISTINCT FROM (${place.role_id}::bigint, ${place.scope_level}::int, ${place.department_id}::bigint)
    ORDER BY id FOR UPDATE`.execute(db);
  if (moved.length === 0) return;
  const ids = moved.map(({ id }) => id);
  await db
    .updateTable('user_account')
    .set({ ...place, permission_template: null, updated_at: clock.now().toISOString() })
    .where(sql<boolean>`id = ANY (${ids}::bigint[])`)
    .execute();
  // Rights that were given to a person belong to the place they had.
  await sql`DELETE FROM user_permission WHERE user_id = ANY (${ids}::bigint[])`.execute(db);
  await sql`DELETE FROM user_supervisor
    WHERE user_id = ANY (${ids}::bigint[]) OR supervisor_id = ANY (${ids}::bigint[])`.execute(db);
  await auditAll(
    { db, clock, caller: { user_id: by, corporation_id: provider.corporation_id } },
    moved.map(({ id, ...before }) => ({ ...FOLLOWED, subject_id: id, before, after: place })),
  );
}

/** Names of the groups of a person in the provider's directory. */
export async function directoryGroupsOf(db: Kysely<Database>, provider: Provider, user_id: number): Promise<string[]> {
  const [person] = await inDirectory(db, provider, [user_id]);
  return person?.groups ?? [];
}

/** Person of a directory. */
interface Person {
  id: number;
  enabled: boolean;
  /** Whether the account is off only for lack of a role. */
  without_role: boolean;
  groups: string[];
}

/** Locks the accounts of people and answers them with the names of their groups. */
async function inDirectory(db: Kysely<Database>, provider: Provider, people: readonly number[]): Promise<Person[]> {
  const { rows } = await sql<Person>`
    SELECT u.id, u.enabled, coalesce(d.without_role, false) AS without_role, ARRAY(
      SELECT g.display_name FROM directory_member m JOIN directory_group g ON g.id = m.directory_group_id
      WHERE m.user_id = u.id AND g.identity_provider_id = ${provider.id} ORDER BY g.id) AS groups
    FROM user_account u LEFT JOIN directory_person d ON d.user_id = u.id AND d.identity_provider_id = ${provider.id}
    WHERE u.id = ANY (${people}::bigint[]) ORDER BY u.id FOR UPDATE OF u`.execute(db);
  return rows;
}

/**
 * Gives people the role of their groups in the directory, if the provider says that roles follow groups. Without a role
 * the account is switched off until a group gives one again: who left every group must not keep what it allowed. A group
 * of 10,000 people takes a few statements for each place that they go to.
 */
export async function moveByGroups(directory: Directory, people: readonly number[]): Promise<void> {
  const { db, identity, provider } = directory;
  if (!provider.follows_groups) return;
  const kept = new Set(provider.break_glass_ids);
  const members = await inDirectory(
    db,
    provider,
    people.filter((id) => !kept.has(id)),
  );
  for (const [rule, those] of Map.groupBy(members, ({ groups }) => ruleFor(provider, groups))) {
    const place = await placeOf(db, provider, rule);
    const ids = those.map(({ id }) => id);
    if (place) await moveTo(db, identity, provider, ids, place, null);
    await setWithoutRole(directory, those, place === null);
  }
}

/** Switches accounts off for lack of a role, or those on again that are off for no other reason. */
async function setWithoutRole(
  { db, identity, provider }: Directory,
  people: readonly Person[],
  without: boolean,
): Promise<void> {
  const { clock } = identity;
  const now = clock.now().toISOString();
  const ids = people.filter((person) => (without ? person.enabled : person.without_role)).map(({ id }) => id);
  if (ids.length === 0) return;
  await sql`UPDATE user_account SET enabled = ${!without}, updated_at = ${now} WHERE id = ANY (${ids}::bigint[])`.execute(
    db,
  );
  await sql`INSERT INTO directory_person (identity_provider_id, user_id, user_name, without_role, updated_at)
    SELECT ${provider.id}, id, email, ${without}, ${now} FROM user_account WHERE id = ANY (${ids}::bigint[])
    ON CONFLICT (identity_provider_id, user_id)
    DO UPDATE SET without_role = excluded.without_role, updated_at = excluded.updated_at`.execute(db);
  if (without) await signOut({ db, clock }, ids);
  await auditAll(
    { db, clock, caller: { user_id: null, corporation_id: provider.corporation_id } },
    ids.map((id) => ({ ...FOLLOWED, subject_id: id, before: { enabled: without }, after: { enabled: !without } })),
  );
}
