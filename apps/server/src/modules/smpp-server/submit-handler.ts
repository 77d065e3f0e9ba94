import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { type ApplicationRequest, STATUS, type SubmitMulti } from '@heliograph/smpp';
import type { Intake, Result, Submission } from '#modules/intake';
import { BusinessError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import type { Logger } from '#platform/log';
import type { Bound } from './customers.ts';
import type { LongMessages, WholeMessage } from './long-messages.ts';
import type { MessageIds } from './message-ids.ts';
import {
  type Envelope,
  joinParts,
  Refusal,
  readContent,
  readEnvelope,
  type Submit,
  textOf,
  wantsReceipt,
} from './read-submit.ts';
import { statusOf } from './status-of.ts';
import type { SystemId } from './system-id-rows.ts';

/**
 * Maximum messages in hand over all binds of the process. Above it, customers with more than an equal share get "queue
 * full".
 */
const MOST_IN_HAND = 20_000;

/** Maximum submits that are handed in together. The intake never divides them, and others wait behind them. */
const HANDED_IN_TOGETHER = 100;

/** A submit, with the messages it makes. */
interface Job {
  request: Submit;
  submissions: Submission[];
  /** Id in the answer, if it is not the message's own. */
  id: number | undefined;
  destinations: Destination[];
}

type Destination = { dest_addr_ton: number; dest_addr_npi: number; destination_addr: string };

/** Services that the handler uses. */
export interface SubmitContext {
  intake: Pick<Intake, 'acceptMany'>;
  longMessages: Pick<LongMessages, 'keep'>;
  ids: Pick<MessageIds, 'take'>;
  /** Number of customers that are bound. */
  customers(): number;
  /** Called when a long message was handed in: its parts may be deleted. */
  done(longMessageId: number): void;
  /** Called when a complete long message was refused after its parts were taken. */
  refusedWhole(whole: WholeMessage, rules: SystemId): void;
  log: Logger;
}

/** Takes submit_sm, submit_multi and data_sm. A request answered with ROK is committed. */
export class SubmitHandler {
  readonly #context: SubmitContext;
  #inHand = 0;

  constructor(context: SubmitContext) {
    this.#context = context;
  }

  /** Takes the requests from one read of a socket. Never throws. */
  take(requests: readonly Submit[], bound: Bound): void {
    const jobs: Job[] = [];
    const now = Date.now();
    for (const request of requests) {
      bound.owed++;
      try {
        this.#checkRoom(bound, 'destinations' in request ? request.destinations.length : 1);
        const job = this.#read(request, bound, now);
        if (job) jobs.push(job);
      } catch (error) {
        this.#refuse(request, bound, statusOf(error), 1);
      }
    }
    for (let from = 0; from < jobs.length; from += HANDED_IN_TOGETHER)
      void this.#handIn(jobs.slice(from, from + HANDED_IN_TOGETHER), bound);
  }

  #checkRoom({ customer, owed }: Bound, messages: number): void {
    const share = MOST_IN_HAND / Math.max(1, this.#context.customers());
    const crowded = this.#inHand + messages > MOST_IN_HAND && customer.inHand + messages > share;
    if (owed > customer.rules.window_size || crowded)
      throw new Refusal(STATUS.RMSGQFUL, 'more waits than there is room for');
    for (let i = 0; i < messages; i++)
      if (!customer.mayTake(performance.now())) throw new Refusal(STATUS.RTHROTTLED, 'over the rate');
  }

  /** Reads the messages of a submit; undefined if it is a part, which is kept. Throws a Refusal. */
  #read(request: Submit, bound: Bound, now: number): Job | undefined {
    const { rules } = bound.customer;
    const envelope = readEnvelope(request, rules, now);
    const { content, part } = readContent(request);
    if (request.command === 'submit_multi') {
      if (part) throw new Refusal(STATUS.RINVESMCLASS, 'submit_multi takes no parts of messages: use message_payload');
      return this.#ofMany(request, envelope, textOf(content, rules));
    }
    const { dest_addr_ton, dest_addr_npi, destination_addr } = request;
    if (part) {
      const recipient = destination_addr;
      void this.#keepPart(request, bound, { ...part, recipient, envelope, content, systemId: rules });
      return undefined;
    }
    return {
      request,
      submissions: [submissionOf(envelope, destination_addr, textOf(content, rules), undefined)],
      id: undefined,
      destinations: [{ dest_addr_ton, dest_addr_npi, destination_addr }],
    };
  }

  #ofMany(request: SubmitMulti, envelope: Envelope, text: string): Job {
    const destinations = request.destinations.filter((to): to is Destination => 'destination_addr' in to);
    if (destinations.length < request.destinations.length)
      throw new Refusal(STATUS.RINVDLNAME, 'there are no distribution lists');
    const submissions = destinations.map((to) => submissionOf(envelope, to.destination_addr, text, undefined));
    return { request, submissions, id: undefined, destinations };
  }

  async #keepPart(request: Submit, bound: Bound, incoming: Parameters<LongMessages['keep']>[0]): Promise<void> {
    this.#hold(bound, 1);
    try {
      const { id, whole, handInBefore } = await this.#context.longMessages.keep(incoming);
      if (whole) await this.#handInWhole(whole, bound, handInBefore);
      bound.submitted += whole ? 1 : 0;
      this.#answer(request, bound, STATUS.ROK, String(id));
    } catch (error) {
      this.#refuse(request, bound, this.#statusOf(error), 1);
    } finally {
      this.#hold(bound, -1);
    }
  }

  async #handInWhole(whole: WholeMessage, bound: Bound, before: number): Promise<void> {
    const { rules } = bound.customer;
    try {
      const text = joinParts(whole.parts, rules);
      const submission = submissionOf(whole.envelope, whole.recipient, text, whole.id);
      const [result] = await this.#accept(bound, [{ ...submission, once: { before } }]);
      if (result instanceof BusinessError && !wasHandedIn(result)) throw result;
      this.#context.done(whole.id);
    } catch (error) {
      // All its parts are committed, so the sweep hands it in again. The last part is answered like the others.
      this.#statusOf(error);
      if (isPassing(error)) return;
      this.#context.refusedWhole(whole, rules);
      throw error;
    }
  }

  async #handIn(jobs: readonly Job[], bound: Bound): Promise<void> {
    const count = jobs.reduce((sum, { submissions }) => sum + submissions.length, 0);
    this.#hold(bound, count);
    try {
      const many = jobs.filter(({ request }) => request.command === 'submit_multi');
      const ids = many.length > 0 ? await this.#context.ids.take(many.length) : [];
      for (const [place, job] of many.entries()) {
        job.id = ids[place]!;
        for (const submission of job.submissions) submission.client_ref = String(job.id);
      }
      const results = await this.#accept(
        bound,
        jobs.flatMap(({ submissions }) => submissions),
      );
      let from = 0;
      for (const job of jobs) {
        this.#tell(job, results.slice(from, from + job.submissions.length), bound);
        from += job.submissions.length;
      }
      // Answers leave at the end of this turn.
      setImmediate(() => failpoint('submits.answered'));
    } catch (error) {
      const status = this.#statusOf(error);
      for (const { request, submissions } of jobs) this.#refuse(request, bound, status, submissions.length);
    } finally {
      this.#hold(bound, -count);
    }
  }

  #hold({ customer }: Bound, messages: number): void {
    this.#inHand += messages;
    customer.inHand += messages;
  }

  #accept({ customer }: Bound, submissions: Submission[]): Promise<Result[]> {
    const { program } = customer;
    if (!program) throw new BusinessError('billing_account_missing');
    const { most_minutes } = customer.rules;
    // A validity above the account's maximum is shortened: it is no reason to refuse a message.
    for (const each of submissions)
      if (each.validity_minutes && each.validity_minutes > most_minutes) each.validity_minutes = most_minutes;
    return this.#context.intake.acceptMany(program, submissions);
  }

  #tell({ request, id, destinations }: Job, results: readonly Result[], bound: Bound): void {
    const failed = results.filter((result) => result instanceof BusinessError).length;
    if (request.command !== 'submit_multi') {
      const [result] = results;
      if (result instanceof BusinessError) this.#refuse(request, bound, statusOf(result), 1);
      else {
        bound.submitted++;
        this.#answer(request, bound, STATUS.ROK, String(result!.id));
      }
      return;
    }
    bound.submitted += results.length - failed;
    bound.refused += failed;
    bound.owed--;
    const unsuccess = results.flatMap((result, place) =>
      result instanceof BusinessError ? [{ ...destinations[place]!, error_status_code: statusOf(result) }] : [],
    );
    // If none was taken, the first reason stands for all, and no id is given.
    const status = failed === results.length ? unsuccess[0]!.error_status_code : STATUS.ROK;
    bound.session.respondWith({
      command: 'submit_multi_resp',
      sequence: request.sequence,
      status,
      message_id: status === STATUS.ROK ? String(id) : '',
      unsuccess,
    });
  }

  #statusOf(error: unknown): number {
    if (!(error instanceof BusinessError || error instanceof Refusal))
      this.#context.log.error({ err: error }, 'could not accept submits');
    return statusOf(error);
  }

  #refuse(request: Submit, bound: Bound, status: number, messages: number): void {
    if (status === STATUS.RTHROTTLED || status === STATUS.RMSGQFUL) bound.throttled += messages;
    else bound.refused += messages;
    this.#answer(request, bound, status, '');
  }

  #answer(request: ApplicationRequest, bound: Bound, status: number, id: string): void {
    bound.owed--;
    bound.session.respond(request, status, id);
  }
}

const PASSING: readonly ErrorCode[] = [
  'too_many_requests',
  'unavailable',
  'changes_paused',
  'internal_error',
  'no_route',
  'idempotency_in_flight',
];

/** Answers whether a refused message may be accepted a little later. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof Refusal) && (!(error instanceof BusinessError) || PASSING.includes(error.code));

/** Answers whether it was handed in before; that one stands. */
export const wasHandedIn = (error: unknown): boolean =>
  error instanceof BusinessError && error.code === 'client_ref_taken';

/** Builds a message for the intake. `told` is the id that its program knows, if it is not the message's own. */
export function submissionOf(envelope: Envelope, to: string, text: string, told: number | undefined): Submission {
  const { from, flash, send_at, validity_minutes, registered_delivery } = envelope;
  return {
    from,
    to,
    text,
    flash,
    class: envelope.class,
    tells: wantsReceipt(registered_delivery, true) || wantsReceipt(registered_delivery, false),
    smpp: { registered_delivery },
    ...(envelope.tlvs && { tlvs: envelope.tlvs }),
    ...(send_at !== undefined && { send_at }),
    ...(validity_minutes !== undefined && { validity_minutes }),
    ...(told !== undefined && { client_ref: String(told) }),
  };
}
