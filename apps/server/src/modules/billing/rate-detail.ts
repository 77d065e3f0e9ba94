import type { priceOfNumber, rateDetails, rateDetailsFile } from '@heliograph/contract/billing/rate-detail';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { checkNumber, plainDigits } from '@heliograph/contract/kernel/number-rules';
import type { QueryOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { type AttachedFile, csvFile } from '#platform/csv-file';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http';
import { translate } from '#platform/i18n';
import { dateIn } from '#platform/period';
import { requireVisible } from '#platform/visible';
import { pricingOf } from './price.ts';
import { rowsOf } from './sql.ts';

/** Prices are asked for numbers of any country, whatever may be sent to. */
const ANY_NUMBER = { min: 3, max: 15, start: '', start_with_any_msisdn: true };

/**
 * The account that is asked about: the one given, else the caller's own, else their corporation's first; the platform's
 * own people see the first there is.
 */
async function accountOf({ db, caller }: Context, id: number | undefined) {
  const wanted = id ?? caller.billing_account_id;
  const account = await db
    .selectFrom('billing_account as b')
    .innerJoin('corporation as c', 'c.id', 'b.corporation_id')
    .innerJoin('price_plan as p', 'p.id', 'b.price_plan_id')
    .select(['b.id', 'b.name', 'b.price_plan_id', 'c.currency', 'c.timezone', 'p.name as price_plan_name'])
    .select('p.default_charge')
    .where((eb) =>
      wanted === null
        ? eb.and([
            eb('b.enabled', '=', true),
            ...(caller.corporation_id === null ? [] : [eb('b.corporation_id', '=', caller.corporation_id)]),
          ])
        : eb('b.id', '=', wanted),
    )
    .orderBy('b.id')
    .executeTakeFirst();
  if (account) return account;
  throw id === undefined
    ? new BusinessError('billing_account_missing')
    : fieldError('billing_account_id', 'not_visible');
}
type Account = Awaited<ReturnType<typeof accountOf>>;

const planOnWire = (account: Account) => ({
  billing_account_id: account.id,
  billing_account_name: account.name,
  price_plan_name: account.price_plan_name,
  currency: account.currency,
  default_charge: fromThousandths(account.default_charge),
});

/** The account's rates that hold today, by zone and prefix. */
function ratesToday(ctx: Context, account: Account, rate_zone_id: number | undefined) {
  const today = dateIn(account.timezone, ctx.clock.now());
  return ctx.db
    .selectFrom('rate as r')
    .innerJoin('rate_zone as z', 'z.id', 'r.rate_zone_id')
    .select(['r.id', 'r.rate_zone_id', 'z.name as rate_zone_name', 'r.prefix', 'r.charge'])
    .select(['r.starts_on', 'r.ends_on'])
    .where('r.price_plan_id', '=', account.price_plan_id)
    .where('r.enabled', '=', true)
    .where('z.enabled', '=', true)
    .where('r.starts_on', '<=', today)
    .where((eb) => eb.or([eb('r.ends_on', 'is', null), eb('r.ends_on', '>=', today)]))
    .$if(rate_zone_id !== undefined, (q) => q.where('r.rate_zone_id', '=', rate_zone_id!))
    .orderBy('r.rate_zone_id')
    .orderBy('r.prefix');
}

/** Rate details: what an account pays today. The cursor is the zone and prefix of the last row. */
export const listRateDetails: Handler<typeof rateDetails> = async (ctx, { query }) => {
  const after = query.cursor === undefined ? undefined : /^(\d{1,15})\.(\d{1,15})$/.exec(query.cursor);
  if (after === null) throw new BusinessError('malformed_request');
  const account = await accountOf(ctx, query.billing_account_id);
  const rows = await ratesToday(ctx, account, query.rate_zone_id)
    .$if(Boolean(query.prefix), (q) => q.where('r.prefix', 'like', `${plainDigits(query.prefix!) ?? query.prefix!}%`))
    .$if(after !== undefined, (q) => q.where(sql<boolean>`(r.rate_zone_id, r.prefix) > (${after![1]}, ${after![2]})`))
    .limit(query.limit + 1)
    .execute();
  const page = rows.slice(0, query.limit);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return {
    ...planOnWire(account),
    data: page.map(({ rate_zone_id: _, charge, ...row }) => ({ ...row, charge: fromThousandths(charge) })),
    next_cursor: last ? `${last.rate_zone_id}.${last.prefix}` : null,
    has_more: last !== undefined,
  };
};

const FILE_COLUMNS = ['rate_zone_name', 'prefix', 'charge', 'starts_on', 'ends_on'] as const;

/** The same as a CSV, the default charge as its last line. */
export async function rateDetailFile(
  ctx: Context,
  { query }: { query: QueryOf<typeof rateDetailsFile> },
): Promise<AttachedFile> {
  const account = await accountOf(ctx, query.billing_account_id);
  const rows = await ratesToday(ctx, account, query.rate_zone_id).execute();
  const label = (field: string) => translate(ctx.locale, `resources.rate-details.fields.${field}`);
  const defaults = translate(ctx.locale, 'resources.price-plans.fields.default_charge');
  return csvFile(
    `${account.name}-rates.csv`,
    [...FILE_COLUMNS.map(label), label('currency')],
    [
      ...rows.map((row) => [
        ...FILE_COLUMNS.map((field) => (field === 'charge' ? fromThousandths(row.charge) : row[field])),
        account.currency,
      ]),
      ['', defaults, fromThousandths(account.default_charge), '', '', account.currency],
    ],
  );
}

/** What a part to a number would cost the account today. */
export const showPriceOfNumber: Handler<typeof priceOfNumber> = async (ctx, { query }) => {
  const { msisdn } = checkNumber(query.number, ANY_NUMBER);
  if (msisdn === undefined) throw fieldError('number', 'number');
  if (query.rate_zone_id !== undefined) await requireVisible(ctx, 'rate_zone', query.rate_zone_id, 'rate_zone_id');
  const account = await accountOf(ctx, query.billing_account_id);
  const pricing = await pricingOf(ctx.db, account.id, { rate_zone_id: query.rate_zone_id, at: ctx.clock.now() });
  const [rate] = await rowsOf<{ prefix: string; charge: number }>(
    ctx.db,
    'SELECT prefix, charge FROM card_rate($1, $2, $3, $4, $5)',
    [pricing.price_plan_id, pricing.version, pricing.rate_zone_id, pricing.on, msisdn],
  );
  return {
    ...planOnWire(account),
    number: msisdn,
    rate_zone_name: pricing.rate_zone_name,
    prefix: rate?.prefix ?? null,
    charge: fromThousandths(rate?.charge ?? account.default_charge),
  };
};
