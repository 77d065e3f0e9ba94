import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { day, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { resource } from '../kernel/resource.ts';

/** Currency by its three letters (ISO 4217). */
export const currency = z.string().regex(/^[A-Z]{3}$/, { error: 'currency' });

/** Positive decimal with at most nine digits before the point, twelve after it and fifteen in all. */
const rate = z
  .string()
  .trim()
  .regex(/^(?=.*[1-9])(?!(?:\D*\d){16})\d{1,9}(\.\d{1,12})?$/, { error: 'exchange_rate' });

const input = z.object({
  from_currency: currency,
  to_currency: currency,
  /** First day on which the rate counts; it counts until the day of the pair's next rate. */
  day,
  /** Value of one unit of `from_currency` in `to_currency`. */
  rate,
  /** Origin of the rate, such as the name of a bank. */
  source: text(100),
});

/** Header of a file of exchange rates. */
export const EXCHANGE_RATE_COLUMNS = ['from_currency', 'to_currency', 'day', 'rate', 'source'] as const;

/** Value of a currency in another one, from a day on. Amounts of carriers are converted by it. */
export const exchangeRate = resource({
  name: 'exchange-rates',
  row: input.extend({
    /** Both currencies, such as USD/PHP. */
    pair: z.string(),
  }),
  create: input.extend({ source: input.shape.source.default('') }),
  update: input.pick({ rate: true, source: true }).partial(),
  filters: z.object({ from_currency: currency.optional(), to_currency: currency.optional(), day: day.optional() }),
  sort: ['day', 'pair', 'created_at'],
  title: 'pair',
  conflicts: { exchange_rate_pair_key: 'exchange_rate_already_exists' },
});

/** Stores the rates of a file. A rate of the same pair and day is replaced. */
export const uploadExchangeRates = bulkUploadOf('exchange-rates', 'exchange-rates-upload', z.object({}));

/** Returns the rate that counts on a day between two currencies, and the entries from which it follows. */
export const explainExchangeRate = operation({
  method: 'GET',
  path: '/api/v1/exchange-rates/explain',
  permission: 'exchange-rates-index',
  query: z.object({ from_currency: currency, to_currency: currency, day }),
  reply: z.object({
    data: z
      .object({
        /** One unit of `from_currency`, rounded to twelve decimals for people; amounts are converted exactly. */
        rate: z.string(),
        /** Entries that were used, in order; none for a currency in itself, two if they meet in a third currency. */
        entries: z.array(input.pick({ from_currency: true, to_currency: true, day: true, rate: true })),
      })
      .nullable(),
  }),
});
