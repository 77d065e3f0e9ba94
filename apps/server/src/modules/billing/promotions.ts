import { percentHundredths, percentText } from '@heliograph/contract/billing/margin-rule';
import type {
  createPromotion,
  endPromotion,
  PROMOTION_STATES,
  promotions,
} from '@heliograph/contract/billing/promotion';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { readSettings } from '#platform/operator/settings';
import { dateIn } from '#platform/records/period';
import { cursorId } from './credit-change.ts';
import { ownsPlan } from './price-plan.ts';

type Row = ReplyOf<typeof promotions>['data'][number];
type State = (typeof PROMOTION_STATES)[number];

interface Stored extends Omit<Row, 'percent' | 'price'> {
  percent: number | null;
  price: number | null;
}

/** Returns the time zone of a seller; null is the platform. */
export async function sellerZone({ db }: Pick<Context, 'db'>, seller: number | null): Promise<string> {
  if (seller === null) return (await readSettings(db, ['timezone'])).get('timezone') || 'Asia/Manila';
  const { timezone } = await db
    .selectFrom('corporation')
    .select('timezone')
    .where('id', '=', seller)
    .executeTakeFirstOrThrow();
  return timezone;
}

async function rowsBelow(
  ctx: Context,
  {
    id,
    before,
    limit,
    plan,
    state,
  }: { id?: number; before?: number | null; limit: number; plan?: number; state?: State },
): Promise<Row[]> {
  const now = ctx.clock.now().toISOString();
  const platform = await sellerZone(ctx, null);
  const { rows } = await sql<Stored>`
    SELECT * FROM (
      SELECT p.id, p.name, p.percent, p.price, p.price_plan_id, y.name AS price_plan_name, y.currency, p.networks, p.prefixes,
        coalesce(c.timezone, ${platform}) AS timezone, p.starts_on::text, p.ends_on::text, p.ended_at, u.name AS user_name, p.created_at,
        ARRAY(SELECT o.name FROM corporation o WHERE o.id = ANY (p.corporation_ids) ORDER BY o.name) AS corporation_names,
        CASE WHEN p.ends_at <= ${now}::timestamptz OR p.ended_at <= ${now}::timestamptz THEN 'over'
          WHEN p.starts_at > ${now}::timestamptz THEN 'planned' ELSE 'running' END AS state
      FROM promotion p JOIN price_plan_shown y ON y.id = p.price_plan_id
      LEFT JOIN corporation c ON c.id = p.corporation_id LEFT JOIN user_account u ON u.id = p.user_id
      WHERE (${id ?? null}::bigint IS NULL OR p.id = ${id ?? null}) AND (${before ?? null}::bigint IS NULL OR p.id < ${before ?? null})
        AND (${plan ?? null}::bigint IS NULL OR p.price_plan_id = ${plan ?? null})
    ) p WHERE ${state ?? null}::text IS NULL OR p.state = ${state ?? null}
    ORDER BY p.id DESC LIMIT ${limit}`.execute(ctx.db);
  return rows.map(({ percent, price, ...row }) => ({
    ...row,
    percent: percent === null ? null : percentText(percent),
    price: price === null ? null : fromThousandths(price),
  }));
}

/** Lists the promotions of the caller's plans. */
export const listPromotions: Handler<typeof promotions> = async (ctx, { query }) => {
  const { limit, price_plan_id, state } = query;
  const rows = await rowsBelow(ctx, {
    before: cursorId(query.cursor),
    limit: limit + 1,
    ...(price_plan_id !== undefined && { plan: price_plan_id }),
    ...(state !== undefined && { state }),
  });
  const data = rows.slice(0, limit);
  const has_more = rows.length > data.length;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
};

type Body = BodyOf<typeof createPromotion>;

/** Returns the networks that a promotion names, with their prefixes of now. */
async function networksOf({ db }: Context, ids: readonly number[]): Promise<{ name: string; prefixes: string[] }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number; name: string; prefixes: string[] }>`
    SELECT n.id, n.name, coalesce(p.prefixes, '{}') AS prefixes FROM network n
    LEFT JOIN network_prefix p ON p.network_id = n.id AND p.to_version IS NULL
    WHERE n.id = ANY (${[...ids]}::bigint[]) ORDER BY n.name`.execute(db);
  if (rows.length < new Set(ids).size) throw fieldError('network_ids', 'not_visible');
  if (rows.some(({ prefixes }) => prefixes.length === 0)) throw fieldError('network_ids', 'network_without_prefixes');
  return rows;
}

/** Throws a 422 unless the body has one kind of discount and days that are not over. */
function checkTerms({ percent, price, starts_on, ends_on }: Body, today: string): void {
  if ((percent === null) === (price === null)) throw fieldError('percent', 'percent_or_price');
  if (ends_on < starts_on) throw fieldError('ends_on', 'date_order');
  if (ends_on < today) throw fieldError('ends_on', 'day_over');
}

/** Creates a promotion. */
export const makePromotion: Handler<typeof createPromotion> = async (ctx, { body }) => {
  await requireVisible(ctx, 'price_plan', body.price_plan_id, 'price_plan_id');
  const plan = await ctx.db
    .selectFrom('price_plan')
    .select(['id', 'corporation_id'])
    .where('id', '=', body.price_plan_id)
    .executeTakeFirstOrThrow();
  if (!ownsPlan(ctx.caller, plan)) throw new BusinessError('forbidden');
  const timezone = await sellerZone(ctx, plan.corporation_id);
  const now = ctx.clock.now();
  checkTerms(body, dateIn(timezone, now));
  const networks = await networksOf(ctx, body.network_ids);
  const corporation_ids = [...new Set(body.corporation_ids)];
  for (const id of corporation_ids) await requireVisible(ctx, 'corporation', id, 'corporation_ids');
  const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(timezone).toInstant().toString();
  const starts = midnight(Temporal.PlainDate.from(body.starts_on));
  const { id } = await ctx.db
    .insertInto('promotion')
    .values({
      corporation_id: plan.corporation_id,
      price_plan_id: plan.id,
      name: body.name,
      percent: body.percent === null ? null : percentHundredths(body.percent),
      price: body.price === null ? null : toThousandths(body.price),
      prefixes: [...new Set([...body.prefixes, ...networks.flatMap(({ prefixes }) => prefixes)])],
      networks: networks.map(({ name }) => name).join(', '),
      corporation_ids,
      ...{ starts_on: body.starts_on, ends_on: body.ends_on },
      starts_at: starts,
      ends_at: midnight(Temporal.PlainDate.from(body.ends_on).add({ days: 1 })),
      user_id: ctx.caller.user_id,
      created_at: now.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await logged(ctx, id, plan.corporation_id, 'promotion created', body);
  return { data: (await rowsBelow(ctx, { id, limit: 1 }))[0]! };
};

/** Ends a promotion now; one that is over already stays as it is. */
export const stopPromotion: Handler<typeof endPromotion> = async (ctx, { params }) => {
  const [before] = await rowsBelow(ctx, { id: params.id, limit: 1 });
  if (!before) throw new BusinessError('not_found');
  const plan = await ctx.db
    .selectFrom('promotion')
    .select('corporation_id')
    .where('id', '=', params.id)
    .executeTakeFirstOrThrow();
  if (!ownsPlan(ctx.caller, plan)) throw new BusinessError('forbidden');
  if (before.state === 'over') return { data: before };
  const ended_at = ctx.clock.now().toISOString();
  await ctx.db.updateTable('promotion').set({ ended_at }).where('id', '=', params.id).execute();
  await logged(ctx, params.id, plan.corporation_id, 'promotion ended', { name: before.name });
  return { data: (await rowsBelow(ctx, { id: params.id, limit: 1 }))[0]! };
};

const logged = (ctx: Context, id: number, corporation_id: number | null, description: string, after: object) =>
  audit(ctx, { name: 'promotions', description, subject_type: 'promotions', subject_id: id, corporation_id, after });
