import { READ_ONLY_ROLE } from '@heliograph/contract/access/role-permissions';
import { type Kysely, sql } from 'kysely';
import { signOut } from '#modules/access';
import type { Identity } from '#modules/identity';
import { audit } from '#platform/access/audit';
import type { Database } from '#platform/database/db';
import type { Provider } from './read-provider.ts';
import type { Directory } from './scim-directory.ts';

/** Role of a person, and where they have it. */
interface Place {
  role_id: number;
  scope_level: number;
  department_id: number | null;
}

/** Answers the place of people with these groups: that of the first rule that fits, else the usual one; null if none. */
export async function placeFor(
  db: Kysely<Database>,
  provider: Provider,
  groups: readonly string[],
): Promise<Place | null> {
  const rule = provider.role_rules.find(({ group }) => groups.includes(group));
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

/** Gives a person another place. `by` is who caused it; null for a directory. */
export async function moveTo(
  db: Kysely<Database>,
  identity: Identity,
  provider: Provider,
  user_id: number,
  place: Place,
  by: number | null,
): Promise<void> {
  const before = await db
    .selectFrom('user_account')
    .select(['role_id', 'scope_level', 'department_id'])
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow();
  if (Object.entries(place).every(([field, value]) => before[field as keyof Place] === value)) return;
  await db
    .updateTable('user_account')
    .set({ ...place, permission_template: null, updated_at: identity.clock.now().toISOString() })
    .where('id', '=', user_id)
    .execute();
  // Rights that were given to the person belong to the place they had.
  await db.deleteFrom('user_permission').where('user_id', '=', user_id).execute();
  await db
    .deleteFrom('user_supervisor')
    .where((eb) => eb.or([eb('user_id', '=', user_id), eb('supervisor_id', '=', user_id)]))
    .execute();
  await audit(
    { db, clock: identity.clock, caller: { user_id: by, corporation_id: provider.corporation_id } },
    {
      name: 'users',
      description: 'role followed groups',
      subject_type: 'users',
      subject_id: user_id,
      before,
      after: place,
    },
  );
}

/** Names of the groups of a person in the provider's directory. */
export async function directoryGroupsOf(db: Kysely<Database>, provider: Provider, user_id: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT g.display_name AS name FROM directory_member m JOIN directory_group g ON g.id = m.directory_group_id
    WHERE m.user_id = ${user_id} AND g.identity_provider_id = ${provider.id} ORDER BY g.id`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Gives people the role of their groups in the directory, if the provider says that roles follow groups. Without a role
 * the account is switched off until a group gives one again: who left every group must not keep what it allowed.
 */
export async function moveByGroups(directory: Directory, people: readonly number[]): Promise<void> {
  const { db, identity, provider } = directory;
  if (!provider.follows_groups) return;
  for (const user_id of new Set(people)) {
    if (provider.break_glass_ids.includes(user_id)) continue;
    const place = await placeFor(db, provider, await directoryGroupsOf(db, provider, user_id));
    if (place) await moveTo(db, identity, provider, user_id, place, null);
    await setWithoutRole(directory, user_id, place === null);
  }
}

/** Switches an account off for lack of a role, or on again if that was the only reason. */
async function setWithoutRole({ db, identity, provider }: Directory, user_id: number, without: boolean): Promise<void> {
  const { clock } = identity;
  const now = clock.now().toISOString();
  const { rows } = await sql<{ enabled: boolean; without_role: boolean; user_name: string }>`
    SELECT u.enabled, coalesce(d.without_role, false) AS without_role, coalesce(d.user_name, u.email) AS user_name
    FROM user_account u LEFT JOIN directory_person d ON d.user_id = u.id AND d.identity_provider_id = ${provider.id}
    WHERE u.id = ${user_id} FOR UPDATE OF u`.execute(db);
  const [person] = rows;
  if (!person || (without ? !person.enabled : !person.without_role)) return;
  await db.updateTable('user_account').set({ enabled: !without, updated_at: now }).where('id', '=', user_id).execute();
  await sql`INSERT INTO directory_person (identity_provider_id, user_id, user_name, without_role, updated_at)
    VALUES (${provider.id}, ${user_id}, ${person.user_name}, ${without}, ${now})
    ON CONFLICT (identity_provider_id, user_id) DO UPDATE SET without_role = excluded.without_role, updated_at = excluded.updated_at`.execute(
    db,
  );
  if (without) await signOut({ db, clock }, user_id);
  await audit(
    { db, clock, caller: { user_id: null, corporation_id: provider.corporation_id } },
    {
      name: 'users',
      description: 'role followed groups',
      subject_type: 'users',
      subject_id: user_id,
      before: { enabled: without },
      after: { enabled: !without },
    },
  );
}
