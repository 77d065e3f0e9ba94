import * as contract from '@heliograph/contract/campaigns/campaign';
import { pendingApprovalNotify } from '@heliograph/contract/campaigns/pending-approval';
import type { CampaignState } from '@heliograph/contract/kernel/states';
import { type ExpressionBuilder, sql } from 'kysely';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Caller, Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { containing } from '#platform/database/like';
import { type App, mount } from '#platform/http/http';
import { campaignOnWire, campaignQuery } from './campaign-rows.ts';
import { calendar } from './schedule/calendar.ts';
import { waitsForUndoSql } from './schedule/plan-schedule.ts';

interface PageQuery {
  page: number;
  per_page: number;
  sort?: string | undefined;
  search?: string | undefined;
  state?: CampaignState | undefined;
  corporation_id?: number | undefined;
  department_id?: number | undefined;
}

/** States of which a list shows campaigns; with `undo`, also those that were sent and still wait for an undo. */
interface Selection {
  states: readonly CampaignState[];
  undo?: boolean;
}

const RUNNING: Selection = { states: ['preparing', 'running', 'paused'], undo: true };

/** Mounts the lists of campaigns and the count of those that wait for an approval. */
export function campaignListRoutes(app: App): void {
  mount(app, contract.listCampaigns, (ctx, { query }) =>
    page(ctx, query, query.state ? { states: [query.state] } : null),
  );
  mount(app, contract.listRunningCampaigns, (ctx, { query }) => page(ctx, query, RUNNING));
  mount(app, contract.listPendingCampaigns, (ctx, { query }) => page(ctx, query, { states: ['pending'] }));
  mount(app, contract.listScheduledCampaigns, (ctx, { query }) =>
    page(ctx, { ...query, sort: query.sort ?? 'starts_at' }, { states: ['scheduled'] }),
  );
  mount(app, contract.campaignCalendar, async (ctx, { query }) => ({ data: await calendar(ctx, query) }));
  mount(app, pendingApprovalNotify, async (ctx) => ({
    count: ctx.caller.permissions.has('pending-campaigns-index') ? await count(ctx, {}, { states: ['pending'] }) : 0,
  }));
}

type Filters = Pick<PageQuery, 'search' | 'corporation_id' | 'department_id'>;

/**
 * Builds the condition of a selection. Except for the search, it uses only columns that `campaign_visible` holds. The
 * corporations repeat a condition of row level security: a policy does not show the planner where to begin.
 */
function matches(caller: Caller, filters: Filters, selection: Selection | null) {
  const corporations = corporationsOf(caller);
  return (eb: ExpressionBuilder<Database, 'campaign'>) => {
    const conditions = [];
    if (corporations !== null) {
      conditions.push(eb('campaign.corporation_id', 'in', [...corporations]));
    }
    // Written as literals, so that the partial index of live campaigns matches.
    if (selection) {
      const states = sql`campaign.state IN (${sql.join(selection.states.map((state) => sql.lit(state)))})`;
      conditions.push(selection.undo ? sql<boolean>`(${states} OR ${waitsForUndoSql})` : sql<boolean>`${states}`);
    }
    if (filters.corporation_id !== undefined)
      conditions.push(eb('campaign.corporation_id', '=', filters.corporation_id));
    if (filters.department_id !== undefined) conditions.push(eb('campaign.department_id', '=', filters.department_id));
    if (filters.search) {
      conditions.push(eb('campaign.name', 'ilike', containing(filters.search)));
    }
    return eb.and(conditions);
  };
}

async function count(ctx: Context, filters: Filters, selection: Selection | null): Promise<number> {
  const { total } = await ctx.db
    .selectFrom('campaign')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(matches(ctx.caller, filters, selection))
    .executeTakeFirstOrThrow();
  return total;
}

async function page(ctx: Context, query: PageQuery, selection: Selection | null) {
  const { page, per_page, sort = '-created_at' } = query;
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  // Ids grow with the time of creation, and every other index ends with them.
  const key = sort.replace('-', '').replace('created_at', 'id') as
    | 'id'
    | 'name'
    | 'state'
    | 'total_count'
    | 'starts_at';
  const total = await count(ctx, query, selection);
  // The page is found first, so that joins run only for its rows.
  const ids = await ctx.db
    .selectFrom('campaign')
    .select('campaign.id')
    .where(matches(ctx.caller, query, selection))
    .orderBy(`campaign.${key}`, direction)
    .orderBy('campaign.id', 'desc')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();
  const rows =
    ids.length === 0
      ? []
      : await campaignQuery(ctx)
          .where(
            'campaign.id',
            'in',
            ids.map(({ id }) => id),
          )
          .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    data: ids.flatMap(({ id }) => {
      const row = byId.get(id);
      return row ? [campaignOnWire(row, ctx)] : [];
    }),
    meta: { page, per_page, total, pages: Math.ceil(total / per_page) },
  };
}
