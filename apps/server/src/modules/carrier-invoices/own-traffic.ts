import { senderKind } from '@heliograph/contract/senders/sender-id';
import type { Kysely } from 'kysely';
import { type CostOf, costReader, type LinkPart, linkParts } from '#modules/carrier-costs';
import { convertMillionths, type RateTable, readExchangeRates } from '#modules/exchange-rates';
import { readNetworks } from '#modules/networks';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { type FinalState, nameOfNetwork } from './invoice-row.ts';

/** Part of a message that the carrier accepted. */
export interface OwnPart {
  message_id: number;
  carrier_id: string;
  /** Day in the file's time zone. */
  day: string;
  network: string;
  /** Cost in millionths of the file's currency; null if it is unknown. */
  amount: number | null;
  state: FinalState | null;
}

interface Asked {
  link_id: number;
  /** First and last day, in the zone. */
  from: string;
  to: string;
  timezone: string;
  currency: string;
}

/**
 * Reads the parts that a link's carrier accepted, with a day on each side of the period: carriers' clocks and days
 * differ from ours at the edges. Batches are in the order of chunks.
 */
export async function* ownTraffic(db: Kysely<Database>, asked: Asked): AsyncGenerator<OwnPart[]> {
  const { link_id } = asked;
  const days = daysOf(asked);
  const start = new Date(days[0]!.start).toISOString();
  const end = new Date(days.at(-1)!.end).toISOString();
  const networks = await readNetworks(<Row>(text: string, values: readonly unknown[]) => rowsOf<Row>(db, text, values));
  const rates = await readExchangeRates(db);
  const costOf = await costReader(db);
  for await (const rows of linkParts(db, link_id, { start, end })) {
    const parts: OwnPart[] = [];
    for (const row of rows) {
      const network = (row.ported === null ? undefined : networks.byId(row.ported)) ?? networks.networkOf(row.msisdn);
      const day = dayAt(days, row.at);
      const state = row.state === null ? null : row.state === 'delivered' ? 'delivered' : 'undelivered';
      const amount = await amountOf(row, { ...asked, network: codeOf(network), state, day, costOf, rates });
      const { message_id, carrier_id } = row;
      parts.push({ message_id, carrier_id, day, network: nameOfNetwork(network), amount, state });
    }
    yield parts;
  }
}

const codeOf = (network: { mcc: string | null; mnc: string | null } | null) =>
  network?.mcc && network.mnc ? network.mcc + network.mnc : '';

interface Priced {
  link_id: number;
  currency: string;
  network: string;
  state: FinalState | null;
  day: string;
  costOf: CostOf;
  rates: RateTable;
}

async function amountOf(row: LinkPart, { costOf, rates, ...asked }: Priced): Promise<number | null> {
  const unit = await costOf({
    link_id: asked.link_id,
    msisdn: row.msisdn,
    network: asked.network,
    class: row.class,
    sender_kind: senderKind(row.sender_id),
    at: row.at,
  });
  if (!unit) return null;
  if (unit.on === 'delivery' && asked.state !== 'delivered') return 0;
  const rate = rates.rateOn(unit.currency, asked.currency, asked.day);
  return rate && convertMillionths(unit.amount, rate);
}

interface Day {
  day: string;
  /** Epoch milliseconds; the end is not included. */
  start: number;
  end: number;
}

function daysOf({ from, to, timezone }: Asked): Day[] {
  const days: Day[] = [];
  const last = Temporal.PlainDate.from(to).add({ days: 1 });
  for (let at = Temporal.PlainDate.from(from).subtract({ days: 1 }); Temporal.PlainDate.compare(at, last) <= 0; ) {
    const next = at.add({ days: 1 });
    const start = at.toZonedDateTime(timezone).epochMilliseconds;
    days.push({ day: at.toString(), start, end: next.toZonedDateTime(timezone).epochMilliseconds });
    at = next;
  }
  return days;
}

/** Finds the day of an instant among consecutive days. */
function dayAt(days: readonly Day[], at: number): string {
  let low = 0;
  let high = days.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]!.end <= at) low = middle + 1;
    else high = middle;
  }
  return days[low]!.day;
}
