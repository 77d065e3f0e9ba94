import {
  EXCHANGE_RATE_COLUMNS,
  exchangeRate,
  explainExchangeRate,
  uploadExchangeRates,
} from '@heliograph/contract/exchange-rates/exchange-rate';
import { sql } from 'kysely';
import type { z } from 'zod';
import { fieldError } from '#platform/errors';
import { type App, mount, mountResource } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { type BulkKind, mountBulkUpload } from '#platform/tasks/bulk-upload';
import { digitsOf, shownRate } from './rate-table.ts';
import { readExchangeRates } from './read-rates.ts';

const stored = tableStore(exchangeRate, { table: 'exchange_rate', from: 'exchange_rate_row' });

/** Mounts exchange rates, their files, and the answer to which rate counts on a day. */
export function exchangeRateRoutes(app: App): void {
  mountResource(app, exchangeRate, {
    ...stored,
    create(ctx, call) {
      const { rate, ...rest } = call.body;
      if (rest.from_currency === rest.to_currency) throw fieldError('to_currency', 'same_currency');
      return stored.create(ctx, { ...call, body: { ...rest, ...digitsOf(rate) } as never });
    },
    update(ctx, call) {
      const { rate, ...rest } = call.body;
      return stored.update(ctx, { ...call, body: { ...rest, ...(rate !== undefined && digitsOf(rate)) } });
    },
  });
  mountBulkUpload(app, uploadExchangeRates, exchangeRateKind, async () => ({ corporation_id: null, parameters: {} }));
  mount(app, explainExchangeRate, async ({ db }, { query }) => {
    const rate = (await readExchangeRates(db)).rateOn(query.from_currency, query.to_currency, query.day);
    const entries = rate?.entries.map(({ digits, scale, ...entry }) => ({ ...entry, rate: decimalOf(digits, scale) }));
    return { data: rate && { rate: shownRate(rate), entries: entries ?? [] } };
  });
}

const decimalOf = (digits: number, scale: number) =>
  shownRate({ numerator: BigInt(digits), denominator: 10n ** BigInt(scale), entries: [] });

type Row = z.output<typeof exchangeRate.create>;

/**
 * Returns a rate as it is written with a point. A comma stands for the point, unless it may also separate thousands;
 * then the cell stays as it is and is refused.
 */
const withPoint = (cell: string) => {
  const text = cell.trim();
  return /^\d+,\d+$/.test(text) && !/^\d{1,3},\d{3}$/.test(text) ? text.replace(',', '.') : text;
};

/** Files of exchange rates. A rate of the same pair and day, in either direction, is replaced. */
export const exchangeRateKind: BulkKind<Row> = {
  name: exchangeRate.name,
  columns: EXCHANGE_RATE_COLUMNS,
  required: EXCHANGE_RATE_COLUMNS.filter((column) => column !== 'source'),
  key: 'day',
  duplicate: 'validation.exchange_rate_repeated',
  begin: () => ({
    parse(cell, exact) {
      const record = {
        from_currency: cell('from_currency').trim().toUpperCase(),
        to_currency: cell('to_currency').trim().toUpperCase(),
        day: exact('day').trim(),
        rate: withPoint(exact('rate')),
        source: cell('source'),
      };
      const parsed = exchangeRate.create.safeParse(record);
      if (!parsed.success) {
        const field = String(parsed.error.issues[0]?.path[0]) as keyof typeof FAULTS;
        return { field, value: cell(field), fault: cell(field).trim() === '' ? 'validation.required' : FAULTS[field] };
      }
      if (record.from_currency === record.to_currency)
        return { field: 'to_currency', value: record.to_currency, fault: 'validation.same_currency' };
      return parsed.data;
    },
    keyOf,
    async add(db, rows) {
      // If two rows have one key, the first counts.
      const entries = new Map([...rows].reverse().map((row) => [keyOf(row), { ...row, ...digitsOf(row.rate) }]));
      const { rows: added } = await sql<Row>`
        INSERT INTO exchange_rate AS e (from_currency, to_currency, day, digits, scale, source)
        SELECT * FROM jsonb_to_recordset(${JSON.stringify([...entries.values()])}::jsonb)
          AS r (from_currency text, to_currency text, day date, digits bigint, scale smallint, source text)
        ON CONFLICT (least(from_currency, to_currency), greatest(from_currency, to_currency), day) DO UPDATE
          SET from_currency = excluded.from_currency, to_currency = excluded.to_currency, digits = excluded.digits,
            scale = excluded.scale, source = excluded.source
          WHERE (e.from_currency, e.to_currency, e.digits, e.scale, e.source)
            IS DISTINCT FROM (excluded.from_currency, excluded.to_currency, excluded.digits, excluded.scale, excluded.source)
        RETURNING from_currency, to_currency, day::text AS day`.execute(db);
      return new Set(added.map(keyOf));
    },
  }),
};

const FAULTS = {
  from_currency: 'validation.currency',
  to_currency: 'validation.currency',
  day: 'validation.date',
  rate: 'validation.exchange_rate',
  source: 'validation.exchange_rate_source',
} as const;

const keyOf = ({ from_currency, to_currency, day }: Pick<Row, 'from_currency' | 'to_currency' | 'day'>) =>
  [...[from_currency, to_currency].sort(), day].join(' ');
