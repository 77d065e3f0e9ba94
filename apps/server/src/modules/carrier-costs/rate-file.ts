import { CARRIER_COLUMNS, type CarrierColumn, carrierRate } from '@heliograph/contract/carrier-costs/carrier-rate';
import { plainName } from '@heliograph/contract/kernel/column-names';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { BulkKind, RowFault } from '#platform/tasks/bulk-upload';
import { type Place, readClass, readCost, readDay, readNetworks, readPrefixes, readSenderKind } from './rate-cells.ts';
import { currencyOfHeading, findCarrierColumns, RATE_COLUMNS } from './rate-columns.ts';

/** Rate of a file's row. */
interface Rate extends Place {
  class: string | null;
  sender_kind: string | null;
  amount: number;
  starts_on: string | null;
  ends_on: string | null;
}

/** Row of a file: one rate for each of its prefixes and networks. */
interface RateRow {
  key: string;
  rates: Rate[];
}

type Cell = (column: string) => string;

const keyOf = (rate: Rate) => [rate.prefix, rate.mcc, rate.mnc, rate.class, rate.sender_kind, rate.starts_on].join('/');

const fault = (field: CarrierColumn, value: string, name: string): RowFault => ({
  field,
  value,
  fault: `validation.${name}` as RowFault['fault'],
});

/** Reads the prefixes and networks of a row. */
function placesOf(cell: Cell): Place[] | RowFault {
  const value = (column: CarrierColumn) => cell(column).trim();
  const places: Place[] = [];
  if (value('mccmnc') !== '' || value('mcc') !== '') {
    const networks = readNetworks(value('mccmnc'), value('mcc'), value('mnc'));
    if (!networks)
      return fault(value('mcc') ? 'mnc' : 'mccmnc', `${value('mccmnc')}${value('mcc')} ${value('mnc')}`, 'mccmnc');
    places.push(...networks.map((network) => ({ prefix: null, ...network })));
  }
  const own = value('prefix');
  if (own !== '' || value('country_code') !== '') {
    const prefixes = own === '' ? readPrefixes(value('area_code'), value('country_code')) : readPrefixes(own);
    if (!prefixes) return fault('prefix', own || `${value('country_code')} ${value('area_code')}`, 'carrier_prefix');
    places.push(...prefixes.map((prefix) => ({ prefix, mcc: null, mnc: null })));
  }
  return places.length > 0 ? places : fault('prefix', own, 'carrier_prefix');
}

/** Reads a day; null if the cell is empty. */
function dayIn(cell: Cell, field: 'starts_on' | 'ends_on'): string | null | RowFault {
  const text = cell(field).trim();
  if (text === '' || /^(-|n\/?a|open|none|unlimited)$/i.test(text)) return null;
  return readDay(text) ?? fault(field, text, readDay(text) === null ? 'day_ambiguous' : 'date');
}

/** Reads a row. `seen` has the costs of the rates before it, by key: a second cost for the same is a fault. */
export function parseRateRow(cell: Cell, exact: Cell, currency: string, seen: Map<string, number>): RateRow | RowFault {
  const places = placesOf(cell);
  if (!Array.isArray(places)) return places;
  const price = exact('price').trim();
  const amount = readCost(price);
  if (amount === undefined) return fault('price', price, 'cost_format');
  const other = /[A-Za-z]{3}/.exec(cell('currency'))?.[0] ?? /\b[A-Z]{3}\b/.exec(cell('price'))?.[0];
  if (other !== undefined && other.toUpperCase() !== currency) return fault('currency', other, 'carrier_currency');
  const messageClass = readClass(cell('class'));
  if (messageClass === undefined) return fault('class', cell('class'), 'rate_class');
  const sender_kind = readSenderKind(cell('sender_kind'));
  if (sender_kind === undefined) return fault('sender_kind', cell('sender_kind'), 'rate_sender_kind');
  const starts_on = dayIn(exact, 'starts_on');
  if (starts_on !== null && typeof starts_on === 'object') return starts_on;
  const ends_on = dayIn(exact, 'ends_on');
  if (ends_on !== null && typeof ends_on === 'object') return ends_on;
  if (starts_on && ends_on && ends_on < starts_on) return fault('ends_on', ends_on, 'date_order');
  const rates = places.map((place) => ({ ...place, class: messageClass, sender_kind, amount, starts_on, ends_on }));
  const contradicts = rates.find((rate) => (seen.get(keyOf(rate)) ?? amount) !== amount);
  if (contradicts)
    return fault('prefix', contradicts.prefix ?? `${contradicts.mcc}${contradicts.mnc ?? ''}`, 'rate_twice');
  const fresh = rates.filter((rate) => !seen.has(keyOf(rate)));
  for (const rate of fresh) seen.set(keyOf(rate), amount);
  return { key: keyOf(rates[0]!), rates: fresh };
}

/** Adds rates to a draft; one that it has already gets the file's amount. */
const putRates = (db: Kysely<Database>, cardId: number, rates: readonly Rate[]) =>
  sql`
  INSERT INTO carrier_rate AS r (carrier_card_id, prefix, mcc, mnc, class, sender_kind, amount, starts_on, ends_on)
  SELECT ${cardId}, n.* FROM jsonb_to_recordset(${JSON.stringify(rates)}::jsonb)
    AS n (prefix text, mcc text, mnc text, class message_class, sender_kind text, amount bigint, starts_on date, ends_on date)
  ON CONFLICT (carrier_card_id, prefix, mcc, mnc, class, sender_kind, starts_on)
    DO UPDATE SET amount = EXCLUDED.amount, ends_on = EXCLUDED.ends_on
    WHERE (r.amount, r.ends_on) IS DISTINCT FROM (EXCLUDED.amount, EXCLUDED.ends_on)`.execute(db);

interface Parameters {
  carrier_card_id: number;
  columns?: string;
}

/** Files of a carrier's rates, read into a draft. */
export const carrierRateKind: BulkKind<RateRow> = {
  name: carrierRate.name,
  columns: CARRIER_COLUMNS,
  required: ['price'],
  key: 'prefix',
  nothing: 'carrier_file_empty',
  bulk: 'carrier_rate',
  async begin(db, { parameters }) {
    const { carrier_card_id, columns } = parameters as Parameters;
    const card = await db
      .selectFrom('carrier_card as c')
      .leftJoin('carrier_card_layout as y', 'y.link_id', 'c.link_id')
      .select(['c.currency', 'c.link_id', 'c.applied_at', 'y.columns'])
      .where('c.id', '=', carrier_card_id)
      .executeTakeFirst();
    if (!card) throw new BusinessError('not_found');
    if (card.applied_at !== null) throw new BusinessError('carrier_card_applied');
    const seen = new Map<string, number>();
    let currency: string | undefined;
    return {
      async columnsOf(cells) {
        const remembered = (card.columns ?? {}) as Record<string, CarrierColumn | null>;
        const given = columns === undefined ? null : RATE_COLUMNS.assigned(columns);
        const assigned = new Map([...Object.entries(remembered), ...(given ?? [])]);
        const found = findCarrierColumns(cells, assigned);
        const price = found.columns.find(({ field }) => field === 'price');
        currency = price && currencyOfHeading(price.name);
        if (found.complete && given) await remember(db, card.link_id, cells, assigned);
        return { columns: found.columns, fault: found.complete ? undefined : 'carrier_columns_missing' };
      },
      parse(cell, exact) {
        if (currency !== undefined && currency !== card.currency && cell('currency').trim() === '')
          return fault('currency', currency, 'carrier_currency');
        return parseRateRow(cell, exact, card.currency, seen);
      },
      keyOf: ({ key }) => key,
      async add(trx, rows) {
        const rates = rows.flatMap((row) => row.rates);
        if (rates.length > 0) await putRates(trx, carrier_card_id, rates);
        return new Set(rows.map(({ key }) => key));
      },
    };
  },
};

/** Remembers the assigned columns of a file for the next ones of its link. */
async function remember(
  db: Kysely<Database>,
  linkId: number,
  cells: readonly string[],
  assigned: ReadonlyMap<string, CarrierColumn | null>,
): Promise<void> {
  const names = new Set(cells.map(plainName));
  const columns = JSON.stringify(Object.fromEntries([...assigned].filter(([name]) => names.has(name))));
  await db
    .insertInto('carrier_card_layout')
    .values({ link_id: linkId, columns })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet({ columns, changed_at: sql`now()` }))
    .execute();
}
