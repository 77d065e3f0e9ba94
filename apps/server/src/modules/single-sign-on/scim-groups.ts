import { type RawBuilder, sql } from 'kysely';
import { moveByGroups } from './places.ts';
import { GROUP, type Json, keepKnown, read, type ScimGroup, scimGroup } from './scim-attributes.ts';
import { type Asked, type Directory, orderOf, type Page, record, withMeta } from './scim-directory.ts';
import { ScimError, wrongValue } from './scim-error.ts';
import { type Columns, conditionOf, readFilter } from './scim-filter.ts';

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

interface Row {
  id: number;
  display_name: string;
  external_id: string | null;
  created_at: string;
  updated_at: string;
}

const member = (id: RawBuilder<unknown>) => sql<boolean>`EXISTS (
  SELECT FROM directory_member m WHERE m.directory_group_id = g.id AND m.user_id::text = ${id})`;
const members = {
  as: 'any',
  has: (id: string) => member(sql`${id}`),
  some: sql<boolean>`EXISTS (SELECT FROM directory_member m WHERE m.directory_group_id = g.id)`,
} as const;
const COLUMNS: Columns = {
  id: { as: 'exact', of: sql`g.id::text` },
  externalid: { as: 'exact', of: sql`g.external_id` },
  displayname: { as: 'text', of: sql`g.display_name` },
  members,
  'members.value': members,
  'meta.created': { as: 'time', of: sql`g.created_at` },
  'meta.lastmodified': { as: 'time', of: sql`g.updated_at` },
};
const SORTS: Readonly<Record<string, RawBuilder<unknown>>> = {
  id: sql`g.id`,
  displayname: sql`lower(g.display_name)`,
  'meta.created': sql`g.created_at`,
  'meta.lastmodified': sql`g.updated_at`,
};

interface Member {
  id: number;
  name: string;
}

async function membersOf({ db }: Directory, groups: readonly number[]): Promise<Map<number, Member[]>> {
  const { rows } = await sql<Member & { group_id: number }>`
    SELECT m.directory_group_id AS group_id, u.id, u.name FROM directory_member m JOIN user_account u ON u.id = m.user_id
    WHERE m.directory_group_id = ANY (${[...groups]}::bigint[]) ORDER BY u.id`.execute(db);
  return Map.groupBy(rows, ({ group_id }) => group_id);
}

function toScim(directory: Directory, row: Row, present: readonly Member[] | undefined): Json {
  const resource = {
    schemas: [GROUP_SCHEMA],
    id: String(row.id),
    ...(row.external_id !== null && { externalId: row.external_id }),
    displayName: row.display_name,
    ...(present && {
      members: present.map(({ id, name }) => ({
        value: String(id),
        display: name,
        $ref: `${directory.base}/Users/${id}`,
        type: 'User',
      })),
    }),
  };
  return withMeta(directory, 'Group', resource, row);
}

/** Lists groups; their members only if they are asked for. */
export async function listGroups(directory: Directory, asked: Asked): Promise<Page> {
  const { db, provider } = directory;
  const where = sql`g.identity_provider_id = ${provider.id} AND ${
    asked.filter === undefined ? sql`true` : conditionOf(readFilter(asked.filter), COLUMNS)
  }`;
  const order = orderOf(asked.sortBy, SORTS, SORTS['id']!);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM directory_group g WHERE ${where}`.execute(db);
  const { rows } = await sql<Row>`
    SELECT g.id, g.display_name, g.external_id, g.created_at, g.updated_at FROM directory_group g WHERE ${where}
    ORDER BY ${order} ${asked.descending ? sql`DESC` : sql`ASC`}, g.id
    OFFSET ${asked.startIndex - 1} LIMIT ${asked.count}`.execute(db);
  const inside = asked.members
    ? await membersOf(
        directory,
        rows.map(({ id }) => id),
      )
    : undefined;
  return {
    total: counted[0]!.total,
    rows: rows.map((row) => toScim(directory, row, inside && (inside.get(row.id) ?? []))),
  };
}

async function find({ db, provider }: Directory, id: string, { lock = false } = {}): Promise<Row> {
  const number = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0;
  const { rows } = await sql<Row>`
    SELECT id, display_name, external_id, created_at, updated_at FROM directory_group
    WHERE id = ${number} AND identity_provider_id = ${provider.id} ${lock ? sql`FOR UPDATE` : sql``}`.execute(db);
  if (!rows[0]) throw new ScimError(404, `There is no group ${id}.`);
  return rows[0];
}

/** Answers a group with its members. Throws 404. */
export async function getGroup(directory: Directory, id: string): Promise<Json> {
  const row = await find(directory, id);
  return toScim(directory, row, (await membersOf(directory, [row.id])).get(row.id) ?? []);
}

const guarded = <X>(work: Promise<X>, name: string): Promise<X> =>
  work.catch((error: { constraint?: string }) => {
    if (error.constraint !== 'directory_group_display_name_key') throw error;
    throw new ScimError(409, `The group ${name} is there already.`, 'uniqueness');
  });

/** Creates a group. Throws 409 and `invalidValue`. */
export async function createGroup(directory: Directory, body: unknown): Promise<Json> {
  const { db, identity, provider } = directory;
  const group = read(scimGroup, keepKnown(GROUP, body));
  const now = identity.clock.now().toISOString();
  const { id } = await guarded(
    db
      .insertInto('directory_group')
      .values({
        identity_provider_id: provider.id,
        display_name: group.displayName,
        external_id: group.externalId ?? null,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
    group.displayName,
  );
  const changed = await setMembers(directory, id, group);
  await record(directory, { type: 'identity-providers', id: directory.provider.id }, 'group created', {
    after: { name: group.displayName },
  });
  await moveByGroups(directory, changed);
  return getGroup(directory, String(id));
}

/** Makes these people the members of a group. Answers those who came or went. */
async function setMembers(directory: Directory, id: number, { members: wanted }: ScimGroup): Promise<number[]> {
  const { db, provider } = directory;
  const people = [...new Set((wanted ?? []).map(({ value }) => Number(value)))];
  // Only people of the provider's own corporation that its directory sees.
  const { rows: foreign } = await sql<{ id: number }>`
    SELECT w.id FROM unnest(${people}::bigint[]) AS w (id)
    WHERE NOT EXISTS (SELECT FROM user_account u LEFT JOIN directory_person d ON d.user_id = u.id AND d.identity_provider_id = ${provider.id}
      JOIN identity_domain i ON i.identity_provider_id = ${provider.id} AND i.domain = split_part(u.email, '@', 2) AND i.proved_at IS NOT NULL
      WHERE u.id = w.id AND NOT u.is_service AND u.corporation_id IS NOT DISTINCT FROM ${provider.corporation_id} AND d.removed_at IS NULL) LIMIT 1`.execute(
    db,
  );
  if (foreign[0]) throw wrongValue('members', `there is no user ${foreign[0].id}`);
  const { rows: gone } = await sql<{ user_id: number }>`
    DELETE FROM directory_member WHERE directory_group_id = ${id} AND user_id <> ALL (${people}::bigint[])
    RETURNING user_id`.execute(db);
  const { rows: come } = await sql<{ user_id: number }>`
    INSERT INTO directory_member (directory_group_id, user_id) SELECT ${id}, unnest(${people}::bigint[])
    ON CONFLICT DO NOTHING RETURNING user_id`.execute(db);
  return [...gone, ...come].map(({ user_id }) => user_id);
}

/** Changes a group: `change` gets the present resource and answers the new one. Its people follow. Throws 404, 409 and `invalidValue`. */
export async function changeGroup(directory: Directory, id: string, change: (present: Json) => unknown): Promise<Json> {
  const { db, identity } = directory;
  const row = await find(directory, id, { lock: true });
  const inside = (await membersOf(directory, [row.id])).get(row.id) ?? [];
  const group = read(scimGroup, keepKnown(GROUP, change(toScim(directory, row, inside))));
  const changed = await setMembers(directory, row.id, group);
  const renamed = group.displayName !== row.display_name;
  await guarded(
    db
      .updateTable('directory_group')
      .set({
        display_name: group.displayName,
        external_id: group.externalId ?? null,
        updated_at: identity.clock.now().toISOString(),
      })
      .where('id', '=', row.id)
      .execute(),
    group.displayName,
  );
  await record(directory, { type: 'identity-providers', id: directory.provider.id }, 'group updated', {
    before: { name: row.display_name, members: inside.length },
    after: { name: group.displayName, members: group.members?.length ?? 0 },
  });
  // Another name may be that of another rule.
  await moveByGroups(directory, renamed ? [...changed, ...inside.map(({ id }) => id)] : changed);
  return getGroup(directory, id);
}

/** Removes a group; its people lose the role that it gave them. Throws 404. */
export async function removeGroup(directory: Directory, id: string, check: (present: Json) => void): Promise<void> {
  const row = await find(directory, id, { lock: true });
  const inside = (await membersOf(directory, [row.id])).get(row.id) ?? [];
  check(toScim(directory, row, inside));
  await directory.db.deleteFrom('directory_group').where('id', '=', row.id).execute();
  await record(directory, { type: 'identity-providers', id: directory.provider.id }, 'group deleted', {
    before: { name: row.display_name },
  });
  await moveByGroups(
    directory,
    inside.map(({ id }) => id),
  );
}
