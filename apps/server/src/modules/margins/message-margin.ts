import { fromMillionths } from '@heliograph/contract/kernel/money';
import type { messageMargin } from '@heliograph/contract/margins/message-margin';
import { costReader, partsOfMessage } from '#modules/carrier-costs';
import { requirePlatform } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { readPartPrices } from './price-parts.ts';

/** Shows what the carriers of a message took for its parts, and what the platform got for them. */
export const showMessageMargin: Handler<typeof messageMargin> = async (ctx, { params }) => {
  requirePlatform(ctx.caller);
  const message = await ctx.db.selectFrom('message').select('id').where('id', '=', params.id).executeTakeFirst();
  if (!message) throw new BusinessError('not_found');
  const prices = await readPartPrices(ctx.db);
  const costOf = await costReader(ctx.db);
  const links = new Map((await ctx.db.selectFrom('link').select(['id', 'name']).execute()).map((l) => [l.id, l.name]));
  const sums = { price: 0, cost: 0, unknown_parts: 0 };
  const parts = [];
  for (const part of await partsOfMessage(ctx.db, params.id)) {
    const network = prices.networkOf(part);
    const at = new Date(part.at);
    const day = prices.dayOf(part);
    const rate = await prices.rateOf(costOf, part, network);
    const cost = await prices.costOf(costOf, part, network, day);
    const price = prices.priceOf(part, day);
    if (price === null || cost === null) sums.unknown_parts++;
    else {
      sums.price += price;
      sums.cost += cost;
    }
    parts.push({
      link_name: links.get(part.link_id) ?? '',
      at: at.toISOString(),
      network: network ? `${network.name} (${network.country})` : '',
      rate: rate && {
        carrier_card_id: rate.card_id,
        version: rate.card_version,
        amount: fromMillionths(rate.amount),
        currency: rate.currency,
        charged_on: rate.on,
      },
      cost: cost === null ? null : fromMillionths(cost),
    });
  }
  const { price, cost, unknown_parts } = sums;
  const amounts = { price: fromMillionths(price), cost: fromMillionths(cost), margin: fromMillionths(price - cost) };
  return { data: { parts, ...amounts, currency: prices.currency, unknown_parts } };
};
