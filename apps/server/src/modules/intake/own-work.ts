import type { Kysely } from 'kysely';
import type pg from 'pg';
import { cannotPay } from '#modules/billing';
import { WAKE_SENDERS } from '#modules/delivery';
import type { Clock } from '#platform/clock';
import { createDatabase, type Database } from '#platform/database/db';
import { missingDay } from '#platform/database/missing-partition';
import { partitionsMade } from '#platform/database/partitions';
import type { BusinessError } from '#platform/errors';
import { WakeUps } from '#platform/fan-out/wake-ups';
import type { Logger } from '#platform/log';
import { NotedNumbers } from './noted-numbers.ts';
import { RulesReader } from './operator-rules.ts';
import type { Program, Result, Submission } from './program.ts';
import type { InstallationKey } from './read-facts.ts';
import { inSession } from './session.ts';
import { writeUnits } from './write-units.ts';

/** Messages that a transaction of the platform's own work sends, and what it writes once their results are known. */
export interface OwnMessages {
  program: Program;
  submissions: readonly Submission[];
  /** Writes in the same transaction; the results are in the order of the submissions. If it throws, nothing is written. */
  settle(results: readonly Result[]): Promise<void>;
}

/**
 * Entry of messages that the platform's own work sends, by the same rules as those of programs. Messages are written in
 * the transaction of their cause, so that each of them is sent at most once.
 */
export class OwnIntake {
  readonly #pool: pg.Pool;
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #installationKey: InstallationKey;
  readonly #rules: RulesReader;
  readonly #noted: NotedNumbers;
  readonly #senders: WakeUps;

  /** `pool` has sessions of the role `worker`. Texts may always link to `ownHosts`. */
  constructor(
    pool: pg.Pool,
    {
      clock,
      log,
      ownHosts,
      installationKey,
    }: { clock: Clock; log: Logger; ownHosts: readonly string[]; installationKey: InstallationKey },
  ) {
    this.#pool = pool;
    this.#db = createDatabase(pool);
    this.#clock = clock;
    this.#installationKey = installationKey;
    this.#rules = new RulesReader(this.#db, ownHosts, log);
    this.#noted = new NotedNumbers(pool, log);
    this.#senders = new WakeUps(pool, WAKE_SENDERS, log);
  }

  /**
   * Runs work in a transaction, with the messages that it answers. Null writes nothing. The work runs again if an
   * account could not pay for all messages, or if the partition of the day was missing; nothing was written then.
   */
  async write(work: (db: Kysely<Database>) => Promise<OwnMessages | null>): Promise<boolean> {
    try {
      return await this.#attempt(work, false);
    } catch (error) {
      if (missingDay(error) !== undefined) await partitionsMade();
      else if (!cannotPay(error)) throw error;
      return this.#attempt(work, true);
    }
  }

  async #attempt(work: (db: Kysely<Database>) => Promise<OwnMessages | null>, locked: boolean): Promise<boolean> {
    const rules = await this.#rules.read();
    const now = this.#clock.now();
    const sent = await inSession(this.#pool, true, async (session) => {
      await session.begun;
      const messages = await work(session.db);
      if (!messages) {
        await session.commit([]);
        return null;
      }
      const { program, submissions, settle } = messages;
      if (submissions.length === 0) {
        await settle([]);
        await session.commit([]);
        return 0;
      }
      const settled = (outcomes: readonly ({ results: readonly Result[] } | BusinessError)[]) => {
        const [outcome] = outcomes;
        return settle(outcome && 'results' in outcome ? outcome.results : []);
      };
      await writeUnits(session, [{ program: { ...program, own: true }, submissions }], {
        rules,
        now,
        locked,
        noted: this.#noted,
        installationKey: this.#installationKey,
        settle: settled,
      });
      return submissions.length;
    });
    this.#rules.plan();
    if (sent) this.#senders.wake();
    return sent !== null;
  }

  /** Resolves when everything that was counted is written. */
  async close(): Promise<void> {
    await this.#rules.flush();
    await this.#noted.flush();
  }
}
