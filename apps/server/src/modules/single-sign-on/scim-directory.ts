import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Identity } from '#modules/identity';
import { audit } from '#platform/access/audit';
import type { Database } from '#platform/database/db';
import type { Provider } from './read-provider.ts';
import type { Json } from './scim-attributes.ts';
import { wrongValue } from './scim-error.ts';

/** A directory's call: its transaction, the provider whose token it has, and the address below which resources are. */
export interface Directory {
  db: Kysely<Database>;
  identity: Identity;
  provider: Provider;
  base: string;
}

/** Sets the address and version of a resource. Equal resources have equal versions. */
export function withMeta(
  { base }: Directory,
  resourceType: 'User' | 'Group',
  resource: Json & { id: string },
  times: { created_at: string; updated_at: string },
): Json {
  const version = `W/"${createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22)}"`;
  return {
    ...resource,
    meta: {
      resourceType,
      created: times.created_at,
      lastModified: times.updated_at,
      location: `${base}/${resourceType}s/${resource.id}`,
      version,
    },
  };
}

/** Parameters of a list, by RFC 7644, section 3.4.2. */
export interface Asked {
  filter?: string | undefined;
  sortBy?: string | undefined;
  descending: boolean;
  startIndex: number;
  count: number;
  /** Whether the members of groups are asked for. */
  members: boolean;
}

/** Resources of a page, and the number of all that fit. */
export interface Page {
  total: number;
  rows: Json[];
}

/** Answers the column of a list's order. Throws `invalidValue` for attributes that lists are not sorted by. */
export function orderOf<Column>(
  sortBy: string | undefined,
  columns: Readonly<Record<string, Column>>,
  usual: Column,
): Column {
  if (sortBy === undefined) return usual;
  const column = columns[sortBy.toLowerCase()];
  if (column === undefined) throw wrongValue('sortBy', `lists are sorted by ${Object.keys(columns).join(', ')}`);
  return column;
}

/** Writes what a directory did into the activity log, as a deed of nobody: the entry names the provider. */
export const record = (
  { db, identity: { clock }, provider }: Directory,
  subject: { type: 'users' | 'identity-providers'; id: number },
  description: string,
  values: { before?: object; after?: object } = {},
): Promise<void> =>
  audit(
    { db, clock, caller: { user_id: null, corporation_id: provider.corporation_id } },
    {
      name: subject.type,
      description,
      subject_type: subject.type,
      subject_id: subject.id,
      ...values,
      after: { ...values.after, provider: provider.name },
    },
  );
