import { campaignClicks, campaignLinks, type NotCounted } from '@heliograph/contract/campaigns/link-results';
import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { findCampaignRow } from './campaign-rows.ts';
import { conversionsOf } from './conversions.ts';

/** Caller as far as the results of links depend on it. */
type Viewer = Pick<Context, 'db' | 'caller' | 'clock'>;

type Links = ReplyOf<typeof campaignLinks>['data'];
type Clicks = ReplyOf<typeof campaignClicks>;

/** Addresses of a link that are compared to find what they share. */
const COMPARED = 200;
/** Links that a text can have, at the most; the longest text has room for fewer. */
const MOST = 200;

/** Mounts the results of a campaign by link, and the list of people who clicked. */
export function linkResultRoutes(app: App): void {
  mount(app, campaignLinks, async (ctx, { params }) => {
    const { corporation_id, content } = await findCampaignRow(ctx, params.id);
    const rows = await linksOf(ctx, params.id);
    const links = content === null ? rows.map((row) => ({ ...row, address: null })) : rows;
    const conversions = await conversionsOf(ctx, params.id);
    const not_counted = await notCounted(ctx, params.id);
    return { data: { links, not_counted, conversions, ...(await rulesOf(ctx, corporation_id)) } };
  });
  mount(app, campaignClicks, (ctx, { params, query }) => readClicks(ctx, params.id, query));
}

/** Reads a page of who clicked in a campaign that the caller sees; nobody while its corporation does not name clicks. */
export async function readClicks(ctx: Viewer, id: number, query: QueryOf<typeof campaignClicks>): Promise<Clicks> {
  const { corporation_id } = await findCampaignRow(ctx, id);
  const { named } = await rulesOf(ctx, corporation_id);
  return named ? clicksBy(ctx, id, query) : { data: [], next_cursor: null, has_more: false };
}

/** Returns the part of each link's address that its recipients share, by its place; none for callers who see no texts. */
export async function linkAddresses(ctx: Viewer, id: number): Promise<ReadonlyMap<number | null, string>> {
  const { content } = await findCampaignRow(ctx, id);
  const rows = content === null ? [] : await linksOf(ctx, id);
  return new Map(rows.map(({ link, address }) => [link, address ?? '']));
}

/** Counts the recipients who followed a campaign's short links, and all visits. Returns null if it has no links. */
export async function clicksOf({ db }: Pick<Context, 'db'>, campaignId: number) {
  const { rows } = await sql<{ recipients: number; total: number }>`
    SELECT count(DISTINCT c.msisdn) AS recipients, coalesce(sum(c.clicks), 0)::bigint AS total
    FROM campaign LEFT JOIN short_link_click c ON c.campaign_id = campaign.id
    WHERE campaign.id = ${campaignId} AND campaign.content ->> 'short_links' = 'true'
    GROUP BY campaign.id`.execute(db);
  return rows[0] ?? null;
}

/** A click is stored once for each link of a recipient, so the clicks of a link are its people. */
async function linksOf({ db }: Pick<Context, 'db'>, id: number): Promise<Links['links']> {
  const { rows } = await sql<Omit<Links['links'][number], 'varies'> & { first: string; last: string }>`
    WITH place AS (SELECT p AS place FROM generate_series(1, ${MOST}) p
        WHERE EXISTS (SELECT FROM short_link_target WHERE campaign_id = ${id} AND place = p)
        UNION ALL SELECT NULL WHERE EXISTS (SELECT FROM short_link_target WHERE campaign_id = ${id} AND place IS NULL)),
      clicked AS (SELECT place, count(*) AS people, sum(clicks)::bigint AS clicks FROM short_link_click
        WHERE campaign_id = ${id} GROUP BY place),
      program AS (SELECT place, sum(visits)::bigint AS programs FROM short_link_program WHERE campaign_id = ${id} GROUP BY place)
    SELECT p.place AS link, a.first, a.last, coalesce(c.people, 0) AS people, coalesce(c.clicks, 0) AS clicks,
      coalesce(m.programs, 0) AS programs
    FROM place p
    LEFT JOIN clicked c ON c.place IS NOT DISTINCT FROM p.place
    LEFT JOIN program m ON m.place IS NOT DISTINCT FROM p.place
    CROSS JOIN LATERAL (SELECT min(url COLLATE "C") AS first, max(url COLLATE "C") AS last FROM (
      SELECT url FROM short_link_target WHERE campaign_id = ${id} AND place IS NOT DISTINCT FROM p.place LIMIT ${COMPARED}) u) a
    ORDER BY p.place`.execute(db);
  return rows.map(({ first, last, ...row }) => ({ ...row, address: shared(first, last), varies: first !== last }));
}

/** Returns the beginning that two texts share: of the first and the last of a sorted list, that of all. */
function shared(first: string, last: string): string {
  let length = 0;
  while (length < first.length && first[length] === last[length]) length++;
  return first.slice(0, length);
}

async function notCounted({ db }: Pick<Context, 'db'>, id: number): Promise<Links['not_counted']> {
  const { rows } = await sql<{ reason: NotCounted; visits: number }>`
    SELECT reason, sum(visits)::bigint AS visits FROM short_link_program WHERE campaign_id = ${id}
    GROUP BY reason ORDER BY 2 DESC, 1`.execute(db);
  return rows;
}

async function rulesOf({ db }: Pick<Context, 'db'>, corporationId: number): Promise<Pick<Links, 'named' | 'days'>> {
  const { rows } = await sql<Pick<Links, 'named' | 'days'>>`
    SELECT names_clicks AS named, short_link_days AS days FROM corporation WHERE id = ${corporationId}`.execute(db);
  return rows[0] ?? { named: true, days: null };
}

/** Time in microseconds and number of a row, at which the next page begins. */
const CURSOR = /^\d{1,17}-\d{1,17}$/;

/** People whose numbers were removed, by a rule or their corporation's choice, have a name that is no number. */
async function clicksBy(ctx: Viewer, id: number, query: QueryOf<typeof campaignClicks>): Promise<Clicks> {
  const { limit, cursor, link, search } = query;
  if (cursor !== undefined && !CURSOR.test(cursor)) throw new BusinessError('malformed_request');
  const digits = search && plainDigits(search);
  if (search && !digits) return { data: [], next_cursor: null, has_more: false };
  // A person who may not see numbers finds only whole ones.
  const like = digits ? (ctx.caller.numbers_visible ? `${digits}%` : digits) : null;
  const [at, after] = cursor ? cursor.split('-') : [null, null];
  const { rows } = await sql<Clicks['data'][number] & { micros: string }>`
    SELECT id, number, link, clicks, first_at, last_at, micros::text FROM (
      SELECT abs(hashtextextended(code, 0) % 9007199254740991) AS id, msisdn AS number, place AS link, clicks, first_at, last_at,
        (extract(epoch FROM first_at) * 1000000)::bigint AS micros
      FROM short_link_click
      WHERE campaign_id = ${id} AND msisdn ~ '^[0-9]'
        AND (${at}::bigint IS NULL OR first_at < 'epoch'::timestamptz + (${at}::bigint + 1) * interval '1 microsecond')
        AND (${link ?? null}::integer IS NULL OR place = ${link ?? null}::integer)
        AND (${like}::text IS NULL OR msisdn LIKE ${like})
    ) c WHERE ${at}::bigint IS NULL OR (micros, id) < (${at}::bigint, ${after}::bigint)
    ORDER BY first_at DESC, id DESC LIMIT ${limit + 1}`.execute(ctx.db);
  const data = rows.slice(0, limit).map(({ micros: _, ...row }) => row);
  const has_more = rows.length > limit;
  const last = rows[limit - 1];
  return { data, next_cursor: has_more ? `${last!.micros}-${last!.id}` : null, has_more };
}
