import { type Outcome, STATUS, statusKind } from '@heliograph/smpp';
import type pg from 'pg';
import type { Logger } from '#platform/log';
import type { Bound, Customer } from './customers.ts';
import { deliverFields } from './deliver-fields.ts';
import { claimDeliveries, type Delivery, endDeliveries, returnDeliveries, whoWaits } from './delivery-rows.ts';

/** Deliveries that one statement claims at most. */
const PAGE = 1_000;
/** A program that refuses is asked again after this, doubled with each try, up to a quarter of an hour. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 900_000;
/** So long a bind may leave its window full before it is said in the log. */
const SLOW_MS = 60_000;
/** These say for good that a program will not have it; all other refusals may pass. */
const NEVER: readonly number[] = [STATUS.RX_P_APPN, STATUS.RX_R_APPN];

/**
 * Brings receipts and replies to the binds of customers, spread over those that have room, and takes them out once they are
 * acknowledged. What was not goes again: a program may get something twice, and never not at all.
 */
export class Deliverer {
  readonly #pool: pg.Pool;
  readonly #process: string;
  readonly #log: Logger;
  readonly #pumping = new Map<Customer, { again: boolean }>();
  #acknowledged: number[] = [];
  /** Acknowledged, and in the table still: a program that goes and comes back meanwhile is not brought them again. */
  readonly #done = new Set<number>();
  #ending: Promise<void> | undefined;

  constructor(pool: pg.Pool, process: string, log: Logger) {
    this.#pool = pool;
    this.#process = process;
    this.#log = log;
  }

  /** Looks for whom anything waits, and brings it. */
  async look(customers: Iterable<Customer>): Promise<void> {
    const listening = new Map([...customers].filter((c) => c.receivers.length > 0).map((c) => [c.rules.id, c]));
    if (listening.size === 0) return;
    for (const id of await whoWaits(this.#pool, [...listening.keys()])) this.pump(listening.get(id)!);
  }

  /** Brings what waits for a customer, as far as its binds have room. Never throws. */
  pump(customer: Customer): void {
    const running = this.#pumping.get(customer);
    if (running) {
      running.again = true;
      return;
    }
    const state = { again: false };
    this.#pumping.set(customer, state);
    void this.#run(customer, state)
      .catch((error: unknown) => this.#log.error({ err: error }, 'deliveries could not be read'))
      .finally(() => this.#pumping.delete(customer));
  }

  async #run(customer: Customer, state: { again: boolean }): Promise<void> {
    for (;;) {
      state.again = false;
      const room = customer.receivers.reduce((sum, bound) => sum + roomOf(bound), 0);
      const most = Math.min(PAGE, room);
      const done = new Set(this.#done);
      const claimed = most > 0 ? await claimDeliveries(this.#pool, customer.rules.id, most, this.#process) : [];
      const left = this.#spread(
        customer,
        claimed.filter(({ id }) => !done.has(id) && !this.#done.has(id)),
      );
      if (left.length > 0) await returnDeliveries(this.#pool, left, 0);
      if (claimed.length < most && !state.again) return;
      if (most === 0 && !state.again) return this.#noteSlow(customer);
    }
  }

  /** Each goes to the bind with the most room; answers the ids of those that none has room for. */
  #spread(customer: Customer, deliveries: readonly Delivery[]): number[] {
    const left: number[] = [];
    for (const delivery of deliveries) {
      const [best] = customer.receivers.filter((bound) => roomOf(bound) > 0).sort((a, b) => roomOf(b) - roomOf(a));
      if (!best) left.push(delivery.id);
      else if (this.#bring(delivery, best)) best.slow_since = null;
      else left.push(delivery.id);
    }
    return left;
  }

  #bring(delivery: Delivery, { session, customer }: Bound): boolean {
    try {
      return session.deliver(deliverFields(delivery, customer.rules), delivery);
    } catch (error) {
      // Nothing that is stored should be beyond a PDU; what is would be tried for ever.
      this.#log.error({ err: error, delivery: delivery.id }, 'a delivery cannot be written as a PDU');
      this.#acknowledge(delivery.id);
      return true;
    }
  }

  #noteSlow(customer: Customer): void {
    for (const bound of customer.receivers) {
      bound.slow_since ??= Date.now();
      if (bound.alerted || Date.now() - bound.slow_since < SLOW_MS) continue;
      bound.alerted = true;
      const { system_id } = customer.rules;
      const { remoteAddress: address, inFlight: in_flight } = bound.session;
      this.#log.warn({ system_id, address, in_flight }, 'a program reads its receipts too slowly');
    }
  }

  /** What became of deliveries of a bind. */
  answered(outcomes: readonly Outcome<Delivery>[], bound: Bound | undefined): void {
    const back = new Map<number, number[]>();
    const giveBack = (id: number, afterMs: number) => back.set(afterMs, [...(back.get(afterMs) ?? []), id]);
    for (const { kind, status, context } of outcomes) {
      const heard = kind === 'answered' || kind === 'late';
      if (heard && (status === STATUS.ROK || NEVER.includes(status))) {
        this.#acknowledge(context.id);
        if (bound) bound.delivered++;
      } else if (kind === 'answered') giveBack(context.id, pauseOf(context.tries, status));
      // Late refusals belong to what was given back before.
      else if (kind !== 'late') giveBack(context.id, kind === 'unsent' ? 0 : FIRST_PAUSE_MS);
    }
    for (const [afterMs, ids] of back)
      void returnDeliveries(this.#pool, ids, afterMs).catch((error: unknown) =>
        // The claim runs out by itself.
        this.#log.warn({ err: error }, 'deliveries could not be given back'),
      );
    if (bound) this.pump(bound.customer);
  }

  #acknowledge(id: number): void {
    this.#acknowledged.push(id);
    this.#done.add(id);
    this.#ending ??= this.#end();
  }

  /** Takes all that was acknowledged meanwhile out in one statement, again until nothing is left. */
  async #end(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#acknowledged.length > 0) {
      const ids = this.#acknowledged;
      this.#acknowledged = [];
      try {
        await endDeliveries(this.#pool, ids);
        for (const id of ids) this.#done.delete(id);
      } catch (error) {
        this.#log.warn({ err: error }, 'acknowledged deliveries could not be taken out yet');
        this.#acknowledged.push(...ids);
        await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS));
      }
    }
    this.#ending = undefined;
  }

  /** Resolves once all that was acknowledged is taken out. */
  async settled(): Promise<void> {
    await this.#ending;
  }
}

const roomOf = ({ session, customer }: Bound): number =>
  Math.min(session.free, customer.rules.window_size - session.inFlight);

function pauseOf(tries: number, status: number): number {
  const doubled = statusKind(status) === 'throttle' ? FIRST_PAUSE_MS : FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 10);
  return Math.min(LONGEST_PAUSE_MS, doubled);
}
