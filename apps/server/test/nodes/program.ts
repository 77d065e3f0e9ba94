import {
  type ApplicationRequest,
  Connection,
  encodeShortMessage,
  MESSAGE_STATE,
  type Outcome,
  type Session,
  STATUS,
  statusName,
} from '@heliograph/smpp';
import { hashPassword } from '#modules/identity';
import { type Fleet, programPrefix } from './fleet.ts';

const SYSTEM_ID = 'fleet';
const PASSWORD = 'lantern1';
const TICK_MS = 20;
/** Pause of a program after a refusal. */
const REST_MS = 200;
/** Longer than a server stays frozen. An answer after that still counts. */
const ANSWER_MS = 8_000;

/** State in the receipt, by the final state of the message. */
const STATE_OF: Readonly<Record<string, number>> = {
  delivered: MESSAGE_STATE.delivered,
  expired: MESSAGE_STATE.expired,
  failed_submit: MESSAGE_STATE.rejected,
};
/** States of a message that waits or has no known outcome yet. */
const UNDECIDED: readonly string[] = ['pending', 'submitted'];

const digits = (value: number, length: number): string => String(Math.floor(value)).padStart(length, '0');

interface Stored {
  id: number;
  number: string;
  state: string;
}

/**
 * A customer's program. It binds to all SMPP servers of a fleet, and again whenever a bind ends. It submits messages
 * one by one over any bind that has room. It repeats only messages that certainly have not left, and remembers every
 * answer and receipt.
 */
export class Program {
  readonly #fleet: Fleet;
  readonly #connections: Connection<string>[];
  readonly #rate: number;
  readonly #left: string[];
  readonly #done = Promise.withResolvers<void>();
  #systemId = 0;
  #timer: NodeJS.Timeout | undefined;
  #restUntil = 0;
  #begun = 0;
  #taken = 0;
  /** Numbers with a submit that may have left. */
  readonly #submitted = new Set<string>();
  readonly #open = new Set<string>();
  /** Ids from ESME_ROK answers, by number. */
  readonly #accepted = new Map<string, string>();
  /** Status of every other answer, by number. */
  readonly #refused = new Map<string, number>();
  /** States from receipts, by id. */
  readonly #receipts = new Map<string, Set<number>>();
  #receiptsInAll = 0;

  private constructor(fleet: Fleet, count: number, rate: number) {
    this.#fleet = fleet;
    this.#rate = rate;
    const { carriers } = fleet;
    this.#left = Array.from({ length: count }, (_, place) => {
      const serial = Math.floor(place / carriers.length);
      // A few are not delivered.
      const end = serial % 50 === 7 ? `${digits(serial / 50, 3)}9904` : `${digits(serial, 6)}1`;
      return `${programPrefix(place % carriers.length)}${end}`;
    });
    this.#connections = [...fleet.fronts.values()].map(({ port }) => this.#connection(port));
  }

  /** Begins to submit `count` messages, at `rate` a second. The fleet's SMPP servers must be running. */
  static async start(fleet: Fleet, count: number, rate: number): Promise<Program> {
    const program = new Program(fleet, count, rate);
    await program.#enter();
    for (const connection of program.#connections) connection.start();
    program.#begun = performance.now();
    program.#timer = setInterval(() => program.#submit(), TICK_MS);
    return program;
  }

  /** Enters the records that an operator enters for a customer. */
  async #enter(): Promise<void> {
    const { stage } = this.#fleet;
    const { id: user } = await stage.one<{ id: number }>(
      `WITH role AS (INSERT INTO role (name, level) VALUES ('program', 2) RETURNING id),
         sender AS (INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, 'Acme'))
       INSERT INTO user_account (corporation_id, name, email, password_hash, role_id, scope_level, billing_account_id, connection_type_id)
       SELECT $1, 'P', 'program@heliograph.test', '', role.id, 2, $2, (SELECT id FROM connection_type WHERE name = 'SMPP')
       FROM role RETURNING id`,
      [stage.corporationId, stage.accountId],
    );
    const { id } = await stage.one<{ id: number }>(
      `INSERT INTO smpp_system_id (system_id, corporation_id, user_id, password_hash) VALUES ($1, $2, $3, $4) RETURNING id`,
      [SYSTEM_ID, stage.corporationId, user, await hashPassword(PASSWORD)],
    );
    this.#systemId = id;
  }

  #connection(port: number): Connection<string> {
    const bind = { mode: 'transceiver', system_id: SYSTEM_ID, password: PASSWORD } as const;
    return new Connection<string>(
      {
        host: '127.0.0.1',
        port,
        bind,
        responseMs: ANSWER_MS,
        bindMs: 5_000,
        enquireLinkMs: 5_000,
        drainMs: 2_000,
        minRetryMs: 100,
        maxRetryMs: 500,
        refusedRetryMs: 500,
      },
      {
        onResponses: (outcomes) => {
          for (const outcome of outcomes) this.#answered(outcome);
        },
        onRequests: (requests, session) => {
          for (const request of requests) this.#received(request, session);
        },
      },
    );
  }

  #submit(): void {
    const due = Math.floor(((performance.now() - this.#begun) * this.#rate) / 1_000);
    while (this.#taken < due && this.#left.length > 0 && performance.now() >= this.#restUntil) {
      const [best] = this.#connections
        .flatMap(({ session }) => session ?? [])
        .filter((session) => session.free > 0)
        .sort((a, b) => b.free - a.free);
      if (!best) break;
      if (!this.#send(best, this.#left[0]!)) break;
      this.#left.shift();
      this.#taken++;
    }
    // Submits missed in the meantime are not all made up in one burst.
    this.#taken = Math.max(this.#taken, due - this.#rate);
    if (this.#left.length === 0 && this.#open.size === 0) this.#done.resolve();
  }

  #send(session: Session<string>, number: string): boolean {
    const sent = session.request(
      {
        command: 'submit_sm',
        source_addr: 'Acme',
        source_addr_ton: 5,
        destination_addr: number,
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        registered_delivery: 1,
        short_message: encodeShortMessage('Hello', 'gsm'),
      },
      number,
    );
    if (!sent) return false;
    this.#submitted.add(number);
    this.#open.add(number);
    return true;
  }

  #answered({ kind, context: number, status, message_id }: Outcome<string>): void {
    this.#open.delete(number);
    if (kind === 'unsent') {
      this.#submitted.delete(number);
      this.#left.push(number);
    } else if (kind !== 'uncertain' && status === STATUS.ROK) this.#accepted.set(number, message_id);
    else if (kind !== 'uncertain') {
      this.#refused.set(number, status);
      this.#restUntil = performance.now() + REST_MS;
    }
  }

  #received(request: ApplicationRequest, session: Session<string>): void {
    const { receipted_message_id: id, message_state: state } = ('tlvs' in request && request.tlvs) || {};
    if (request.command === 'deliver_sm' && id !== undefined) {
      this.#receiptsInAll++;
      this.#receipts.set(id, (this.#receipts.get(id) ?? new Set()).add(state ?? -1));
    }
    session.respond(request, STATUS.ROK);
  }

  /** Resolves when each message has left once, and has its answer or will never have one. */
  finished(): Promise<void> {
    return this.#done.promise;
  }

  /** Reads the messages that the platform stores of this program. */
  async #stored(): Promise<Stored[]> {
    const { rows } = await this.#fleet.stage.owner.query<Stored>(
      `SELECT p.message_id AS id, r.number, r.state FROM program_message p LEFT JOIN message_row r ON r.id = p.message_id
       WHERE p.smpp_system_id = $1`,
      [this.#systemId],
    );
    return rows;
  }

  /** Counts messages with a final state and without a receipt. */
  async awaited(): Promise<number> {
    const ended = (await this.#stored()).filter(({ state }) => !UNDECIDED.includes(state));
    return ended.filter(({ id }) => !this.#receipts.has(String(id))).length;
  }

  /**
   * Returns all contradictions to the received answers, as sentences. Call it when the program has finished and no
   * receipt is missing.
   */
  async contradictions(): Promise<string[]> {
    const found: string[] = [];
    const say = (what: string, which: readonly unknown[]) => {
      if (which.length > 0) found.push(`${which.length} × ${what}: ${which.slice(0, 5).map(String).join(', ')}`);
    };
    // Every answer received is in the database by now.
    const told = [...this.#accepted];
    const receipts = [...this.#receipts];
    const stored = await this.#stored();
    const byNumber = Map.groupBy(stored, ({ number }) => number);
    const numbers = [...this.#submitted];
    say(
      'submit answered ESME_ROK that is not exactly one message of that id',
      told.filter(([number, id]) => (byNumber.get(number) ?? []).map((each) => String(each.id)).join() !== id),
    );
    say(
      'submit that is there more than once',
      numbers.filter((number) => (byNumber.get(number)?.length ?? 0) > 1),
    );
    say(
      'message that was never submitted',
      stored.filter(({ number }) => !this.#submitted.has(number)).map(({ id }) => id),
    );
    say(
      'message that waits still',
      stored.filter(({ state }) => state === 'pending').map(({ id }) => id),
    );
    const arrived = Map.groupBy(
      this.#fleet.carriers.flatMap(({ log }) => log.accepted.filter(({ to }) => this.#submitted.has(to))),
      ({ to }) => to,
    );
    say(
      'submit that reached a carrier more than once',
      numbers.filter((number) => (arrived.get(number)?.length ?? 0) > 1),
    );
    say(
      'submit that reached a carrier and is no message',
      numbers.filter((number) => arrived.has(number) && !byNumber.has(number)),
    );
    const byId = new Map(stored.map(({ id, state }) => [String(id), state]));
    say(
      'receipt of another id or state',
      receipts.filter(([id, states]) => {
        const state = byId.get(id);
        const right = STATE_OF[state ?? ''] ?? MESSAGE_STATE.undeliverable;
        return state === undefined || UNDECIDED.includes(state) || states.size !== 1 || !states.has(right);
      }),
    );
    return found;
  }

  /** Counts what happened, by name. */
  get figures(): Record<string, number> {
    const statuses = Map.groupBy(this.#refused.values(), statusName);
    return {
      submits: this.#submitted.size,
      accepted: this.#accepted.size,
      ...Object.fromEntries([...statuses].map(([name, which]) => [name, which.length])),
      unanswered: this.#submitted.size - this.#accepted.size - this.#refused.size,
      receipts: this.#receiptsInAll,
    };
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#connections.map((connection) => connection.stop()));
  }
}
