import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { isRefused } from '#platform/database/transient-error';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { OutboundAnswer } from '#platform/outbound/call';
import { type Answer, answerPhones } from './answer-phones.ts';
import type { Made } from './hand-on.ts';

/** Seconds between tries. A call is given up about a day after the first try. */
const WAITS = [10, 30, 120, 600, 3_600, 10_800, 21_600, 43_200];
const FINAL: ReadonlySet<string> = new Set(['bad_address', 'address_not_allowed', 'port_not_allowed']);
/** Maximum characters of an answer that are stored. */
const KEPT = 2_000;

type Worker = Pick<WorkerContext, 'database' | 'clock' | 'log'>;

/**
 * Records tries and the time of the next ones, and answers the phones. If the database refuses a record, its call is
 * given up.
 */
export async function recordCalls(worker: Worker, made: readonly Made[]): Promise<void> {
  if (made.length === 0) return;
  try {
    await worker.database.transaction().execute((db) => record(db, worker, made));
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (made.length > 1) {
      for (const each of made) await recordCalls(worker, [each]);
      return;
    }
    worker.log.error({ err: error }, 'could not store answer of inbound routing URL; call abandoned');
    const { id } = made[0]!.call;
    const given = { state: 'failed', next_at: null };
    await worker.database.updateTable('routing_call').set(given).where('id', '=', id).execute();
  }
}

async function record(db: Kysely<Database>, { clock }: Worker, made: readonly Made[]): Promise<void> {
  const now = clock.now();
  const tries = made.map(({ call, status, fault, duration_ms, body }) => {
    const wait = WAITS[call.tries];
    const again = fault !== null && !FINAL.has(fault) && wait !== undefined;
    return {
      id: call.id,
      corporation_id: call.corporation_id,
      tries: call.tries,
      status,
      fault,
      duration_ms,
      answer: storable(body).slice(0, KEPT).toWellFormed() || null,
      state: fault === null ? 'done' : again ? 'waiting' : 'failed',
      next_at: again ? new Date(now.getTime() + wait * 1_000).toISOString() : null,
      done_at: fault === null ? now.toISOString() : null,
    };
  });
  // After a long silence another worker may have made the same try. It is recorded but changes nothing.
  const { rows } = await sql<{ id: number }>`
    WITH t AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(tries)}::jsonb) AS t(id bigint, corporation_id bigint, tries integer,
        status integer, fault text, duration_ms integer, answer text, state text, next_at timestamptz, done_at timestamptz)
    ), attempt AS (
      INSERT INTO routing_attempt (corporation_id, routing_call_id, status, fault, duration_ms, answer, created_at)
      SELECT t.corporation_id, l.id, t.status, t.fault, t.duration_ms, t.answer, ${now.toISOString()}::timestamptz
      FROM t JOIN routing_call l ON l.id = t.id
    )
    UPDATE routing_call l SET tries = t.tries + 1, state = t.state, next_at = t.next_at, done_at = t.done_at
    FROM t WHERE l.id = t.id AND l.tries = t.tries AND l.state = 'waiting' RETURNING l.id`.execute(db);
  const ours = new Set(rows.map(({ id }) => id));
  const answering = made.filter(({ call, fault }) => ours.has(call.id) && fault === null && call.reply_with_answer);
  await answerOnce(db, clock, answering);
}

const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Returns the text in an answer: a whole plain text, or the `reply` of a JSON object. */
function textOf({ type, body }: OutboundAnswer): string {
  if (type === 'text/plain') return body.trim();
  if (type !== 'application/json') return '';
  try {
    const { reply } = JSON.parse(body) as { reply?: unknown };
    return typeof reply === 'string' ? reply.trim() : '';
  } catch {
    return '';
  }
}

/** Answers each message once, however often its address is called. */
async function answerOnce(db: Kysely<Database>, clock: Worker['clock'], made: readonly Made[]): Promise<void> {
  const texts = made
    .map((each) => ({ call: each.call, text: storable(textOf(each)) }))
    .filter(({ text }) => text !== '');
  if (texts.length === 0) return;
  const ids = texts.map(({ call }) => call.inbox_id);
  const open = await db
    .selectFrom('inbox_message')
    .select('id')
    .where('id', 'in', ids)
    .where('reply_message', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const unanswered = new Set(open.map(({ id }) => id));
  const answers = new Map<Answer, number>();
  for (const { call, text } of texts) {
    // Two calls for one message may end together, if one of them is a replay.
    if (!unanswered.delete(call.inbox_id)) continue;
    const { corporation_id, department_id, user_id, mask, number, oa: msisdn } = call;
    const sender = mask ?? number;
    answers.set(
      { corporation_id, department_id, user_id, sender, msisdn, text, confirms_opt_out: false },
      call.inbox_id,
    );
  }
  const answered = await answerPhones(db, clock, [...answers.keys()]);
  const rows = [...answered].map(([answer, columns]) => ({ id: answers.get(answer), ...columns }));
  if (rows.length === 0) return;
  await sql`
    UPDATE inbox_message i SET reply_message = r.reply_message, reply_error = r.reply_error, sent_message_id = r.sent_message_id,
      replied_at = r.replied_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS r(id bigint, reply_message text, reply_error text, sent_message_id bigint, replied_at timestamptz)
    WHERE i.id = r.id`.execute(db);
}
