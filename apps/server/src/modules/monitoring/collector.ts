import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Counter, Gauge } from 'prom-client';
import type { Logger } from '#platform/log';
import { empty, type Figure } from './figure.ts';

/** Maximum time of one query in the database, in ms. */
const QUESTION_MS = 3_000;
/** Maximum time that an answer of /metrics waits for figures, in ms; late figures appear the next time. */
const WAIT_MS = 4_000;
/**
 * Factor of the pause after a slow query: the pause is at least this many times its duration. Queries then take at most
 * a twentieth of the time.
 */
const REST = 20;

/** Gauges of when the figures were last read, and how long that took. */
export const collected = {
  at: new Gauge({
    name: 'heliograph_figures_collected_timestamp_seconds',
    help: 'When the figures of the whole installation were last read from the database.',
    registers: [],
  }),
  seconds: new Gauge({
    name: 'heliograph_figures_seconds',
    help: 'What the last asking of each figure took.',
    labelNames: ['figure'],
    registers: [],
  }),
  failures: new Counter({
    name: 'heliograph_figures_failures_total',
    help: 'Figures that could not be read from the database.',
    labelNames: ['figure'],
    registers: [],
  }),
};

/** Reads figures on request, one after another on one session, each at most as often as its interval allows. */
export class Collector {
  readonly #pool: pg.Pool;
  readonly #figures: readonly Figure[];
  readonly #log: Logger;
  readonly #dueAt = new Map<Figure, number>();
  #running: Promise<void> | undefined;

  /** `pool` has sessions of a role that sees all rows; the caller ends it. */
  constructor(pool: pg.Pool, figures: readonly Figure[], log: Logger) {
    this.#pool = pool;
    this.#figures = figures;
    this.#log = log;
  }

  /**
   * Reads the figures that are due. Callers that arrive meanwhile wait for the same round, though not for long. Never
   * rejects.
   */
  async refresh(): Promise<void> {
    this.#running ??= this.#round().finally(() => {
      this.#running = undefined;
    });
    await Promise.race([this.#running, sleep(WAIT_MS, undefined, { ref: false })]);
  }

  /** Resolves once no query is running. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #round(): Promise<void> {
    const due = this.#figures.filter((each) => performance.now() >= (this.#dueAt.get(each) ?? 0));
    for (const [index, each] of due.entries()) {
      const started = performance.now();
      let client: pg.PoolClient;
      try {
        client = await this.#pool.connect();
      } catch (error) {
        this.#lose(due.slice(index), error);
        return;
      }
      try {
        const rows = await this.#ask(client, each);
        empty(each);
        each.tell(rows);
        collected.at.set(Date.now() / 1_000);
      } catch (error) {
        this.#lose([each], error);
      }
      const took = performance.now() - started;
      collected.seconds.set({ figure: each.name }, took / 1_000);
      this.#dueAt.set(each, started + Math.max(each.everyMs, took * REST));
    }
  }

  /** Removes the numbers of figures after an error: no number is better than an old one that looks current. */
  #lose(figures: readonly Figure[], error: unknown): void {
    for (const each of figures) {
      empty(each);
      collected.failures.inc({ figure: each.name });
      this.#dueAt.set(each, performance.now() + each.everyMs);
    }
    const names = figures.map(({ name }) => name).join(' ');
    this.#log.warn({ err: error, figures: names }, 'could not read figures');
  }

  async #ask(client: pg.PoolClient, each: Figure): Promise<Record<string, unknown>[]> {
    let broken: Error | undefined;
    try {
      // Each has its own transaction, so that no snapshot is held for longer than one query.
      await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${QUESTION_MS}`);
      const rows = await each.ask(client);
      await client.query('COMMIT');
      return rows;
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
