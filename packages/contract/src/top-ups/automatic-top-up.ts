import { z } from 'zod';
import { idText, instant, money, text } from '../kernel/fields.ts';
import { fromThousandths, toThousandths } from '../kernel/money.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { type FeeTerms, feeOf } from './fee.ts';
import type { PaymentDriver } from './merchant-account.ts';
import { wholeTopUp } from './top-up.ts';

/** Providers that keep a card and charge it without the customer. The others cannot do that here. */
export const KEEPS_CARDS: readonly PaymentDriver[] = ['stripe'];
/** Declined charges in a row after which an automatic top-up stops. */
export const MOST_DECLINES = 3;

const terms = z.object({
  /** Amount of spendable credit below which the card is charged. */
  threshold: money({ digits: 8, decimals: 2 }),
  /** Credit that each charge adds; the fee of the payment method is on top. */
  amount: money({ digits: 8, decimals: 2 }),
  /** Maximum credit that charges add in a day and in a month of the corporation's time zone. */
  day_limit: money({ digits: 8, decimals: 2 }),
  month_limit: money({ digits: 8, decimals: 2 }),
  /** Minimum minutes from one charge to the next. */
  minutes_between: z.int().min(15).max(43_200),
});
/** The sentence that the person agreed to, as it was shown: `automatic_top_up.consent` with these terms. */
const consent = text(2_000);

const row = terms.extend({
  id: z.int(),
  /** `waiting` until the first payment has arrived; `stopped` until the person agrees again. */
  state: z.enum(['waiting', 'on', 'stopped']),
  stop_reason: z.enum(['declined', 'terms_changed']).nullable(),
  merchant_account_id: z.int(),
  method_name: z.string(),
  /** Amount that each charge takes from the card, with the fee. */
  total: money(),
  currency: z.string(),
  /** Card that the provider keeps, such as “visa 4242”. */
  card_label: z.string().nullable(),
  consent_text: z.string(),
  consented_at: instant,
  user_name: z.string().nullable(),
  /** Credit that charges added today and this month. */
  day_sum: money(),
  month_sum: money(),
  /** Earliest time of the next charge. */
  next_at: instant,
  /** First payment or charge that is under way. */
  open_top_up_id: z.int().nullable(),
  may: z.object({ change: z.boolean(), end: z.boolean() }),
});

const path = '/api/v1/billing-accounts/:id/automatic-top-up';
const params = z.object({ id: idText });

/** Shows the automatic top-up of an account; null if there is none. */
export const showAutomaticTopUp = operation({
  method: 'GET',
  path,
  permission: 'top-ups-index',
  params,
  reply: z.object({
    data: row.nullable(),
    /** True if the caller is of the corporation that owns the account, and may agree to charges. */
    may_start: z.boolean(),
  }),
  errors: ['not_found'],
});

/**
 * Records the consent to an automatic top-up and begins its first payment. The provider keeps the card of that payment,
 * and charges begin once it has arrived.
 */
export const startAutomaticTopUp = operation({
  method: 'POST',
  path,
  permission: 'top-ups-create',
  params,
  body: terms.extend({
    merchant_account_id: z.int().positive(),
    consent,
    /** Origin of the console to which the provider's page returns. */
    origin: text(300).optional(),
  }),
  reply: oneReply(wholeTopUp),
  errors: ['not_found', 'automatic_top_up_on'],
  status: 201,
});

/** Changes the terms with a new consent. A stopped automatic top-up runs again; the card stays. */
export const changeAutomaticTopUp = operation({
  method: 'PATCH',
  path,
  permission: 'top-ups-create',
  params,
  body: terms.extend({ consent }),
  reply: oneReply(row),
  errors: ['not_found', 'automatic_top_up_waits'],
});

/** Ends the automatic top-up of an account, and removes the card at the provider. */
export const endAutomaticTopUp = operation({
  method: 'DELETE',
  path,
  permission: 'top-ups-create',
  params,
  reply: z.object({ message: z.string() }),
  errors: ['not_found'],
});

/** Returns an amount as a consent shows it: with two decimals, or three if the third is not zero. */
const shown = (amount: string) => fromThousandths(toThousandths(amount)).replace(/0$/, '');

/** Returns the values of the sentence `automatic_top_up.consent`. Throws RangeError for anything that is no amount. */
export function consentValues(
  { threshold, amount, day_limit, month_limit, minutes_between }: z.output<typeof terms>,
  method: FeeTerms & { name: string },
  account: { name: string },
) {
  return {
    account: account.name,
    method: method.name,
    currency: method.currency,
    threshold: shown(threshold),
    amount: shown(amount),
    total: shown(fromThousandths(feeOf(toThousandths(amount), method).total)),
    day_limit: shown(day_limit),
    month_limit: shown(month_limit),
    minutes: String(minutes_between),
  };
}
