import { createHistogram } from 'node:perf_hooks';
import type { MessageClass } from '#platform/database/schema';
import { failpoint } from '#platform/failpoints';
import type { Logger } from '#platform/log';
import type { PostgresSession } from '../postgres-session.ts';
import { partsOf } from '../segment.ts';
import type { Answers } from './answers.ts';
import type { CarrierSessions } from './carrier-sessions.ts';
import type { ChunkSource, Slice } from './chunk-source.ts';
import { commitIntents } from './intents.ts';
import type { Link } from './link.ts';
import type { Reservation } from './link-rates.ts';
import type { LinkTests } from './link-tests.ts';
import type { Urgency } from './message-class.ts';
import { closeDestroyed, closedOf } from './open-texts.ts';
import type { OptOuts } from './opt-outs.ts';
import type { SubmitFields } from './submit-fields.ts';
import type { WindowBudget } from './window-budget.ts';

/** Microseconds from a message's turn to the time when its bytes were handed to the session, of all links. */
export const handOverTimes = createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 });

export interface SliceSenderParts {
  link: Link;
  /** Name of this process in the lanes. */
  holder: string;
  /** Session of the intents of bulk. */
  intents: PostgresSession;
  /** Session of urgent intents, so that none waits for the commit of bulk. */
  reading: PostgresSession;
  optOuts: OptOuts;
  log: Logger;
  onProgress: (campaigns: readonly number[]) => void;
  source: ChunkSource;
  budget: WindowBudget;
  fields: SubmitFields;
  sessions: CarrierSessions;
  answers: Answers;
  tests: LinkTests | undefined;
}

/** Sender of new messages on one link: commits the intent of slices, checks opt-outs last, and sends. */
export class SliceSender {
  /** Fences under which the lanes are ours. */
  fences: ReadonlyMap<MessageClass, number> = new Map();
  readonly #parts: SliceSenderParts;

  constructor(parts: SliceSenderParts) {
    this.#parts = parts;
  }

  /** Commits the intent of slices of one urgency and sends those that may leave. Never rejects. */
  async handOver(slices: readonly Slice[], urgency: Urgency, reservation: Reservation): Promise<void> {
    const { link, holder, intents, reading, optOuts, log, onProgress, source, budget } = this.#parts;
    const started = performance.now();
    let sent = 0;
    try {
      const learning = optOuts.learn(slices.map(({ chunk }) => chunk));
      if (learning) await learning;
      const client = await (urgency === 'urgent' ? reading : intents).client();
      const looked = closeDestroyed(
        client,
        slices.map(({ chunk }) => chunk),
      );
      if (looked) await looked;
      failpoint('intent.before-commit');
      const { committed, refused, campaigns } = await commitIntents(client, link.id, slices, holder, this.fences);
      failpoint('intent.after-commit');
      const left = await budget.turn(partsIn(committed), () => optOuts.refresh());
      for (const slice of committed) {
        source.committed(slice);
        sent += this.#send(slice);
        failpoint('intent.half-sent');
      }
      left();
      failpoint('intent.sent');
      for (const slice of refused) source.refused(slice);
      if (campaigns.length > 0) onProgress(campaigns);
      handOverTimes.record(Math.max(1, Math.round((performance.now() - started) * 1_000)));
    } catch (error) {
      // It is unknown whether they were committed, so they may not leave. The cursor tells when they are read again.
      log.warn({ err: error }, 'could not commit intents; retrying');
      for (const slice of slices) source.refused(slice);
    } finally {
      budget.unreserve(reservation, sent, urgency === 'urgent' ? sent : 0);
    }
  }

  /** Sends a slice if its sender ID may be used, except to recipients who opted out; answers how many segments left. */
  #send({ chunk, messages, parts }: Slice): number {
    const { link, optOuts, answers, sessions, fields } = this.#parts;
    const optedOut = optOuts.of(chunk);
    const barred = optOuts.bars(chunk, link.id);
    const outside = optOuts.outside(chunk, link.id);
    let held = 0;
    for (const message of messages) {
      const closed = closedOf(message);
      if (closed) {
        answers.closed(partsOf(message), closed);
        held += message.parts;
        continue;
      }
      if (outside?.(message)) {
        answers.blocked(partsOf(message), barred ?? 'sender_not_registered');
        held += message.parts;
      } else if (barred || optedOut?.has(message.msisdn)) {
        answers.blocked(partsOf(message), barred ?? 'opted_out');
        held += message.parts;
      } else sessions.send(fields.segmentsOf(message));
    }
    if (held === 0) this.#parts.tests?.left(messages);
    return parts - held;
  }
}

/** Counts the segments of slices. */
export const partsIn = (slices: readonly Slice[]): number => slices.reduce((sum, { parts }) => sum + parts, 0);
