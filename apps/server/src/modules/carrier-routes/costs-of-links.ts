import type { SenderKind } from '@heliograph/contract/senders/sender-id';
import { Costs, type UnitCost } from '#modules/carrier-costs';
import { convertMillionths, type RateEntry, RateTable } from '#modules/exchange-rates';
import type { NetworkTable } from '#modules/networks';
import type { MessageClass } from '#platform/database/schema';
import type { Read } from './read-routing.ts';

/** Part of a message whose cost is asked. */
export interface AskedCost {
  link_id: number;
  msisdn: string;
  network_id: number;
  class: MessageClass;
  sender_kind: SenderKind;
}

/** Costs of links at one moment. */
export interface LinkCosts {
  /** Returns what the carrier takes for a part; null if it is not known. */
  unit(asked: AskedCost): UnitCost | null;
  /** Returns the cost in the same unit for all links; null if it, or the exchange rate, is not known. Only for order. */
  compared(asked: AskedCost): number | null;
  /** Returns the cost in whole millionths of a currency by the rate of today; null if it, or the rate, is not known. */
  inCurrency(asked: AskedCost, currency: string): number | null;
  /** True if no card was ever applied. */
  readonly isEmpty: boolean;
}

const costs = new Costs();
let kept = new RateTable('', []);

async function readRates(read: Read): Promise<RateTable> {
  const [now] = await read<{ version: string }>('SELECT version::text AS version FROM exchange_rate_version', []);
  if (kept.version === now!.version) return kept;
  const rows = await read<{ version: string } & (RateEntry | { from_currency: null })>(
    'SELECT version, from_currency, to_currency, day, digits, scale FROM all_exchange_rates()',
    [],
  );
  const entries = rows.filter((row): row is { version: string } & RateEntry => row.from_currency !== null);
  kept = new RateTable(rows[0]!.version, entries);
  return kept;
}

/** Reads what carriers take now. Costs in several currencies are compared by the exchange rates of today. */
export async function readLinkCosts(read: Read, networks: Partial<Pick<NetworkTable, 'byId'>>): Promise<LinkCosts> {
  const table = await costs.current(read);
  const at = Date.now();
  const rates = await readRates(read);
  const today = new Date(at).toISOString().slice(0, 10);
  // Only the order of links follows from these numbers, and no sum of money.
  let base: string | undefined;
  const factors = new Map<string, number | null>();
  const factorOf = (currency: string): number | null => {
    const known = factors.get(currency);
    if (known !== undefined) return known;
    base ??= currency;
    const rate = rates.rateOn(currency, base, today);
    const factor = rate ? Number(rate.numerator) / Number(rate.denominator) : null;
    factors.set(currency, factor);
    return factor;
  };
  const unit = ({ network_id, ...asked }: AskedCost): UnitCost | null => {
    const network = networks.byId?.(network_id);
    return table.unitCost({ ...asked, network: network?.mcc ? `${network.mcc}${network.mnc}` : '', at });
  };
  const converted = new Map<string, number | null>();
  return {
    unit,
    isEmpty: table.isEmpty,
    inCurrency(asked, currency) {
      const found = unit(asked);
      if (!found) return null;
      if (found.currency === currency) return found.amount;
      const key = `${found.amount} ${found.currency} ${currency}`;
      let amount = converted.get(key);
      if (amount === undefined) {
        const rate = rates.rateOn(found.currency, currency, today);
        amount = rate && convertMillionths(found.amount, rate);
        converted.set(key, amount);
      }
      return amount;
    },
    compared(asked) {
      const found = unit(asked);
      const factor = found && factorOf(found.currency);
      return found && factor !== null ? found.amount * factor : null;
    },
  };
}
