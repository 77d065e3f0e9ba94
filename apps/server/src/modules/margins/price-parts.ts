import { senderKind } from '@heliograph/contract/senders/sender-id';
import type { Kysely } from 'kysely';
import type { CostOf, LinkPart } from '#modules/carrier-costs';
import { convertMillionths, type RateTable, readExchangeRates } from '#modules/exchange-rates';
import { type Network, type NetworkTable, readNetworks } from '#modules/networks';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { readSettings } from '#platform/operator/settings';

const THOUSANDTH = 1_000;
/** Time in which no day begins or ends, in any time zone. */
const QUARTER_MS = 900_000;

/** Prices and costs of parts in the platform's currency, with the networks, rates and currencies of one moment. */
export class PartPrices {
  readonly currency: string;
  readonly timezone: string;
  /** Version of the exchange rates. */
  readonly rates_version: string;
  readonly #networks: NetworkTable;
  readonly #rates: RateTable;
  /** Currencies of corporations by id. */
  readonly #currencies: ReadonlyMap<number, string>;
  /** Unit amounts that were converted, each once for a rate and day. */
  readonly #converted = new Map<string, number | null>();
  /** Links for tests, whose parts bring and cost nothing. */
  readonly #unpaid: ReadonlySet<number>;
  /** Days by quarter of an hour. */
  readonly #days = new Map<number, string>();

  constructor(
    settings: { currency: string; timezone: string },
    networks: NetworkTable,
    rates: RateTable,
    currencies: ReadonlyMap<number, string>,
    unpaid: ReadonlySet<number>,
  ) {
    this.currency = settings.currency;
    this.timezone = settings.timezone;
    this.#networks = networks;
    this.#rates = rates;
    this.rates_version = rates.version;
    this.#currencies = currencies;
    this.#unpaid = unpaid;
  }

  /** Returns true for a part that belongs into margins: not by a link for tests, and not the platform's own message. */
  counts({ link_id, corporation_id }: LinkPart): boolean {
    return !this.#unpaid.has(link_id) && corporation_id > 0;
  }

  /** Returns the day of a part in the platform's time zone. */
  dayOf({ at }: LinkPart): string {
    const quarter = Math.floor(at / QUARTER_MS);
    let day = this.#days.get(quarter);
    if (day === undefined) {
      const start = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS);
      day = start.toZonedDateTimeISO(this.timezone).toPlainDate().toString();
      this.#days.set(quarter, day);
    }
    return day;
  }

  networkOf(part: LinkPart): Network | null {
    const { ported, msisdn } = part;
    return (ported === null ? undefined : this.#networks.byId(ported)) ?? this.#networks.networkOf(msisdn);
  }

  /** Returns the currency in which a part is paid. */
  paidIn(part: LinkPart): string {
    return this.#currencies.get(part.payer_id) ?? this.currency;
  }

  /** Returns the price of a part in millionths; null without an exchange rate. */
  priceOf(part: LinkPart, day: string): number | null {
    if (part.charge_on_delivery && part.state !== 'delivered') return 0;
    return this.#convert(part.unit_price * THOUSANDTH, this.paidIn(part), day);
  }

  /** Returns the rate that the carrier of a part charges it by; null if none fits. */
  rateOf(costOf: CostOf, part: LinkPart, network: Network | null): ReturnType<CostOf> {
    const { link_id, msisdn, at } = part;
    return costOf({
      link_id,
      msisdn,
      network: network?.mcc && network.mnc ? network.mcc + network.mnc : '',
      class: part.class,
      sender_kind: senderKind(part.sender_id),
      at,
    });
  }

  /** Returns the cost of a part in millionths; null if it is unknown, or without an exchange rate. */
  async costOf(costOf: CostOf, part: LinkPart, network: Network | null, day: string): Promise<number | null> {
    const cost = await this.rateOf(costOf, part, network);
    if (!cost) return null;
    return cost.on === 'delivery' && part.state !== 'delivered' ? 0 : this.#convert(cost.amount, cost.currency, day);
  }

  #convert(amount: number, currency: string, day: string): number | null {
    if (currency === this.currency) return amount;
    const key = `${amount} ${currency} ${day}`;
    let converted = this.#converted.get(key);
    if (converted === undefined) {
      const rate = this.#rates.rateOn(currency, this.currency, day);
      converted = rate && convertMillionths(amount, rate);
      this.#converted.set(key, converted);
    }
    return converted;
  }
}

/** Reads what prices and costs are calculated with. */
export async function readPartPrices(db: Kysely<Database>): Promise<PartPrices> {
  const settings = await readSettings(db, ['currency', 'timezone']);
  const tests = await db.selectFrom('link').select('id').where('for_tests', '=', true).execute();
  const currencies = await db.selectFrom('corporation').select(['id', 'currency']).execute();
  return new PartPrices(
    { currency: settings.get('currency') || 'PHP', timezone: settings.get('timezone') || 'Asia/Manila' },
    await readNetworks(<Row>(text: string, values: readonly unknown[]) => rowsOf<Row>(db, text, values)),
    await readExchangeRates(db),
    new Map(currencies.map((row) => [row.id, row.currency])),
    new Set(tests.map(({ id }) => id)),
  );
}
