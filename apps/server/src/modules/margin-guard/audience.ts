import type { Kysely } from 'kysely';
import { type Route, type RouteLink, readRouting } from '#modules/carrier-routes';
import type { Read } from '#modules/networks';
import type { Database } from '#platform/database/db';
import type { MessageClass } from '#platform/database/schema';
import { linksTaken, type Margin, type MarginGuard, readMarginGuard } from './guard.ts';
import { LossSums } from './losses.ts';

/** Margins of one sender's messages, which are asked for each of a campaign. */
export interface AudienceMargins {
  mode: MarginGuard['mode'];
  /** Currency of who pays the platform. */
  currency: string;
  /** Returns the margin of a part; null if its cost is unknown. Prices are in thousandths. */
  marginOf(msisdn: string, unit_price: number, reseller_unit_price: number | null): Margin | null;
}

const CURRENCIES = `
  SELECT c.currency, r.currency AS reseller_currency FROM corporation c LEFT JOIN corporation r ON r.id = c.reseller_id
  WHERE c.id = $1`;

/** Reads the margins of a sender's messages; null if they are not judged. */
export async function audienceMargins(
  read: Read,
  traffic: { corporation_id: number; sender_id: string; class: MessageClass },
): Promise<AudienceMargins | null> {
  const guard = await readMarginGuard(read);
  if (!guard) return null;
  const routing = await readRouting(read, traffic.corporation_id);
  const [own] = await read<{ currency: string; reseller_currency: string | null }>(CURRENCIES, [
    traffic.corporation_id,
  ]);
  const currency = own!.reseller_currency ?? own!.currency;
  const find = routing.table.finder({ ...traffic, reseller_id: routing.reseller_id });
  const known = new Map<Route | null, readonly RouteLink[]>();
  return {
    mode: guard.mode,
    currency,
    marginOf(msisdn, unit_price, reseller_unit_price) {
      const message = { ...traffic, msisdn, price: reseller_unit_price ?? unit_price, currency };
      return guard.marginOver(linksTaken(routing, find(msisdn), message, known), message);
    },
  };
}

/** Destinations that are kept with a quote. */
const SHOWN = 50;

/** Margin of a whole audience. */
export class AudienceForecast {
  readonly #margins: AudienceMargins;
  readonly #losses = new LossSums();
  readonly #sums = { price: 0, cost: 0, unknown_parts: 0 };

  constructor(margins: AudienceMargins) {
    this.#margins = margins;
  }

  add(message: { msisdn: string; parts: number; unit_price: number; reseller_unit_price: number | null }): void {
    const { msisdn, parts, unit_price, reseller_unit_price } = message;
    const margin = this.#margins.marginOf(msisdn, unit_price, reseller_unit_price);
    if (!margin) {
      this.#sums.unknown_parts += parts;
      return;
    }
    this.#sums.price += parts * margin.price;
    this.#sums.cost += parts * margin.cost;
    if (margin.cost > margin.price) this.#losses.add(margin, parts);
  }

  /** True if the audience may not be sent to: it brings a loss as a whole, and the operator refuses that. */
  get isRefused(): boolean {
    return this.#margins.mode === 'refuse' && this.#sums.cost > this.#sums.price;
  }

  /** Writes the forecast of a quote; a later count of the same quote replaces it. */
  async write(db: Kysely<Database>, quote_id: number): Promise<void> {
    const row = {
      currency: this.#margins.currency,
      ...this.#sums,
      losses: JSON.stringify(this.#losses.result().slice(0, SHOWN)),
    };
    await db
      .insertInto('quote_margin')
      .values({ quote_id, ...row })
      .onConflict((conflict) => conflict.column('quote_id').doUpdateSet(row))
      .execute();
  }
}
