import type pg from 'pg';
import type { ConnectedConfig } from '#platform/config';
import { createPool, type DatabaseRole } from '#platform/db';
import type { Logger } from '#platform/log';
import { repeat } from '#platform/repeat';
import { BEAT_MS, OwnNode } from './own-node.ts';

/** A word that takes longer says nothing any more. */
const PATIENCE_MS = 2_000;

/** One session of its own for what must be said in time, however busy the others are. */
export const punctualPool = (config: Pick<ConnectedConfig, 'DATABASE_URL'>, role: DatabaseRole): pg.Pool =>
  createPool(config, role, { max: 1, query_timeout: PATIENCE_MS, connectionTimeoutMillis: PATIENCE_MS });

/**
 * Enters a process in the list of nodes and keeps it there; `onDraining` hears whether it is to drain, each time that
 * changes. Throws where the database cannot be reached.
 */
export async function keepNode(
  config: Pick<ConnectedConfig, 'DATABASE_URL'>,
  { kind, role, log }: { kind: ConstructorParameters<typeof OwnNode>[1]; role: DatabaseRole; log: Logger },
  onDraining: (draining: boolean) => void = () => undefined,
): Promise<{ id: string; leave(): Promise<void>; stop(): Promise<void> }> {
  const pool = punctualPool(config, role);
  const node = new OwnNode(pool, kind);
  let told = false;
  const beat = async () => {
    await node.beat();
    if (node.draining === told) return;
    told = node.draining;
    onDraining(told);
  };
  await beat();
  const beating = repeat(BEAT_MS, beat, (error) => log.warn({ err: error }, 'the list of nodes could not be told'));
  return {
    id: node.id,
    leave: () => node.leave(),
    async stop() {
      await beating.stop();
      await node.end().catch(() => undefined);
      await pool.end();
    },
  };
}
