import { dashboard } from '@heliograph/contract/dashboard/dashboard';
import { operations } from '@heliograph/contract/dashboard/operations';
import { resale } from '@heliograph/contract/dashboard/resale';
import { runway } from '@heliograph/contract/dashboard/runway';
import { deliveryRate } from '@heliograph/contract/kernel/figures';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { linkLive } from '@heliograph/contract/links/link';
import { sql } from 'kysely';
import type { z } from 'zod';
import { consolidate } from '#modules/exchange-rates';
import { COUNTS, type Counts, NOTHING, SUMS } from '#modules/reports';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Context } from '#platform/context';
import { type App, mount, mountReport } from '#platform/http/http';
import { type Home, homeOf } from '#platform/person/home';
import { dateIn, momentsOf } from '#platform/records/period';
import { showOperations } from './operations.ts';
import { showResale } from './resale.ts';
import { showRunway } from './runway.ts';

const RECENT = 5;
const NEXT = 4;
const MOST = 8;

type Reply = ReplyOf<typeof dashboard>;
type Day = Counts & { replies: number };

const EMPTY: Day = { ...NOTHING, replies: 0 };
const onWire = ({ spend, ...counts }: Day) => ({ ...counts, spend: fromThousandths(spend) });
function sumOf(days: readonly Day[]): Day {
  const total = { ...EMPTY };
  for (const day of days) for (const key of [...COUNTS, 'spend', 'replies'] as const) total[key] += day[key];
  return total;
}

/**
 * Limits every statement to the caller's corporations. An index can serve this condition, in addition to row level
 * security.
 */
function ownOf({ caller }: Context) {
  const corporations = corporationsOf(caller);
  return corporations === null ? sql`true` : sql`corporation_id = ANY (${corporations}::bigint[])`;
}

/** Returns the counts of each given date, in the same order. */
async function daysOf(ctx: Context, dates: readonly string[], { timezone, currency }: Home): Promise<Day[]> {
  const { start, end } = momentsOf({ from: dates[0]!, to: dates.at(-1)! }, timezone);
  const { rows } = await sql<Counts & { date: string }>`
    WITH t AS MATERIALIZED (
      SELECT (quarter AT TIME ZONE ${timezone})::date::text AS date, corporation_id, ${SUMS}
      FROM traffic_quarter WHERE quarter >= ${start} AND quarter < ${end} AND ${ownOf(ctx)} GROUP BY 1, 2
    )
    SELECT t.date, ${sql.raw(COUNTS.map((count) => `sum(t.${count})::bigint AS ${count}`).join(', '))},
      coalesce(sum(t.spend) FILTER (WHERE c.currency = ${currency}), 0)::bigint AS spend
    FROM t JOIN traffic_owner c ON c.id = t.corporation_id GROUP BY 1`.execute(ctx.db);
  const replies = await sql<{ date: string; replies: number }>`
    SELECT (received_at AT TIME ZONE ${timezone})::date::text AS date, count(*) AS replies
    FROM inbox_message WHERE received_at >= ${start} AND received_at < ${end} AND ${ownOf(ctx)} GROUP BY 1`.execute(
    ctx.db,
  );
  const counts = new Map(rows.map((row) => [row.date, row]));
  const answered = new Map(replies.rows.map((row) => [row.date, row.replies]));
  return dates.map((date) => {
    const { date: _, ...day } = counts.get(date) ?? { ...NOTHING, date };
    return { ...day, replies: answered.get(date) ?? 0 };
  });
}

/** Returns the spending of the days in currencies other than the caller's. */
async function otherSpend(ctx: Context, dates: readonly string[], { timezone, currency }: Home) {
  const { start, end } = momentsOf({ from: dates[0]!, to: dates.at(-1)! }, timezone);
  const { rows } = await sql<{ currency: string; spend: number }>`
    WITH t AS (
      SELECT corporation_id, sum(spend)::bigint AS spend FROM traffic_quarter
      WHERE quarter >= ${start} AND quarter < ${end} AND ${ownOf(ctx)} GROUP BY 1
    )
    SELECT c.currency, sum(t.spend)::bigint AS spend FROM t JOIN traffic_owner c ON c.id = t.corporation_id
    WHERE c.currency <> ${currency} GROUP BY 1 HAVING sum(t.spend) <> 0 ORDER BY 1`.execute(ctx.db);
  return rows.map(({ currency: other, spend }) => ({ currency: other, amount: fromThousandths(spend) }));
}

/** Splits the days by sender ID, hour of the week and customer. */
async function partsOf(ctx: Context, dates: readonly string[], timezone: string) {
  const { start, end } = momentsOf({ from: dates[0]!, to: dates.at(-1)! }, timezone);
  const traffic = sql`FROM traffic_quarter WHERE quarter >= ${start} AND quarter < ${end} AND ${ownOf(ctx)}`;
  const senders = await sql<Counts & { sender_id: string }>`
    SELECT sender_id, ${SUMS} ${traffic} AND sender_id <> '' GROUP BY 1
    ORDER BY sum(messages) DESC, 1 LIMIT ${MOST}`.execute(ctx.db);
  const hours = await sql<Reply['hours'][number]>`
    SELECT extract(isodow FROM quarter AT TIME ZONE ${timezone})::int AS weekday,
      extract(hour FROM quarter AT TIME ZONE ${timezone})::int AS hour, sum(messages)::bigint AS messages
    ${traffic} AND messages > 0 GROUP BY 1, 2 ORDER BY 1, 2`.execute(ctx.db);
  const several = corporationsOf(ctx.caller)?.length !== 1;
  const customers = several
    ? await sql<Counts & { corporation_id: number; corporation_name: string }>`
        WITH t AS (SELECT corporation_id, ${SUMS} ${traffic} GROUP BY 1)
        SELECT t.*, c.name AS corporation_name FROM t JOIN traffic_owner c ON c.id = t.corporation_id
        ORDER BY t.messages DESC, c.name LIMIT ${MOST}`.execute(ctx.db)
    : null;
  return {
    senders: senders.rows.map((row) => ({ ...row, delivery_rate: deliveryRate(row) })),
    hours: hours.rows,
    customers: customers?.rows ?? null,
  };
}

const FATES = ['messages', 'delivered', 'failed', 'blocked', 'expired'] as const;
type Fates = Record<(typeof FATES)[number], number>;
const NO_FATES: Fates = { messages: 0, delivered: 0, failed: 0, blocked: 0, expired: 0 };
const FATE_SUMS = sql.raw(FATES.map((fate) => `sum(${fate})::bigint AS ${fate}`).join(', '));
const withRate = (fates: Fates) => ({ ...fates, delivery_rate: deliveryRate(fates) });

/** Returns the days by destination or by link, those with most messages first. */
async function byPlace<Key extends 'destination' | 'link_id'>(
  ctx: Context,
  dates: readonly string[],
  zone: string,
  key: Key,
) {
  const { start, end } = momentsOf({ from: dates[0]!, to: dates.at(-1)! }, zone);
  const { rows } = await sql<Fates & Record<Key, Key extends 'link_id' ? number : string>>`
    SELECT ${sql.ref(key)}, ${FATE_SUMS} FROM traffic_destination
    WHERE quarter >= ${start} AND quarter < ${end} AND ${ownOf(ctx)} GROUP BY 1 ORDER BY 2 DESC, 1`.execute(ctx.db);
  return rows;
}

/** Returns the figures of each link, for the last minute, as its holder reports them, and for the days. */
async function linksOf(ctx: Context, dates: readonly string[], zone: string): Promise<Reply['links']> {
  if (ctx.caller.scope_level > 1) return null;
  const rows = await ctx.db
    .selectFrom('link_row')
    .select(['id', 'name', 'state', 'live', 'enabled'])
    .orderBy('name')
    .execute();
  const days = new Map((await byPlace(ctx, dates, zone, 'link_id')).map(({ link_id, ...fates }) => [link_id, fates]));
  // A link that was disabled meanwhile has still carried its messages.
  const shown = rows.filter(({ id, enabled }) => enabled || days.has(id!));
  return shown.map(({ id, name, state, live }) => {
    const minute = (live as Partial<z.output<typeof linkLive>> | null)?.minute;
    return {
      id: id!,
      name: name!,
      state: state ?? 'down',
      submitted: minute?.submitted ?? 0,
      accepted: minute?.accepted ?? 0,
      failed: minute?.failed ?? 0,
      receipts: minute?.receipts ?? 0,
      days: withRate(days.get(id!) ?? NO_FATES),
    };
  });
}

async function destinationsOf(ctx: Context, dates: readonly string[], zone: string): Promise<Reply['destinations']> {
  const rows = await byPlace(ctx, dates, zone, 'destination');
  return rows.slice(0, MOST).map(({ destination, ...fates }) => ({ calling_code: destination, ...withRate(fates) }));
}

async function campaignsOf(ctx: Context) {
  const { rows } = await sql<{ running: number; scheduled: number; pending: number; lists: number; waiting: number }>`
    SELECT (SELECT count(*) FROM campaign WHERE state IN ('preparing', 'running', 'paused')) AS running,
      (SELECT count(*) FROM campaign WHERE state = 'scheduled') AS scheduled,
      (SELECT count(*) FROM campaign WHERE state = 'pending') AS pending,
      (SELECT count(*) FROM number_list) AS lists,
      ((SELECT coalesce(sum(size - cursor), 0) FROM chunk WHERE state = 'open')
        + (SELECT count(*) FROM retry r JOIN chunk k ON k.id = r.message_id >> 10 WHERE r.part = 1))::bigint AS waiting`.execute(
    ctx.db,
  );
  const recent_campaigns = await ctx.db
    .selectFrom('campaign')
    .leftJoin('campaign_counter', 'campaign_counter.campaign_id', 'campaign.id')
    .select((eb) => [
      'campaign.id',
      'campaign.name',
      'campaign.state',
      'campaign.total_count',
      eb.fn.coalesce('campaign_counter.delivered', sql<number>`0`).as('delivered'),
      'campaign.created_at',
    ])
    .orderBy('campaign.id', 'desc')
    .limit(RECENT)
    .execute();
  const next_campaigns = await ctx.db
    .selectFrom('campaign')
    .select(['id', 'name', 'starts_at', 'total_count'])
    .where('state', '=', 'scheduled')
    .where('starts_at', 'is not', null)
    .orderBy('starts_at')
    .limit(NEXT)
    .execute();
  const { running, scheduled, pending, lists, waiting } = rows[0]!;
  return {
    next_campaigns: next_campaigns.map((row) => ({ ...row, starts_at: row.starts_at! })),
    waiting,
    running_campaigns: running,
    scheduled_campaigns: scheduled,
    pending_campaigns: pending,
    number_lists: lists,
    recent_campaigns,
  };
}

async function overview(ctx: Context, wanted: number): Promise<Reply> {
  const home = await homeOf(ctx);
  const today = Temporal.PlainDate.from(dateIn(home.timezone, ctx.clock.now()));
  const dates = Array.from({ length: 2 * wanted }, (_, i) => today.subtract({ days: 2 * wanted - 1 - i }).toString());
  const all = await daysOf(ctx, dates, home);
  const days = all.slice(wanted);
  const totals = onWire(sumOf(days));
  const { currency } = home;
  const other_spend = await otherSpend(ctx, dates.slice(wanted), home);
  return {
    currency,
    today: onWire(days.at(-1)!),
    totals,
    before: onWire(sumOf(all.slice(0, wanted))),
    other_spend,
    all_spend: await consolidate(ctx, [{ currency, amount: totals.spend }, ...other_spend], currency, dates.at(-1)!),
    days: days.map((day, i) => ({ ...onWire(day), date: dates[wanted + i]! })),
    ...(await partsOf(ctx, dates.slice(wanted), home.timezone)),
    destinations: await destinationsOf(ctx, dates.slice(wanted), home.timezone),
    links: await linksOf(ctx, dates.slice(wanted), home.timezone),
    ...(await campaignsOf(ctx)),
  };
}

/** Mounts the dashboards. */
export function dashboardRoutes(app: App): void {
  mountReport(app, dashboard, (ctx, { query }) => overview(ctx, query.days));
  mount(app, operations, showOperations);
  mount(app, runway, showRunway);
  mountReport(app, resale, (ctx, { query }) => showResale(ctx, query.days));
}
