import { carrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(carrierRoute, {
  table: 'carrier_route',
  from: 'carrier_route_row',
  searched: ['name', 'prefix', 'sender_id'],
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];
type Links = readonly {
  link_id: number;
  position: number;
  weight: number;
  from_time?: string | null | undefined;
  until_time?: string | null | undefined;
}[];

/** Carrier routes. Their links are in a separate table and are written with them. */
export const carrierRoutes: ResourceHandlers<typeof carrierRoute> = {
  ...stored,
  async create(ctx, call) {
    const { links, ...body } = call.body;
    await check(ctx, call.body);
    // The table has no column for the links.
    const { data, message } = await stored.create(ctx, { ...call, body: body as typeof call.body });
    await writeLinks(ctx, data, links);
    return {
      ...(await stored.get(ctx, { params: { id: data.id }, query: {}, body: {} })),
      ...(message && { message }),
    };
  },
  async update(ctx, call) {
    const { links, ...body } = call.body;
    const { data: present } = await stored.get(ctx, { params: call.params, query: {}, body: {} });
    await check(ctx, {
      corporation_id: body.corporation_id === undefined ? present.corporation_id : body.corporation_id,
      reseller_id: body.reseller_id === undefined ? present.reseller_id : body.reseller_id,
      strategy: body.strategy ?? present.strategy,
      quality_floor: body.quality_floor === undefined ? present.quality_floor : body.quality_floor,
      links: links ?? present.links,
    });
    const { data, message } = await stored.update(ctx, { ...call, body });
    if (links) await writeLinks(ctx, data, links);
    return {
      ...(await stored.get(ctx, { params: { id: data.id }, query: {}, body: {} })),
      ...(message && { message }),
    };
  },
};

/** Strategies that compare with a floor of quality. */
const NEED_FLOOR: ReadonlySet<string> = new Set(['cost_with_floor', 'by_class']);

async function check(
  ctx: Context,
  route: Pick<Row, 'corporation_id' | 'reseller_id' | 'strategy' | 'quality_floor'> & { links: Links },
): Promise<void> {
  if (route.corporation_id !== null && route.reseller_id !== null) {
    throw fieldError('reseller_id', 'corporation_or_reseller');
  }
  if (route.corporation_id !== null) await requireVisible(ctx, 'corporation', route.corporation_id, 'corporation_id');
  if (route.reseller_id !== null) {
    await requireVisible(ctx, 'corporation', route.reseller_id, 'reseller_id', sql`is_reseller`);
  }
  if (NEED_FLOOR.has(route.strategy) && route.quality_floor === null) throw fieldError('quality_floor', 'required');
  const wanted = route.links.map(({ link_id }) => link_id);
  const found = await ctx.db.selectFrom('link').select('id').where('id', 'in', wanted).execute();
  if (found.length < wanted.length) throw fieldError('links', 'not_visible');
}

async function writeLinks(ctx: Context, route: Row, links: Links): Promise<void> {
  await ctx.db.deleteFrom('carrier_route_link').where('carrier_route_id', '=', route.id).execute();
  await ctx.db
    .insertInto('carrier_route_link')
    .values(
      links.map(({ from_time = null, until_time = null, ...link }) => ({
        carrier_route_id: route.id,
        ...{ link_id: link.link_id, position: link.position, weight: link.weight, from_time, until_time },
      })),
    )
    .execute();
  await audit(ctx, {
    name: carrierRoute.name,
    description: 'links set',
    subject_type: carrierRoute.name,
    subject_id: route.id,
    corporation_id: route.corporation_id,
    before: { links: route.links },
    after: { links },
  });
}
