import type { SenderKind } from '@heliograph/contract/senders/sender-id';
import type { MessageClass } from '#platform/database/schema';
import { conditionOf, type RateIndex } from './rate-index.ts';

/** Time in which an applied card has the same rates. A card has several if some of its rates begin or end later. */
export interface Period {
  card_id: number;
  link_id: number;
  version: number;
  currency: string;
  on: 'submit' | 'delivery';
  /** Epoch milliseconds; the end is not included. */
  from: number;
  until: number;
  /** Day whose rates count. */
  day: string;
  /** Rates of the period; undefined until they are read. */
  rates?: RateIndex | undefined;
}

/** Cost of one part. */
export interface UnitCost {
  card_id: number;
  card_version: number;
  /** Millionths of the currency. */
  amount: number;
  currency: string;
  /** Moment at which the carrier charges it. */
  on: 'submit' | 'delivery';
}

/** Message whose cost is asked. */
export interface Asked {
  link_id: number;
  /** Digits only. */
  msisdn: string;
  /** MCC and MNC of its network, such as 51503; empty if it is not known. */
  network: string;
  class: MessageClass;
  sender_kind: SenderKind;
  /** Epoch milliseconds at which the carrier took it. */
  at: number;
}

/** Error for a cost of a period whose rates are not in memory. */
export class RatesNotRead extends Error {
  override name = 'rates_not_read';
  readonly period: Period;
  constructor(period: Period) {
    super(`rates of carrier card ${period.card_id} are not in memory`);
    this.period = period;
  }
}

/** Applied cards of all links, in memory. */
export class CostTable {
  /** Periods of each link, the newest version first. */
  readonly #links: ReadonlyMap<number, readonly Period[]>;
  /** True if no card was ever applied. */
  readonly isEmpty: boolean;
  /** True if a card charges on delivery. */
  readonly charges_on_delivery: boolean;

  constructor(periods: readonly Period[]) {
    const byLink = Map.groupBy(periods, ({ link_id }) => link_id);
    for (const each of byLink.values()) each.sort((a, b) => b.version - a.version || b.from - a.from);
    this.#links = byLink;
    this.isEmpty = periods.length === 0;
    this.charges_on_delivery = periods.some(({ on }) => on === 'delivery');
  }

  /** Returns the card in force on a link at an instant; undefined if there is none. */
  periodOf(link_id: number, at: number): Period | undefined {
    const periods = this.#links.get(link_id);
    if (periods) for (const period of periods) if (period.from <= at && at < period.until) return period;
    return undefined;
  }

  /**
   * Returns the cost of one part; null if no rate of a card in force fits, so that the cost is unknown. Throws
   * RatesNotRead for an old card whose rates were not read before. `matched` is called with the prefix or network.
   */
  unitCost(asked: Asked, matched?: (place: string) => void): UnitCost | null {
    const period = this.periodOf(asked.link_id, asked.at);
    if (!period) return null;
    const { rates } = period;
    if (!rates) throw new RatesNotRead(period);
    const place = rates.find(asked.msisdn, asked.network, conditionOf(asked.class, asked.sender_kind), matched);
    if (place < 0) return null;
    const { card_id, version, currency, on } = period;
    return { card_id, card_version: version, amount: rates.amountAt(place), currency, on };
  }
}
