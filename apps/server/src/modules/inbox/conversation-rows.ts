import { type ConversationView, type conversations, MOST_COUNTED } from '@heliograph/contract/inbox/conversation';
import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { type RawBuilder, sql } from 'kysely';
import { beginningOf, mayTryText } from '#platform/access/hidden-numbers';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Context } from '#platform/context';
import { literally } from '#platform/database/like';
import { BusinessError, fieldError } from '#platform/errors';
import { readNumberRules } from '#platform/operator/number-rules';
import { MESSAGE, REPLY, unreadCount } from './inbox-rows.ts';

export type ConversationRow = ReplyOf<typeof conversations>['data'][number];
type Query = QueryOf<typeof conversations>;

/** Maximum conversations that one look of a search passes, and maximum looks of a call. */
const WINDOW = 2_000;
const LOOKS = 5;
/** Digits from which on a search is for a phone's number only. */
const NUMBER_DIGITS = 5;

type Reading = Pick<Context, 'db' | 'caller'>;

/**
 * Rows of the same person. A corporation's messages of a phone may have several owners, each with a row of their own;
 * row level security leaves those that the caller may see, and they are shown as one.
 */
const SAME = (a: string, b: string) =>
  sql.raw(`${a}.oa = ${b}.oa AND ${a}.corporation_id IS NOT DISTINCT FROM ${b}.corporation_id`);

const inView = ({ caller }: Reading, view: ConversationView, of: string): RawBuilder<boolean> => {
  const row = sql.raw(of);
  if (view === 'closed') return sql<boolean>`${row}.closed_at IS NOT NULL`;
  if (view === 'mine') return sql<boolean>`${row}.closed_at IS NULL AND ${row}.assigned_to = ${caller.user_id}`;
  if (view === 'unassigned') return sql<boolean>`${row}.closed_at IS NULL AND ${row}.assigned_to IS NULL`;
  return sql<boolean>`${row}.closed_at IS NULL`;
};

/** Matches the row that stands for a person in a view: the newest one, and in `closed` only if no other row is open. */
const stands = (ctx: Reading, view: ConversationView) => sql<boolean>`${inView(ctx, view, 'c')}
  AND NOT EXISTS (SELECT FROM conversation s WHERE ${SAME('s', 'c')} AND s.id <> c.id AND (${
    view === 'closed' ? sql`s.closed_at IS NULL OR ` : sql``
  }${inView(ctx, view, 's')} AND (s.last_at, s.id) > (c.last_at, c.id)))`;

/** Selects the columns of rows `c`, with the newest message `i`. */
const COLUMNS = (ctx: Reading) => {
  const answered = sql`i.replied_by IS NOT NULL AND i.replied_at >= i.received_at`;
  return sql`g.id, c.corporation_id, co.name AS corporation_name, c.oa, i.number,
    ${
      ctx.caller.permissions.has('individual-numbers-index')
        ? sql`(SELECT n.name FROM number_list l JOIN number_list_number n ON n.number_list_id = l.id AND n.number = c.oa
            WHERE l.corporation_id = c.corporation_id AND n.name <> '' ORDER BY l.id DESC LIMIT 1)`
        : sql`NULL`
    } AS name,
    CASE WHEN ${ctx.caller.content_visible} THEN CASE WHEN ${answered} THEN ${REPLY} ELSE ${MESSAGE} END END AS message,
    CASE WHEN ${answered} THEN 'out' ELSE 'in' END AS direction, NOT (${answered}) AND i.is_binary AS is_binary,
    g.unread, EXISTS (SELECT FROM inbox_message m WHERE ${SAME('m', 'c')} AND m.important) AS important,
    c.assigned_to, a.name AS assigned_to_name, g.open, c.last_at, i.handled`;
};
const NAMES = sql`
  CROSS JOIN LATERAL (SELECT min(s.id) AS id, sum(s.unread)::integer AS unread, bool_or(s.closed_at IS NULL) AS open
    FROM conversation s WHERE ${SAME('s', 'c')}) g
  JOIN inbox_message i ON i.id = c.last_id
  LEFT JOIN corporation co ON co.id = c.corporation_id LEFT JOIN user_account a ON a.id = c.assigned_to`;

type Found = Omit<ConversationRow, 'abilities'> & { handled: string };

/** Adds the actions that the caller may take, and leaves out what only decides about them. */
const withAbilities = ({ caller }: Reading, { handled, ...row }: Found): ConversationRow => {
  const may = (action: string) => caller.permissions.has(`inbox-${action}`);
  const reachable = row.corporation_id !== null && handled !== 'loop' && /^\d{4,15}$/.test(row.oa);
  return { ...row, abilities: { edit: may('mark'), delete: may('delete'), reply: may('reply') && reachable } };
};

/** Position of a row in the list. */
interface Place {
  at: string;
  id: number;
}

function placeOf(cursor: string | undefined): Place {
  if (cursor === undefined) return { at: 'infinity', id: 0 };
  const [, at, id] = /^(\d{4}-[\d:.TZ-]{5,30})_(\d{1,16})$/.exec(cursor) ?? [];
  if (at === undefined || Number.isNaN(Date.parse(at))) throw fieldError('cursor', 'invalid');
  return { at, id: Number(id) };
}

/** Returns a page of conversations. A search passes only a limited number of them. Throws a 422 on `cursor`. */
export async function conversationPage(ctx: Context, query: Query): Promise<ReplyOf<typeof conversations>> {
  const { limit, cursor, ...filters } = query;
  const conditions = await conditionsOf(ctx, filters);
  const data: ConversationRow[] = [];
  let before = placeOf(cursor);
  for (let looks = 0; looks < LOOKS; looks++) {
    const look = await lookBelow(ctx, filters, conditions, before, limit + 1 - data.length);
    data.push(...look.rows.map(({ row }) => row));
    if (data.length > limit) {
      data.pop();
      return { data, next_cursor: cursorOf(look.rows.at(-2)?.place ?? before), has_more: true };
    }
    if (look.reached === null) return { data, next_cursor: null, has_more: false };
    before = look.reached;
  }
  return { data, next_cursor: cursorOf(before), has_more: true };
}

const cursorOf = ({ at, id }: Place) => `${at}_${id}`;

interface Conditions {
  /** Served by an index or cheap. */
  inner: RawBuilder<unknown>;
  /** Searched in a window; undefined if there is none. */
  outer: RawBuilder<unknown> | undefined;
}

async function conditionsOf(ctx: Context, filters: Omit<Query, 'limit' | 'cursor'>): Promise<Conditions> {
  const inner: RawBuilder<unknown>[] = [sql`true`];
  if (filters.oa) inner.push(sql`c.oa = ${filters.oa.replace(/^\+/, '')}`);
  const { search } = filters;
  if (!search) return { inner: sql.join(inner, sql` AND `), outer: undefined };
  const digits = plainDigits(search) ?? '';
  const beginning = /^\d{1,15}$/.test(digits) ? await internationalOf(ctx, digits) : undefined;
  if (beginning !== undefined && digits.length >= NUMBER_DIGITS) {
    inner.push(sql`c.oa LIKE ${beginningOf(ctx.caller, beginning)}`);
    return { inner: sql.join(inner, sql` AND `), outer: undefined };
  }
  const escaped = literally(search);
  const ways: RawBuilder<unknown>[] =
    beginning === undefined ? [] : [sql`c.oa LIKE ${beginningOf(ctx.caller, beginning)}`];
  if (mayTryText(ctx.caller, search))
    ways.push(sql`EXISTS (SELECT FROM inbox_message m WHERE ${SAME('m', 'c')} AND m.message ILIKE ${`%${escaped}%`})`);
  if (ctx.caller.permissions.has('individual-numbers-index'))
    ways.push(sql`EXISTS (SELECT FROM number_list l JOIN number_list_number n ON n.number_list_id = l.id AND n.number = c.oa
      WHERE l.corporation_id = c.corporation_id AND (n.name ILIKE ${`${escaped}%`} OR n.name ILIKE ${`% ${escaped}%`}))`);
  return {
    inner: sql.join(inner, sql` AND `),
    outer: ways.length > 0 ? sql`(${sql.join(ways, sql` OR `)})` : sql`false`,
  };
}

/** Returns the beginning of an international number for digits that may be national, such as 0917. */
async function internationalOf({ db }: Context, digits: string): Promise<string> {
  const { national } = await readNumberRules(db);
  const prefix = national?.trunk_prefix;
  return national && prefix && digits.startsWith(prefix) ? national.country_code + digits.slice(prefix.length) : digits;
}

/** Returns the newest matching rows below a place. `reached` is where a full window ended, or null at the end. */
async function lookBelow(
  ctx: Reading,
  { view, corporation_id }: Pick<Query, 'view' | 'corporation_id'>,
  { inner, outer }: Conditions,
  before: Place,
  wanted: number,
) {
  const most = outer === undefined ? wanted : WINDOW;
  const window = (of: RawBuilder<unknown>) => sql`SELECT c.* FROM conversation c
    WHERE ${of} AND (c.last_at, c.id) < (${before.at}::timestamptz, ${before.id}) AND ${inner} AND ${stands(ctx, view)}
    ORDER BY c.last_at DESC, c.id DESC LIMIT ${most}`;
  const corporations = chosenCorporations(ctx, corporation_id);
  const newest =
    corporations === null
      ? window(sql`true`)
      : corporations.length === 1
        ? window(sql`c.corporation_id = ${corporations[0]}`)
        : sql`SELECT w.* FROM unnest(${[...corporations]}::bigint[]) AS own(id)
            CROSS JOIN LATERAL (${window(sql`c.corporation_id = own.id`)}) w ORDER BY w.last_at DESC, w.id DESC LIMIT ${most}`;
  const { rows } = await sql<Found & { own_id: number; looked: number; lowest_at: string; lowest_id: number }>`
    WITH c AS MATERIALIZED (${newest}),
      seen AS (SELECT (SELECT count(*) FROM c) AS looked, last_at AS lowest_at, id AS lowest_id FROM c
        ORDER BY last_at, id LIMIT 1)
    SELECT seen.*, page.* FROM seen LEFT JOIN LATERAL (
      SELECT c.id AS own_id, ${COLUMNS(ctx)} FROM c ${NAMES} WHERE ${outer ?? sql`true`}
      ORDER BY c.last_at DESC, c.id DESC LIMIT ${wanted}
    ) page ON true ORDER BY page.last_at DESC, page.own_id DESC`.execute(ctx.db);
  const found = rows
    .filter(({ own_id }) => own_id !== null)
    .map(({ looked: _, lowest_at: __, lowest_id: ___, own_id, ...row }) => ({
      row: withAbilities(ctx, row),
      place: { at: row.last_at, id: own_id },
    }));
  const first = rows[0];
  return {
    rows: found,
    reached: first && first.looked >= most ? { at: first.lowest_at, id: first.lowest_id } : null,
  };
}

function chosenCorporations(ctx: Reading, chosen: number | undefined): readonly number[] | null {
  const own = corporationsOf(ctx.caller);
  if (chosen === undefined) return own;
  return own === null ? [chosen] : own.filter((id) => id === chosen);
}

/** Counts the conversations of each list, each up to `MOST_COUNTED`, and the unread messages. */
export async function countConversations(ctx: Context) {
  const own = corporationsOf(ctx.caller);
  const theirs = own === null ? sql`true` : sql`c.corporation_id = ANY (${[...own]}::bigint[])`;
  const count = (view: ConversationView) => sql`(SELECT count(*)::integer FROM (
    SELECT FROM conversation c WHERE ${theirs} AND ${stands(ctx, view)} LIMIT ${MOST_COUNTED}) counted)`;
  const { rows } = await sql<{ open: number; mine: number; unassigned: number; closed: number; encrypted: boolean }>`
    SELECT EXISTS (SELECT FROM text_key) AS encrypted, ${count('open')} AS open, ${count('mine')} AS mine, ${count('unassigned')} AS unassigned,
      ${count('closed')} AS closed`.execute(ctx.db);
  return { ...rows[0]!, unread: await unreadCount(ctx) };
}

/** Row of the table, one of those that are a person's conversation. */
interface Part {
  id: number;
  corporation_id: number | null;
  oa: string;
  department_id: number | null;
  user_id: number | null;
  assigned_to: number | null;
  closed_at: string | null;
  last_id: number;
}

/** Rows of one person that the caller may see, the newest first and open ones before closed ones. */
export type Parts = readonly [Part, ...Part[]];

/** Finds a person's rows by the id of any of them. `lock` holds them until the transaction ends. Throws `not_found`. */
export async function findParts({ db }: Reading, id: number, lock = false): Promise<Parts> {
  const { rows } = await sql<Part>`
    SELECT s.id, s.corporation_id, s.oa, s.department_id, s.user_id, s.assigned_to, s.closed_at, s.last_id
    FROM conversation c JOIN conversation s ON ${SAME('s', 'c')} WHERE c.id = ${id}
    ORDER BY s.closed_at IS NOT NULL, s.last_at DESC, s.id DESC ${lock ? sql`FOR UPDATE OF s` : sql``}`.execute(db);
  if (!rows[0]) throw new BusinessError('not_found');
  return rows as unknown as Parts;
}

/** Returns the row of a person's conversation, as its newest part shows it. */
export async function rowOf(ctx: Reading, [newest]: Parts): Promise<ConversationRow> {
  const { rows } = await sql<Found>`SELECT ${COLUMNS(ctx)} FROM conversation c ${NAMES}
    WHERE c.id = ${newest.id}`.execute(ctx.db);
  if (!rows[0]) throw new BusinessError('not_found');
  return withAbilities(ctx, rows[0]);
}

/** Returns one conversation as the caller may see it. Throws `not_found`. */
export const findConversation = async (ctx: Reading, id: number): Promise<ConversationRow> =>
  rowOf(ctx, await findParts(ctx, id));

/** Matches the messages `i` of a person that the caller may see. */
export const messagesOf = ([{ oa, corporation_id }]: Parts, i = 'i') => {
  const of = sql.raw(i);
  return corporation_id === null
    ? sql<boolean>`${of}.oa = ${oa} AND ${of}.corporation_id IS NULL`
    : sql<boolean>`${of}.oa = ${oa} AND ${of}.corporation_id = ${corporation_id}`;
};
