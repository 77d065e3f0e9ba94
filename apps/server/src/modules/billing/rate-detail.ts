import { exportRateDetails, type priceOfNumber, type rateDetails } from '@heliograph/contract/billing/rate-detail';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { checkNumber, plainDigits } from '@heliograph/contract/kernel/number-rules';
import type { QueryOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { requireVisible } from '#platform/access/visible';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { dateIn } from '#platform/records/period';
import { amountCell, dateCell } from '#platform/table/cells';
import { askForList, type ExportedList, type ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { exportBillingJob } from './export-billing.ts';
import { discountOf, termsOnWire } from './month-discount.ts';
import { pricingOf } from './price.ts';
import { promoted, promotionsOf } from './promoted-prices.ts';
import { rowsOf } from './sql.ts';

/** Rules that accept numbers of any country, whatever numbers may be sent to. */
const ANY_NUMBER = { min: 3, max: 15, start: '', start_with_any_msisdn: true };

/**
 * Returns the account of a request: the given one, or the caller's own, or the first of their corporation. The
 * platform's own people get the first of all accounts.
 */
async function accountOf({ db, caller }: ListContext, id: number | undefined) {
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

/** Selects the account's rates in force today, by zone and prefix. */
function ratesToday(ctx: ListContext, account: Account, rate_zone_id: number | undefined) {
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

/** Lists rate details: the prices of an account today. The cursor is the zone and prefix of the last row. */
export const listRateDetails: Handler<typeof rateDetails> = (ctx, { query }) => detailPage(ctx, query);

async function detailPage(ctx: ListContext, query: QueryOf<typeof rateDetails>) {
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
}

const FILE_COLUMNS = ['rate_zone_name', 'prefix', 'charge', 'starts_on', 'ends_on'] as const;

type Filters = Omit<QueryOf<typeof rateDetails>, 'limit' | 'cursor'>;
interface FileRow {
  rate_zone_name: string;
  /** Null stands for the default charge. */
  prefix: string | null;
  charge: string;
  starts_on: string | null;
  ends_on: string | null;
  currency: string;
}

/** Rate details as a file, with the default charge as the last line. */
export const rateDetailFile: ExportedList<Filters, FileRow> = {
  kind: 'rate-details',
  withoutNumbers: true,
  permission: exportRateDetails.permission!,
  filters: exportRateDetails.body.omit({ format: true }),
  async page(ctx, query) {
    const { data, next_cursor, currency, default_charge } = await detailPage(ctx, query);
    const rows: FileRow[] = data.map((row) => ({ ...row, currency }));
    if (next_cursor === null)
      rows.push({ rate_zone_name: '', prefix: null, charge: default_charge, starts_on: null, ends_on: null, currency });
    return { data: rows, next_cursor };
  },
  heading: (_, locale) =>
    [...FILE_COLUMNS, 'currency'].map((field) => translate(locale, keyIn('resources.rate-details.fields', field))),
  cells: ({ rate_zone_name, prefix, charge, starts_on, ends_on, currency }, _, locale) => [
    rate_zone_name,
    prefix ?? translate(locale, 'resources.price-plans.fields.default_charge'),
    amountCell(charge),
    dateCell(starts_on),
    dateCell(ends_on),
    currency,
  ],
};

/** Queues the file for one account, which is stored with the request. */
export const askForRateDetails: Handler<typeof exportRateDetails> = async (ctx, { body }) => {
  const { id } = await accountOf(ctx, body.billing_account_id);
  return askForList(ctx, exportBillingJob, rateDetailFile, { ...body, billing_account_id: id });
};

/** Shows the price of a part to a number for the account today. */
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
  const charge = rate?.charge ?? account.default_charge;
  const found = promoted(await promotionsOf(ctx.db, pricing.promotion_ids), msisdn, charge);
  const month = `${dateIn(account.timezone, ctx.clock.now()).slice(0, 7)}-01`;
  const volume = await discountOf(ctx.db, account.id, month);
  return {
    ...planOnWire(account),
    number: msisdn,
    rate_zone_name: pricing.rate_zone_name,
    prefix: rate?.prefix ?? null,
    charge: fromThousandths(found?.charge ?? charge),
    promotion: found?.promotion.name ?? null,
    volume_discount: volume ? termsOnWire(volume) : null,
  };
};
