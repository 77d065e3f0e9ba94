import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { DeliveryKind } from './kind.ts';

/** Sends a delivery again, whatever its outcome was. Throws `not_found` if the caller may not see it. */
export async function replayDelivery(ctx: Context, kind: DeliveryKind['name'], id: number) {
  const row = await ctx.db
    .updateTable('http_delivery')
    .set({ state: 'waiting', tries: 0, next_at: sql`now()`, done_at: null })
    .where('kind', '=', kind)
    .where('id', '=', id)
    .returning(['id', 'corporation_id', 'callback_endpoint_id', 'routing_id'])
    .executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}
