import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ConnectedConfig } from '#platform/config/config';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';

/** Job that writes the newest link of the chain to a file outside the database. */
export const anchorActivityJob = defineJob('anchor-activity', z.object({}), { retryLimit: 2 });

/**
 * Answers the path of the file with the links, one JSON line each. It should be copied to a place where the database's
 * administrators cannot write.
 */
export const anchorFile = (config: Pick<ConnectedConfig, 'DATA_DIR'>): string =>
  join(config.DATA_DIR, 'activity-anchors.jsonl');

/**
 * Appends the position and hash of the newest entry. The chain itself cannot show that its last entries were cut off;
 * an earlier line of this file can.
 */
export async function anchorActivity({
  database,
  config,
  clock,
}: Pick<WorkerContext, 'database' | 'config' | 'clock'>) {
  const last = await database
    .selectFrom('activity_log')
    .select(['position', 'hash'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last) return;
  await mkdir(config.DATA_DIR, { recursive: true });
  const line = { position: last.position, hash: last.hash.toString('hex'), at: clock.now().toISOString() };
  await appendFile(anchorFile(config), `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

/**
 * Removes the lines written after a moment, if the database was restored to it: its log continues differently from
 * there. `until` is RFC 3339.
 */
export async function forgetAnchorsAfter(config: Pick<ConnectedConfig, 'DATA_DIR'>, until: string): Promise<void> {
  const path = anchorFile(config);
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  const kept = lines.filter((line) => Date.parse((JSON.parse(line) as { at: string }).at) <= Date.parse(until));
  if (kept.length < lines.length) await writeFile(path, kept.map((line) => `${line}\n`).join(''), { mode: 0o600 });
}
