import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { guardReport } from '@heliograph/contract/verify/guard-report';
import type { GuardSignalName } from '@heliograph/contract/verify/verification';
import { sql } from 'kysely';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';

interface Sums {
  starts: number;
  approved: number;
  saved: number;
}
const SUMS = sql`count(*)::integer AS starts, (count(*) FILTER (WHERE v.state = 'approved'))::integer AS approved,
  coalesce(sum(v.saved), 0)::bigint AS saved`;
const DAY_MS = 86_400_000;

const NONE: Sums = { starts: 0, approved: 0, saved: 0 };
const onWire = ({ starts, approved, saved }: Sums) => ({ starts, approved, saved: fromThousandths(saved) });

/** Returns what the guard of a service has decided. Starts of test keys are not counted: no guard looks at them. */
export const showGuard: Handler<typeof guardReport> = async ({ db, clock }, { params, query }) => {
  const { rows: services } = await sql<{ currency: string }>`
    SELECT c.currency FROM verify_service s JOIN corporation c ON c.id = s.corporation_id WHERE s.id = ${params.id}`.execute(
    db,
  );
  if (!services[0]) throw new BusinessError('not_found');
  const since = new Date(clock.now().getTime() - query.days * DAY_MS).toISOString();
  const within = sql`v.service_id = ${params.id} AND v.created_at > ${since}::timestamptz AND NOT v.is_test`;
  const { rows } = await sql<Sums & { decision: string }>`
    SELECT v.decision, ${SUMS} FROM verification v WHERE ${within} GROUP BY 1`.execute(db);
  const { rows: signals } = await sql<Sums & { signal: GuardSignalName }>`
    SELECT s ->> 'signal' AS signal, ${SUMS} FROM verification v CROSS JOIN LATERAL jsonb_array_elements(v.signals) s
    WHERE ${within} AND v.decision <> 'allowed' GROUP BY 1 ORDER BY 2 DESC, 1`.execute(db);
  const of = (decision: string) => onWire(rows.find((row) => row.decision === decision) ?? NONE);
  const all = (field: 'starts' | 'approved') => rows.reduce((sum, row) => sum + row[field], 0);
  return {
    data: {
      starts: all('starts'),
      approved: all('approved'),
      currency: services[0].currency,
      would_refuse: of('would_refuse'),
      refused: of('refused'),
      signals: signals.map((row) => ({ ...onWire(row), signal: row.signal })),
    },
  };
};
