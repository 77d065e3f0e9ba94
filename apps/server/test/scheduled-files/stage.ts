import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { sendFiles } from '../../src/modules/scheduled-files/run-files.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { makeTraffic } from '../reports/made-traffic.ts';
import type { Scope } from '../template-database.ts';
import { startTestApi } from '../test-api.ts';

/** Time of the stage's clock: a Wednesday noon in Manila, with no messages of the demo in the days before. */
export const NOON = Date.parse('2027-03-10T04:00:00Z');
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Manifest {
  file: string;
  period_start: string;
  period_end: string;
  rows: number;
  bytes: number;
  sha256: string;
  previous_sha256: string | null;
}

/** API with a clock that a test moves, and the work of a worker on scheduled files. */
export async function fileStage(scope: Scope) {
  const time = { now: NOON };
  const clock: Clock = { now: () => new Date(time.now) };
  const settings = { PRIVATE_TARGETS: '127.0.0.0/8', HTTP_CALLBACKS: 'true' };
  const api = await startTestApi(scope, { settings });
  const owner = api.database.pool('owner');
  const worker = {
    pool: api.database.pool('worker'),
    database: api.database.db('worker'),
    config: api.config,
    clock,
    log: api.log,
  };
  const one = async <T>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows[0] as T;
  const { id: acme } = await one<{ id: number }>(`SELECT id FROM corporation WHERE name = 'Acme Retail'`);
  return {
    api,
    owner,
    worker,
    one,
    acme,
    time,
    corporate: await api.as('corporate'),
    admin: await api.as('superadmin'),
    /** Writes messages of a corporation, created at a moment; returns their ids. */
    messages: (corporation: string, at: number, texts: readonly string[]) =>
      makeTraffic(owner, { corporation, at: new Date(at), messages: texts.map((text) => ({ text, answers: [0] })) }),
    /** Begins a scheduled file at a moment, whatever the time of its creation was. */
    begin: (id: number, at: number) =>
      owner.query('UPDATE scheduled_file SET covered_until = $2 WHERE id = $1', [id, new Date(at).toISOString()]),
    run: (id: number) => sendFiles(worker, id, new AbortController().signal),
    /** Lets a failed file be due. */
    due: (id: number) =>
      owner.query(`UPDATE scheduled_file_run SET next_at = 'epoch' WHERE scheduled_file_id = $1`, [id]),
    runs: async (id: number) =>
      (
        await owner.query(
          `SELECT state, error, tries, rows, sha256, previous_sha256 FROM scheduled_file_run
           WHERE scheduled_file_id = $1 ORDER BY period_start`,
          [id],
        )
      ).rows as {
        state: string;
        error: string | null;
        tries: number;
        rows: number | null;
        sha256: string | null;
        previous_sha256: string | null;
      }[],
  };
}

/** Reads the manifests of a folder in the order of their periods. */
export const manifestsIn = (folder: string): Manifest[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Manifest);

/** Reads the rows of a file. */
export const rowsIn = (bytes: Buffer): Record<string, string>[] => parse(gunzipSync(bytes), { columns: true });
