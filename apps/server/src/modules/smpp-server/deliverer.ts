import { type Outcome, STATUS, statusKind } from '@heliograph/smpp';
import type pg from 'pg';
import type { Logger } from '#platform/log';
import { shownTexts } from '#platform/text/shown-texts';
import type { KeyConfig } from '#platform/text/text-keys';
import type { Bound, Customer } from './customers.ts';
import { deliverFields } from './deliver-fields.ts';
import { claimDeliveries, type Delivery, endDeliveries, returnDeliveries, whoWaits } from './delivery-rows.ts';

/** Maximum deliveries that one statement claims. */
const PAGE = 1_000;
/** Pause after a refusal. It doubles with each try, up to a quarter of an hour. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 900_000;
/** Time for which a bind may leave its window full before a warning is logged. */
const SLOW_MS = 60_000;
/** Permanent refusals; all others may be temporary. */
const NEVER: readonly number[] = [STATUS.RX_P_APPN, STATUS.RX_R_APPN];

/**
 * Sends receipts and replies to customers' binds that have room, and deletes them once they are acknowledged.
 * Unacknowledged ones are sent again: a program may get something twice, but never misses it.
 */
export class Deliverer {
  readonly #pool: pg.Pool;
  readonly #config: KeyConfig;
  readonly #process: string;
  readonly #log: Logger;
  readonly #pumping = new Map<Customer, { again: boolean }>();
  #acknowledged: number[] = [];
  /**
   * Ids that are acknowledged but still in the table. They are not sent again if their program binds again meanwhile.
   */
  readonly #done = new Set<number>();
  #ending: Promise<void> | undefined;

  constructor(pool: pg.Pool, config: KeyConfig, process: string, log: Logger) {
    this.#pool = pool;
    this.#config = config;
    this.#process = process;
    this.#log = log;
  }

  /** Finds the customers for which deliveries wait, and sends them. */
  async look(customers: Iterable<Customer>): Promise<void> {
    const listening = new Map([...customers].filter((c) => c.receivers.length > 0).map((c) => [c.rules.id, c]));
    if (listening.size === 0) return;
    for (const id of await whoWaits(this.#pool, [...listening.keys()])) this.pump(listening.get(id)!);
  }

  /** Sends the deliveries that wait for a customer, as far as its binds have room. Never throws. */
  pump(customer: Customer): void {
    const running = this.#pumping.get(customer);
    if (running) {
      running.again = true;
      return;
    }
    const state = { again: false };
    this.#pumping.set(customer, state);
    void this.#run(customer, state)
      .catch((error: unknown) => this.#log.error({ err: error }, 'could not read deliveries'))
      .finally(() => this.#pumping.delete(customer));
  }

  async #run(customer: Customer, state: { again: boolean }): Promise<void> {
    for (;;) {
      state.again = false;
      const room = customer.receivers.reduce((sum, bound) => sum + roomOf(bound), 0);
      const most = Math.min(PAGE, room);
      const done = new Set(this.#done);
      const claimed = most > 0 ? await this.#claim(customer, most) : [];
      const left = this.#spread(
        customer,
        claimed.filter(({ id }) => !done.has(id) && !this.#done.has(id)),
      );
      if (left.length > 0) await returnDeliveries(this.#pool, left, 0);
      if (claimed.length < most && !state.again) return;
      if (most === 0 && !state.again) return this.#noteSlow(customer);
    }
  }

  /** Claims deliveries of a customer, with their texts opened. */
  async #claim({ rules }: Customer, most: number): Promise<Delivery[]> {
    const claimed = await claimDeliveries(this.#pool, rules.id, most, this.#process);
    return shownTexts({ db: this.#pool, config: this.#config, locale: 'en' }, claimed);
  }

  /** Sends each delivery to the bind with the most room; answers the ids of those for which no bind has room. */
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
      // Every stored delivery should fit into a PDU. One that does not is deleted, or it would be tried forever.
      this.#log.error({ err: error, delivery: delivery.id }, 'could not encode delivery as PDU');
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
      this.#log.warn({ system_id, address, in_flight }, 'program reads receipts too slowly');
    }
  }

  /** Deletes the acknowledged deliveries of a bind, and returns the others to the queue. */
  answered(outcomes: readonly Outcome<Delivery>[], bound: Bound | undefined): void {
    const back = new Map<number, number[]>();
    const giveBack = (id: number, afterMs: number) => back.set(afterMs, [...(back.get(afterMs) ?? []), id]);
    for (const { kind, status, context } of outcomes) {
      const heard = kind === 'answered' || kind === 'late';
      if (heard && (status === STATUS.ROK || NEVER.includes(status))) {
        this.#acknowledge(context.id);
        if (bound) bound.delivered++;
      } else if (kind === 'answered') giveBack(context.id, pauseOf(context.tries, status));
      // Late refusals are ignored: their deliveries were returned before.
      else if (kind !== 'late') giveBack(context.id, kind === 'unsent' ? 0 : FIRST_PAUSE_MS);
    }
    for (const [afterMs, ids] of back)
      void returnDeliveries(this.#pool, ids, afterMs).catch((error: unknown) =>
        // The claim expires by itself.
        this.#log.warn({ err: error }, 'could not return deliveries'),
      );
    if (bound) this.pump(bound.customer);
  }

  #acknowledge(id: number): void {
    this.#acknowledged.push(id);
    this.#done.add(id);
    this.#ending ??= this.#end();
  }

  /** Deletes all acknowledged deliveries in one statement, and repeats until none is left. */
  async #end(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#acknowledged.length > 0) {
      const ids = this.#acknowledged;
      this.#acknowledged = [];
      try {
        await endDeliveries(this.#pool, ids);
        for (const id of ids) this.#done.delete(id);
      } catch (error) {
        this.#log.warn({ err: error }, 'could not delete acknowledged deliveries; retrying');
        this.#acknowledged.push(...ids);
        await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS));
      }
    }
    this.#ending = undefined;
  }

  /** Resolves once all acknowledged deliveries are deleted. */
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
