import { sql } from 'kysely';
import type { OwnIntake } from '#modules/intake';
import { readHours } from '#modules/policy';
import { isTransient } from '#platform/database/transient-error';
import type { Repeated } from '#platform/jobs/repeat';
import { repeatWhileWork, SOON } from '#platform/jobs/work-watch';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { advance } from './advance.ts';
import type { Version } from './definition.ts';
import { enterFound } from './enter.ts';
import { pauseJourney } from './pause.ts';

/** Interval of looks for people who are due, in ms. */
const EVERY_MS = 1_000;
/** Least time between two looks for people who enter, in ms, and how many times longer than the look itself it is. */
const ENTER_MS = 60_000;
const ENTER_TIMES = 20;
/** Versions that are kept in memory. */
const MOST_VERSIONS = 1_000;
/** PostgreSQL's codes for conflicts that it ends by undoing one of two transactions. */
const UNDONE: ReadonlySet<string> = new Set(['40001', '40P01']);

const DUE_SOON = `EXISTS (SELECT FROM journey j WHERE j.state = 'running' AND (
  (coalesce(j.looked_at, 'epoch') < now() - interval '55 s' AND j.definition -> 'trigger' ->> 'on' IN ('segment', 'date'))
  OR EXISTS (SELECT FROM journey_person p WHERE p.journey_id = j.id AND p.due_at <= ${SOON})))`;
/** People whose end is written in one statement, after their journey was stopped. */
const ENDS = 20_000;

type Worker = Pick<WorkerContext, 'database' | 'clock' | 'log' | 'watch'> & {
  intake: OwnIntake;
  /** Ends the sessions of the intake. */
  close?: () => Promise<void>;
};

/**
 * Lets people enter journeys and leads them on by the clock. Any number of workers may look: a journey is led by one of
 * them at a time, and the others go on if it dies.
 */
export class JourneyClock {
  readonly #worker: Worker;
  readonly #versions = new Map<number, Version>();
  /** Time of the next look for people who enter, by journey. */
  readonly #enterAt = new Map<number, number>();
  readonly #stop = new AbortController();
  #looking: Repeated | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  start(): void {
    const { watch, log } = this.#worker;
    watch?.add({ sql: DUE_SOON });
    this.#looking = repeatWhileWork(
      watch,
      EVERY_MS,
      async () => void (await this.look()),
      (error) => log[isTransient(error) ? 'warn' : 'error']({ err: error }, 'could not lead journeys; retrying'),
    );
    this.#looking.wake();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#looking?.stop();
    await this.#worker.intake.close();
    await this.#worker.close?.();
  }

  /** Leads everybody on who is due. Journeys take turns, a batch each. Returns the number of people. */
  async look(): Promise<number> {
    const { database } = this.#worker;
    const { rows } = await sql<{ id: number }>`SELECT id FROM journey WHERE state = 'running' ORDER BY id`.execute(
      database,
    );
    if (this.#versions.size > MOST_VERSIONS) this.#versions.clear();
    const running = new Set(rows.map(({ id }) => id));
    for (const id of this.#enterAt.keys()) if (!running.has(id)) this.#enterAt.delete(id);
    for (const id of running) await this.#guarded(id, () => this.#enter(id));
    await this.#endStopped();
    const hours = { hours: await readHours(database) };
    let people = 0;
    for (let open = [...running]; open.length > 0 && !this.#stop.signal.aborted; ) {
      const more: number[] = [];
      for (const id of open) {
        const led = await this.#guarded(id, () => advance({ ...this.#worker, versions: this.#versions }, id, hours));
        if (led > 0) more.push(id);
        people += led;
      }
      open = more;
    }
    return people;
  }

  /** Ends journeys that were stopped for the people who are still under way, some in each statement. */
  async #endStopped(): Promise<void> {
    const at = this.#worker.clock.now().toISOString();
    for (let more = true; more && !this.#stop.signal.aborted; ) {
      const { numAffectedRows } = await sql`UPDATE journey_person SET due_at = NULL, ended_at = ${at}
        WHERE (number, journey_id) IN (SELECT p.number, p.journey_id FROM journey j JOIN journey_person p ON p.journey_id = j.id
          WHERE j.state = 'stopped' AND p.due_at IS NOT NULL LIMIT ${ENDS}::integer FOR UPDATE OF p SKIP LOCKED)`.execute(
        this.#worker.database,
      );
      more = Number(numAffectedRows ?? 0) === ENDS;
    }
  }

  async #enter(id: number): Promise<number> {
    const begun = performance.now();
    if (begun < (this.#enterAt.get(id) ?? 0)) return 0;
    const entered = await enterFound(this.#worker, id, this.#stop.signal);
    const ended = performance.now();
    this.#enterAt.set(id, ended + Math.max(ENTER_MS, (ended - begun) * ENTER_TIMES));
    return entered;
  }

  /** Does a part of the work of a journey. A fault of one journey pauses it, and the others go on. */
  async #guarded(id: number, work: () => Promise<number>): Promise<number> {
    if (this.#stop.signal.aborted) return 0;
    try {
      return await work();
    } catch (error) {
      if (isTransient(error) || UNDONE.has((error as { code?: string }).code ?? '')) throw error;
      this.#worker.log.error({ err: error, journey_id: id }, 'could not lead journey; pausing it');
      await this.#worker.database.transaction().execute((db) => pauseJourney(db, id, 'fault'));
      return 0;
    }
  }
}
