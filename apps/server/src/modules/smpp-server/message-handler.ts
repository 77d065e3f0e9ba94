import {
  type CancelSm,
  decodeShortMessage,
  formatAbsoluteTime,
  MESSAGE_STATE,
  parseTime,
  type QuerySm,
  type ReplaceSm,
  STATUS,
} from '@heliograph/smpp';
import type pg from 'pg';
import { cancelUnsent, errorOfExpired, firstChunkOfDay, messageId } from '#modules/delivery';
import type { Intake } from '#modules/intake';
import { inTransaction } from '#platform/database/in-transaction';
import type { MessageClass } from '#platform/database/schema';
import { isTransient } from '#platform/database/transient-error';
import type { Logger } from '#platform/log';
import type { Bound } from './customers.ts';
import { Refusal } from './read-submit.ts';
import { receiptCode, receiptState } from './receipt-reason.ts';
import { statusOf } from './status-of.ts';
import { submissionOf } from './submit-handler.ts';

type MessageRequest = QuerySm | CancelSm | ReplaceSm;

interface Found {
  message_id: number;
  number: string;
  sender_id: string;
  state: string;
  error_code: string | null;
  done_at: string | null;
  class: MessageClass;
  flash: boolean;
  not_before: string | null;
  expires_at: string | null;
  registered_delivery: number;
}

// A message is found by its own id, or by the id in the response to its program. Of replaced messages only the newest
// counts.
const FIND = `
  SELECT m.id AS message_id, m.number, m.sender_id, m.state, m.done_at, k.class, k.flash, k.not_before,
    k.expires_at, p.registered_delivery,
    coalesce(m.error_code, CASE WHEN k.state = 'expired' THEN ${errorOfExpired('k')} END) AS error_code
  FROM (
    SELECT * FROM program_message WHERE message_id = $2
    UNION ALL
    SELECT * FROM program_message WHERE user_id = $3 AND client_ref = $2::text
  ) p JOIN message_row m ON m.id = p.message_id JOIN chunk k ON k.id = p.message_id >> 10
  WHERE p.smpp_system_id = $1 AND ($4 = '' OR m.number = $4) ORDER BY m.id DESC LIMIT 1`;

/** Maximum time for which a message may wait to leave, with a margin. */
const LONGEST_WAIT_MS = 8 * 86_400_000;

// Finds messages of the system id, by sender and recipient, that have not left.
const FIND_UNSENT = `
  SELECT m.id FROM message m JOIN program_message p ON p.message_id = m.id JOIN chunk k ON k.id = m.id >> 10
  WHERE m.msisdn = $2 AND m.id >= $4 AND p.smpp_system_id = $1 AND k.sender_id = $3 AND k.state IN ('open', 'held')
    AND k.cursor = 0
  ORDER BY m.id`;

const FAILED = {
  query_sm: STATUS.RQUERYFAIL,
  cancel_sm: STATUS.RCANCELFAIL,
  replace_sm: STATUS.RREPLACEFAIL,
} as const;

/** Answers query_sm, cancel_sm and replace_sm about messages of the system id itself. */
export class MessageHandler {
  readonly #pool: pg.Pool;
  readonly #intake: Pick<Intake, 'accept'>;
  readonly #log: Logger;

  constructor(pool: pg.Pool, intake: Pick<Intake, 'accept'>, log: Logger) {
    this.#pool = pool;
    this.#intake = intake;
    this.#log = log;
  }

  /** Takes one request. Never throws. */
  async take(request: MessageRequest, bound: Bound): Promise<void> {
    bound.owed++;
    try {
      if (bound.owed > bound.customer.rules.window_size || !bound.customer.mayTake(performance.now()))
        throw new Refusal(STATUS.RTHROTTLED, 'over the rate');
      if (request.command === 'query_sm') await this.#query(request, bound);
      else {
        if (request.command === 'cancel_sm') await this.#cancel(request, bound);
        else await this.#replace(request, bound);
        bound.session.respond(request, STATUS.ROK);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) this.#log.warn({ err: error, command: request.command }, 'SMPP request failed');
      bound.session.respond(request, error instanceof Refusal ? error.status : failureOf(request, error));
    } finally {
      bound.owed--;
    }
  }

  async #find(request: MessageRequest, { customer: { rules } }: Bound, destination = ''): Promise<Found | undefined> {
    if (!/^\d{1,16}$/.test(request.message_id)) throw new Refusal(STATUS.RINVMSGID, 'no id of ours');
    const values = [rules.id, Number(request.message_id), rules.user_id, destination.replace(/^\+/, '')];
    const { rows } = await this.#pool.query<Found>(FIND, values);
    const [found] = rows;
    if (found && request.source_addr !== '' && request.source_addr !== found.sender_id)
      throw new Refusal(STATUS.RINVSRCADR, 'the message has another sender');
    return found;
  }

  async #query(request: QuerySm, bound: Bound): Promise<void> {
    const found = await this.#find(request, bound);
    if (!found && !(await this.#isPart(request, bound))) throw new Refusal(STATUS.RINVMSGID, 'there is none');
    const ended = found && receiptState(found.state, found.error_code);
    const open = found ? (isAhead(found) ? 'scheduled' : 'enroute') : 'accepted';
    // SMPP 3.4 has no state for scheduled messages.
    const state = ended ?? (open === 'scheduled' && bound.version < 0x50 ? 'enroute' : open);
    const done = ended ? found.done_at : null;
    bound.session.respondWith({
      command: 'query_sm_resp',
      sequence: request.sequence,
      status: STATUS.ROK,
      message_id: request.message_id,
      final_date: done === null ? '' : formatAbsoluteTime(Date.parse(done)),
      message_state: MESSAGE_STATE[state],
      error_code: ended ? receiptCode(ended, found.error_code).octet : 0,
    });
  }

  /** Answers whether the id belongs to a long message that is still incomplete. */
  async #isPart(request: QuerySm, { customer }: Bound): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      'SELECT FROM smpp_long_message WHERE id = $1 AND smpp_system_id_id = $2',
      [Number(request.message_id), customer.rules.id],
    );
    return rowCount === 1;
  }

  async #cancel(request: CancelSm, bound: Bound): Promise<void> {
    if (request.message_id === '') return this.#cancelByAddresses(request, bound);
    const found = await this.#find(request, bound, request.destination_addr);
    if (!found) throw new Refusal(STATUS.RINVMSGID, 'there is none');
    if (!(await this.#callOff(found.message_id))) throw new Refusal(STATUS.RCANCELFAIL, 'it has left');
  }

  /** Cancels, without an id, all messages from the sender to the recipient that have not left (§4.9). */
  async #cancelByAddresses(request: CancelSm, { customer: { rules } }: Bound): Promise<void> {
    const { source_addr, destination_addr } = request;
    if (source_addr === '') throw new Refusal(STATUS.RINVSRCADR, 'without an id the sender must be named');
    if (destination_addr === '') throw new Refusal(STATUS.RINVDSTADR, 'without an id the recipient must be named');
    const number = destination_addr.replace(/^\+/, '');
    const since = messageId(firstChunkOfDay(Date.now() - LONGEST_WAIT_MS), 0);
    const { rows } = await this.#pool.query<{ id: number }>(FIND_UNSENT, [rules.id, number, source_addr, since]);
    let cancelled = 0;
    for (const { id } of rows) if (await this.#callOff(id)) cancelled++;
    if (cancelled === 0) throw new Refusal(STATUS.RCANCELFAIL, 'nothing that has not left');
  }

  /** Replaces a message that has not left with a new one under the same id. The new one is checked like any other. */
  async #replace(request: ReplaceSm, bound: Bound): Promise<void> {
    const { rules, program } = bound.customer;
    const found = await this.#find(request, bound);
    if (!found) throw new Refusal(STATUS.RINVMSGID, 'there is none');
    if (!program || !isAhead(found)) throw new Refusal(STATUS.RREPLACEFAIL, 'it has left, or is about to');
    const now = Date.now();
    const { schedule_delivery_time, validity_period, short_message } = request;
    if (short_message.length === 0) throw new Refusal(STATUS.RINVMSGLEN, 'the message has no text');
    const start =
      schedule_delivery_time === '' ? Date.parse(found.not_before!) : parseTime(schedule_delivery_time, now);
    if (start === undefined) throw new Refusal(STATUS.RINVSCHED, 'schedule_delivery_time is no time');
    const until = validity_period === '' ? Date.parse(found.expires_at!) : parseTime(validity_period, start);
    if (until === undefined || until <= start) throw new Refusal(STATUS.RINVEXPIRY, 'validity_period is no time ahead');
    const envelope = {
      from: found.sender_id,
      class: found.class,
      flash: found.flash,
      send_at: new Date(start).toISOString(),
      validity_minutes: Math.min(rules.most_minutes, Math.ceil((until - start) / 60_000)),
      registered_delivery: request.registered_delivery,
    };
    // replace_sm has no data_coding: its text is in the default alphabet, that of data_coding 0.
    const text = decodeShortMessage(short_message, 0, rules.default_charset);
    const told = Number(request.message_id);
    const made = await this.#intake.accept(program, submissionOf(envelope, found.number, text, told)).catch((error) => {
      throw new Refusal(statusOf(error), 'the new text is refused');
    });
    if (await this.#callOff(found.message_id)) return;
    await this.#callOff(made.id);
    throw new Refusal(STATUS.RREPLACEFAIL, 'it has left');
  }

  #callOff(messageId: number): Promise<boolean> {
    return inTransaction(this.#pool, (client) => cancelUnsent(client, messageId));
  }
}

/** Maps an error to a status. A failure is temporary if the database is away. */
const failureOf = ({ command }: MessageRequest, error: unknown): number =>
  isTransient(error) ? STATUS.RSYSERR : FAILED[command];

/** Answers whether it still waits for its scheduled time. */
const isAhead = ({ state, not_before }: Found): boolean =>
  state === 'pending' && not_before !== null && Date.parse(not_before) > Date.now();
