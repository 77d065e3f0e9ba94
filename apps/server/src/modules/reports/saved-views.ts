import * as contract from '@heliograph/contract/kernel/saved-view';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { isSent, nextTime } from './sent-period.ts';
import { filterLabel, unusableFilters } from './view-filters.ts';

type Row = z.output<typeof contract.savedViewRow>;
type Stored = Omit<Row, 'unusable'>;

const MOST_VIEWS = 100;
const COLUMNS = ['id', 'list', 'name', 'query', 'every', 'format', 'hour', 'next_at'] as const;

const onWire = async (ctx: Context, row: Stored): Promise<Row> => ({
  ...row,
  unusable: await unusableFilters(ctx, row.list, row.query),
});

async function find(ctx: Context, id: number): Promise<Stored> {
  const row = await ctx.db
    .selectFrom('saved_view')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('user_id', '=', ctx.caller.user_id)
    .executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row as Stored;
}

/** Mounts the caller's own views of lists. */
export function savedViewRoutes(app: App): void {
  mount(app, contract.savedViews, async (ctx, { query }) => {
    const rows = await ctx.db
      .selectFrom('saved_view')
      .select(COLUMNS)
      .where('user_id', '=', ctx.caller.user_id)
      .where('list', '=', query.list)
      .orderBy('name')
      .execute();
    const data: Row[] = [];
    for (const row of rows) data.push(await onWire(ctx, row as Stored));
    return { data };
  });
  mount(app, contract.saveView, async (ctx, { body }) => {
    const user_id = ctx.caller.user_id;
    const query = JSON.stringify(body.query);
    const row = await ctx.db
      .insertInto('saved_view')
      .values({ ...body, user_id, query, created_at: ctx.clock.now().toISOString() })
      .onConflict((conflict) =>
        conflict.expression(sql`user_id, list, name_key(name)`).doUpdateSet({ query, name: body.name }),
      )
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    await ctx.db
      .deleteFrom('saved_view')
      .where('user_id', '=', user_id)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('saved_view')
          .select('id')
          .where('user_id', '=', user_id)
          .where('id', '<>', row.id)
          .orderBy('id', 'desc')
          .offset(MOST_VIEWS - 1),
      )
      .execute();
    return { data: await onWire(ctx, row as Stored) };
  });
  mount(app, contract.sendView, async (ctx, { params, body }) => {
    const view = await find(ctx, params.id);
    if (body.every !== null) {
      if (!isSent(view.list)) throw fieldError('every', 'invalid');
      if (!ctx.caller.permissions.has(`${view.list}-download`)) throw new BusinessError('forbidden');
      const [filter] = await unusableFilters(ctx, view.list, view.query);
      if (filter) throw fieldError('every', 'view_filter', { filter: filterLabel(ctx.locale, view.list, filter) });
    }
    const { timezone } = await homeOf(ctx);
    const next_at = body.every === null ? null : nextTime(body.every, body.hour, timezone, ctx.clock.now());
    await ctx.db
      .updateTable('saved_view')
      .set({ ...body, next_at })
      .where('id', '=', view.id)
      .execute();
    return { data: await onWire(ctx, { ...view, ...body, next_at }) };
  });
  mount(app, contract.deleteView, async (ctx, { params }) => {
    const view = await find(ctx, params.id);
    await ctx.db.deleteFrom('saved_view').where('id', '=', view.id).execute();
    return {};
  });
}
