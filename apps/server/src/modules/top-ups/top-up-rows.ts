import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { exportTopUps, type getTopUp, type topUps } from '@heliograph/contract/top-ups/top-up';
import { sql } from 'kysely';
import type { Caller, Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { momentsOf } from '#platform/records/period';
import { amountCell, momentCell } from '#platform/table/cells';
import { downloadJob } from '#platform/tasks/downloads';
import type { ExportedList, ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';

type Row = ReplyOf<typeof topUps>['data'][number];
type Whole = ReplyOf<typeof getTopUp>['data'];
type Filters = Omit<QueryOf<typeof topUps>, 'limit' | 'cursor'> & { corporation_id?: number | undefined };
/** Row of the list of top-ups. */
export type TopUpRow = Row;

/** Job that writes a list of top-ups to a file. */
export const exportTopUpsJob = downloadJob('export-top-ups');

const stored = ({ db }: Pick<Context, 'db'>) => db.selectFrom('top_up_row').selectAll();
type Stored = Awaited<ReturnType<ReturnType<typeof stored>['executeTakeFirstOrThrow']>>;

const AMOUNTS = ['amount', 'fee', 'total', 'returned', 'taken_back'] as const;

/**
 * Tells if a caller may decide about the money of a corporation: its reseller or the administration, so that nobody
 * approves their own payment.
 */
export const sellsTo = (caller: Caller, corporationId: number): boolean =>
  isAdministration(caller.scope_level) || corporationId !== caller.corporation_id;

function onWire(caller: Caller, { corporation_id, user_id: _, approved_by, ...row }: Stored): Row {
  const sells = sellsTo(caller, corporation_id!);
  const { state, driver } = row;
  const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, fromThousandths(row[name]!)]));
  return {
    ...row,
    ...amounts,
    may: {
      refund:
        sells &&
        caller.permissions.has('top-ups-refund') &&
        driver !== 'voucher' &&
        (state === 'paid' || state === 'partly_refunded'),
      charge_back:
        sells &&
        caller.permissions.has('top-ups-refund') &&
        (driver === 'bank_transfer' || driver === 'maya') &&
        (state === 'paid' || state === 'partly_refunded' || state === 'charged_back'),
      approve:
        sells && caller.permissions.has('top-ups-approve') && state === 'in_review' && approved_by !== caller.user_id,
      prove:
        driver === 'bank_transfer' &&
        caller.permissions.has('top-ups-create') &&
        (state === 'awaiting_payment' || state === 'in_review'),
    },
  } as unknown as Row;
}

/** Reads rows of the selection, the newest first. Days are those of the viewer. */
export async function topUpPage(ctx: ListContext, query: Filters & { limit: number; cursor?: string | undefined }) {
  const { cursor, limit, corporation_id, billing_account_id, state, driver, from, to } = query;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  const { timezone } = await homeOf(ctx);
  const start = from === undefined ? undefined : momentsOf({ from, to: from }, timezone).start;
  const end = to === undefined ? undefined : momentsOf({ from: to, to }, timezone).end;
  const rows = await stored(ctx)
    .$if(corporation_id !== undefined, (q) => q.where('corporation_id', '=', corporation_id!))
    .$if(billing_account_id !== undefined, (q) => q.where('billing_account_id', '=', billing_account_id!))
    .$if(state !== undefined, (q) => q.where('state', '=', state!))
    .$if(driver !== undefined, (q) => q.where('driver', '=', driver!))
    .$if(start !== undefined, (q) => q.where(sql`created_at`, '>=', start))
    .$if(end !== undefined, (q) => q.where(sql`created_at`, '<', end))
    .$if(cursor !== undefined, (q) => q.where('id', '<', Number(cursor)))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const data = rows.slice(0, limit).map((row) => onWire(ctx.caller, row));
  const has_more = rows.length > data.length;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
}

/** Lists top-ups of accounts that the caller sees, newest first. */
export const listTopUps: Handler<typeof topUps> = (ctx, { query }) => topUpPage(ctx, query);

/** Returns a top-up with what went back. Throws `not_found`. */
export async function wholeTopUp(ctx: Context, id: number): Promise<Whole & { corporation_id: number }> {
  const row = await stored(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  const returns = await ctx.db
    .selectFrom('top_up_return as r')
    .leftJoin('user_account as u', 'u.id', 'r.user_id')
    .leftJoin('user_account as d', 'd.id', 'r.decided_by')
    .select(['r.id', 'r.created_at', 'r.kind', 'r.state', 'r.amount', 'r.reason', 'u.name as user_name'])
    .select(['r.by_hand', 'r.user_id', 'd.name as decided_by_name', 'r.decision_note'])
    .where('r.top_up_id', '=', id)
    .orderBy('r.id')
    .execute();
  const { rows } = await sql<{
    instructions: string | null;
  }>`SELECT top_up_instructions(${id}) AS instructions`.execute(ctx.db);
  const sellsHere = sellsTo(ctx.caller, row.corporation_id!);
  const sells = sellsHere && ctx.caller.permissions.has('top-ups-refund');
  return {
    ...onWire(ctx.caller, row),
    corporation_id: row.corporation_id!,
    instructions: row.driver === 'bank_transfer' ? rows[0]!.instructions : null,
    // Customers see what was decided, not what a seller still discusses.
    returns: returns
      .filter(({ state }) => sellsHere || (state !== 'requested' && state !== 'rejected'))
      .map(({ by_hand, user_id, ...each }) => {
        const decides = sells && by_hand;
        const waits = decides && each.state === 'requested';
        const may = {
          approve: waits && user_id !== ctx.caller.user_id,
          reject: waits,
          reverse: decides && (each.state === 'done' || each.state === 'lost'),
        };
        return { ...each, amount: fromThousandths(each.amount), may };
      }) as Whole['returns'],
  };
}

const FILE_COLUMNS = [
  'created_at',
  'paid_at',
  'corporation_name',
  'billing_account_name',
  'method_name',
  'driver',
  'state',
  'amount',
  'fee',
  'total',
  'returned',
  'taken_back',
  'currency',
  'reference',
  'client_reference',
  'method_label',
  'user_name',
] as const;
const IN_AMOUNTS: ReadonlySet<string> = new Set(AMOUNTS);

/** Top-ups of a selection as a file. */
export const topUpFile: ExportedList<Filters, Row> = {
  kind: 'top-ups',
  withoutNumbers: true,
  permission: exportTopUps.permission!,
  filters: exportTopUps.body.omit({ format: true }),
  page: topUpPage,
  heading: (_, locale) => FILE_COLUMNS.map((field) => translate(locale, `resources.top-ups.fields.${field}`)),
  cells: (row, _, locale, zone) =>
    FILE_COLUMNS.map((field) => {
      if (field === 'created_at' || field === 'paid_at')
        return row[field] === null ? null : momentCell(row[field], zone);
      if (field === 'state') return translate(locale, `top_up_state.${row.state}`);
      if (field === 'driver') return translate(locale, `payment_driver.${row.driver}`);
      return IN_AMOUNTS.has(field) ? amountCell(String(row[field])) : row[field];
    }),
};
