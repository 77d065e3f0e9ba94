import { type Kysely, sql } from 'kysely';
import type { DeliveryKind, Due, Tried } from '#modules/http-deliveries';
import { routingPasswordContext } from '#modules/inbound-routing';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { tell } from '#platform/fan-out/tell';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { OutboundCall } from '#platform/outbound/agent';
import { open, secretKey } from '#platform/process/seal';
import { isSealed } from '#platform/text/sealed-text';
import { shownTexts } from '#platform/text/shown-texts';
import { currentTextKeys } from '#platform/text/text-keys';
import { type Answer, answerPhones, withSealedReply } from './answer-phones.ts';
import type { Stored } from './route-inbound.ts';

/** Subject that notifies workers of an address to call. Polling once a second finds calls with a lost notification. */
export const ROUTING_CALLS = 'routing_calls';

/** Adds calls, in the caller's transaction, for messages that a routing hands to an address. */
export async function handOn(db: Kysely<Database>, due: readonly Stored[]): Promise<void> {
  if (due.length === 0) return;
  await sql`
    INSERT INTO http_delivery (kind, corporation_id, routing_id, inbox_message_id)
    SELECT 'routing_call', r.corporation_id, r.routing_id, r.id
    FROM jsonb_to_recordset(${JSON.stringify(due)}::jsonb) AS r(corporation_id bigint, routing_id bigint, id bigint)`.execute(
    db,
  );
  await tellCallers(db);
}

/** Notifies the workers of an address to call, after the transaction has committed. */
export const tellCallers = (db: Kysely<Database>): Promise<void> => tell(db, ROUTING_CALLS);

/** Text of a message `i`; an encrypted one has its place. */
const RECEIVED = "placed_text(i.message, i.corporation_id, 'i' || i.inbound_id)";

/** Call of a routing's address with a message from a phone. */
interface DueCall extends Due {
  corporation_id: number;
  inbox_id: number;
  inbound_id: number;
  oa: string;
  number: string;
  message: string;
  keyword: string | null;
  is_binary: boolean;
  received_at: string;
  user_id: number | null;
  department_id: number | null;
}

/** Settings of a routing that a call needs. */
interface RoutingInUse {
  url: string | null;
  method: 'GET' | 'POST';
  body_format: 'form' | 'json';
  username: string | null;
  password: string;
  reply_with_answer: boolean;
  /** Sender ID of answers; null if they leave from the number itself. */
  mask: string | null;
}

const FINAL: ReadonlySet<string | null> = new Set(['bad_address', 'address_not_allowed', 'port_not_allowed']);

/** Calls of routings: messages from phones that are handed to an address, whose answer may go back to the phone. */
export function routingCallKind(
  worker: Pick<WorkerContext, 'database' | 'config' | 'clock'>,
): DeliveryKind<DueCall, RoutingInUse> {
  const { database, config } = worker;
  const key = secretKey(config);
  return {
    name: 'routing_call',
    target: 'routing_id',
    brings: {
      columns: `d.corporation_id, i.id AS inbox_id, i.oa, i.number, i.inbound_id,
        ${RECEIVED} AS message, i.keyword, i.is_binary, i.received_at,
        i.user_id, i.department_id`,
      from: ', inbox_message i',
      where: 'AND i.id = d.inbox_message_id',
    },
    // A call is given up about a day after the first try.
    ladder: {
      delays: [10, 30, 120, 600, 3_600, 10_800, 21_600, 43_200],
      jitter: 0,
      longest: 0,
      isFinal: ({ fault }) => FINAL.has(fault),
    },
    answer: { maxBytes: 65_536, characters: 2_000 },
    calls: { first: 56, least: 56 },
    pollMs: 1_000,
    readTargets: (ids) => readRoutings(database, key, ids),
    open: (due) => (isSealed(due.message) ? shownTexts({ db: database, config, locale: 'en' }, due) : due),
    requestOf: (due, routing) => (routing.url ? requestOf(due, routing, routing.url) : { fault: 'bad_address' }),
    recorded: (db, tried, current) =>
      answerOnce(
        db,
        worker,
        tried.filter(({ due, state, target }) => current.has(due.id) && state === 'done' && target.reply_with_answer),
      ),
  };
}

async function readRoutings(
  db: Kysely<Database>,
  key: Buffer,
  ids: readonly number[],
): Promise<Map<number, RoutingInUse>> {
  const rows = await rowsOf<Omit<RoutingInUse, 'password'> & { id: number; password_sealed: string | null }>(
    db,
    `SELECT r.id, r.url, r.method, r.body_format, r.username, r.password_sealed, r.reply_with_answer, s.sender_id AS mask
     FROM routing r LEFT JOIN sender_id s ON s.id = r.sender_id_id AND s.usable WHERE r.id = ANY ($1::bigint[])`,
    [ids],
  );
  return new Map(
    rows.map(({ id, password_sealed, ...row }) => {
      const password = password_sealed ? open(key, password_sealed, routingPasswordContext(id)) : '';
      return [id, { ...row, password }];
    }),
  );
}

/** Builds the request for an address: the message as a query, as a form or as JSON. */
function requestOf(due: DueCall, { method, body_format, username, password }: RoutingInUse, address: string) {
  const told = {
    id: String(due.inbox_id),
    from: due.oa,
    to: due.number,
    text: due.message,
    keyword: due.keyword ?? '',
    binary: String(due.is_binary),
    received_at: due.received_at,
  };
  const headers = {
    'user-agent': 'Heliograph',
    accept: 'text/plain, application/json',
    ...((username || password) && {
      authorization: `Basic ${Buffer.from(`${username ?? ''}:${password}`).toString('base64')}`,
    }),
  };
  if (method === 'GET') {
    const url = new URL(address);
    for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
    return { method, url: url.href, headers, once: true } satisfies OutboundCall;
  }
  const json = body_format === 'json';
  return {
    method,
    url: address,
    once: true,
    headers: { ...headers, 'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded' },
    body: json ? JSON.stringify({ ...told, binary: due.is_binary }) : new URLSearchParams(told).toString(),
  } satisfies OutboundCall;
}

/** Returns the text in an answer: a whole plain text, or the `reply` of a JSON object. */
function textOf({ type, body }: Tried['answer']): string {
  if (type === 'text/plain') return storable(body.trim());
  if (type !== 'application/json') return '';
  try {
    const { reply } = JSON.parse(body) as { reply?: unknown };
    return typeof reply === 'string' ? storable(reply.trim()) : '';
  } catch {
    return '';
  }
}

const storable = (text: string): string => text.replaceAll('\0', '').replaceAll('\u0002', '').toWellFormed();

/** Answers each message once, however often its address is called. */
async function answerOnce(
  db: Kysely<Database>,
  worker: Pick<WorkerContext, 'clock' | 'config'>,
  tried: readonly Tried<DueCall, RoutingInUse>[],
): Promise<void> {
  const texts = tried.map((each) => ({ ...each, text: textOf(each.answer) })).filter(({ text }) => text !== '');
  if (texts.length === 0) return;
  const open = await db
    .selectFrom('inbox_message')
    .select('id')
    .where(
      'id',
      'in',
      texts.map(({ due }) => due.inbox_id),
    )
    .where('reply_message', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const unanswered = new Set(open.map(({ id }) => id));
  const answers = new Map<Answer, DueCall>();
  for (const { due, target, text } of texts) {
    // Two calls for one message may end together, if one of them is a replay.
    if (!unanswered.delete(due.inbox_id)) continue;
    const { corporation_id, department_id, user_id, number, oa: msisdn } = due;
    const sender = target.mask ?? number;
    answers.set({ corporation_id, department_id, user_id, sender, msisdn, text, confirms_opt_out: false }, due);
  }
  const answered = await answerPhones(db, worker, [...answers.keys()]);
  const keys = await currentTextKeys(
    db,
    worker.config,
    [...answered.keys()].map(({ corporation_id }) => corporation_id),
  );
  const rows = [...answered].map(([answer, columns]) => {
    const { inbox_id, inbound_id } = answers.get(answer)!;
    return { id: inbox_id, ...withSealedReply(columns, keys.get(answer.corporation_id), inbound_id) };
  });
  if (rows.length === 0) return;
  await sql`
    UPDATE inbox_message i SET reply_message = r.reply_message, reply_error = r.reply_error, sent_message_id = r.sent_message_id,
      replied_at = r.replied_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS r(id bigint, reply_message text, reply_error text, sent_message_id bigint, replied_at timestamptz)
    WHERE i.id = r.id`.execute(db);
}
