import type { Locale } from '@heliograph/contract/kernel/scope';
import { type RawBuilder, sql } from 'kysely';
import type { Json, ScimUser } from './scim-attributes.ts';
import { type Asked, type Directory, orderOf, type Page, withMeta } from './scim-directory.ts';
import { ScimError } from './scim-error.ts';
import { type Columns, conditionOf, readFilter } from './scim-filter.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** Names of a person as the directory wrote them. */
export interface Names {
  displayName?: string | null | undefined;
  name?: ScimUser['name'];
}

/** A person as their directory sees them. */
export interface Row {
  id: number;
  email: string;
  name: string;
  phone: string | null;
  enabled: boolean;
  preferred_language: string;
  created_at: string;
  updated_at: string;
  external_id: string | null;
  user_name: string;
  names: Names | null;
  without_role: boolean;
  groups: { value: string; display: string }[];
}

/**
 * People that a provider's directory sees: those of its corporation whose email is in a proved domain, except those
 * that it removed.
 */
const people = ({ provider }: Directory): RawBuilder<Row> => sql`
  (SELECT u.id, u.email, u.name, u.phone, u.enabled, u.preferred_language, u.created_at,
    greatest(u.updated_at, d.updated_at) AS updated_at, d.external_id, coalesce(d.user_name, u.email) AS user_name, d.names,
    coalesce(d.without_role, false) AS without_role,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('value', g.id::text, 'display', g.display_name) ORDER BY g.id), '[]')
      FROM directory_member m JOIN directory_group g ON g.id = m.directory_group_id
      WHERE m.user_id = u.id AND g.identity_provider_id = ${provider.id}) AS groups
  FROM user_account u LEFT JOIN directory_person d ON d.user_id = u.id AND d.identity_provider_id = ${provider.id}
  WHERE ${provider.corporation_id === null ? sql`u.corporation_id IS NULL` : sql`u.corporation_id = ${provider.corporation_id}`}
    AND NOT u.is_service AND d.removed_at IS NULL AND split_part(u.email, '@', 2) IN (SELECT domain FROM identity_domain
      WHERE identity_provider_id = ${provider.id} AND proved_at IS NOT NULL)) AS p`;

const COLUMNS: Columns = {
  id: { as: 'exact', of: sql`p.id::text` },
  externalid: { as: 'exact', of: sql`p.external_id` },
  username: { as: 'text', of: sql`p.user_name` },
  displayname: { as: 'text', of: sql`p.name` },
  'name.formatted': { as: 'text', of: sql`p.name` },
  active: { as: 'boolean', of: sql`p.enabled` },
  emails: { as: 'text', of: sql`p.email` },
  'emails.value': { as: 'text', of: sql`p.email` },
  'emails.type': { as: 'text', of: sql`'work'` },
  'emails.primary': { as: 'boolean', of: sql`true` },
  'phonenumbers.value': { as: 'exact', of: sql`'+' || p.phone` },
  'groups.value': {
    as: 'any',
    has: (id) => sql`p.groups @> jsonb_build_array(jsonb_build_object('value', ${id}::text))`,
    some: sql`p.groups <> '[]'`,
  },
  'meta.created': { as: 'time', of: sql`p.created_at` },
  'meta.lastmodified': { as: 'time', of: sql`p.updated_at` },
};
const SORTS: Readonly<Record<string, RawBuilder<unknown>>> = {
  id: sql`p.id`,
  username: sql`lower(p.user_name)`,
  displayname: sql`lower(p.name)`,
  'meta.created': sql`p.created_at`,
  'meta.lastmodified': sql`p.updated_at`,
};

const TAGS: Record<Locale, string> = { en: 'en', cn: 'zh-Hans', zh: 'zh-Hant', fp: 'fil' };

/** Answers a person as a resource of RFC 7643, section 4.1. */
export function toScim(directory: Directory, row: Row): Json {
  const { displayName = row.name, name } = row.names ?? {};
  return withMeta(
    directory,
    'User',
    {
      schemas: [USER_SCHEMA],
      id: String(row.id),
      ...(row.external_id !== null && { externalId: row.external_id }),
      userName: row.user_name,
      displayName,
      name: { ...name, formatted: name?.formatted ?? row.name },
      active: row.enabled,
      preferredLanguage: TAGS[row.preferred_language as Locale],
      emails: [{ value: row.email, type: 'work', primary: true }],
      ...(row.phone !== null && { phoneNumbers: [{ value: `+${row.phone}`, type: 'mobile', primary: true }] }),
      ...(row.groups.length > 0 && {
        groups: row.groups.map((group) => ({
          ...group,
          $ref: `${directory.base}/Groups/${group.value}`,
          type: 'direct',
        })),
      }),
    },
    row,
  );
}

/** Lists people. */
export async function listUsers(directory: Directory, asked: Asked): Promise<Page> {
  const where = asked.filter === undefined ? sql`true` : conditionOf(readFilter(asked.filter), COLUMNS);
  const order = orderOf(asked.sortBy, SORTS, SORTS['id']!);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM ${people(directory)} WHERE ${where}`.execute(directory.db);
  const { rows } = await sql<Row>`
    SELECT * FROM ${people(directory)} WHERE ${where}
    ORDER BY ${order} ${asked.descending ? sql`DESC` : sql`ASC`}, p.id
    OFFSET ${asked.startIndex - 1} LIMIT ${asked.count}`.execute(directory.db);
  return { total: counted[0]!.total, rows: rows.map((row) => toScim(directory, row)) };
}

/** Finds a person; `lock` keeps others from changing them meanwhile. Throws 404. */
export async function find(directory: Directory, id: string, { lock = false } = {}): Promise<Row> {
  const number = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0;
  if (lock)
    await sql`SELECT FROM user_account WHERE id = ${number}
      AND corporation_id IS NOT DISTINCT FROM ${directory.provider.corporation_id} FOR UPDATE`.execute(directory.db);
  const { rows } = await sql<Row>`SELECT * FROM ${people(directory)} WHERE p.id = ${number}`.execute(directory.db);
  if (!rows[0]) throw new ScimError(404, `There is no user ${id}.`);
  return rows[0];
}

/** Answers a person. Throws 404. */
export const getUser = async (directory: Directory, id: string): Promise<Json> =>
  toScim(directory, await find(directory, id));
