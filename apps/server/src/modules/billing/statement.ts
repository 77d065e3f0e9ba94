import type { statements } from '@heliograph/contract/billing/credit-change';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Selectable } from 'kysely';
import type { Context } from '#platform/context';
import type { Database } from '#platform/db';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http';
import { translate } from '#platform/i18n';
import { cursorId } from './credit-change.ts';

/** The sums of a statement, in the order in which they are shown. */
export const SUMS = [
  'opening_balance',
  'payments',
  'charges',
  'refunds',
  'commitment',
  'corrections',
  'closing_balance',
] as const;

const select = ({ db }: Context) =>
  db
    .selectFrom('statement as s')
    .innerJoin('billing_account as a', 'a.id', 's.billing_account_id')
    .innerJoin('corporation as c', 'c.id', 's.corporation_id')
    .selectAll('s')
    .select(['a.name as billing_account_name', 'a.key as billing_account_key', 'c.name as corporation_name']);

/** Statements of the accounts the caller sees, newest first. */
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

/** A line of a statement: what one campaign, or one movement, came to on one day. */
export interface StatementLine {
  date: string;
  what: string;
  /** Thousandths. */
  amount: number;
}

/** A statement with its lines. Reservations and what was given back of them are no charges, and so are left out. */
export async function wholeStatement(ctx: Context, id: number) {
  const statement = await select(ctx).where('s.id', '=', id).executeTakeFirst();
  if (!statement) throw new BusinessError('not_found');
  const rows = await ctx.db
    .selectFrom('ledger_transfer as t')
    .leftJoin('campaign as m', 'm.id', 't.campaign_id')
    .select((eb) => [
      't.kind',
      't.campaign_id',
      'm.name as campaign_name',
      't.note',
      eb.cast<string>(eb.fn('timezone', [eb.val(statement.timezone), 't.created_at']), 'date').as('date'),
      eb.cast<number>(eb.fn.sum('t.amount'), 'bigint').as('amount'),
    ])
    .where('t.billing_account_id', '=', statement.billing_account_id)
    .where('t.created_at', '>=', statement.starts_at)
    .where('t.created_at', '<', statement.ends_at)
    .where('t.kind', 'not in', ['reservation', 'release'])
    .groupBy((eb) => [
      't.kind',
      't.campaign_id',
      'm.name',
      't.note',
      eb.cast(eb.fn('timezone', [eb.val(statement.timezone), 't.created_at']), 'date'),
      // Payments and the like stand alone.
      eb.case().when('t.kind', '=', 'charge').then(0).else(eb.ref('t.id')).end(),
    ])
    .orderBy('date')
    .orderBy('t.kind')
    .orderBy('t.campaign_id')
    .execute();
  const lines = rows.map(({ kind, campaign_id, campaign_name, note, date, amount }): StatementLine => {
    const about =
      kind === 'charge' && campaign_id === null ? translate(ctx.locale, 'statement.other_messages') : campaign_name;
    const what = [translate(ctx.locale, `credit_change_kind.${kind}`), about, note].filter(Boolean).join(' · ');
    return { date, what, amount };
  });
  return { statement, lines };
}
export type WholeStatement = Awaited<ReturnType<typeof wholeStatement>>;

/** The first and the last day of a statement. */
export function daysOf({ month }: { month: string }): { from: string; to: string } {
  const first = Temporal.PlainDate.from(month);
  return { from: first.toString(), to: first.add({ months: 1 }).subtract({ days: 1 }).toString() };
}
