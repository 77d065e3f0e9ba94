import { carrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import type { Context } from '#platform/context';
import { carrierRoutes } from './carrier-routes.ts';

/**
 * Sends the messages of a reseller and of its customers to one link, or with null removes this rule. It uses the
 * reseller's carrier route without further conditions, and adds it if needed. The route is written as on the screen of
 * carrier routes: checked, logged, and in effect with the next message. Throws a 422 on `links` for a link that does
 * not exist, and `carrier_route_already_exists` if its name is taken.
 */
export async function setResellerLink(
  ctx: Context,
  reseller: { id: number; name: string },
  linkId: number | null,
): Promise<void> {
  const present = await ctx.db
    .selectFrom('carrier_route')
    .select('id')
    .where('reseller_id', '=', reseller.id)
    .where('corporation_id', 'is', null)
    .where('sender_id', 'is', null)
    .where('class', 'is', null)
    .where('prefix', '=', '')
    .executeTakeFirst();
  const links = linkId === null ? [] : [{ link_id: linkId, position: 1, weight: 1 }];
  if (linkId === null) {
    if (present) await carrierRoutes.remove(ctx, { params: { id: present.id }, query: {}, body: {} });
  } else if (present) {
    await carrierRoutes.update(ctx, { params: { id: present.id }, query: {}, body: { links } });
  } else {
    const body = carrierRoute.create.parse({ name: `SMSC ${reseller.name}`, reseller_id: reseller.id, links });
    await carrierRoutes.create(ctx, { params: {}, query: {}, body });
  }
}
