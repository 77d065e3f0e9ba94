import { percentHundredths } from '@heliograph/contract/billing/margin-rule';
import type {
  createVolumeDiscount,
  endVolumeDiscount,
  VOLUME_DISCOUNT_STATES,
  VolumeTier,
  volumeDiscounts,
} from '@heliograph/contract/billing/volume-discount';
import { toThousandths } from '@heliograph/contract/kernel/money';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { dateIn } from '#platform/records/period';
import { requireToRun } from './billing-account.ts';
import { cursorId } from './credit-change.ts';
import { tiersOnWire } from './month-discount.ts';
import { ownsPlan } from './price-plan.ts';
import { sellerZone } from './promotions.ts';

type Row = ReplyOf<typeof volumeDiscounts>['data'][number];
type State = (typeof VOLUME_DISCOUNT_STATES)[number];
type Body = BodyOf<typeof createVolumeDiscount>;

interface Wanted {
  id?: number;
  before?: number | null;
  limit: number;
  plan?: number | undefined;
  account?: number | undefined;
  state?: State | undefined;
}

async function rowsBelow(ctx: Context, { id, before, limit, plan, account, state }: Wanted): Promise<Row[]> {
  const now = ctx.clock.now().toISOString();
  const platform = await sellerZone(ctx, null);
  const { rows } = await sql<Omit<Row, 'tiers'> & { tiers: VolumeTier[] }>`
    SELECT * FROM (
      SELECT d.id, d.name, d.measure, d.applies, d.tiers, y.name AS price_plan_name, b.name AS billing_account_name,
        coalesce(o.currency, y.currency) AS currency, to_char(d.first_month, 'YYYY-MM') AS first_month,
        to_char(d.last_month, 'YYYY-MM') AS last_month, u.name AS user_name, d.created_at,
        CASE WHEN d.last_month < greatest(p.month, d.first_month) THEN 'over' WHEN d.first_month > p.month THEN 'planned' ELSE 'running' END AS state
      FROM volume_discount d LEFT JOIN price_plan_shown y ON y.id = d.price_plan_id
      LEFT JOIN billing_account b ON b.id = d.billing_account_id LEFT JOIN corporation o ON o.id = b.corporation_id
      LEFT JOIN corporation c ON c.id = d.corporation_id LEFT JOIN user_account u ON u.id = d.user_id
      CROSS JOIN LATERAL (SELECT date_trunc('month', ${now}::timestamptz AT TIME ZONE coalesce(c.timezone, ${platform}))::date AS month) p
      WHERE (${id ?? null}::bigint IS NULL OR d.id = ${id ?? null}) AND (${before ?? null}::bigint IS NULL OR d.id < ${before ?? null})
        AND (${plan ?? null}::bigint IS NULL OR d.price_plan_id = ${plan ?? null})
        AND (${account ?? null}::bigint IS NULL OR d.billing_account_id = ${account ?? null})
    ) d WHERE ${state ?? null}::text IS NULL OR d.state = ${state ?? null}
    ORDER BY d.id DESC LIMIT ${limit}`.execute(ctx.db);
  return rows.map((row) => ({ ...row, tiers: tiersOnWire(row.measure, row.tiers) }));
}

/** Lists the volume discounts that the caller grants. */
export const listVolumeDiscounts: Handler<typeof volumeDiscounts> = async (ctx, { query }) => {
  const { limit, price_plan_id: plan, billing_account_id: account, state } = query;
  const rows = await rowsBelow(ctx, { before: cursorId(query.cursor), limit: limit + 1, plan, account, state });
  const data = rows.slice(0, limit);
  const has_more = rows.length > data.length;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
};

/** Returns the tiers in whole numbers; throws a 422 unless they rise and parts are whole. */
function tiersOf({ measure, tiers }: Body): VolumeTier[] {
  const whole = /^\d+(\.0+)?$/;
  if (measure === 'parts' && tiers.some(({ from }) => !whole.test(from))) throw fieldError('tiers', 'tier_whole_parts');
  const stored = tiers.map(
    ({ from, percent }): VolumeTier => [
      measure === 'parts' ? Number(from.split('.')[0]) : toThousandths(from),
      percentHundredths(percent),
    ],
  );
  if (stored.some(([from], place) => place > 0 && from <= stored[place - 1]![0]))
    throw fieldError('tiers', 'tier_order');
  return stored;
}

/** Locks the plan or the account of a new discount and returns its seller; throws if the caller may not grant it. */
async function sellerFor(ctx: Context, { price_plan_id, billing_account_id }: Body): Promise<number | null> {
  if ((price_plan_id === null) === (billing_account_id === null)) throw fieldError('price_plan_id', 'plan_or_account');
  if (price_plan_id !== null) {
    await requireVisible(ctx, 'price_plan', price_plan_id, 'price_plan_id');
    const plan = await ctx.db
      .selectFrom('price_plan')
      .select('corporation_id')
      .where('id', '=', price_plan_id)
      .executeTakeFirstOrThrow();
    if (!ownsPlan(ctx.caller, plan)) throw new BusinessError('forbidden');
    return plan.corporation_id;
  }
  await requireVisible(ctx, 'billing_account', billing_account_id!, 'billing_account_id');
  const { corporation_id, reseller_id } = await ctx.db
    .selectFrom('billing_account as b')
    .innerJoin('corporation as c', 'c.id', 'b.corporation_id')
    .select(['b.corporation_id', 'c.reseller_id'])
    .where('b.id', '=', billing_account_id)
    .executeTakeFirstOrThrow();
  requireToRun(ctx.caller, corporation_id);
  return reseller_id;
}

/** Creates a volume discount. A plan or an account has one at a time. */
export const makeVolumeDiscount: Handler<typeof createVolumeDiscount> = async (ctx, { body }) => {
  const seller = await sellerFor(ctx, body);
  const tiers = tiersOf(body);
  const present = dateIn(await sellerZone(ctx, seller), ctx.clock.now()).slice(0, 7);
  if (body.first_month < present) throw fieldError('first_month', 'month_over');
  if (body.last_month !== null && body.last_month < body.first_month) throw fieldError('last_month', 'date_order');
  const [first_month, last_month] = [
    `${body.first_month}-01`,
    body.last_month === null ? null : `${body.last_month}-01`,
  ];
  const { price_plan_id, billing_account_id } = body;
  // Two discounts of one plan or account are made one after the other.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`volume-discount:${price_plan_id}:${billing_account_id}`}, 0))`.execute(
    ctx.db,
  );
  const other = await ctx.db
    .selectFrom('volume_discount')
    .select('id')
    .where('price_plan_id', 'is not distinct from', price_plan_id)
    .where('billing_account_id', 'is not distinct from', billing_account_id)
    .where((eb) => eb.or([eb('last_month', 'is', null), eb('last_month', '>=', first_month)]))
    .$if(last_month !== null, (q) => q.where('first_month', '<=', last_month!))
    // One that ended before its first month never counts.
    .where((eb) => eb.or([eb('last_month', 'is', null), eb('last_month', '>=', eb.ref('first_month'))]))
    .executeTakeFirst();
  if (other) throw new BusinessError('volume_discount_overlaps');
  const { id } = await ctx.db
    .insertInto('volume_discount')
    .values({
      corporation_id: seller,
      price_plan_id,
      billing_account_id,
      name: body.name,
      measure: body.measure,
      applies: body.applies,
      tiers: JSON.stringify(tiers),
      first_month,
      last_month,
      user_id: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await logged(ctx, id, seller, 'volume discount created', body);
  return { data: (await rowsBelow(ctx, { id, limit: 1 }))[0]! };
};

/** Ends a volume discount with the present month; one that is over already stays as it is. */
export const stopVolumeDiscount: Handler<typeof endVolumeDiscount> = async (ctx, { params }) => {
  const [before] = await rowsBelow(ctx, { id: params.id, limit: 1 });
  if (!before) throw new BusinessError('not_found');
  const { corporation_id } = await ctx.db
    .selectFrom('volume_discount')
    .select('corporation_id')
    .where('id', '=', params.id)
    .executeTakeFirstOrThrow();
  if (!ownsPlan(ctx.caller, { corporation_id })) throw new BusinessError('forbidden');
  if (before.state === 'over') return { data: before };
  const present = Temporal.PlainDate.from(dateIn(await sellerZone(ctx, corporation_id), ctx.clock.now())).with({
    day: 1,
  });
  const last =
    before.state === 'running' ? present : Temporal.PlainDate.from(`${before.first_month}-01`).subtract({ months: 1 });
  const last_month = last.toString();
  await ctx.db.updateTable('volume_discount').set({ last_month }).where('id', '=', params.id).execute();
  await logged(ctx, params.id, corporation_id, 'volume discount ended', { name: before.name, last_month });
  return { data: (await rowsBelow(ctx, { id: params.id, limit: 1 }))[0]! };
};

const logged = (ctx: Context, id: number, corporation_id: number | null, description: string, after: object) =>
  audit(ctx, {
    name: 'volume-discounts',
    description,
    subject_type: 'volume-discounts',
    subject_id: id,
    corporation_id,
    after,
  });
