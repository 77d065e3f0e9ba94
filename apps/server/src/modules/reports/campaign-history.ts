import { onTheirWay } from '@heliograph/contract/kernel/figures';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { ReportCosts } from '@heliograph/contract/kernel/report-costs';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { type CampaignState, MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import {
  type campaignHistory,
  type campaignRequests,
  type campaignStatuses,
  exportCampaignHistory,
} from '@heliograph/contract/reports/campaign-history';
import { sql } from 'kysely';
import { requireCosts } from '#modules/margins';
import { corporationsOf } from '#platform/access/scope-clause';
import { containing } from '#platform/database/like';
import { fieldError } from '#platform/errors';
import { homeOf } from '#platform/person/home';
import { checkPeriod, dateIn, momentsOf } from '#platform/records/period';
import { amountCell, momentCell } from '#platform/table/cells';
import type { ExportedList, ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { placedText } from '#platform/text/sealed-text';
import { addCosts } from './campaign-costs.ts';
import { type CostValues, costCells, costHeading } from './cost-columns.ts';

type Query = QueryOf<typeof campaignHistory> & { costs?: ReportCosts | undefined };

/** Selects the campaigns below the cursor, the newest first. The caller may not see every user who made one. */
async function selection(ctx: ListContext, query: Query) {
  const { timezone } = await homeOf(ctx);
  checkPeriod(query, dateIn(timezone, ctx.clock.now()));
  if (query.cursor !== undefined && !/^\d{1,15}$/.test(query.cursor)) throw fieldError('cursor', 'invalid');
  const { start, end } = momentsOf(query, timezone);
  const corporations = corporationsOf(ctx.caller);
  const { state, corporation_id, department_id, sender_id, search, cursor } = query;
  const pattern = containing(search ?? '');
  return ctx.db
    .selectFrom('campaign as k')
    .innerJoin('corporation as c', 'c.id', 'k.corporation_id')
    .leftJoin('department as d', 'd.id', 'k.department_id')
    .leftJoin('user_account as u', 'u.id', 'k.created_by')
    .select((eb) => [
      'k.id',
      'k.name',
      'k.state',
      'c.name as corporation_name',
      'd.name as department_name',
      eb.fn.coalesce('u.name', sql<string>`''`).as('user_name'),
      'k.sender_id',
      'k.total_count',
      'k.created_at',
    ])
    .where('k.created_at', '>=', start)
    .where('k.created_at', '<', end)
    .$if(corporations !== null, (q) => q.where(sql<boolean>`k.corporation_id = ANY (${corporations}::bigint[])`))
    .$if(state !== undefined, (q) => q.where('k.state', '=', state!))
    .$if(corporation_id !== undefined, (q) => q.where('k.corporation_id', '=', corporation_id!))
    .$if(department_id !== undefined, (q) => q.where('k.department_id', '=', department_id!))
    .$if(Boolean(sender_id), (q) => q.where('k.sender_id', '=', sender_id!))
    .$if(Boolean(search), (q) => q.where('k.name', 'ilike', pattern))
    .$if(cursor !== undefined, (q) => q.where('k.id', '<', Number(cursor)))
    .orderBy('k.id', 'desc')
    .limit(query.limit + 1);
}

function pageOf<Row extends { id: number }>(rows: Row[], limit: number) {
  const data = rows.slice(0, limit);
  const has_more = rows.length > limit;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
}

/** Returns the progress of campaigns and their cost. */
export async function historyPage(ctx: ListContext, query: Query): Promise<ReplyOf<typeof campaignHistory>> {
  const rows = await (await selection(ctx, query))
    .leftJoin('campaign_figure as n', 'n.campaign_id', 'k.id')
    .select((eb) => [
      'k.total_sms',
      eb.fn.coalesce('n.processed', sql<number>`0`).as('processed'),
      eb.fn.coalesce('n.delivered', sql<number>`0`).as('delivered'),
      eb.fn.coalesce('n.failed', sql<number>`0`).as('failed'),
      eb.fn.coalesce('n.expired', sql<number>`0`).as('expired'),
      eb.fn.coalesce('n.blocked', sql<number>`0`).as('blocked'),
      eb.fn.coalesce('n.cancelled', sql<number>`0`).as('cancelled'),
      eb.fn.coalesce('n.charged', sql<number>`0`).as('charged'),
      'c.currency',
      'k.started_at',
      'k.finished_at',
    ])
    .execute();
  return pageOf(
    rows.map((row) => ({ ...row, charged: fromThousandths(row.charged) })),
    query.limit,
  );
}

interface Ends {
  delivered: number;
  expired: number;
  blocked: number;
  failed: number;
  failed_internal: number;
  failed_billing: number;
  failed_submit: number;
}

/**
 * Returns messages by delivery status. Those that ended come from the statistics, the others from the campaign's
 * counters.
 */
export async function statusPage(ctx: ListContext, query: Query): Promise<ReplyOf<typeof campaignStatuses>> {
  const rows = await (await selection(ctx, query))
    .leftJoin('campaign_figure as n', 'n.campaign_id', 'k.id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('traffic_quarter as q')
          .whereRef('q.campaign_id', '=', 'k.id')
          .where('q.campaign_id', '>', 0)
          .select(
            (
              [
                'delivered',
                'expired',
                'blocked',
                'failed',
                'failed_internal',
                'failed_billing',
                'failed_submit',
              ] as const
            ).map((column) => sql<number>`coalesce(sum(${sql.ref(`q.${column}`)}), 0)::bigint`.as(column)),
          )
          .as('t'),
      (join) => join.onTrue(),
    )
    .select((eb) => [
      sql<Ends>`to_json(t)`.as('ends'),
      eb.fn.coalesce('n.cancelled', sql<number>`0`).as('cancelled'),
      eb.fn.coalesce('n.processed', sql<number>`0`).as('processed'),
    ])
    .execute();
  return pageOf(
    rows.map(({ ends, processed, cancelled, ...row }) => {
      const { failed, failed_internal, failed_billing, failed_submit, delivered, expired, blocked } = ends;
      return {
        ...row,
        pending: Math.max(0, row.total_count - processed),
        submitted: onTheirWay({ processed, delivered, failed, expired, blocked, cancelled }),
        delivered,
        expired,
        cancelled,
        failed_internal,
        failed_billing,
        failed_submit,
        failed_other: failed - failed_internal - failed_billing - failed_submit,
        blocked,
      };
    }),
    query.limit,
  );
}

/** Returns the requests for campaigns, with the users who asked and approved. */
export async function requestPage(ctx: ListContext, query: Query): Promise<ReplyOf<typeof campaignRequests>> {
  const rows = await (await selection(ctx, query))
    .innerJoin('billing_account as b', 'b.id', 'k.billing_account_id')
    .leftJoin('user_account as approver', 'approver.id', 'k.approved_by')
    .leftJoin('user_account as asker', 'asker.id', 'k.asked_by')
    .select([
      'k.content as request',
      'k.corporation_id',
      'b.content_visible',
      'b.name as billing_account_name',
      'k.total_sms',
      'k.gsm_count',
      'k.unicode_count',
      'k.rejected_count',
      'k.estimated_cost',
      'c.currency',
      'k.starts_at',
      'k.ends_at',
      'approver.name as approved_by_name',
      'k.approved_at',
      'asker.name as asked_by_name',
      'k.asked_at',
      'k.error_code',
    ])
    .execute();
  return pageOf(
    rows.map(({ request, content_visible, corporation_id, ...row }) => {
      const { content_type, content, flash, sms_validity } = request as {
        content_type: 'single' | 'multi';
        content: string;
        flash: boolean;
        sms_validity: number;
      };
      const readable = ctx.caller.content_visible && content_visible;
      return {
        ...row,
        content_type,
        content: readable ? placedText(content, corporation_id, 'campaign') : null,
        flash,
        sms_validity,
        estimated_cost: fromThousandths(row.estimated_cost),
      };
    }),
    query.limit,
  );
}

const COMMON = ['id', 'name', 'state', 'corporation_name', 'department_name', 'user_name', 'sender_id'] as const;
const COLUMNS = {
  detail: [
    ...COMMON,
    'total_count',
    'total_sms',
    'processed',
    'delivered',
    'failed',
    'expired',
    'blocked',
    'cancelled',
    'charged',
    'currency',
    'created_at',
    'started_at',
    'finished_at',
  ],
  status: [...COMMON, 'created_at', 'total_count', ...MESSAGE_STATES],
  request: [
    ...COMMON,
    'created_at',
    'billing_account_name',
    'content_type',
    'content',
    'flash',
    'sms_validity',
    'total_count',
    'total_sms',
    'gsm_count',
    'unicode_count',
    'rejected_count',
    'estimated_cost',
    'currency',
    'starts_at',
    'ends_at',
    'asked_by_name',
    'asked_at',
    'approved_by_name',
    'approved_at',
    'error_code',
  ],
} as const;

type Filters = Omit<Query, 'limit' | 'cursor'> & { view: keyof typeof COLUMNS };
type Row = Record<string, string | number | boolean | null> & { costs?: CostValues };

const TIMES = new Set(['created_at', 'started_at', 'finished_at', 'starts_at', 'ends_at', 'asked_at', 'approved_at']);
const AMOUNTS = new Set(['charged', 'estimated_cost']);
const isState = (field: string) => (MESSAGE_STATES as readonly string[]).includes(field);

function headingOf(view: Filters['view'], field: string, locale: Locale): string {
  if (view === 'status' && isState(field)) return translate(locale, keyIn('message_state', field));
  return translate(locale, keyIn('resources.campaign-history.fields', field));
}

/** Returns the progress of campaigns with the costs of a file. */
async function detailPage(ctx: ListContext, query: Query) {
  requireCosts(ctx.caller, query.costs);
  const page = await historyPage(ctx, query);
  return query.costs === undefined ? page : { ...page, data: await addCosts(ctx, query.costs, page.data) };
}

/** View of the report as a file. */
export const historyFile: ExportedList<Filters, Row> = {
  kind: 'campaign-history',
  permission: exportCampaignHistory.permission!,
  filters: exportCampaignHistory.body.omit({ format: true }),
  page: (ctx, { view, ...query }) => {
    if (view === 'status') return statusPage(ctx, query);
    return view === 'request' ? requestPage(ctx, query) : detailPage(ctx, query);
  },
  heading: ({ view, costs }, locale) => [
    ...COLUMNS[view].map((field) => headingOf(view, field, locale)),
    ...(view === 'detail' ? costHeading(costs, locale) : []),
  ],
  cells: ({ costs: values, ...row }, { view, costs }, locale, zone) => [
    ...COLUMNS[view].map((field) => {
      const value = row[field] ?? null;
      if (field === 'state') return translate(locale, `campaign_state.${value as CampaignState}`);
      if (field === 'content_type') return translate(locale, keyIn('content_type', String(value)));
      if (TIMES.has(field)) return momentCell(value as string | null, zone);
      return AMOUNTS.has(field) && typeof value === 'string' ? amountCell(value) : value;
    }),
    ...(view === 'detail' ? costCells(costs, values ?? {}) : []),
  ],
};
