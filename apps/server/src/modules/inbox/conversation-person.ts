import type { conversationPerson, getConversation } from '@heliograph/contract/inbox/conversation';
import { MERGE_FIELDS } from '@heliograph/contract/kernel/merge-fields';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { contactOfNumber } from '#modules/campaigns';
import { FLAGS, stateOfMessage } from '#modules/delivery';
import type { Context } from '#platform/context';
import type { Handler } from '#platform/http/http';
import { findParts } from './conversation-rows.ts';

type Person = ReplyOf<typeof conversationPerson>['data'];
type OptOut = NonNullable<ReplyOf<typeof getConversation>['data']['opted_out']>;

const STATE = sql.raw(stateOfMessage(FLAGS));
/** Days of campaigns that are shown, and the most that are listed. */
const CAMPAIGN_DAYS = 90;
const MOST_CAMPAIGNS = 12;
const MOST_LISTS = 20;
const DAY_MS = 86_400_000;
const MESSAGES_A_DAY = 2 ** 38;

/** Returns the last opt-out of a person from a corporation, with its proof and its end. */
export async function lastOptOut(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  corporationId: number,
  oa: string,
): Promise<(OptOut & { ended_at: string | null }) | null> {
  const row = await db
    .selectFrom('opt_out as o')
    .leftJoin('user_account as u', 'u.id', 'o.user_id')
    .select(['o.opted_out_at as at', 'o.source', 'o.message', 'o.note', 'u.name as by', 'o.ended_at'])
    .where('o.corporation_id', '=', corporationId)
    .where('o.number', '=', oa)
    .orderBy('o.id', 'desc')
    .executeTakeFirst();
  if (!row) return null;
  const { at, by, ended_at, message, note } = row;
  const text = caller.content_visible ? (message ?? note) : null;
  return { at, source: row.source as OptOut['source'], text, by, ended_at };
}

/** Returns what lists, opt-outs, blocks and campaigns say of a person, as far as the caller may see them. */
export const showPerson: Handler<typeof conversationPerson> = async (ctx, { params }) => {
  const [{ corporation_id, oa }] = await findParts(ctx, params.id);
  if (corporation_id === null)
    return { data: { lists: [], contact: {}, language: null, opt_out: null, blocked: [], campaigns: [] } };
  return {
    data: {
      lists: await listsOf(ctx, corporation_id, oa),
      ...(await contactOfNumber(ctx, corporation_id, oa)),
      opt_out: await lastOptOut(ctx, corporation_id, oa),
      blocked: await blocksOf(ctx, corporation_id, oa),
      campaigns: await campaignsOf(ctx, corporation_id, oa),
    },
  };
};

async function listsOf({ db, caller }: Context, corporationId: number, oa: string): Promise<Person['lists']> {
  if (!caller.permissions.has('individual-numbers-index')) return [];
  const rows = await db
    .selectFrom('number_list as l')
    .innerJoin('number_list_number as n', (join) => join.onRef('n.number_list_id', '=', 'l.id').on('n.number', '=', oa))
    .selectAll('n')
    .select(['l.id as list_id', 'l.name as list_name'])
    .where('l.corporation_id', '=', corporationId)
    .orderBy('l.name')
    .limit(MOST_LISTS)
    .execute();
  return rows.map((row) => ({
    id: row.list_id,
    name: row.list_name,
    person: row.name,
    fields: MERGE_FIELDS.flatMap((field) => (field !== 'name' && row[field] ? [{ field, value: row[field] }] : [])),
  }));
}

async function blocksOf({ db, caller }: Context, corporationId: number, oa: string): Promise<Person['blocked']> {
  if (!caller.permissions.has('blacklist-numbers-index')) return [];
  return db
    .selectFrom('blacklist_number as b')
    .leftJoin('sender_id as s', 's.id', 'b.sender_id_id')
    .select(['s.sender_id as sender', 'b.channel'])
    .where('b.corporation_id', '=', corporationId)
    .where('b.number', '=', oa)
    .limit(MOST_LISTS)
    .execute();
}

async function campaignsOf(ctx: Context, corporationId: number, oa: string): Promise<Person['campaigns']> {
  const first = (Math.floor(ctx.clock.now().getTime() / DAY_MS) - CAMPAIGN_DAYS) * MESSAGES_A_DAY;
  const { rows } = await sql<Person['campaigns'][number]>`
    SELECT c.id, c.name, k.created_at AS at, ${STATE} AS state
    FROM message m JOIN chunk k ON k.id = m.id >> 10 LEFT JOIN chunk_state s ON s.chunk_id = k.id
    JOIN campaign c ON c.id = m.campaign_id
    WHERE m.msisdn = ${oa} AND m.id >= ${first} AND m.corporation_id = ${corporationId}
    ORDER BY m.id DESC LIMIT ${MOST_CAMPAIGNS}`.execute(ctx.db);
  return rows;
}
