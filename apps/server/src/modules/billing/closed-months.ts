import type {
  askToReopenMonth,
  checkMonth,
  closedMonths,
  closeMonth as closeMonthCall,
  reopenMonth,
} from '@heliograph/contract/billing/closed-month';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { dateIn } from '#platform/records/period';
import { sellerOf } from './credit-control.ts';

type Row = ReplyOf<typeof closedMonths>['data'][number];
type Check = ReplyOf<typeof checkMonth>['data'][number];

/** Months that the list goes back. */
const SHOWN = 13;

interface Closed {
  id: number;
  month: string;
  corporation_id: number | null;
  seller_name: string | null;
  closed_at: string;
  closed_by_name: string | null;
  reopen_note: string | null;
  reopen_asked_by: number | null;
  reopen_asked_by_name: string | null;
}

async function closedRows(ctx: Context): Promise<Closed[]> {
  const { rows } = await sql<Closed>`
    SELECT m.id, to_char(m.month, 'YYYY-MM') AS month, m.corporation_id, c.name AS seller_name, m.closed_at,
      u.name AS closed_by_name, m.reopen_note, m.reopen_asked_by, a.name AS reopen_asked_by_name
    FROM closed_month m LEFT JOIN corporation c ON c.id = m.corporation_id
    LEFT JOIN user_account u ON u.id = m.closed_by LEFT JOIN user_account a ON a.id = m.reopen_asked_by
    WHERE m.reopened_at IS NULL ORDER BY m.month DESC, m.id`.execute(ctx.db);
  return rows;
}

async function monthsOf(ctx: Context): Promise<Row[]> {
  const seller = sellerOf(ctx);
  const closed = await closedRows(ctx);
  const own = new Map(closed.filter((row) => row.corporation_id === seller).map((row) => [row.month, row]));
  const { timezone } = await homeOf(ctx);
  const present = Temporal.PlainDate.from(dateIn(timezone, ctx.clock.now())).toPlainYearMonth();
  const { rows: again } = await sql<{
    month: string;
  }>`SELECT DISTINCT to_char(month, 'YYYY-MM') AS month FROM closed_month
    WHERE reopened_at IS NOT NULL AND corporation_id IS NOT DISTINCT FROM ${seller}::bigint
      AND month_is_open_again(${seller}::bigint, month)`.execute(ctx.db);
  const reopened = new Set(again.map(({ month }) => month));
  const onWire = (month: string, row: Closed | undefined, isOwn: boolean): Row => ({
    id: row?.id ?? null,
    month,
    seller_name: row?.seller_name ?? null,
    own: isOwn,
    closed_at: row?.closed_at ?? null,
    reopened: isOwn && reopened.has(month),
    closed_by_name: row?.closed_by_name ?? null,
    reopen_note: row?.reopen_note ?? null,
    reopen_asked_by_name: row?.reopen_asked_by_name ?? null,
    reopenable: row?.reopen_note != null && row.reopen_asked_by !== ctx.caller.user_id && seller === null,
  });
  const months = Array.from({ length: SHOWN }, (_, back) => present.subtract({ months: back + 1 }).toString());
  return [
    ...months.map((month) => onWire(month, own.get(month), true)),
    ...closed.filter((row) => row.corporation_id !== seller).map((row) => onWire(row.month, row, false)),
  ];
}

/** Lists the months of the caller's own sales; for the platform also the closed ones of resellers. */
export const listMonths: Handler<typeof closedMonths> = async (ctx) => ({ data: await monthsOf(ctx) });

async function checksOf(ctx: Context, month: string): Promise<Check[]> {
  const { rows } = await sql<Check>`
    SELECT * FROM month_checks(${sellerOf(ctx)}::bigint, ${`${month}-01`}::date)`.execute(ctx.db);
  return rows;
}

/** Checks what is missing before the caller's month can be closed. */
export const showChecks: Handler<typeof checkMonth> = async (ctx, { query }) => ({
  data: await checksOf(ctx, query.month),
});

/** Errors that the functions of the database raise, by SQLSTATE. */
const RAISED: Readonly<
  Record<string, 'month_not_complete' | 'month_not_newest' | 'month_closed' | 'month_second_person'>
> = {
  HGCM1: 'month_not_complete',
  HGCM2: 'month_not_newest',
  '23505': 'month_closed',
  '23514': 'month_second_person',
};

async function named<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = RAISED[String((error as { code?: unknown }).code)];
    throw code ? new BusinessError(code) : error;
  }
}

const logged = (ctx: Context, description: string, id: number, corporation_id: number | null, after: object) =>
  audit(ctx, {
    name: 'closed-months',
    description,
    subject_type: 'closed-months',
    subject_id: id,
    corporation_id,
    after,
  });

/** Closes the caller's month and all earlier ones. */
export const closeOneMonth: Handler<typeof closeMonthCall> = async (ctx, { body: { month } }) => {
  const seller = sellerOf(ctx);
  const { rows } = await named(
    sql<{
      id: number;
    }>`SELECT close_month(${seller}::bigint, ${`${month}-01`}::date, ${ctx.caller.user_id}) AS id`.execute(ctx.db),
  );
  await logged(ctx, 'closed', rows[0]!.id, seller, { month });
  return { data: await monthsOf(ctx) };
};

/** Returns a closed month that the caller may open again. Only the platform's people may. */
async function closedOf(ctx: Context, id: number): Promise<Closed> {
  const row = (await closedRows(ctx)).find((each) => each.id === id);
  if (!row) throw new BusinessError('not_found');
  if (!isAdministration(ctx.caller.scope_level)) throw new BusinessError('forbidden');
  return row;
}

/** Asks to open a month again, with the reason. */
export const askReopen: Handler<typeof askToReopenMonth> = async (ctx, { params, body: { note } }) => {
  const { month, corporation_id } = await closedOf(ctx, params.id);
  await named(sql`SELECT ask_to_reopen(${params.id}, ${ctx.caller.user_id}, ${note})`.execute(ctx.db));
  await logged(ctx, 'reopening requested', params.id, corporation_id, { month, note });
  return { data: await monthsOf(ctx) };
};

/** Opens a month again, if another person has asked for it. */
export const reopen: Handler<typeof reopenMonth> = async (ctx, { params }) => {
  const { month, corporation_id, reopen_note } = await closedOf(ctx, params.id);
  await named(sql`SELECT reopen_month(${params.id}, ${ctx.caller.user_id})`.execute(ctx.db));
  await logged(ctx, 'reopened', params.id, corporation_id, { month, note: reopen_note });
  return { data: await monthsOf(ctx) };
};
