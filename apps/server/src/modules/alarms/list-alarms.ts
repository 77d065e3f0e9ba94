import type { alarms } from '@heliograph/contract/alarms/alarm';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { Context } from '#platform/context';

type Reply = ReplyOf<typeof alarms>;
type Row = Omit<Reply['present'][number], 'waiting' | 'node_kind' | 'lost' | 'currency'> & {
  detail: Record<string, unknown>;
};

/** Maximum number of past alarms that are listed. */
const PAST = 20;

/** Lists the present alarms and those of the last day. Row level security shows them only to the administration. */
export async function listAlarms(ctx: Context): Promise<Reply> {
  const { rows } = await sql<Row>`
    SELECT id, condition, name, link_id, detail, since, ended_at FROM alarm
    WHERE raised_at IS NOT NULL AND (ended_at IS NULL OR ended_at > ${ctx.clock.now().toISOString()}::timestamptz - interval '1 day')
    ORDER BY since, id`.execute(ctx.db);
  const { rows: counts } = await sql<{ links: number; waiting: number }>`
    SELECT (SELECT count(*) FROM link_row WHERE state NOT IN ('disabled', 'draining') AND NOT for_tests)::int AS links,
      (SELECT coalesce(sum(size - cursor), 0) FROM chunk WHERE state = 'open')::bigint AS waiting`.execute(ctx.db);
  const all = rows.map(({ detail, ...row }) => ({
    ...row,
    waiting: typeof detail['waiting'] === 'number' ? detail['waiting'] : null,
    lost: typeof detail['lost'] === 'string' ? detail['lost'] : null,
    currency: typeof detail['currency'] === 'string' ? detail['currency'] : null,
    node_kind: typeof detail['kind'] === 'string' ? detail['kind'] : null,
  }));
  return {
    present: all.filter(({ ended_at }) => ended_at === null),
    past: all
      .filter(({ ended_at }) => ended_at !== null)
      .reverse()
      .slice(0, PAST),
    ...counts[0]!,
  };
}
