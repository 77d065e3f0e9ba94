import type { Kysely } from 'kysely';
import type pg from 'pg';
import { cannotPay } from '#modules/billing';
import { WAKE_SENDERS } from '#modules/delivery';
import type { Clock } from '#platform/clock';
import { createDatabase, type Database } from '#platform/database/db';
import { missingDay } from '#platform/database/missing-partition';
import { partitionsMade } from '#platform/database/partitions';
import { isTransient } from '#platform/database/transient-error';
import { BusinessError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import type { FanOut } from '#platform/fan-out/fan-out';
import { WakeUps } from '#platform/fan-out/wake-ups';
import type { Logger } from '#platform/log';
import { unavailable } from '#platform/outage';
import type { Allowance } from './api-throughput.ts';
import { NotedNumbers } from './noted-numbers.ts';
import { RulesReader } from './operator-rules.ts';
import {
  type Accepted,
  isUrgentUnit,
  type Outcome,
  type Program,
  type Result,
  type Submission,
  type Unit,
} from './program.ts';
import type { InstallationKey } from './read-facts.ts';
import { inSession } from './session.ts';
import { SharedThroughput } from './shared-throughput.ts';
import { ThroughputLimits } from './throughput-limits.ts';
import { type Turn, Turns } from './turns.ts';
import { estimateMessages, writeUnits } from './write-units.ts';

interface Waiting {
  unit: Unit;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Maximum submissions that wait. Above it, a corporation with more than an equal share is asked to come again. */
const MOST_WAITING = 50_000;
/** Least time in ms between two wake-ups of senders for urgent messages. */
const URGENT_APART_MS = 5;
/** Pause in seconds that programs are asked to make while the database confirms no changes. */
const STALLED_RETRY_S = 5;

/** PostgreSQL's error codes for conflicts that it ends by undoing one of two transactions. */
const UNDONE = new Set(['40001', '40P01']);

/**
 * Single entry by which programs hand in messages. Everything that comes within a few milliseconds is written in one
 * transaction. Each unit is answered after the commit. A unit that is refused, or that the database does not accept,
 * fails without the others.
 */
export class Intake {
  readonly #pool: pg.Pool;
  readonly #named: boolean;
  readonly #installationKey: InstallationKey;
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #windowMs: number;
  readonly #stalled: () => boolean;
  /** Wakes senders outside the transactions. There are many commits, and those that notify wait for each other. */
  readonly #senders: WakeUps;
  readonly #rules: RulesReader;
  readonly #noted: NotedNumbers;
  readonly #throughput: SharedThroughput;
  readonly #limits: ThroughputLimits;
  readonly #keysInFlight = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #turns = new Turns<Waiting>(
    ({ unit }) => unit.program.corporation_id,
    ({ unit }) => unit.submissions.length,
  );
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * `pool` has sessions of the role `intake`; the caller ends it after `close`. No work begins while `stalled` says
   * that the database confirms no changes. Texts may always link to `ownHosts`. With `named`, statements are planned
   * once in a session, which a pooler may not allow.
   */
  constructor(
    pool: pg.Pool,
    {
      clock,
      log,
      windowMs = 3,
      stalled = () => false,
      ownHosts = [],
      named = true,
      installationKey,
    }: {
      clock: Clock;
      log: Logger;
      windowMs?: number;
      stalled?: (() => boolean) | undefined;
      ownHosts?: readonly string[];
      named?: boolean;
      /** Key of the installation, which seals the keys of encrypted texts. */
      installationKey?: InstallationKey;
    },
  ) {
    this.#pool = pool;
    this.#named = named;
    this.#installationKey =
      installationKey ??
      (() => {
        throw new Error('no installation key for encrypted texts');
      });
    this.#db = createDatabase(pool);
    this.#noted = new NotedNumbers(pool, log);
    this.#rules = new RulesReader(this.#db, ownHosts, log);
    this.#senders = new WakeUps(pool, WAKE_SENDERS, log);
    this.#throughput = new SharedThroughput(pool, log);
    this.#limits = new ThroughputLimits(this.#db, log);
    this.#clock = clock;
    this.#log = log;
    this.#windowMs = windowMs;
    this.#stalled = stalled;
  }

  /** Shares the throughput of corporations with the other processes on this fan-out, until `close`. */
  share(fanOut: FanOut): void {
    this.#throughput.share(fanOut, (corporation_id) => this.#limits.of(corporation_id));
  }

  /** Accepts one message, which is committed when this resolves. Rejects with the BusinessError that refuses it. */
  async accept(program: Program, submission: Submission): Promise<Accepted> {
    const [result] = await this.acceptMany(program, [submission]);
    if (result instanceof BusinessError) throw result;
    return result!;
  }

  /** Accepts those of several messages that can be accepted, and returns a result for each. */
  async acceptMany(program: Program, submissions: readonly Submission[]): Promise<Result[]> {
    await this.allow(program, submissions.length);
    return [...(await this.submit({ program, submissions })).results];
  }

  /**
   * Takes some messages from the allowance of a program's corporation for this second. Returns null if the corporation
   * has no limit. Throws `too_many_requests`.
   */
  async allow({ corporation_id, is_test }: Program, messages: number): Promise<Allowance | null> {
    const reading = this.#limits.reading();
    if (reading) await reading;
    return this.#throughput.take(corporation_id, this.#limits.of(corporation_id), messages, is_test);
  }

  /**
   * Writes a unit with its answer, or returns the answer given before. The allowance for its messages was taken
   * already.
   */
  async submit(unit: Unit): Promise<Outcome> {
    if (this.#closed) throw new BusinessError('unavailable', { outage: 'stopping' });
    if (this.#stalled()) throw new BusinessError('changes_paused', { retryAfter: STALLED_RETRY_S });
    if (this.#turns.isFullFor(unit.program.corporation_id, MOST_WAITING))
      throw new BusinessError('unavailable', { outage: 'overloaded' });
    const key = unit.idempotency && `${unit.program.api_key_id} ${unit.idempotency.key}`;
    if (key !== undefined && this.#keysInFlight.has(key))
      throw new BusinessError('idempotency_in_flight', { retryAfter: 1 });
    if (key !== undefined) this.#keysInFlight.add(key);
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        this.#turns.push({ unit, resolve, reject });
        this.#plan();
      });
    } finally {
      if (key !== undefined) this.#keysInFlight.delete(key);
    }
  }

  /** Returns the cost of messages by the same rules, without checking credit. Writes nothing. */
  async estimate(program: Program, submissions: readonly Submission[]): ReturnType<typeof estimateMessages> {
    const rules = await this.#rules.read();
    return this.#db
      .transaction()
      .execute((db) => estimateMessages(db, program, submissions, rules, this.#clock.now(), this.#installationKey));
  }

  #plan(): void {
    while (this.#turns.isFull) this.#begin(this.#turns.next()!);
    if (this.#timer || !this.#turns.isReady) return;
    this.#timer = setTimeout(() => this.#start(), this.#windowMs);
  }

  /** Begins all transactions that can begin now. */
  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (let turn = this.#turns.next(); turn; turn = this.#turns.next()) this.#begin(turn);
  }

  #begin({ items, end }: Turn<Waiting>): void {
    const running = this.#write(items).finally(() => {
      this.#running.delete(running);
      end();
      this.#plan();
    });
    this.#running.add(running);
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#transaction(batch.map(({ unit }) => unit));
      for (const [place, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[place]!;
        if (outcome instanceof BusinessError) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      // The transaction was rolled back. Each unit is tried separately, so that one that fails does not stop the
      // others. In a deadlock PostgreSQL has undone this transaction. If the session broke, the outcome is unknown and
      // the batch is not tried again.
      const alone = UNDONE.has((error as { code?: string }).code ?? '') || (batch.length > 1 && !isTransient(error));
      if (alone) for (const waiting of batch) await this.#writeAlone(waiting);
      else this.#fail(batch, error);
    }
  }

  async #writeAlone(waiting: Waiting): Promise<void> {
    try {
      const [outcome] = await this.#transaction([waiting.unit]);
      if (outcome instanceof BusinessError) waiting.reject(outcome);
      else waiting.resolve(outcome!);
    } catch (error) {
      this.#fail([waiting], error);
    }
  }

  /**
   * Rejects the units of a batch. If the session broke, it is unknown if they were written. A repetition with the same
   * idempotency key finds out.
   */
  #fail(batch: readonly Waiting[], error: unknown): void {
    this.#log.error({ err: error, units: batch.length }, 'could not store messages of programs');
    const told = isTransient(error) ? unavailable(error) : new BusinessError('internal_error', { cause: error });
    for (const { reject } of batch) reject(told);
  }

  /** Writes units. If the partition of the day is missing, tries again when it exists. */
  async #transaction(units: readonly Unit[]): Promise<(Outcome | BusinessError)[]> {
    try {
      return await this.#written(units);
    } catch (error) {
      if (missingDay(error) === undefined) throw error;
      await partitionsMade();
      return this.#written(units);
    }
  }

  async #written(units: readonly Unit[]): Promise<(Outcome | BusinessError)[]> {
    const rules = await this.#rules.read();
    const now = this.#clock.now();
    const urgent = units.some(isUrgentUnit);
    let woken: Promise<void> | undefined;
    const write = (locked: boolean) =>
      inSession(this.#pool, this.#named, (session) =>
        writeUnits(session, units, {
          rules,
          now,
          locked,
          noted: this.#noted,
          installationKey: this.#installationKey,
          behind: (client) => {
            woken = urgent ? this.#senders.wakeBehind(client, URGENT_APART_MS) : undefined;
            return woken;
          },
        }),
      );
    const outcomes = await write(false).catch((error: unknown) => {
      if (cannotPay(error)) return write(true);
      throw error;
    });
    failpoint('intake.after-commit');
    this.#rules.plan();
    if (!woken) this.#senders.wake(urgent ? URGENT_APART_MS : undefined);
    return outcomes;
  }

  /** Accepts no more units, and resolves when all waiting ones are written. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#turns.size > 0 || this.#running.size > 0) {
      this.#start();
      await Promise.allSettled(this.#running);
    }
    await this.#rules.flush();
    await this.#noted.flush();
    await this.#throughput.stop();
  }
}
