import { carrierRoute } from '@heliograph/contract/routing/carrier-route';
import type { Context } from '#platform/context';
import { carrierRoutes } from './carrier-routes.ts';

/**
 * Sends the messages of a reseller and of its customers to one link, by the reseller's carrier route without further
 * conditions, which is made where there is none; null removes that route. It is written as a person would write it on
 * the screen of carrier routes: checked, logged, and with the next message. Throws a 422 on `links` for a link that does
 * not exist and `carrier_route_already_exists` where its name is taken.
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
