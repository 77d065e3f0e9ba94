import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { nodeKind } from '@heliograph/contract/nodes/node';
import type pg from 'pg';
import type { z } from 'zod';
import { rowsOf } from '#platform/database/queryable';

/** Kind of a process, by its work. */
export type NodeKind = z.output<typeof nodeKind>;

const MANIFEST = join(import.meta.dirname, '../../../package.json');
const { version: VERSION } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string };

/** Maximum tries of the first heartbeat, and the pause between them. */
const FIRST_TRIES = 5;
const FIRST_REST_MS = 500;

const BEAT = 'UPDATE node SET seen_at = now(), leaving = $2 WHERE name = $1 RETURNING draining';
/** The same with another statement beside it, whose values begin with $3; $1 is the name there too. */
const beatWith = (beside: string) => `WITH beat AS (${BEAT}), beside AS (${beside})
  SELECT (SELECT draining FROM beat) AS draining, (SELECT coalesce(json_agg(b), '[]') FROM beside b) AS beside`;
// Inserts the row at the start, and again for a process that was silent until its row was removed.
const ENTER = 'INSERT INTO node (name, kind, host, pid, version, leaving) VALUES ($1, $2, $3, $4, $5, $6)';

// Dead nodes stay listed for a while.
const FORGET_DEAD = `DELETE FROM node WHERE seen_at < now() - interval '10 minutes'`;
const FORGET_EVERY_BEATS = 60;

/** Entry of this process in the list of nodes. */
export class OwnNode {
  /** Name with which lanes and binds record their holder. */
  readonly name = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  readonly #pool: Pick<pg.Pool, 'query'>;
  readonly #kind: NodeKind;
  readonly #able: () => boolean;
  #beats = 0;
  #draining = false;
  #leaving = false;

  /** A process that is not `able` to do its work counts as leaving: others do its work. */
  constructor(pool: Pick<pg.Pool, 'query'>, kind: NodeKind, able = () => true) {
    this.#pool = pool;
    this.#kind = kind;
    this.#able = able;
  }

  /** Whether an operator asked it to drain, it is being stopped, or it cannot do its work. */
  get draining(): boolean {
    return this.#draining || this.#isLeaving;
  }

  get #isLeaving(): boolean {
    return this.#leaving || !this.#able();
  }

  /**
   * Sends the first heartbeat of this process. It may be late: a busy database opens a new session slowly. Throws as
   * `beat` does.
   */
  async begin(): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        return await this.beat();
      } catch (error) {
        if (tries === FIRST_TRIES) throw error;
        await sleep(FIRST_REST_MS);
      }
  }

  /** Sends a heartbeat, and reads whether the process is to drain. Throws if the database cannot be asked. */
  async beat(): Promise<void> {
    const [row] = await rowsOf<{ draining: boolean }>(this.#pool, BEAT, [this.name, this.#isLeaving]);
    await this.#hasBeaten(row?.draining);
  }

  /** Sends a heartbeat as `beat` does, with another statement in the same one, and returns that one's rows. */
  async beatWith<Row>(beside: string, values: readonly unknown[]): Promise<Row[]> {
    const all = [this.name, this.#isLeaving, ...values];
    const [row] = await rowsOf<{ draining: boolean | null; beside: Row[] }>(this.#pool, beatWith(beside), all);
    await this.#hasBeaten(row!.draining ?? undefined);
    return row!.beside;
  }

  /** Notes what a heartbeat has read; it read nothing if the row was removed. */
  async #hasBeaten(draining: boolean | undefined): Promise<void> {
    if (draining === undefined) {
      const entry = [this.name, this.#kind, hostname(), process.pid, VERSION, this.#isLeaving];
      await rowsOf(this.#pool, ENTER, entry);
    }
    this.#draining = draining ?? false;
    if (this.#beats++ % FORGET_EVERY_BEATS === 0) await rowsOf(this.#pool, FORGET_DEAD);
  }

  /** Announces that it is being stopped: others stop counting on it. */
  async leave(): Promise<void> {
    this.#leaving = true;
    await this.beat();
  }

  /** Removes it from the list. */
  async end(): Promise<void> {
    await rowsOf(this.#pool, 'DELETE FROM node WHERE name = $1', [this.name]);
  }
}
