import { CONTACT_HISTORY, type contactHistory } from '@heliograph/contract/audience/contact';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { type RawBuilder, sql } from 'kysely';
import { FLAGS, stateOfMessage } from '#modules/delivery';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';

type History = ReplyOf<typeof contactHistory>['data'];
interface Person {
  id: number;
  corporation_id: number;
  number: string;
}

const STATE = sql.raw(stateOfMessage(FLAGS));
const DAY_MS = 86_400_000;
const MESSAGES_A_DAY = 2 ** 38;
const MOST = sql`LIMIT ${CONTACT_HISTORY.events}::integer`;

/** Returns the latest events of a contact, from the records of the traffic: nothing is stored with the contact for it. */
export const showHistory: Handler<typeof contactHistory> = async (ctx, { params }) => {
  const person = await ctx.db
    .selectFrom('contact')
    .select(['id', 'corporation_id', 'number'])
    .where('id', '=', params.id)
    .executeTakeFirst();
  if (!person) throw new BusinessError('not_found');
  return {
    data: { ...(await lastTimes(ctx, person)), lists: await listsOf(ctx, person), events: await eventsOf(ctx, person) },
  };
};

/** Returns the first id that a message of the searched days can have. */
const firstMessage = ({ clock }: Context) =>
  (Math.floor(clock.now().getTime() / DAY_MS) - CONTACT_HISTORY.days) * MESSAGES_A_DAY;

async function lastTimes(ctx: Context, { corporation_id, number }: Person) {
  const { rows } = await sql<Omit<History, 'lists' | 'events'>>`SELECT s.last_sent_at, s.last_delivered_at,
      (SELECT max(l.last_at) FROM short_link_click l WHERE l.msisdn = ${number} AND l.corporation_id = ${corporation_id})
        AS last_clicked_at,
      (SELECT max(i.received_at) FROM inbox_message i WHERE i.corporation_id = ${corporation_id} AND i.oa = ${number})
        AS last_replied_at
    FROM (SELECT max(m.at) AS last_sent_at, max(m.at) FILTER (WHERE m.state = 'delivered') AS last_delivered_at FROM (
      SELECT k.created_at AS at, ${STATE}::text AS state FROM message m JOIN chunk k ON k.id = m.id >> 10
      LEFT JOIN chunk_state s ON s.chunk_id = k.id
      WHERE m.msisdn = ${number} AND m.id >= ${firstMessage(ctx)} AND m.corporation_id = ${corporation_id}) m) s`.execute(
    ctx.db,
  );
  return rows[0]!;
}

async function listsOf({ db, caller }: Context, { corporation_id, number }: Person): Promise<History['lists']> {
  if (!caller.permissions.has('individual-numbers-index')) return [];
  return db
    .selectFrom('number_list as l')
    .innerJoin('number_list_number as n', (join) =>
      join.onRef('n.number_list_id', '=', 'l.id').on('n.number', '=', number),
    )
    .select(['l.id', 'l.name'])
    .where('l.corporation_id', '=', corporation_id)
    .orderBy('l.name')
    .limit(100)
    .execute();
}

const NOTHING = sql`NULL::text AS state, NULL::bigint AS campaign_id, NULL::text AS campaign`;

async function eventsOf(ctx: Context, { id, corporation_id, number }: Person): Promise<History['events']> {
  const { content_visible, permissions } = ctx.caller;
  const kinds: RawBuilder<unknown>[] = [
    sql`SELECT 'sent' AS kind, k.created_at AS at, text_of_message(m.text, k.common_text, m.id, m.corporation_id) AS text, k.sender_id AS by,
        ${STATE}::text AS state, m.campaign_id, c.name AS campaign
      FROM message m JOIN chunk k ON k.id = m.id >> 10 LEFT JOIN chunk_state s ON s.chunk_id = k.id
      LEFT JOIN campaign c ON c.id = m.campaign_id
      WHERE m.msisdn = ${number} AND m.id >= ${firstMessage(ctx)} AND m.corporation_id = ${corporation_id}
      ORDER BY m.id DESC ${MOST}`,
    sql`SELECT 'clicked', l.last_at, t.url, NULL, NULL, l.campaign_id, c.name
      FROM short_link_click l LEFT JOIN campaign c ON c.id = l.campaign_id
      LEFT JOIN short_link s ON s.code = l.code LEFT JOIN short_link_target t ON t.id = s.target_id
      WHERE l.msisdn = ${number} AND l.corporation_id = ${corporation_id} ORDER BY l.last_at DESC ${MOST}`,
    sql`SELECT a.description, a.created_at, NULL, u.name, ${NOTHING}
      FROM activity_log a LEFT JOIN user_account u ON u.id = a.causer_id
      WHERE a.subject_type = 'contacts' AND a.subject_id = ${id} AND a.description IN ('created', 'updated')
      ORDER BY a.id DESC ${MOST}`,
  ];
  if (permissions.has('inbox-index'))
    kinds.push(sql`SELECT 'received', i.received_at, placed_text(i.message, i.corporation_id, 'i' || i.inbound_id), i.number, NULL, i.campaign_id, c.name
      FROM inbox_message i LEFT JOIN campaign c ON c.id = i.campaign_id
      WHERE i.corporation_id = ${corporation_id} AND i.oa = ${number} ORDER BY i.id DESC ${MOST}`);
  if (permissions.has('consents-index'))
    kinds.push(sql`SELECT e.kind, e.happened_at, coalesce(e.proof, e.wording), s.sender_id, ${NOTHING}
      FROM consent_event e LEFT JOIN sender_id s ON s.id = e.sender_id_id
      WHERE e.corporation_id = ${corporation_id} AND e.number = ${number} AND e.retracted_at IS NULL
      ORDER BY e.happened_at DESC ${MOST}`);
  const all = sql.join(
    kinds.map((kind) => sql`(${kind})`),
    sql` UNION ALL `,
  );
  const { rows } = await sql<History['events'][number]>`
    SELECT kind, at, CASE WHEN ${content_visible} THEN text END AS text, by, state, campaign_id, campaign
    FROM (${all}) happened ORDER BY at DESC, kind ${MOST}`.execute(ctx.db);
  return rows;
}
