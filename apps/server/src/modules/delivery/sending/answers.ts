import { NO_STATUS, normaliseCarrierId, type Outcome, PduError, statusKind, statusName } from '@heliograph/smpp';
import type { Logger } from '#platform/log';
import type { Journal } from '../outcomes/journal.ts';
import type { Segment } from '../segment.ts';
import type { Inbound } from './inbound.ts';
import type { Pace } from './pace.ts';
import { notBefore } from './retries.ts';

/** How long a link rests whose carrier says that the bind or the account is at fault. */
const FAULTY_LINK_PAUSE_MS = 10_000;

/** What the answers to submit_sm on one link mean. */
export class Answers {
  readonly #linkId: number;
  readonly #journal: Journal;
  readonly #inbound: Inbound;
  readonly #pace: Pace;
  readonly #log: Logger;
  #uncertain = 0;

  constructor(linkId: number, journal: Journal, inbound: Inbound, pace: Pace, log: Logger) {
    this.#linkId = linkId;
    this.#journal = journal;
    this.#inbound = inbound;
    this.#pace = pace;
    this.#log = log;
  }

  /** Segments that may or may not have reached the carrier, since this process began. */
  get uncertain(): number {
    return this.#uncertain;
  }

  take(outcomes: readonly Outcome<Segment>[]): void {
    const now = Date.now();
    const uncertain = this.#uncertain;
    for (const { kind, context, status, message_id } of outcomes) {
      // Nothing is written of an uncertain one, and it never leaves again by itself: the carrier may have it. A late
      // answer, or time, resolves it.
      if (kind === 'uncertain') this.#uncertain++;
      else if (kind === 'unsent') this.retry(context, NO_STATUS, now);
      else this.#answered(context, status, message_id, now);
    }
    if (this.#uncertain > uncertain) {
      this.#log.warn({ segments: this.#uncertain - uncertain }, 'the carrier did not answer: these stay submitted');
    }
  }

  #answered(segment: Segment, status: number, messageId: string, now: number): void {
    const { message } = segment;
    if (message.answered_at === 0) message.answered_at = now;
    switch (statusKind(status)) {
      case 'accepted': {
        this.#pace.accepted(1);
        const carrierId = messageId === '' ? null : normaliseCarrierId(messageId, 'opaque');
        if (carrierId !== null) this.#inbound.learn(carrierId, segment);
        this.#submission(segment, 0, carrierId, now);
        if (message.parts === 1) message.text = null;
        return;
      }
      case 'throttle':
        this.#pace.throttled();
        this.#again(segment, status, now);
        return;
      case 'stop_link':
        this.#log.error({ status: statusName(status) }, 'the carrier refuses to take messages on this link');
        this.#pace.pause(FAULTY_LINK_PAUSE_MS);
        this.#again(segment, status, now);
        return;
      case 'retry':
        this.#again(segment, status, now);
        return;
      case 'refuse':
        this.#submission(segment, status, null, now, { state: 'failed_submit', error: statusName(status) });
    }
  }

  #again(segment: Segment, status: number, now: number): void {
    segment.tries++;
    this.retry(segment, status, notBefore(now, segment.tries));
  }

  /** The segment leaves again, not before a moment in epoch milliseconds. */
  retry(segment: Segment, command_status: number, not_before: number): void {
    this.#journal.add({ kind: 'retry', segment, link_id: this.#linkId, command_status, not_before });
  }

  /** The segment cannot be written as a PDU, so it never leaves. */
  unfit(segment: Segment, error: Error): void {
    const status = error instanceof PduError ? error.status : NO_STATUS;
    this.#log.error({ err: error, message_id: segment.message.id }, 'a message cannot be sent as it is');
    const end = {
      state: 'failed_internal' as const,
      error: error instanceof PduError ? statusName(status) : error.name,
    };
    this.#submission(segment, status, null, Date.now(), end);
  }

  #submission(
    segment: Segment,
    command_status: number,
    carrier_id: string | null,
    at: number,
    end?: { state: 'failed_submit' | 'failed_internal'; error: string },
  ): void {
    const link_id = this.#linkId;
    this.#journal.add({
      kind: 'submission',
      segment,
      link_id,
      command_status,
      carrier_id,
      at,
      end,
      from_retry: false,
    });
  }
}
