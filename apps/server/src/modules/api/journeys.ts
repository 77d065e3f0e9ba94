import * as contract from '@heliograph/contract/api/journey';
import { journey } from '@heliograph/contract/journeys/journey';
import { explainTrigger } from '@heliograph/contract/journeys/journey-sentence';
import type { z } from 'zod';
import { enterPerson, findJourney, journeys } from '#modules/journeys';
import { type Context, requirePermission } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { translate } from '#platform/text/i18n';
import { mountPublicOperation, type ProgramContext, type PublicApi, requireLive } from './mount-public.ts';

type Row = z.output<typeof journey.row>;

const { permissions } = journey;

/** Returns a journey of the key's own corporation. Throws `not_found`. */
async function find(ctx: ProgramContext, corporationId: number, id: string): Promise<Row> {
  requireLive(ctx);
  requirePermission(ctx.caller, permissions.show);
  const found = await findJourney(ctx, Number(id));
  if (found.corporation_id !== corporationId) throw new BusinessError('not_found');
  return found;
}

function onWire(ctx: Context, row: Row) {
  const { id, name, state, version, entered, spent, budget, currency, created_at, updated_at } = row;
  const trigger = explainTrigger(row.definition.trigger, row.names, {
    t: (key, params) => translate(ctx.locale, key, params),
    weekday: String,
  });
  return { id: String(id), name, state, version, trigger, entered, spent, budget, currency, created_at, updated_at };
}

/** Mounts the calls about journeys. */
export function journeyCalls(api: PublicApi): void {
  mountPublicOperation(api, contract.listJourneys, ({ holder, query, read }) =>
    read(async (ctx) => {
      if (ctx.is_test) return { data: [], next_cursor: null, has_more: false };
      requirePermission(ctx.caller, permissions.index);
      if (query.cursor !== undefined && !/^[1-9]\d{0,5}$/.test(query.cursor)) throw new BusinessError('cursor_invalid');
      // A corporation has few journeys, so the cursor is the number of a page.
      const page = Number(query.cursor ?? 1);
      const asked = { page, per_page: query.limit, sort: '-id', corporation_id: holder.caller.corporation_id! };
      const { data, meta } = await journeys.list(ctx, { params: {}, query: asked as never, body: {} });
      const has_more = page < meta.pages;
      return { data: data.map((row) => onWire(ctx, row)), next_cursor: has_more ? String(page + 1) : null, has_more };
    }),
  );
  mountPublicOperation(api, contract.getJourney, ({ holder, params, read }) =>
    read(async (ctx) => onWire(ctx, await find(ctx, holder.caller.corporation_id!, params.id))),
  );
  mountPublicOperation(api, contract.enterJourney, ({ holder, params, body, read }) =>
    read(async (ctx) => {
      const { id } = await find(ctx, holder.caller.corporation_id!, params.id);
      requirePermission(ctx.caller, 'contacts-create');
      requirePermission(ctx.caller, 'contacts-edit');
      return { entered: await enterPerson(ctx, id, body) };
    }),
  );
}
