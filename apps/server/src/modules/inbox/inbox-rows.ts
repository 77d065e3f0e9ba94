import type { inbox } from '@heliograph/contract/inbox/inbox-message';
import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { type RawBuilder, sql } from 'kysely';
import { beginningOf, mayTryText } from '#platform/access/hidden-numbers';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Context } from '#platform/context';
import { literally } from '#platform/database/like';
import { fieldError } from '#platform/errors';

export type InboxRow = ReplyOf<typeof inbox>['data'][number];
type Query = QueryOf<typeof inbox>;
/** Filters of the list's query. */
type InboxFilters = Omit<Query, 'limit' | 'cursor'>;

/** Maximum messages that one look passes, and maximum looks of a call. */
const WINDOW = 5_000;
const LOOKS = 10;

/** Parts of a call's context that reading needs: its transaction and its caller. */
type Reading = Pick<Context, 'db' | 'caller'>;

/** Period in which messages arrived, RFC 3339: `start` is included, `end` is not. */
export interface Span {
  start: string;
  end: string;
}

/** Texts of a message `i` and of its answer; an encrypted one has its place. */
export const MESSAGE = sql<string>`placed_text(i.message, i.corporation_id, 'i' || i.inbound_id)`;
export const REPLY = sql<string | null>`placed_text(i.reply_message, i.corporation_id, 'r' || i.inbound_id)`;

const COLUMNS = (ctx: Reading) => sql`
  i.id, (SELECT min(c.id) FROM conversation c WHERE c.oa = i.oa AND c.corporation_id IS NOT DISTINCT FROM i.corporation_id)
    AS conversation_id, removal_of(i.message = '[removed]', i.removed_at, i.removed_days, i.received_at) AS removed, i.corporation_id, co.name AS corporation_name, i.oa, CASE WHEN ${ctx.caller.content_visible} THEN ${MESSAGE} END AS message,
  i.is_binary, i.parts, i.total, i.campaign_id, coalesce(i.campaign_name, ca.name) AS campaign,
  CASE WHEN ${ctx.caller.content_visible} THEN ${REPLY} END AS reply_message, i.replied_at, rb.name AS replied_by_name,
  i.reply_error, i.number, i.keyword, i.handled, i.valid, i.important, i.read_at IS NOT NULL AS read, i.assigned_to,
  a.name AS assigned_to_name, i.received_at AS created_at`;
const NAMES = sql`
  LEFT JOIN corporation co ON co.id = i.corporation_id LEFT JOIN campaign ca ON ca.id = i.campaign_id
  LEFT JOIN user_account rb ON rb.id = i.replied_by LEFT JOIN user_account a ON a.id = i.assigned_to`;

/** Adds the actions that the caller may take on a row. */
const withAbilities = (ctx: Reading, row: Omit<InboxRow, 'abilities'>): InboxRow => {
  const may = (action: string) => ctx.caller.permissions.has(`inbox-${action}`);
  const reachable = row.corporation_id !== null && row.handled !== 'loop' && /^\d{4,15}$/.test(row.oa);
  return { ...row, abilities: { edit: may('mark'), delete: may('delete'), reply: may('reply') && reachable } };
};

/** Returns a page of the inbox. It passes only a limited number of messages. Throws a 422 on `cursor`. */
export async function inboxPage(ctx: Context, query: Query): Promise<ReplyOf<typeof inbox>> {
  const { limit, cursor, ...filters } = query;
  if (cursor !== undefined && !/^\d{1,16}$/.test(cursor)) throw fieldError('cursor', 'invalid');
  const data: InboxRow[] = [];
  let before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  for (let looks = 0; looks < LOOKS; looks++) {
    const look = await inboxBelow(ctx, filters, before, limit + 1 - data.length);
    data.push(...look.rows);
    if (data.length > limit) {
      data.pop();
      return { data, next_cursor: String(data.at(-1)!.id), has_more: true };
    }
    if (look.reached === null) return { data, next_cursor: null, has_more: false };
    before = look.reached;
  }
  return { data, next_cursor: String(before), has_more: true };
}

/**
 * Returns the newest matching messages below an id. `reached` is the lowest id that was looked at, or null if none is
 * left below.
 */
export async function inboxBelow(ctx: Reading, filters: InboxFilters, before: number, wanted: number, span?: Span) {
  const { inner, outer } = conditions(ctx, filters, span);
  const corporations = chosenCorporations(ctx, filters.corporation_id);
  const window = (of: RawBuilder<unknown>) => sql`SELECT * FROM inbox_message i
    WHERE ${of} AND i.id < ${before} AND ${inner} ORDER BY i.id DESC LIMIT ${WINDOW}`;
  const newest =
    corporations === null
      ? window(sql`true`)
      : sql`SELECT w.* FROM unnest(${[...corporations]}::bigint[]) AS c(id)
          CROSS JOIN LATERAL (${window(sql`i.corporation_id = c.id`)}) w ORDER BY w.id DESC LIMIT ${WINDOW}`;
  const { rows } = await sql<Omit<InboxRow, 'abilities'> & { looked: number; lowest: number }>`
    WITH i AS MATERIALIZED (${newest}), seen AS (SELECT count(*) AS looked, min(id) AS lowest FROM i)
    SELECT seen.looked, seen.lowest, page.* FROM seen LEFT JOIN LATERAL (
      SELECT ${COLUMNS(ctx)} FROM i ${NAMES} WHERE ${outer} ORDER BY i.id DESC LIMIT ${wanted}
    ) page ON true ORDER BY page.id DESC`.execute(ctx.db);
  const { looked, lowest } = rows[0]!;
  return {
    rows: rows.filter(({ id }) => id !== null).map(({ looked: _, lowest: __, ...row }) => withAbilities(ctx, row)),
    reached: looked < WINDOW ? null : lowest,
  };
}

function chosenCorporations(ctx: Reading, chosen: number | undefined): readonly number[] | null {
  const own = corporationsOf(ctx.caller);
  if (chosen === undefined) return own;
  return own === null ? [chosen] : own.filter((id) => id === chosen);
}

const all = (conditions: RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql`true`;

/**
 * Builds the conditions of a query. Those that an index serves filter inside the look; the others filter its result.
 */
function conditions(ctx: Reading, filters: InboxFilters, span: Span | undefined) {
  const inner: RawBuilder<unknown>[] = span
    ? [sql`i.received_at >= ${span.start} AND i.received_at < ${span.end}`]
    : [];
  const outer: RawBuilder<unknown>[] = [];
  if (filters.oa) inner.push(sql`i.oa = ${filters.oa.replace(/^\+/, '')}`);
  if (filters.campaign_id !== undefined) inner.push(sql`i.campaign_id = ${filters.campaign_id}`);
  if (filters.read !== undefined) inner.push(filters.read ? sql`i.read_at IS NOT NULL` : sql`i.read_at IS NULL`);
  if (filters.mine) inner.push(sql`i.assigned_to = ${ctx.caller.user_id}`);
  if (filters.number) outer.push(sql`i.number = ${filters.number.toUpperCase()}`);
  if (filters.handled) outer.push(sql`i.handled = ${filters.handled}`);
  if (filters.important !== undefined) outer.push(sql`i.important = ${filters.important}`);
  if (filters.search) {
    const escaped = literally(filters.search);
    const digits = plainDigits(filters.search) ?? '';
    const ways = [...(mayTryText(ctx.caller, filters.search) ? [sql`i.message ILIKE ${`%${escaped}%`}`] : [])];
    if (/^\d{1,15}$/.test(digits)) ways.push(sql`i.oa LIKE ${beginningOf(ctx.caller, digits)}`);
    outer.push(ways.length > 0 ? sql`(${sql.join(ways, sql` OR `)})` : sql`false`);
  }
  return { inner: all(inner), outer: all(outer) };
}

/** Counts the unread messages that the caller can see, up to 10,000. */
export async function unreadCount(ctx: Reading): Promise<number> {
  const corporations = corporationsOf(ctx.caller);
  const theirs = corporations === null ? sql`true` : sql`corporation_id = ANY (${[...corporations]}::bigint[])`;
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (
    SELECT FROM inbox_message WHERE read_at IS NULL AND ${theirs} LIMIT 10000) unread`.execute(ctx.db);
  return rows[0]!.count;
}
