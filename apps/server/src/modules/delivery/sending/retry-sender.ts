import { failpoint } from '#platform/failpoints';
import type { Logger } from '#platform/log';
import type { KeyConfig } from '#platform/text/text-keys';
import type { OutcomeWriter } from '../outcomes/outcome-writer.ts';
import type { PostgresSession } from '../postgres-session.ts';
import type { Segment } from '../segment.ts';
import type { Answers } from './answers.ts';
import type { CarrierSessions } from './carrier-sessions.ts';
import type { Slice } from './chunk-source.ts';
import { Owed } from './class-shares.ts';
import type { Link } from './link.ts';
import { CLASSES, isUrgent, URGENCY, type Urgency } from './message-class.ts';
import { closedOf, openTexts } from './open-texts.ts';
import type { OptOuts } from './opt-outs.ts';
import { claimRetries, endDeadRetries } from './retries.ts';
import type { SubmitFields } from './submit-fields.ts';
import type { WindowBudget } from './window-budget.ts';

export interface RetrySenderParts {
  link: Link;
  /** Name of this process in the lanes. */
  holder: string;
  reading: PostgresSession;
  config: KeyConfig;
  writer: OutcomeWriter;
  optOuts: OptOuts;
  log: Logger;
  /** Epoch milliseconds at which the earliest retry is due. */
  dueAt: Record<Urgency, number>;
  budget: WindowBudget;
  fields: SubmitFields;
  sessions: CarrierSessions;
  answers: Answers;
}

/** Share of the room that is reserved while it is unknown whether any retries are due. */
const LOOK_SHARE = 0.25;

const classesOf = (urgency: Urgency) => CLASSES.filter((each) => URGENCY[each] === urgency);

/**
 * Sender of retries on one link. Urgent retries go before everything. Bulk retries go before new bulk, but while urgent
 * messages wait they only get a share of the link.
 */
export class RetrySender {
  readonly #parts: RetrySenderParts;
  #claiming = false;
  /** Bulk retries that may leave while urgent messages wait. */
  readonly #owed = new Owed();

  constructor(parts: RetrySenderParts) {
    this.#parts = parts;
  }

  /** Whether bulk retries are due that were not claimed. */
  get isBulkDue(): boolean {
    return Date.now() >= this.#parts.dueAt.bulk;
  }

  /** Looks for retries that other processes wrote, with the next claim. */
  lookAgain(): void {
    this.#parts.dueAt.urgent = 0;
    this.#parts.dueAt.bulk = 0;
  }

  /** Counts urgent slices that leave while bulk retries are due. */
  passedBy(slices: readonly Slice[]): void {
    if (!this.isBulkDue) return;
    for (const { chunk, parts } of slices) if (isUrgent(chunk.class)) this.#owed.earn(parts);
  }

  /** Claims and sends the retries that are next; undefined if there are none, or urgent messages go first. */
  begin(urgentWaits: () => boolean): Promise<void> | undefined {
    if (this.#claiming) return undefined;
    const { dueAt, budget } = this.#parts;
    if (Date.now() >= dueAt.urgent) return this.#claim('urgent', budget.free);
    if (!this.isBulkDue) return undefined;
    const most = Math.min(budget.freeForBulk, urgentWaits() ? this.#owed.segments : Number.POSITIVE_INFINITY);
    return most > 0 ? this.#claim('bulk', most) : undefined;
  }

  async #claim(urgency: Urgency, room: number): Promise<void> {
    const { dueAt, budget } = this.#parts;
    this.#claiming = true;
    // A look for retries of other processes mostly finds none, and new messages must not wait for it.
    const most = dueAt[urgency] === 0 ? Math.ceil(room * LOOK_SHARE) : room;
    const reservation = budget.reserve(most, urgency === 'urgent' ? most : 0);
    dueAt[urgency] = Number.POSITIVE_INFINITY;
    const sent = await this.#send(urgency, most);
    // All of the budget was used, so there may be more.
    if (sent >= most) dueAt[urgency] = 0;
    if (urgency === 'bulk') this.#owed.pay(sent);
    budget.unreserve(reservation, sent, urgency === 'urgent' ? sent : 0);
    this.#claiming = false;
  }

  /** Returns how many segments left. Never rejects. */
  async #send(urgency: Urgency, most: number): Promise<number> {
    const { reading, config, link, holder, log, optOuts, budget } = this.#parts;
    try {
      const client = await reading.client();
      const segments = await claimRetries(client, link.id, most, holder, classesOf(urgency));
      await openTexts(
        client,
        config,
        segments.map(({ message }) => [message]),
      );
      if (segments.length > 0) failpoint('retries.claimed');
      await optOuts.learn(segments.map(({ message }) => message.chunk));
      const left = await budget.turn(segments.length, () => optOuts.refresh());
      this.#sendAgain(segments);
      left();
      return segments.length;
    } catch (error) {
      log.warn({ err: error }, 'could not read due retries; retrying later');
      return 0;
    }
  }

  /** Sends segments that the carrier once refused, unless the recipient opted out or the sender ID was barred meanwhile. */
  #sendAgain(segments: readonly Segment[]): void {
    const { link, optOuts, fields, sessions, answers } = this.#parts;
    for (const segment of fields.again(segments)) {
      const { chunk, msisdn } = segment.message;
      const barred = optOuts.bars(chunk, link.id, segment.message);
      const closed = closedOf(segment.message);
      if (closed) answers.closed([segment], closed);
      else if (barred) answers.blocked([segment], barred);
      else if (optOuts.of(chunk)?.has(msisdn)) answers.blocked([segment], 'opted_out');
      else sessions.send([segment]);
    }
  }

  /** Ends retries that cannot succeed: their campaign was stopped, or their validity is over. Never rejects. */
  async endDead(): Promise<void> {
    const { reading, link, writer, log } = this.#parts;
    try {
      await endDeadRetries(await reading.client(), link.id, writer);
    } catch (error) {
      log.warn({ err: error }, 'could not end expired retries; retrying later');
    }
  }
}
