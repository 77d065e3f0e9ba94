import * as contract from '@heliograph/contract/api/segment';
import { segment } from '@heliograph/contract/audience/segment';
import { explainSegment } from '@heliograph/contract/audience/segment-sentence';
import type { z } from 'zod';
import { countContacts, knowRule, readRule, segments } from '#modules/audience';
import { type Context, requirePermission } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { translate } from '#platform/text/i18n';
import { mountPublicOperation, type ProgramContext, type PublicApi, requireLive } from './mount-public.ts';

type Row = z.output<typeof segment.row>;

const { permissions } = segment;

/** Returns a segment of the key's own corporation. Throws `not_found`. */
async function find(ctx: ProgramContext, corporationId: number, id: string): Promise<Row> {
  requireLive(ctx);
  requirePermission(ctx.caller, permissions.show);
  const { data } = await segments.get(ctx, { params: { id: Number(id) }, query: {}, body: {} });
  if (data.corporation_id !== corporationId) throw new BusinessError('not_found');
  return data;
}

function onWire(ctx: Context, { id, name, rule, names, lacks, created_at, updated_at }: Row) {
  const read = readRule(rule);
  const explanation = explainSegment(read, names, {
    t: (key, params) => translate(ctx.locale, key, params),
    date: (day) => day,
    number: String,
  });
  return { id: String(id), name, rule: { ...read }, explanation, lacks, created_at, updated_at };
}

/** Mounts the calls about segments. */
export function segmentCalls(api: PublicApi): void {
  mountPublicOperation(api, contract.listSegments, ({ holder, query, read }) =>
    read(async (ctx) => {
      if (ctx.is_test) return { data: [], next_cursor: null, has_more: false };
      requirePermission(ctx.caller, permissions.index);
      if (query.cursor !== undefined && !/^[1-9]\d{0,5}$/.test(query.cursor)) throw new BusinessError('cursor_invalid');
      // A corporation has few segments, so the cursor is the number of a page.
      const page = Number(query.cursor ?? 1);
      const asked = { page, per_page: query.limit, sort: '-id', corporation_id: holder.caller.corporation_id! };
      const { data, meta } = await segments.list(ctx, { params: {}, query: asked as never, body: {} });
      const has_more = page < meta.pages;
      return {
        data: data.map((row) => onWire(ctx, row)),
        next_cursor: has_more ? String(page + 1) : null,
        has_more,
      };
    }),
  );
  mountPublicOperation(api, contract.getSegment, ({ holder, params, read }) =>
    read(async (ctx) => onWire(ctx, await find(ctx, holder.caller.corporation_id!, params.id))),
  );
  mountPublicOperation(api, contract.createSegment, ({ holder, body, read }) =>
    read(async (ctx) => {
      requireLive(ctx);
      requirePermission(ctx.caller, permissions.create);
      const given = { ...body, corporation_id: holder.caller.corporation_id! };
      return onWire(ctx, (await segments.create(ctx, { params: {}, query: {}, body: given })).data);
    }),
  );
  mountPublicOperation(api, contract.changeSegment, ({ holder, params, body, read }) =>
    read(async (ctx) => {
      const { id } = await find(ctx, holder.caller.corporation_id!, params.id);
      requirePermission(ctx.caller, permissions.edit);
      return onWire(ctx, (await segments.update(ctx, { params: { id }, query: {}, body })).data);
    }),
  );
  mountPublicOperation(api, contract.deleteSegment, ({ holder, params, read }) =>
    read(async (ctx) => {
      const { id } = await find(ctx, holder.caller.corporation_id!, params.id);
      requirePermission(ctx.caller, permissions.delete);
      await segments.remove(ctx, { params: { id }, query: {}, body: {} });
      return { id: params.id };
    }),
  );
  mountPublicOperation(api, contract.countSegmentContacts, ({ holder, params, read }) =>
    read(async (ctx) => {
      const { corporation_id, rule } = await find(ctx, holder.caller.corporation_id!, params.id);
      requirePermission(ctx.caller, 'contacts-index');
      const { where } = await knowRule(ctx, corporation_id, readRule(rule));
      return { contacts: await countContacts(ctx, where) };
    }),
  );
}
