import { type Kysely, sql } from 'kysely';
import { routingPasswordContext } from '#modules/routing';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { tell } from '#platform/fan-out/tell';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { callOut, type OutboundAnswer, type OutboundCall } from '#platform/outbound/call';
import { open, secretKey } from '#platform/process/seal';
import type { Stored } from './route-inbound.ts';

/** Subject that notifies workers of an address to call. Polling once a second finds calls with a lost notification. */
export const ROUTING_CALLS = 'routing_calls';

/** Adds calls, in the caller's transaction, for the messages that a routing hands to an address. */
export async function handOn(db: Kysely<Database>, stored: readonly Stored[]): Promise<void> {
  const due = stored.filter(({ handled }) => handled === 'url');
  if (due.length === 0) return;
  await sql`
    INSERT INTO routing_call (corporation_id, routing_id, inbox_message_id, next_at)
    SELECT r.corporation_id, r.routing_id, r.id, now()
    FROM jsonb_to_recordset(${JSON.stringify(due)}::jsonb) AS r(corporation_id bigint, routing_id bigint, id bigint)`.execute(
    db,
  );
  await tellCallers(db);
}

/** Notifies the workers of an address to call, after the transaction has committed. */
export const tellCallers = (db: Kysely<Database>): Promise<void> => tell(db, ROUTING_CALLS);

/** Call that a worker has taken, with everything that it needs. */
export interface Call {
  id: number;
  tries: number;
  corporation_id: number;
  routing_id: number;
  url: string | null;
  method: 'GET' | 'POST';
  body_format: 'form' | 'json';
  username: string | null;
  password_sealed: string | null;
  reply_with_answer: boolean;
  /** Sender ID of answers; null if they leave from the number itself. */
  mask: string | null;
  inbox_id: number;
  oa: string;
  number: string;
  message: string;
  keyword: string | null;
  is_binary: boolean;
  received_at: string;
  user_id: number | null;
  department_id: number | null;
}

// The first part finds rules with waiting calls, by one index lookup each. Then it takes the oldest calls of each rule,
// as many as the rule may still have under way. Moving the due time holds a call for its taker, until it is given up.
const TAKE = `
  WITH RECURSIVE waiting(routing_id) AS (
    (SELECT routing_id FROM routing_call WHERE state = 'waiting' ORDER BY routing_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.routing_id FROM routing_call c WHERE c.state = 'waiting' AND c.routing_id > w.routing_id
      ORDER BY c.routing_id LIMIT 1) FROM waiting w WHERE w.routing_id IS NOT NULL
  ), share AS (
    SELECT greatest(1, $3 / (8 + count(*))) AS most FROM waiting
  ), due AS (
    SELECT c.id FROM waiting w LEFT JOIN unnest($4::bigint[], $5::bigint[]) AS b(routing_id, busy) USING (routing_id)
    CROSS JOIN share s CROSS JOIN LATERAL (
      SELECT l.id FROM routing_call l WHERE l.routing_id = w.routing_id AND l.state = 'waiting' AND l.next_at <= $1
      ORDER BY l.next_at LIMIT greatest(0, s.most - coalesce(b.busy, 0)) FOR UPDATE SKIP LOCKED
    ) c LIMIT $6
  )
  UPDATE routing_call l SET next_at = $2 FROM due, routing r LEFT JOIN sender_id s ON s.id = r.sender_id_id AND NOT s.withheld, inbox_message i
  WHERE l.id = due.id AND r.id = l.routing_id AND i.id = l.inbox_message_id
  RETURNING l.id, l.tries, l.corporation_id, r.id AS routing_id, r.url, r.method, r.body_format, r.username, r.password_sealed,
    r.reply_with_answer, s.sender_id AS mask, i.id AS inbox_id, i.oa, i.number, i.message, i.keyword, i.is_binary,
    i.received_at, i.user_id, i.department_id`;

/** Hold of a call, in milliseconds. It is longer than any call and its recording. */
const HELD_MS = 60_000;

type Resolve = Parameters<typeof callOut>[2];
type Worker = Pick<WorkerContext, 'database' | 'clock' | 'config'>;

/**
 * Takes calls that are due. Together with those under way (by routing) they are at most `most`. Each routing gets at
 * most a share, which shrinks as more routings wait. So a slow address leaves room for the others.
 */
export async function takeCalls(
  { database, clock }: Pick<Worker, 'database' | 'clock'>,
  most: number,
  busy: ReadonlyMap<number, number>,
): Promise<Call[]> {
  const now = clock.now().getTime();
  const free = most - [...busy.values()].reduce((sum, count) => sum + count, 0);
  if (free <= 0) return [];
  const at = [now, now + HELD_MS].map((time) => new Date(time).toISOString());
  return rowsOf<Call>(database, TAKE, [...at, most, [...busy.keys()], [...busy.values()], free]);
}

/** Result of one try of a call. */
export interface Made extends OutboundAnswer {
  call: Call;
  duration_ms: number;
}

/** Calls the address once. Never throws. */
export async function makeCall({ config }: Pick<Worker, 'config'>, call: Call, resolve?: Resolve): Promise<Made> {
  const began = performance.now();
  const answer: OutboundAnswer = call.url
    ? await callOut(config, requestOf(config, call, call.url), resolve)
    : { status: null, fault: 'bad_address', type: '', body: '' };
  return { call, ...answer, duration_ms: Math.round(performance.now() - began) };
}

/** Builds the request for an address: the message as a query, as a form or as JSON. */
function requestOf(config: Worker['config'], call: Call, address: string): OutboundCall {
  const told = {
    id: String(call.inbox_id),
    from: call.oa,
    to: call.number,
    text: call.message,
    keyword: call.keyword ?? '',
    binary: String(call.is_binary),
    received_at: call.received_at,
  };
  const password = call.password_sealed
    ? open(secretKey(config), call.password_sealed, routingPasswordContext(call.routing_id))
    : '';
  const headers = {
    'user-agent': 'Heliograph',
    accept: 'text/plain, application/json',
    ...((call.username || password) && {
      authorization: `Basic ${Buffer.from(`${call.username ?? ''}:${password}`).toString('base64')}`,
    }),
  };
  if (call.method === 'GET') {
    const url = new URL(address);
    for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
    return { method: 'GET', url: url.href, headers };
  }
  const json = call.body_format === 'json';
  return {
    method: 'POST',
    url: address,
    headers: { ...headers, 'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded' },
    body: json ? JSON.stringify({ ...told, binary: call.is_binary }) : new URLSearchParams(told).toString(),
  };
}
