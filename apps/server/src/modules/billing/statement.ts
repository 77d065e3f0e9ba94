import type { statements } from '@heliograph/contract/billing/credit-change';
import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Selectable } from 'kysely';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { type AttachedFile, csvFile } from '#platform/tasks/csv-file';
import { translate } from '#platform/text/i18n';
import { cursorId } from './credit-change.ts';
import { rowsOf } from './sql.ts';

/** Sums of a statement, in the order in which they are shown. */
export const SUMS = [
  'opening_balance',
  'payments',
  'charges',
  'refunds',
  'commitment',
  'corrections',
  'transfers',
  'discounts',
  'closing_balance',
] as const;

const select = ({ db }: Context) =>
  db
    .selectFrom('statement as s')
    .innerJoin('billing_account as a', 'a.id', 's.billing_account_id')
    .innerJoin('corporation as c', 'c.id', 's.corporation_id')
    .selectAll('s')
    .select(['a.name as billing_account_name', 'a.key as billing_account_key', 'c.name as corporation_name']);

/** Lists statements of the accounts that the caller sees, newest first. */
export const listStatements: Handler<typeof statements> = async (ctx, { query }) => {
  const before = cursorId(query.cursor);
  const rows = await select(ctx)
    .$if(query.billing_account_id !== undefined, (q) => q.where('s.billing_account_id', '=', query.billing_account_id!))
    .$if(before !== null, (q) => q.where('s.id', '<', before!))
    .orderBy('s.id', 'desc')
    .limit(query.limit + 1)
    .execute();
  const page = rows.slice(0, query.limit);
  const has_more = rows.length > page.length;
  return {
    data: page.map((row) => ({ ...row, ...sumsOnWire(row), month: row.month.slice(0, 7) })),
    next_cursor: has_more ? String(page.at(-1)!.id) : null,
    has_more,
  };
};

export const sumsOnWire = (row: Pick<Selectable<Database['statement']>, (typeof SUMS)[number]>) =>
  Object.fromEntries(SUMS.map((sum) => [sum, fromThousandths(row[sum])])) as Record<(typeof SUMS)[number], string>;

/** Line of a statement: the amount of one campaign, or of one movement, on one day. */
interface StatementLine {
  date: string;
  what: string;
  /** Thousandths. */
  amount: number;
}

// The charges of a campaign are one line a day. Each payment, refund, commitment and correction has its own line.
const LINES = `
SELECT t.kind, t.campaign_id, m.name AS campaign_name, t.note, (t.created_at AT TIME ZONE $4)::date AS date,
  sum(t.amount)::bigint AS amount
FROM ledger_transfer t LEFT JOIN campaign m ON m.id = t.campaign_id
WHERE t.billing_account_id = $1 AND t.created_at >= $2 AND t.created_at < $3 AND t.kind NOT IN ('reservation', 'release')
GROUP BY t.kind, t.campaign_id, m.name, t.note, date, CASE WHEN t.kind <> 'charge' THEN t.id END
ORDER BY date, t.kind, t.campaign_id`;

interface Line {
  kind: string;
  campaign_id: number | null;
  campaign_name: string | null;
  note: string | null;
  date: string;
  amount: number;
}

/** Returns a statement with its lines. Reservations and their releases are no charges, so they are left out. */
export async function wholeStatement(ctx: Context, id: number) {
  const statement = await select(ctx).where('s.id', '=', id).executeTakeFirst();
  if (!statement) throw new BusinessError('not_found');
  const { billing_account_id, starts_at, ends_at, timezone } = statement;
  const rows = await rowsOf<Line>(ctx.db, LINES, [billing_account_id, starts_at, ends_at, timezone]);
  const lines = rows.map(({ kind, campaign_id, campaign_name, note, date, amount }): StatementLine => {
    const about =
      kind === 'charge' && campaign_id === null ? translate(ctx.locale, 'statement.other_messages') : campaign_name;
    const what = [translate(ctx.locale, keyIn('credit_change_kind', kind)), about, note].filter(Boolean).join(' · ');
    return { date, what, amount };
  });
  return { statement, lines };
}

/** Returns the first and the last day of a statement. */
export function daysOf({ month }: { month: string }): { from: string; to: string } {
  const first = Temporal.PlainDate.from(month);
  return { from: first.toString(), to: first.add({ months: 1 }).subtract({ days: 1 }).toString() };
}

/** Writes a statement as a CSV: its opening balance, its lines, then its sums. */
export async function statementCsv(ctx: Context, id: number): Promise<AttachedFile> {
  const { statement, lines } = await wholeStatement(ctx, id);
  const say = (key: MessageKey, params = {}) => translate(ctx.locale, key, params);
  const { from, to } = daysOf(statement);
  const sum = (name: (typeof SUMS)[number]) => [
    name === 'opening_balance' ? from : to,
    say(`resources.statements.fields.${name}`),
    fromThousandths(statement[name]),
  ];
  return csvFile(
    `statement-${statement.billing_account_key}-${statement.month.slice(0, 7)}.csv`,
    [say('statement.date'), say('statement.what'), say('statement.amount', { currency: statement.currency })],
    [
      sum('opening_balance'),
      ...lines.map(({ date, what, amount }) => [date, what, fromThousandths(amount)]),
      ...SUMS.slice(1).map(sum),
    ],
  );
}
