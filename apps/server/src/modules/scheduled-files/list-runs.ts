import type { scheduledFileRuns } from '@heliograph/contract/scheduled-files/scheduled-file';
import { sql } from 'kysely';
import { fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import { fileName } from './file-names.ts';

/** Rules for runs: the content of a sent file is kept for 30 days, its record for 400. */
export const runRetention: readonly Retention[] = [
  {
    table: 'scheduled_file_run',
    days: 30,
    since: 'sent_at',
    when: sql`t.state = 'sent' AND t.kept_path IS NOT NULL`,
    order: ['sent_at'],
    rows: 200,
    file: 'kept_path',
    staysWithoutFile: true,
  },
  {
    table: 'scheduled_file_run',
    days: 400,
    since: 'sent_at',
    when: sql`t.state = 'sent'`,
    order: ['sent_at'],
    rows: 1_000,
  },
];

/** Lists runs, the newest period first; the cursor is the start of the last period and the last id. */
export const listRuns: Handler<typeof scheduledFileRuns> = async (ctx, { query }) => {
  const { limit, cursor, scheduled_file_id, state } = query;
  const after = cursor === undefined ? undefined : /^(\d{1,15})\.(\d{1,15})$/.exec(cursor);
  if (after === null) throw fieldError('cursor', 'invalid');
  const rows = await ctx.db
    .selectFrom('scheduled_file_run as r')
    .innerJoin('scheduled_file as f', 'f.id', 'r.scheduled_file_id')
    .leftJoin('corporation as c', 'c.id', 'r.corporation_id')
    .select(['r.id', 'r.scheduled_file_id', 'f.name as scheduled_file_name', 'c.name as corporation_name'])
    .select(['r.period_start', 'r.period_end', 'r.timezone', 'r.state', 'r.rows', 'r.bytes', 'r.sha256'])
    .select(['r.previous_sha256', 'r.tries', 'r.error', 'r.kept_path', 'r.written_at', 'r.next_at', 'r.sent_at'])
    .$if(scheduled_file_id !== undefined, (q) => q.where('r.scheduled_file_id', '=', scheduled_file_id!))
    .$if(state !== undefined, (q) => q.where('r.state', '=', state!))
    .$if(after !== undefined, (q) =>
      q.where(
        sql<boolean>`(r.period_start, r.id) < (to_timestamp(${after![1]}::numeric / 1000), ${after![2]}::bigint)`,
      ),
    )
    .orderBy('r.period_start', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit + 1)
    .execute();
  const has_more = rows.length > limit;
  const data = rows.slice(0, limit).map(({ kept_path, next_at, ...row }) => ({
    ...row,
    file_name: fileName(row),
    kept: kept_path !== null,
    next_at: row.state === 'waiting' ? next_at : null,
  }));
  const last = data.at(-1);
  return {
    data: data as never,
    next_cursor: has_more && last ? `${Date.parse(last.period_start)}.${last.id}` : null,
    has_more,
  };
};
