import type { Kysely } from 'kysely';
import { costReader, draftReader, type LinkPart, linkParts } from '#modules/carrier-costs';
import type { Network } from '#modules/networks';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { readPartPrices } from './price-parts.ts';

/** Traffic of a corporation to a network over a route: what it brings and costs, in millionths of the platform's currency. */
export interface ReplayLine {
  carrier_route_id: number | null;
  network: string;
  corporation_id: number;
  parts: number;
  price: number;
  cost_before: number;
  cost_after: number;
  unknown_before: number;
  unknown_after: number;
}

export interface Replay {
  from: string;
  to: string;
  currency: string;
  lines: ReplayLine[];
}

/** Days of traffic that are tried. */
const DAYS = 30;

/**
 * Calculates what the traffic of a card's link in the last 30 days cost, and what it would have cost by the card. Throws
 * `not_found`, or `exchange_rate_missing` if prices cannot be compared with costs.
 */
export async function replayCard(
  db: Kysely<Database>,
  cardId: number,
  now: Date,
  onRead: (parts: number) => Promise<void>,
): Promise<Replay> {
  const card = await db.selectFrom('carrier_card').select('link_id').where('id', '=', cardId).executeTakeFirst();
  const after = await draftReader(db, cardId);
  if (!card || !after) throw new BusinessError('not_found');
  const prices = await readPartPrices(db);
  const { currency } = prices;
  const to = now.toTemporalInstant().toZonedDateTimeISO(prices.timezone).startOfDay();
  const from = to.subtract({ days: DAYS });
  const before = await costReader(db);
  const lines = new Map<string, ReplayLine>();
  let read = 0;
  const period = { start: from.toInstant().toString(), end: to.toInstant().toString() };
  for await (const parts of linkParts(db, card.link_id, period)) {
    for (const part of parts) {
      const network = prices.networkOf(part);
      const line = lineOf(lines, part, network);
      const day = new Date(part.at).toISOString().slice(0, 10);
      const price = prices.priceOf(part, day);
      if (price === null)
        throw new BusinessError('exchange_rate_missing', { params: { currency: prices.paidIn(part), day } });
      line.parts++;
      line.price += price;
      const was = await prices.costOf(before, part, network, day);
      const is = await prices.costOf(after, part, network, day);
      if (was === null) line.unknown_before++;
      else line.cost_before += was;
      if (is === null) line.unknown_after++;
      else line.cost_after += is;
    }
    read += parts.length;
    await onRead(read);
  }
  const last = to.subtract({ days: 1 });
  return {
    from: from.toPlainDate().toString(),
    to: last.toPlainDate().toString(),
    currency,
    lines: [...lines.values()].sort((a, b) => a.price - a.cost_after - (b.price - b.cost_after)),
  };
}

function lineOf(lines: Map<string, ReplayLine>, part: LinkPart, network: Network | null): ReplayLine {
  const { carrier_route_id, corporation_id } = part;
  const key = `${carrier_route_id ?? ''}/${network?.id ?? ''}/${corporation_id}`;
  const known = lines.get(key);
  if (known) return known;
  const line = {
    ...{ carrier_route_id, corporation_id, network: network ? `${network.name} (${network.country})` : '' },
    ...{ parts: 0, price: 0, cost_before: 0, cost_after: 0, unknown_before: 0, unknown_after: 0 },
  };
  lines.set(key, line);
  return line;
}
