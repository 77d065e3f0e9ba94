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
type Links = readonly { link_id: number; position: number; weight: number }[];

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

async function check(
  ctx: Context,
  route: { corporation_id: number | null; reseller_id: number | null; links: Links },
): Promise<void> {
  if (route.corporation_id !== null && route.reseller_id !== null) {
    throw fieldError('reseller_id', 'corporation_or_reseller');
  }
  if (route.corporation_id !== null) await requireVisible(ctx, 'corporation', route.corporation_id, 'corporation_id');
  if (route.reseller_id !== null) {
    await requireVisible(ctx, 'corporation', route.reseller_id, 'reseller_id', sql`is_reseller`);
  }
  const wanted = route.links.map(({ link_id }) => link_id);
  const found = await ctx.db.selectFrom('link').select('id').where('id', 'in', wanted).execute();
  if (found.length < wanted.length) throw fieldError('links', 'not_visible');
}

async function writeLinks(ctx: Context, route: Row, links: Links): Promise<void> {
  await ctx.db.deleteFrom('carrier_route_link').where('carrier_route_id', '=', route.id).execute();
  await ctx.db
    .insertInto('carrier_route_link')
    .values(links.map(({ link_id, position, weight }) => ({ carrier_route_id: route.id, link_id, position, weight })))
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
