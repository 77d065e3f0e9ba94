import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { applicationLogs, exportApplicationLogs } from '@heliograph/contract/reports/application-log';
import { sql } from 'kysely';
import { mayTryNumbers } from '#platform/access/hidden-numbers';
import { requirePlatform } from '#platform/context';
import { containing } from '#platform/database/like';
import { BusinessError, fieldError } from '#platform/errors';
import type { Retention } from '#platform/jobs/retention';
import { homeOf } from '#platform/person/home';
import { momentsOf } from '#platform/records/period';
import { momentCell } from '#platform/table/cells';
import type { ExportedList, ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';

type Query = QueryOf<typeof applicationLogs>;
type Reply = ReplyOf<typeof applicationLogs>;
type Row = Reply['data'][number];

/** Retention of the processes' logs: 14 days, and 1,000,000 entries however much is logged. */
export const logRetention: readonly Retention[] = [
  { table: 'application_log', days: 14, since: 'logged_at', rows: 10_000, inOrder: true },
  {
    table: 'application_log',
    days: 0,
    since: 'logged_at',
    when: sql`id <= (SELECT max(id) FROM application_log) - 1000000`,
    rows: 10_000,
    inOrder: true,
  },
];

export type Filters = Omit<Query, 'cursor' | 'limit'>;

/** Returns the conditions of a selection. The days are those of the caller's time zone. */
export function conditionOf(
  { caller }: Pick<ListContext, 'caller'>,
  { level, source, request_id, from, to, since, until, search }: Filters,
  timezone: string,
) {
  const mayTry = mayTryNumbers(caller, search ?? '');
  const pattern = containing(search ?? '');
  const all = [
    level && sql`level = ${level}`,
    source && sql`source = ${source}`,
    request_id && sql`request_id = ${request_id}`,
    from && sql`logged_at >= ${momentsOf({ from, to: from }, timezone).start}`,
    to && sql`logged_at < ${momentsOf({ from: to, to }, timezone).end}`,
    since && sql`logged_at >= ${new Date(since)}`,
    until && sql`logged_at < ${new Date(until)}`,
    search && (mayTry ? sql`(message ILIKE ${pattern} OR details::text ILIKE ${pattern})` : sql`false`),
  ].filter((each) => typeof each === 'object');
  return all.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(all, sql` AND `)}`;
}

/** Checks a selection that only the platform's own people may make. Returns their time zone. */
export async function readerOf(ctx: ListContext, { from, to }: Filters): Promise<string> {
  requirePlatform(ctx.caller);
  if (from && to && to < from) throw fieldError('to', 'date_order');
  return (await homeOf(ctx)).timezone;
}

/** Returns a page of the processes' logs, the newest first. Only the platform's own people may read them. */
export async function logPage(ctx: ListContext, query: Query): Promise<Reply> {
  const { cursor, limit, ...filters } = query;
  const timezone = await readerOf(ctx, filters);
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  const rows = await ctx.db
    .selectFrom('application_log')
    .select(['id', 'logged_at', 'level', 'source', 'request_id', 'message', 'details'])
    .where(conditionOf(ctx, filters, timezone))
    .$if(cursor !== undefined, (q) => q.where('id', '<', Number(cursor)))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const data = rows.slice(0, limit) as Row[];
  const has_more = rows.length > limit;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
}

const FILE_COLUMNS = ['logged_at', 'level', 'source', 'request_id', 'message', 'details'] as const;

/** The report as a file. */
export const logFile: ExportedList<Omit<Query, 'limit' | 'cursor'>, Row> = {
  kind: 'application-logs',
  row: applicationLogs.reply.shape.data.element,
  permission: exportApplicationLogs.permission!,
  filters: exportApplicationLogs.body.omit({ format: true }),
  page: logPage,
  heading: (_, locale) => FILE_COLUMNS.map((field) => translate(locale, `resources.application-logs.fields.${field}`)),
  cells: (row, _, __, zone) =>
    FILE_COLUMNS.map((field) => {
      if (field === 'logged_at') return momentCell(row.logged_at, zone);
      return field === 'details' ? JSON.stringify(row.details) : row[field];
    }),
};
