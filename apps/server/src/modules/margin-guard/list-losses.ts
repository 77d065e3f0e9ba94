import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { campaignMargin, marginLosses } from '@heliograph/contract/margins/loss';
import { sql } from 'kysely';
import { convertMillionths, readExchangeRates } from '#modules/exchange-rates';
import { type Context, requirePlatform } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { readSettings } from '#platform/operator/settings';
import { checkPeriod, dateIn } from '#platform/records/period';
import { marginOfQuote, sumsOnWire } from './margin-of-quote.ts';

interface Row {
  corporation_name: string;
  link_name: string;
  network: string;
  refused: boolean;
  currency: string;
  messages: number;
  parts: number;
  price: number;
  cost: number;
}

/** Returns the number of rows before a page, from its cursor. Throws `malformed_request`. */
export function skippedBy(cursor: string | undefined): number {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) throw new BusinessError('malformed_request');
  return Number(cursor ?? 0);
}

/** Lists what programs handed in at a loss. */
export const listLosses: Handler<typeof marginLosses> = async (ctx, { query }) => {
  requirePlatform(ctx.caller);
  const timezone = (await readSettings(ctx.db, ['timezone'])).get('timezone') || 'Asia/Manila';
  checkPeriod(query, dateIn(timezone, ctx.clock.now()));
  const skipped = skippedBy(query.cursor);
  const rows = await lossRows(ctx, query, skipped);
  const data = rows
    .slice(0, query.limit)
    .map(({ price, cost, ...row }, place) => ({ id: skipped + place + 1, ...row, ...sumsOnWire({ price, cost }) }));
  const has_more = rows.length > data.length;
  return { data, next_cursor: has_more ? String(skipped + data.length) : null, has_more };
};

async function lossRows({ db }: Context, query: QueryOf<typeof marginLosses>, skipped: number): Promise<Row[]> {
  const { from, to, corporation_id, link_id, refused } = query;
  const wanted = sql.join(
    [
      sql`d.day BETWEEN ${from}::date AND ${to}::date`,
      ...(corporation_id === undefined ? [] : [sql`d.corporation_id = ${corporation_id}`]),
      ...(link_id === undefined ? [] : [sql`d.link_id = ${link_id}`]),
      ...(refused === undefined ? [] : [sql`d.refused = ${refused}`]),
    ],
    sql` AND `,
  );
  const { rows } = await sql<Row>`
    SELECT c.name AS corporation_name, l.name AS link_name, coalesce(n.name || ' (' || n.country || ')', '') AS network,
      d.refused, d.currency, sum(d.messages)::bigint AS messages, sum(d.parts)::bigint AS parts,
      sum(d.price)::bigint AS price, sum(d.cost)::bigint AS cost
    FROM margin_loss d JOIN corporation c ON c.id = d.corporation_id JOIN link l ON l.id = d.link_id
      LEFT JOIN network n ON n.id = d.network_id
    WHERE ${wanted} GROUP BY d.corporation_id, d.link_id, d.network_id, d.refused, d.currency, c.name, l.name, n.name, n.country
    ORDER BY sum(d.price - d.cost), d.corporation_id, d.link_id, d.network_id, d.refused
    LIMIT ${query.limit + 1} OFFSET ${skipped}`.execute(db);
  return rows;
}

interface Traffic {
  day: string;
  currency: string;
  cost_currency: string | null;
  parts: number;
  unknown_parts: number;
  price: number;
  cost: number;
}

/** Adds up what a campaign brought and cost until now, in the platform's currency. */
export const showCampaignMargin: Handler<typeof campaignMargin> = async (ctx, { params }) => {
  requirePlatform(ctx.caller);
  const campaign = await ctx.db
    .selectFrom('campaign')
    .select('quote_id')
    .where('id', '=', params.id)
    .executeTakeFirst();
  if (!campaign) throw new BusinessError('not_found');
  const settings = await readSettings(ctx.db, ['currency', 'timezone']);
  const currency = settings.get('currency') || 'PHP';
  const { rows } = await sql<Traffic>`
    SELECT (t.quarter AT TIME ZONE ${settings.get('timezone') || 'Asia/Manila'})::date::text AS day,
      coalesce(r.currency, c.currency) AS currency, k.currency AS cost_currency, sum(t.parts)::bigint AS parts,
      sum(t.unknown_parts)::bigint AS unknown_parts, sum(t.cost)::bigint AS cost,
      sum(CASE WHEN c.reseller_id IS NULL THEN t.spend ELSE t.reseller_spend END)::bigint * 1000 AS price
    FROM traffic_cost t JOIN corporation c ON c.id = t.corporation_id LEFT JOIN corporation r ON r.id = c.reseller_id
      LEFT JOIN carrier_card k ON k.id = t.carrier_card_id
    WHERE t.campaign_id = ${params.id} GROUP BY 1, 2, 3`.execute(ctx.db);
  const rates = await readExchangeRates(ctx.db);
  const sums = { parts: 0, price: 0, cost: 0, unknown_parts: 0 };
  for (const row of rows) {
    const [toPrice, toCost] = [row.currency, row.cost_currency].map(
      (from) => from && rates.rateOn(from, currency, row.day),
    );
    sums.parts += row.parts;
    if (toPrice && toCost) {
      sums.price += convertMillionths(row.price, toPrice);
      sums.cost += convertMillionths(row.cost, toCost);
      sums.unknown_parts += row.unknown_parts;
    } else sums.unknown_parts += row.parts;
  }
  const quoted = campaign.quote_id === null ? null : await marginOfQuote(ctx, campaign.quote_id);
  const { parts, unknown_parts } = sums;
  return { data: { parts, unknown_parts, currency, ...sumsOnWire(sums), quoted } } satisfies ReplyOf<
    typeof campaignMargin
  >;
};
