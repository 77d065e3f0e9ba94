import type pg from 'pg';
import type { ConnectedConfig } from '#platform/config';
import { createPool, type DatabaseRole } from '#platform/db';
import type { Logger } from '#platform/log';
import { repeat } from '#platform/repeat';
import { BEAT_MS, type NodeKind, OwnNode } from './own-node.ts';

/** A word that takes longer says nothing any more. */
const PATIENCE_MS = 2_000;
/** A statement that nobody waits for any more leaves its session: others pile up behind the same lock otherwise. */
const LOCK_MS = PATIENCE_MS - 100;

/** One session of its own for what must be said in time, however busy the others are. */
export const punctualPool = (config: Pick<ConnectedConfig, 'DATABASE_URL'>, role: DatabaseRole): pg.Pool =>
  createPool(config, role, {
    max: 1,
    lockMs: LOCK_MS,
    query_timeout: PATIENCE_MS,
    connectionTimeoutMillis: PATIENCE_MS,
  });

/** A process that says by itself that it lives, and does nothing else of the kind. */
export class KeptNode {
  readonly #pool: pg.Pool;
  readonly #node: OwnNode;
  readonly #log: Logger;
  readonly #onDraining: (draining: boolean) => void;
  #told = false;
  #beating: { stop(): Promise<void> } | undefined;

  /** `onDraining` hears whether it is to drain, each time that changes. */
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

  /** Throws where the database cannot be reached. */
  async start(): Promise<void> {
    await this.#beat();
    this.#beating = repeat(
      BEAT_MS,
      () => this.#beat(),
      (error) => this.#log.warn({ err: error }, 'nobody could be told that this process lives: trying again'),
    );
  }

  async #beat(): Promise<void> {
    await this.#node.beat();
    const { draining } = this.#node;
    if (draining === this.#told) return;
    this.#told = draining;
    this.#onDraining(draining);
  }

  /** Takes it out of the list. Never rejects. */
  async stop(): Promise<void> {
    await this.#beating?.stop();
    await this.#node.end().catch(() => undefined);
    await this.#pool.end();
  }
}
