import { unreachable } from '@heliograph/contract/kernel/unreachable';
import {
  NO_STATUS,
  normaliseCarrierId,
  type Outcome,
  PduError,
  STATUS,
  type StatusKind,
  statusKind,
  statusName,
} from '@heliograph/smpp';
import { failpoint } from '#platform/failpoints';
import type { Logger } from '#platform/log';
import type { OutcomeWriter } from '../outcomes/outcome-writer.ts';
import { type ClosedText, carriedBy, type Segment } from '../segment.ts';
import type { Inbound } from './inbound.ts';
import type { Paced } from './link-rates.ts';
import { URGENCY } from './message-class.ts';
import type { SenderBar } from './opt-outs.ts';
import type { Resends } from './resends.ts';
import { notBefore } from './retries.ts';
import { Suspects } from './suspects.ts';

/** Pause of a link after its carrier reports a fault of the bind or the account; it doubles each time. */
const FIRST_FAULT_PAUSE_MS = 10_000;
const LONGEST_FAULT_PAUSE_MS = 300_000;

/** Handler of the answers to submit_sm on one link. */
export class Answers {
  readonly #linkId: number;
  readonly #writer: OutcomeWriter;
  readonly #inbound: Inbound;
  readonly #rates: Paced;
  readonly #resends: Resends;
  readonly #log: Logger;
  #uncertain = 0;
  #faultPause = FIRST_FAULT_PAUSE_MS;
  #restUntil = 0;
  readonly #suspects = new Suspects();

  constructor(linkId: number, writer: OutcomeWriter, inbound: Inbound, rates: Paced, resends: Resends, log: Logger) {
    this.#linkId = linkId;
    this.#writer = writer;
    this.#inbound = inbound;
    this.#rates = rates;
    this.#resends = resends;
    this.#log = log;
  }

  /** Number of segments, since this process began, that may or may not have reached the carrier. */
  get uncertain(): number {
    return this.#uncertain;
  }

  take(outcomes: readonly Outcome<Segment>[]): void {
    failpoint('answers.received');
    const now = Date.now();
    const uncertain = this.#uncertain;
    const lost: Segment[] = [];
    for (const { kind, context, status, message_id, pdu } of outcomes) {
      if (kind === 'unsent') this.retry(context, NO_STATUS, now);
      else if (kind === 'uncertain' || (status === STATUS.ROK && pdu?.command === 'generic_nack')) {
        // An uncertain segment is not recorded, and bulk never leaves again, because the carrier may have it. A late
        // answer, a receipt or time resolves it.
        this.#uncertain++;
        const { message, second_try, asked_again } = context;
        if (message.chunk.class === 'otp' && !second_try && !asked_again) lost.push(context);
      } else this.#answered(context, status, message_id, now);
    }
    if (lost.length > 0) this.#resends.ask(lost);
    if (this.#uncertain > uncertain) {
      this.#log.warn({ segments: this.#uncertain - uncertain }, 'carrier did not answer; messages stay submitted');
    }
  }

  #answered(segment: Segment, status: number, messageId: string, now: number): void {
    const { message } = segment;
    if (message.answered_at === 0) message.answered_at = now;
    const kind = statusKind(status);
    switch (kind) {
      case 'accepted': {
        this.#rates.accepted(message.chunk.class);
        this.#faultPause = FIRST_FAULT_PAUSE_MS;
        this.#suspects.accepted(message.id);
        const carrierId = messageId === '' ? null : normaliseCarrierId(messageId, 'opaque');
        if (carrierId !== null) this.#inbound.learn(carrierId, segment);
        this.#tell(segment, status, carrierId);
        this.#submission(segment, 0, carrierId, now);
        if (message.parts === 1) message.text = null;
        return;
      }
      case 'throttle':
        this.#rates.throttled(message.chunk.class);
        this.#again(segment, status, kind, now);
        return;
      case 'stop_link':
        this.#atFault(segment, status, now);
        return;
      case 'retry':
        this.#again(segment, status, kind, now);
        return;
      case 'refuse':
        // The other one of two tries may have been taken.
        if (this.#tell(segment, status, null)) return;
        this.refused(segment, status);
        return;
      default:
        unreachable(kind);
    }
  }

  /** Ends the message of a segment that the carrier will never take. */
  refused(segment: Segment, status: number): void {
    this.#submission(segment, status, null, Date.now(), { state: 'failed_submit', error: statusName(status) });
  }

  /** Records the answer to one of two tries; false if there was only one try. */
  #tell(segment: Segment, status: number, carrierId: string | null): boolean {
    const which = segment.second_try ? 'second' : segment.asked_again ? 'first' : undefined;
    if (which) this.#resends.answered(which, { segment, status, carrierId });
    return which !== undefined;
  }

  /** Handles a status about the bind. If only this message gets it, the link continues without the message. */
  #atFault(segment: Segment, status: number, now: number): void {
    const fault = this.#suspects.refused(segment.message.id);
    if (fault === 'link') {
      this.#rest(status, now);
      this.#again(segment, status, 'stop_link', now);
    } else if (fault === 'message') this.#again(segment, status, 'retry', now);
    else if (!this.#tell(segment, status, null)) {
      this.#log.warn(
        { message_id: segment.message.id, status: statusName(status) },
        'message refused on every attempt',
      );
      this.refused(segment, status);
    }
  }

  /** Rests once for the whole window, because all of it gets the same answer. */
  #rest(status: number, now: number): void {
    if (now < this.#restUntil) return;
    this.#log.error({ status: statusName(status) }, 'carrier refused to accept messages on this link');
    this.#rates.pause(this.#faultPause);
    this.#restUntil = now + this.#faultPause;
    this.#faultPause = Math.min(LONGEST_FAULT_PAUSE_MS, this.#faultPause * 2);
  }

  #again(segment: Segment, status: number, kind: StatusKind, now: number): void {
    // The first of two tries was not taken; the second is already queued.
    if (segment.asked_again) {
      this.#tell(segment, status, null);
      return;
    }
    segment.tries++;
    this.retry(segment, status, notBefore(kind, URGENCY[segment.message.chunk.class], now, segment.tries));
  }

  /** Epoch milliseconds at which the earliest retry is due: of the urgent classes, and of bulk. */
  readonly dueAgainAt = { urgent: 0, bulk: 0 };

  /** Queues the segment for a retry, not before a time in epoch milliseconds. */
  retry(segment: Segment, command_status: number, not_before: number): void {
    const urgency = URGENCY[segment.message.chunk.class];
    this.dueAgainAt[urgency] = Math.min(this.dueAgainAt[urgency], not_before);
    for (const each of carriedBy(segment)) {
      this.#writer.add({ kind: 'retry', segment: each, link_id: this.#linkId, command_status, not_before });
    }
  }

  /** Queues segments that did not leave for a retry now. */
  unsent(segments: readonly Segment[]): void {
    const now = Date.now();
    for (const segment of segments) this.retry(segment, NO_STATUS, now);
  }

  /** Ends a segment that cannot be written as a PDU, so that it never leaves. */
  unfit(segment: Segment, error: Error): void {
    const status = error instanceof PduError ? error.status : NO_STATUS;
    this.#log.error({ err: error, message_id: segment.message.id }, 'could not encode message as PDU');
    const end = {
      state: 'failed_internal' as const,
      error: error instanceof PduError ? statusName(status) : error.name,
    };
    this.#submission(segment, status, null, Date.now(), end);
  }

  /** Ends a message that may not leave for the reason `error`: its segments do not leave, and the first one ends it. */
  blocked(segments: readonly Segment[], error: 'opted_out' | SenderBar): void {
    const at = Date.now();
    for (const [place, segment] of segments.entries())
      this.#submission(segment, NO_STATUS, null, at, place === 0 ? { state: 'blocked', error } : undefined);
  }

  /** Ends a message whose text cannot be read: its segments do not leave, and the first one ends it. */
  closed(segments: readonly Segment[], error: ClosedText): void {
    const at = Date.now();
    for (const [place, segment] of segments.entries())
      this.#submission(segment, NO_STATUS, null, at, place === 0 ? { state: 'failed_internal', error } : undefined);
  }

  #submission(
    segment: Segment,
    command_status: number,
    carrier_id: string | null,
    at: number,
    end?: { state: 'failed_submit' | 'failed_internal' | 'blocked'; error: string },
  ): void {
    const link_id = this.#linkId;
    for (const [place, each] of carriedBy(segment).entries()) {
      this.#writer.add({
        kind: 'submission',
        segment: each,
        link_id,
        command_status,
        carrier_id,
        at,
        end: place === 0 ? end : undefined,
        from_retry: false,
      });
    }
  }
}
