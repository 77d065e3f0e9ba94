import type pg from 'pg';
import type { ConnectedConfig } from '#platform/config/config';
import { createPool, type DatabaseRole } from '#platform/database/db';
import { repeat } from '#platform/jobs/repeat';
import type { Logger } from '#platform/log';
import { type NodeKind, OwnNode } from './own-node.ts';

/** Interval of heartbeats in ms; a process counts as dead after 3.5 s, by the database's clock. */
const BEAT_MS = 1_500;
/** Maximum time of a heartbeat in ms: a slower one is useless. */
const PATIENCE_MS = 2_000;
/**
 * Maximum wait for a lock in ms. A statement that is no longer awaited must leave its session: otherwise others pile up
 * behind the same lock.
 */
const LOCK_MS = PATIENCE_MS - 100;

/** Makes a pool with one session, for heartbeats that must be on time even if all other sessions are busy. */
export const punctualPool = (config: Pick<ConnectedConfig, 'DATABASE_URL'>, role: DatabaseRole): pg.Pool =>
  createPool(config, role, {
    max: 1,
    lockMs: LOCK_MS,
    query_timeout: PATIENCE_MS,
    connectionTimeoutMillis: PATIENCE_MS,
  });

/** Node of a process that sends its own heartbeat and does no other work of this kind. */
export class KeptNode {
  readonly #pool: pg.Pool;
  readonly #node: OwnNode;
  readonly #log: Logger;
  readonly #onDraining: (draining: boolean) => void;
  #told = false;
  #beating: { stop(): Promise<void> } | undefined;

  /** `onDraining` is called with the new value each time draining begins or ends. */
  constructor(
    config: Pick<ConnectedConfig, 'DATABASE_URL'>,
    { kind, role, log }: { kind: NodeKind; role: DatabaseRole; log: Logger },
    onDraining: (draining: boolean) => void = () => undefined,
  ) {
    this.#pool = punctualPool(config, role);
    this.#node = new OwnNode(this.#pool, kind);
    this.#log = log;
    this.#onDraining = onDraining;
  }

  get name(): string {
    return this.#node.name;
  }

  get draining(): boolean {
    return this.#node.draining;
  }

  /** Sends the first heartbeat and begins to repeat it. Throws if the database cannot be reached. */
  async start(): Promise<void> {
    await this.#beat();
    this.#beating = repeat(
      BEAT_MS,
      () => this.#beat(),
      (error) => this.#log.warn({ err: error }, 'could not send heartbeat; retrying'),
    );
  }

  async #beat(): Promise<void> {
    await this.#node.beat();
    const { draining } = this.#node;
    if (draining === this.#told) return;
    this.#told = draining;
    this.#onDraining(draining);
  }

  /** Removes it from the list. Never rejects. */
  async stop(): Promise<void> {
    await this.#beating?.stop();
    await this.#node.end().catch(() => undefined);
    await this.#pool.end();
  }
}
