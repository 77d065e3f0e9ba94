import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Permission } from '@heliograph/contract/kernel/screen-list';
import { searchEverything } from '@heliograph/contract/search/search';
import { type RawBuilder, sql } from 'kysely';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { containing } from '#platform/database/like';
import { type App, mount } from '#platform/http/http';

type Found = ReplyOf<typeof searchEverything>['data'][number];

/** A table in which names are searched. */
interface Searched {
  kind: Exclude<Found['kind'], 'articles'>;
  /** Permission to list these records. */
  permission: Permission;
  from: keyof Database;
  name: string;
  /** Further columns that are searched. */
  also?: readonly string[];
  state?: string;
  /** False for the only table whose rows belong to no corporation. */
  owned?: false;
}

const TABLES: readonly Searched[] = [
  { kind: 'campaigns', permission: 'campaigns-index', from: 'campaign', name: 'name', state: 'state' },
  { kind: 'users', permission: 'users-index', from: 'user_row', name: 'name', also: ['email', 'phone'] },
  { kind: 'corporations', permission: 'corporations-index', from: 'corporation_row', name: 'name', owned: false },
  { kind: 'number-lists', permission: 'number-lists-index', from: 'number_list_row', name: 'name' },
  { kind: 'sender-ids', permission: 'sender-ids-index', from: 'sender_id_row', name: 'sender_id' },
  { kind: 'message-templates', permission: 'templates-index', from: 'message_template_row', name: 'name' },
];

/** Returns the query of one kind. Row level security decides which rows exist for the caller, as in its list. */
function queryOf(ctx: Context, table: Searched, pattern: string, limit: number): RawBuilder<Found> {
  const corporations = table.owned === false ? null : corporationsOf(ctx.caller);
  const matching = [table.name, ...(table.also ?? [])].map((column) => sql`${sql.ref(column)} ILIKE ${pattern}`);
  const within = corporations ? sql`corporation_id = ANY (${[...corporations]}::bigint[]) AND` : sql``;
  return sql`(SELECT ${table.kind}::text AS kind, id, ${sql.ref(table.name)}::text AS name,
    ${table.state ? sql.ref(table.state) : sql`NULL`}::text AS state
    FROM ${sql.table(table.from)} WHERE ${within} (${sql.join(matching, sql` OR `)}) ORDER BY id DESC LIMIT ${limit})`;
}

/** Reads all kinds that the caller may list with one statement. */
async function recordsWith(ctx: Context, { search, per_kind }: QueryOf<typeof searchEverything>): Promise<Found[]> {
  const pattern = containing(search);
  const queries = TABLES.filter(({ permission }) => ctx.caller.permissions.has(permission)).map((table) =>
    queryOf(ctx, table, pattern, per_kind),
  );
  if (queries.length === 0) return [];
  return (await sql<Found>`${sql.join(queries, sql` UNION ALL `)}`.execute(ctx.db)).rows;
}

/** Finds articles that the caller may read. */
export type FindArticles = (
  ctx: Context,
  query: { search: string },
) => Promise<{ data: readonly { id: number; title: string }[] }>;

/** Mounts the search over everything that has a name. */
export function searchRoutes(app: App, findArticles: FindArticles): void {
  mount(app, searchEverything, async (ctx, { query }) => {
    const records = await recordsWith(ctx, query);
    if (!ctx.caller.permissions.has('documentation-view')) return { data: records };
    const articles = (await findArticles(ctx, query)).data.slice(0, query.per_kind);
    return {
      data: [
        ...records,
        ...articles.map(({ id, title: name }) => ({ kind: 'articles' as const, id, name, state: null })),
      ],
    };
  });
}
