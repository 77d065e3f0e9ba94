import type { costOfNumber } from '@heliograph/contract/carrier-costs/carrier-card';
import { fromMillionths } from '@heliograph/contract/kernel/money';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import { senderKind } from '@heliograph/contract/senders/sender-id';
import { CompiledQuery, type Kysely } from 'kysely';
import { readNetworks } from '#modules/networks';
import type { Database } from '#platform/database/db';
import { fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { type Asked, type CostTable, RatesNotRead, type UnitCost } from './cost-table.ts';
import { Costs, type Read } from './read-costs.ts';

/** Rules that accept numbers of any country, whatever numbers may be sent to. */
const ANY_NUMBER = { min: 3, max: 15, start: '', start_with_any_msisdn: true };

const costs = new Costs();

/** Makes the reader of a transaction of Kysely. */
export const readOf =
  (db: Kysely<Database>): Read =>
  async <Row>(text: string, values: readonly unknown[]) =>
    (await db.executeQuery(CompiledQuery.raw(text, [...values]))).rows as Row[];

/** Returns the cost of one part with what matched; the rates of an old card are read first. */
async function costWith(read: Read, table: CostTable, asked: Asked): Promise<(UnitCost & { matched: string }) | null> {
  let matched = '';
  try {
    const cost = table.unitCost(asked, (place) => {
      matched = place;
    });
    return cost && { ...cost, matched };
  } catch (error) {
    if (!(error instanceof RatesNotRead)) throw error;
    await costs.readOld(read, error.period);
    return costWith(read, table, asked);
  }
}

/** Shows what a part to a number costs on each link, the cheapest first as far as their currencies are the same. */
export const showCostOfNumber: Handler<typeof costOfNumber> = async ({ db, clock }, { query }) => {
  const { msisdn } = checkNumber(query.number, ANY_NUMBER);
  if (msisdn === undefined) throw fieldError('number', 'number');
  const links = await db
    .selectFrom('link')
    .select(['id', 'name', 'enabled'])
    .where('for_tests', '=', false)
    .$if(query.link_id !== undefined, (q) => q.where('id', '=', query.link_id!))
    .orderBy('id')
    .execute();
  const read = readOf(db);
  const table = await costs.latest(read);
  const network = (await readNetworks(read)).networkOf(msisdn);
  const code = network?.mcc ? `${network.mcc}${network.mnc ?? ''}` : '';
  const at = query.at === undefined ? clock.now().getTime() : Date.parse(query.at);
  const found = [];
  for (const { id: link_id, name: link_name, enabled } of links) {
    const sender_kind = senderKind(query.sender_id ?? 'name');
    const cost = await costWith(read, table, { link_id, msisdn, network: code, class: query.class, sender_kind, at });
    found.push({ link_id, link_name, enabled, cost });
  }
  found.sort((a, b) =>
    a.cost && b.cost
      ? a.cost.currency.localeCompare(b.cost.currency) || a.cost.amount - b.cost.amount
      : Number(a.cost === null) - Number(b.cost === null),
  );
  return {
    number: msisdn,
    links: found.map(({ cost, ...link }) => ({
      ...link,
      cost: cost && {
        amount: fromMillionths(cost.amount),
        currency: cost.currency,
        charged_on: cost.on,
        carrier_card_id: cost.card_id,
        version: cost.card_version,
        matched: cost.matched,
      },
    })),
  };
};
