import type { Handled } from '@heliograph/contract/inbox/inbox-message';
import { type Kysely, sql } from 'kysely';
import { addEvents, type NewEvent } from '#modules/events';
import { numberOf, wholeOf } from '#modules/inbound-routing';
import { enterByKeyword, type Heard } from '#modules/journeys';
import { takeTestAnswers } from '#modules/link-truth';
import { confirmConsents } from '#modules/policy';
import type { Database } from '#platform/database/db';
import { isRefused } from '#platform/database/transient-error';
import { failpoint } from '#platform/failpoints';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { sealedWith } from '#platform/text/sealed-text';
import { currentTextKeys } from '#platform/text/text-keys';
import { type Answer, answerPhones, withSealedReply } from './answer-phones.ts';
import { handOn } from './hand-on.ts';
import { applyOptWords, type OptOutcome } from './opt-word.ts';
import { type Inbound, type InboundPlan, planInbound } from './plan-inbound.ts';

type Worker = Pick<WorkerContext, 'database' | 'clock' | 'config' | 'log'>;

/** Maximum messages that one transaction routes. */
const BATCH = 1_000;
/**
 * Key of an advisory lock; any fixed number. One process routes at a time, so that STOP and START of a phone keep their
 * order.
 */
const LOCK = 4_857_191_721;

/** Summary of a routed batch. */
export interface Routed {
  count: number;
  /** Newest id that was taken. Messages that commit late may have lower ids. */
  last: number;
  /** Corporations with new messages in the inbox; null stands for messages without an owner. */
  corporations: Set<number | null>;
}

/**
 * Routes the oldest waiting messages with ids of `from` and above. It stores them, opts out and in, answers, and hands
 * on. The same transaction removes them from the waiting messages. So each is stored once and answered at most once,
 * even if a process dies.
 */
async function routeInbound(worker: Worker, from = 0, limit = BATCH): Promise<Routed> {
  const routed = await worker.database.transaction().execute(async (db) => {
    const { rows: locks } = await sql<{ ours: boolean }>`SELECT pg_try_advisory_xact_lock(${LOCK}) AS ours`.execute(db);
    const messages = locks[0]?.ours ? await take(db, from, limit) : [];
    const result: Routed = { count: messages.length, last: messages.at(-1)?.id ?? 0, corporations: new Set() };
    if (messages.length === 0) return result;
    const phones = await takeTestAnswers(
      db,
      messages.map(({ sender }) => numberOf(sender)),
    );
    const plans = await planInbound(
      db,
      messages.filter(({ sender }) => !phones.has(numberOf(sender))),
      worker.clock.now(),
    );
    await store(db, worker, plans);
    for (const { corporation_id } of plans) result.corporations.add(corporation_id);
    failpoint('inbox.before-commit');
    return result;
  });
  if (routed.count > 0) failpoint('inbox.after-commit');
  return routed;
}

/**
 * Routes messages as `routeInbound` does. A message that cannot be routed because of its content is set aside for a
 * person to check.
 */
export async function routeOrSetAside(worker: Worker, from = 0, limit = BATCH): Promise<Routed> {
  try {
    return await routeInbound(worker, from, limit);
  } catch (error) {
    if (!isRefused(error) && !(error instanceof RangeError) && !(error instanceof TypeError)) throw error;
    if (limit > 1) return routeOrSetAside(worker, from, 1);
    worker.log.error({ err: error }, 'inbound message set aside');
    return setAside(worker, from, error as Error);
  }
}

async function take(db: Kysely<Database>, from: number, limit: number): Promise<Inbound[]> {
  const { rows } = await sql<Inbound>`DELETE FROM inbound_message
    WHERE id IN (SELECT id FROM inbound_message WHERE id >= ${from} ORDER BY id LIMIT ${limit})
    RETURNING id, link_id, sender, recipient, text, is_binary, parts, total, parameters, received_at`.execute(db);
  return rows.sort((a, b) => a.id - b.id);
}

async function setAside({ database }: Worker, from: number, error: Error): Promise<Routed> {
  return database.transaction().execute(async (db) => {
    const [message] = await take(db, from, 1);
    if (message) {
      const record = JSON.stringify(message);
      await db.insertInto('set_aside').values({ kind: 'inbox', record, error: error.message }).execute();
    }
    return { count: message ? 1 : 0, last: message?.id ?? 0, corporations: new Set() };
  });
}

/** Opts phones out and in, answers them, stores the messages with their results and hands them on. */
async function store(db: Kysely<Database>, worker: Worker, plans: readonly InboundPlan[]): Promise<void> {
  const opts = await applyOptWords(db, plans);
  await confirmConsents(
    db,
    plans.flatMap(({ corporation_id, oa: number, inbound, loop, opt }) =>
      corporation_id === null || loop || opt || inbound.is_binary
        ? []
        : {
            corporation_id,
            number,
            whole: wholeOf(inbound.text),
            text: inbound.text,
            inbound_message_id: inbound.id,
            at: new Date(inbound.received_at),
          },
    ),
  );
  const settled = plans.map((plan) => settle(plan, opts.get(plan)));
  const answered = await answerPhones(
    db,
    worker,
    settled.flatMap(({ answers }) => answers),
  );
  const read_at = worker.clock.now().toISOString();
  const keys = await currentTextKeys(
    db,
    worker.config,
    settled.flatMap(({ row: { corporation_id } }) => corporation_id ?? []),
  );
  const rows = settled.map(({ row, quiet, answers }) => {
    const key = row.corporation_id === null ? undefined : keys.get(row.corporation_id);
    const answer = answers.map((each) => answered.get(each)).findLast((each) => each !== undefined);
    return {
      ...row,
      message: sealedWith(key, `i${row.inbound_id}`, row.message),
      read_at: quiet ? read_at : null,
      ...(answer && withSealedReply(answer, key, row.inbound_id)),
    };
  });
  const stored = await insert(db, rows);
  await addEvents(db, stored.flatMap(eventOf));
  await enterByKeyword(db, plans.flatMap(heardIn), worker.clock.now());
  await handOn(
    db,
    stored.filter(({ handled }) => FOLLOWED_BY[handled].call),
  );
}

/** Returns the text that may let its phone enter journeys; none of a word that opts out or in, or of our own numbers. */
const heardIn = ({ corporation_id, oa, number, inbound, loop, opt }: InboundPlan): Heard[] =>
  corporation_id === null || loop || opt || inbound.is_binary || !/^\d+$/.test(oa)
    ? []
    : [{ corporation_id, phone: oa, number, text: inbound.text, link_id: inbound.link_id }];

/** Consequences of each result: the message waits unread, gets the automatic answer, an event, and a call. */
const FOLLOWED_BY: Readonly<Record<Handled, { unread: boolean; answers: boolean; event: boolean; call: boolean }>> = {
  inbox: { unread: true, answers: true, event: true, call: false },
  url: { unread: false, answers: false, event: true, call: true },
  opt_out: { unread: false, answers: false, event: true, call: false },
  opt_in: { unread: false, answers: false, event: true, call: false },
  loop: { unread: false, answers: false, event: false, call: false },
  unrouted: { unread: true, answers: false, event: true, call: false },
};

/** Builds the inbox row of a message without its answer, and the answers to send. */
function settle(plan: InboundPlan, opt: OptOutcome | undefined) {
  const { inbound, rule, corporation_id, sending } = plan;
  const handled: Handled = plan.loop
    ? 'loop'
    : (opt?.handled ?? (corporation_id === null ? 'unrouted' : (rule?.action ?? 'inbox')));
  const followed = FOLLOWED_BY[handled];
  const owner = rule?.user_id
    ? { user_id: rule.user_id, department_id: rule.department_id }
    : { user_id: sending?.user_id ?? null, department_id: sending?.department_id ?? null };
  const row = {
    corporation_id,
    ...owner,
    routing_id: rule?.id ?? null,
    campaign_id: sending?.campaign_id ?? null,
    campaign_name: rule?.campaign_name ?? null,
    link_id: inbound.link_id,
    inbound_id: inbound.id,
    oa: plan.oa,
    number: plan.number,
    message: inbound.text,
    keyword: plan.keyword,
    is_binary: inbound.is_binary,
    parts: inbound.parts,
    total: inbound.total,
    parameters: inbound.parameters,
    handled,
    valid: followed.answers ? plan.valid : null,
    received_at: inbound.received_at,
  };
  const said = { ...owner, sender: rule?.sender ?? plan.number, msisdn: plan.oa };
  const answers: Answer[] = (opt?.answers ?? []).map(({ corporation, text }) => ({
    ...said,
    corporation_id: corporation,
    text,
    confirms_opt_out: true,
  }));
  if (followed.answers && plan.answer !== null && corporation_id !== null)
    answers.push({ ...said, corporation_id, text: plan.answer, confirms_opt_out: false });
  return { row, quiet: !followed.unread, answers };
}

/** Inbox row that was just stored. */
export interface Stored {
  id: number;
  inbound_id: number;
  corporation_id: number | null;
  routing_id: number | null;
  department_id: number | null;
  user_id: number | null;
  handled: Handled;
}

/** Returns the event of a message for programs. A message from one of our own numbers has none. */
const eventOf = ({ id, corporation_id, department_id, user_id, handled }: Stored): NewEvent[] =>
  corporation_id === null || !FOLLOWED_BY[handled].event
    ? []
    : [
        {
          corporation_id,
          department_id,
          user_id,
          type: 'message.received',
          message_id: null,
          data: { inbox_message_id: id },
        },
      ];

async function insert(db: Kysely<Database>, rows: readonly object[]): Promise<Stored[]> {
  const { rows: stored } = await sql<Stored>`
    INSERT INTO inbox_message (corporation_id, department_id, user_id, routing_id, campaign_id, campaign_name, link_id,
      inbound_id, oa, number, message, keyword, is_binary, parts, total, handled, valid, read_at, received_at, reply_message,
      reply_error, sent_message_id, replied_at, parameters)
    SELECT r.corporation_id, r.department_id, r.user_id, r.routing_id, r.campaign_id, r.campaign_name, r.link_id,
      r.inbound_id, r.oa, r.number, r.message, r.keyword, r.is_binary, r.parts, r.total, r.handled, r.valid, r.read_at, r.received_at,
      r.reply_message, r.reply_error, r.sent_message_id, r.replied_at, r.parameters
    FROM jsonb_populate_recordset(NULL::inbox_message, ${JSON.stringify(rows)}::jsonb) r ORDER BY r.inbound_id
    RETURNING id, inbound_id, corporation_id, routing_id, department_id, user_id, handled`.execute(db);
  return stored;
}
