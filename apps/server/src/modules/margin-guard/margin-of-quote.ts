import { fromMillionths } from '@heliograph/contract/kernel/money';
import type { quoteMargin } from '@heliograph/contract/margins/quote-margin';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import type { LossSum } from './losses.ts';

/** Writes price, cost and margin of millionths for people. */
export const sumsOnWire = ({ price, cost }: { price: number; cost: number }) => ({
  price: fromMillionths(price),
  cost: fromMillionths(cost),
  margin: fromMillionths(price - cost),
});

/** Names of links and networks; the platform's people see all. */
export async function namesOf(db: Kysely<Database>, places: readonly Pick<LossSum, 'link_id' | 'network_id'>[]) {
  const [links, networks] = [places.map(({ link_id }) => link_id), places.map(({ network_id }) => network_id)];
  const linkRows =
    links.length > 0 ? await db.selectFrom('link').select(['id', 'name']).where('id', 'in', links).execute() : [];
  const networkRows =
    networks.length > 0
      ? await db.selectFrom('network').select(['id', 'name', 'country']).where('id', 'in', networks).execute()
      : [];
  const linkNames = new Map(linkRows.map(({ id, name }) => [id, name]));
  const networkNames = new Map(networkRows.map(({ id, name, country }) => [id, `${name} (${country})`]));
  return ({ link_id, network_id }: Pick<LossSum, 'link_id' | 'network_id'>) => ({
    link_name: linkNames.get(link_id) ?? '',
    network: networkNames.get(network_id) ?? '',
  });
}

/** Returns the expected margin of a quote; null for all but the platform's people, or if it was not judged. */
export async function marginOfQuote(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  quote_id: number,
): Promise<z.output<typeof quoteMargin> | null> {
  if (caller.scope_level > 1) return null;
  const row = await db.selectFrom('quote_margin').selectAll().where('quote_id', '=', quote_id).executeTakeFirst();
  if (!row) return null;
  const losses = row.losses as unknown as LossSum[];
  const named = await namesOf(db, losses);
  return {
    currency: row.currency,
    ...sumsOnWire(row),
    unknown_parts: row.unknown_parts,
    losses: losses.map((sum) => ({
      ...named(sum),
      messages: sum.messages,
      parts: sum.parts,
      ...sumsOnWire(sum),
    })),
  };
}
