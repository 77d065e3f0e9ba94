import { Readable } from 'node:stream';
import type { activityLogFile, activityLogs } from '@heliograph/contract/audit/activity-log';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { stringify } from 'csv-stringify/sync';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { homeOf } from '#platform/home';
import { momentsOf } from '#platform/period';

type Filters = QueryOf<typeof activityLogFile>;
type Row = ReplyOf<typeof activityLogs>['data'][number];

/** Read at once for a file. */
const FILE_ROWS = 2_000;

async function selection(ctx: Context, filters: Filters) {
  const { from, to, search, ...equal } = filters;
  if (from !== undefined && to !== undefined && to < from) throw fieldError('to', 'date_order');
  const { timezone: zone } = await homeOf(ctx);
  const pattern = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  let query = ctx.db
    .selectFrom('activity_log as a')
    // A person who is gone is told by their number.
    .leftJoin('user_account as u', 'u.id', 'a.causer_id')
    .leftJoin('corporation as c', 'c.id', 'a.corporation_id')
    .select(['a.id', 'a.name', 'a.description', 'a.subject_type', 'a.subject_id', 'a.causer_type', 'a.causer_id'])
    .select(['u.name as causer_name', 'a.corporation_id', 'c.name as corporation_name', 'a.properties', 'a.created_at'])
    .orderBy('a.id', 'desc')
    .$if(from !== undefined, (q) => q.where('a.created_at', '>=', momentsOf({ from: from!, to: from! }, zone).start))
    .$if(to !== undefined, (q) => q.where('a.created_at', '<', momentsOf({ from: to!, to: to! }, zone).end))
    .$if(Boolean(search), (q) =>
      q.where((eb) =>
        eb.or([
          eb('a.name', 'ilike', pattern),
          eb('a.description', 'ilike', pattern),
          eb('u.name', 'ilike', pattern),
          eb(sql`a.properties::text`, 'ilike', pattern),
        ]),
      ),
    );
  for (const [field, value] of Object.entries(equal))
    if (value !== undefined) query = query.where(sql.ref(`a.${field}`), '=', value);
  return query;
}

/** What was done, the newest first; the cursor is the last id of the page before. */
export async function listActivity(
  ctx: Context,
  { limit, cursor, ...filters }: QueryOf<typeof activityLogs>,
): Promise<ReplyOf<typeof activityLogs>> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  const query = await selection(ctx, filters);
  const rows = await query
    .$if(cursor !== undefined, (q) => q.where('a.id', '<', Number(cursor)))
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const has_more = rows.length > page.length;
  return {
    data: page.map((row) => ({ ...row, properties: propertiesOf(row.properties) })),
    next_cursor: has_more ? String(page.at(-1)!.id) : null,
    has_more,
  };
}

function propertiesOf(value: unknown): Row['properties'] {
  const { before = null, after = null } = (value ?? {}) as Partial<Row['properties']>;
  return { before, after };
}

/** A spreadsheet runs a cell that starts so as a formula; behind an apostrophe it stays text. */
const disarmed = (text: string) => (/^[=+\-@\t\r\n＝＋－＠|%]/.test(text) ? `'${text}` : text);

const HEADER =
  'id,created_at,name,description,subject_type,subject_id,causer_type,causer_id,causer_name,corporation_name,properties';

/** The same as a CSV file, read page by page, each in a short transaction of its own by `run`. */
export function activityFile(run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>, filters: Filters) {
  async function* lines() {
    yield stringify([HEADER.split(',')], { bom: true, record_delimiter: 'windows' });
    for (let below = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = await run(async (ctx) =>
        (await selection(ctx, filters)).where('a.id', '<', below).limit(FILE_ROWS).execute(),
      );
      if (rows.length > 0) yield stringify(rows.map(cellsOf), { record_delimiter: 'windows' });
      if (rows.length < FILE_ROWS) return;
      below = rows.at(-1)!.id;
    }
  }
  return { stream: Readable.from(lines()), name: 'activity-logs.csv', type: 'text/csv; charset=utf-8' };
}

type FileRow = Awaited<ReturnType<Awaited<ReturnType<typeof selection>>['execute']>>[number];

const cellsOf = (row: FileRow) => [
  row.id,
  row.created_at,
  disarmed(row.name),
  disarmed(row.description),
  row.subject_type,
  row.subject_id,
  row.causer_type,
  row.causer_id,
  disarmed(row.causer_name ?? ''),
  disarmed(row.corporation_name ?? ''),
  JSON.stringify(row.properties),
];
