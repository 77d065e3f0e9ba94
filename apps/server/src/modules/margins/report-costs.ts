import { fromMillionths } from '@heliograph/contract/kernel/money';
import type { ReportCosts } from '@heliograph/contract/kernel/report-costs';
import type { Kysely } from 'kysely';
import { type CostOf, costReader, partsOfChunks } from '#modules/carrier-costs';
import { type Caller, requirePlatform } from '#platform/context';
import type { Database } from '#platform/database/db';
import type { Queryable } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import { type PartPrices, readPartPrices } from './price-parts.ts';

const PERMISSIONS = { carriers: 'margins-download', resale: 'resale-margins-download' } as const satisfies Record<
  ReportCosts,
  string
>;

/** Throws `forbidden` if a person may not have these costs in files. Costs of carriers are only for the platform. */
export function requireCosts(caller: Caller, costs: ReportCosts | undefined): void {
  if (costs === undefined) return;
  if (costs === 'carriers') requirePlatform(caller);
  if (!caller.permissions.has(PERMISSIONS[costs])) throw new BusinessError('forbidden');
}

/** Sums of the margins of days, in millionths of the platform's currency; null where no day was counted. */
export interface MarginSums {
  price: number | null;
  cost: number | null;
  unknown_parts: number | null;
}

/** Converts sums to the amounts of a file. */
export function marginOnWire({ price, cost, unknown_parts }: MarginSums) {
  if (price === null || cost === null) return { price: null, cost: null, margin: null, unknown_parts };
  return {
    price: fromMillionths(price),
    cost: fromMillionths(cost),
    margin: fromMillionths(price - cost),
    unknown_parts,
  };
}

/** Amounts of messages, each list in the same order; null if no part has a known price and cost. */
export interface MessageAmounts {
  ids: number[];
  price: (string | null)[];
  cost: (string | null)[];
  margin: (string | null)[];
  unknown_parts: number[];
}

/** Prices and costs of messages by the cards and exchange rates of one moment, as the margins of days are counted. */
export class MessageCosts {
  readonly #prices: PartPrices;
  readonly #costOf: CostOf;

  private constructor(prices: PartPrices, costOf: CostOf) {
    this.#prices = prices;
    this.#costOf = costOf;
  }

  static read = async (db: Kysely<Database>): Promise<MessageCosts> =>
    new MessageCosts(await readPartPrices(db), await costReader(db));

  /** Currency of all amounts: the platform's. */
  get currency(): string {
    return this.#prices.currency;
  }

  /**
   * Returns the amounts of the chunks' messages to numbers with a prefix. Messages without an accepted part are left out.
   * Parts without a known price and cost are only counted.
   */
  async amountsOf(db: Queryable, chunks: readonly number[], prefix = ''): Promise<MessageAmounts> {
    const sums = new Map<number, { price: number; cost: number; known: number; unknown: number }>();
    for await (const parts of partsOfChunks(db, chunks))
      for (const part of parts) {
        if (!part.msisdn.startsWith(prefix) || !this.#prices.counts(part)) continue;
        const day = this.#prices.dayOf(part);
        const price = this.#prices.priceOf(part, day);
        const cost = await this.#prices.costOf(this.#costOf, part, this.#prices.networkOf(part), day);
        const sum = sums.get(part.message_id) ?? { price: 0, cost: 0, known: 0, unknown: 0 };
        if (price === null || cost === null) sum.unknown++;
        else {
          sum.known++;
          sum.price += price;
          sum.cost += cost;
        }
        sums.set(part.message_id, sum);
      }
    const amounts: MessageAmounts = { ids: [], price: [], cost: [], margin: [], unknown_parts: [] };
    for (const [id, { price, cost, known, unknown }] of sums) {
      amounts.ids.push(id);
      amounts.unknown_parts.push(unknown);
      amounts.price.push(known === 0 ? null : fromMillionths(price));
      amounts.cost.push(known === 0 ? null : fromMillionths(cost));
      amounts.margin.push(known === 0 ? null : fromMillionths(price - cost));
    }
    return amounts;
  }
}
