import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { countSenderRequests, SENDER_CHECKS, senderRequests } from '@heliograph/contract/senders/sender-request';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { containing } from '#platform/database/like';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { decidesFor, readSenderRules } from './life.ts';

type Row = ReplyOf<typeof senderRequests>['data'][number];

type Found = Omit<Row, 'checks'> & { place: string };

/** Finds what a person should look at before the decision, the gravest first. */
const checksOf = (row: Found): Row['checks'] =>
  SENDER_CHECKS.filter(
    (check) =>
      ({
        same_name: row.same_at.length > 0,
        protected_name: row.protected_name !== null,
        no_documents: row.documents === 0,
        no_purpose: !row.purpose,
        own: row.needs_other,
      })[check],
  );

/** Other corporations with the same name that a request shows. */
const SAME_SHOWN = 3;

/** Condition on `sender_id s`: it waits, and the caller decides about it. The same rule as `mayDecide`. */
async function waiting(ctx: Context) {
  const decides = await decidesFor(ctx);
  if (decides === 'all') return sql<boolean>`s.state = 'submitted'`;
  return sql<boolean>`s.state = 'submitted' AND s.corporation_id = ANY (${[...decides]}::bigint[]) AND NOT s.held_name
    AND s.sender_id !~ '^[0-9 +().-]*$'`;
}

/** Mounts the queue of requests for sender IDs, and their number. */
export function mountRequests(app: App): void {
  mount(app, countSenderRequests, async (ctx) => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM sender_id s WHERE ${await waiting(ctx)}`.execute(ctx.db);
    return { count: rows[0]?.count ?? 0 };
  });
  mount(app, senderRequests, async (ctx, { query: { limit, cursor, search = '', corporation_id = null } }) => {
    // The event of the request: its id orders the queue.
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
    const { fourEyes } = await readSenderRules(ctx.db);
    const pattern = containing(search);
    const { rows } = await sql<Found>`
      SELECT s.id, s.sender_id, s.corporation_id, c.name AS corporation_name, s.purpose, s.is_promotional,
        coalesce(e.created_at, s.created_at) AS requested_at, u.name AS requested_by_name, p.name AS protected_name,
        coalesce(name_key(p.name) = name_key(s.sender_id), false) AS is_protected_name,
        ARRAY(SELECT DISTINCT oc.name FROM sender_id o JOIN corporation oc ON oc.id = o.corporation_id
          WHERE o.corporation_id <> s.corporation_id AND name_skeleton(o.sender_id) = name_skeleton(s.sender_id)
          ORDER BY oc.name LIMIT ${SAME_SHOWN}) AS same_at,
        (SELECT count(*)::integer FROM sender_document d WHERE d.sender_id_id = s.id) AS documents,
        ${fourEyes} AND s.requested_by IS NOT DISTINCT FROM ${ctx.caller.user_id} AS needs_other,
        coalesce(e.id, 0)::text AS place
      FROM sender_id s JOIN corporation c ON c.id = s.corporation_id LEFT JOIN user_account u ON u.id = s.requested_by
      LEFT JOIN LATERAL (SELECT id, created_at FROM sender_event WHERE sender_id_id = s.id AND to_state = 'submitted'
        ORDER BY id DESC LIMIT 1) e ON true
      LEFT JOIN LATERAL protected_name_like(s.sender_id) p ON s.held_name
      WHERE ${await waiting(ctx)} AND coalesce(e.id, 0) > ${cursor ?? '-1'}::bigint
        AND (${corporation_id}::bigint IS NULL OR s.corporation_id = ${corporation_id})
        AND (s.sender_id ILIKE ${pattern} OR c.name ILIKE ${pattern} OR s.purpose ILIKE ${pattern})
      ORDER BY coalesce(e.id, 0), s.id LIMIT ${limit + 1}`.execute(ctx.db);
    const data = rows.slice(0, limit).map((row) => ({ ...row, checks: checksOf(row) }));
    const has_more = rows.length > limit;
    return { data, next_cursor: has_more ? data.at(-1)!.place : null, has_more };
  });
}
