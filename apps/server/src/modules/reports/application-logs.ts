import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { type applicationLogs, exportApplicationLogs } from '@heliograph/contract/reports/application-log';
import { sql } from 'kysely';
import { requirePlatform } from '#platform/context';
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

/** Returns a page of the processes' logs, the newest first. Only the platform's own people may read them. */
export async function logPage(ctx: ListContext, query: Query): Promise<Reply> {
  requirePlatform(ctx.caller);
  const { level, source, request_id, from, to, search, cursor, limit } = query;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  if (from && to && to < from) throw fieldError('to', 'date_order');
  const { timezone } = await homeOf(ctx);
  const pattern = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await ctx.db
    .selectFrom('application_log')
    .select(['id', 'logged_at', 'level', 'source', 'request_id', 'message', 'details'])
    .$if(level !== undefined, (q) => q.where('level', '=', level!))
    .$if(source !== undefined, (q) => q.where('source', '=', source!))
    .$if(Boolean(request_id), (q) => q.where('request_id', '=', request_id!))
    .$if(Boolean(from), (q) => q.where('logged_at', '>=', momentsOf({ from: from!, to: from! }, timezone).start))
    .$if(Boolean(to), (q) => q.where('logged_at', '<', momentsOf({ from: to!, to: to! }, timezone).end))
    .$if(Boolean(search), (q) =>
      q.where((eb) => eb.or([eb('message', 'ilike', pattern), eb(sql`details::text`, 'ilike', pattern)])),
    )
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
