import { failpoint } from '#platform/failpoints';
import type { Logger } from '#platform/log';
import type { OutcomeWriter } from '../outcomes/outcome-writer.ts';
import type { PostgresSession } from '../postgres-session.ts';
import type { Segment } from '../segment.ts';
import type { Slice } from './chunk-source.ts';
import { Owed } from './class-shares.ts';
import type { Link } from './link.ts';
import { CLASSES, isUrgent, URGENCY, type Urgency } from './message-class.ts';
import type { OptOuts } from './opt-outs.ts';
import { claimRetries, endDeadRetries } from './retries.ts';
import type { WindowBudget } from './window-budget.ts';

export interface RetrySenderParts {
  link: Link;
  /** Name of this process in the lanes. */
  holder: string;
  reading: PostgresSession;
  writer: OutcomeWriter;
  optOuts: OptOuts;
  log: Logger;
  /** Epoch milliseconds at which the earliest retry is due. */
  dueAt: Record<Urgency, number>;
  budget: WindowBudget;
  send(segments: readonly Segment[]): void;
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
    const { reading, link, holder, log, optOuts, budget, send } = this.#parts;
    try {
      const segments = await claimRetries(await reading.client(), link.id, most, holder, classesOf(urgency));
      if (segments.length > 0) failpoint('retries.claimed');
      await optOuts.learn(segments.map(({ message }) => message.chunk));
      const left = await budget.turn(segments.length, () => optOuts.refresh());
      send(segments);
      left();
      return segments.length;
    } catch (error) {
      log.warn({ err: error }, 'could not read due retries; retrying later');
      return 0;
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
