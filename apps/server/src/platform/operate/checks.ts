import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ConnectedConfig } from '../config/config.ts';
import { pendingMigrations } from '../database/migrate.ts';
import { readSyncStandbys, STANDBY_ACTION, standbySentence } from '../database/sync-standbys.ts';
import type { CommitWatch } from './commit-watch.ts';

/** Result of one check of something that a process needs. */
export interface Check {
  name: string;
  ok: boolean;
  /** State that was found, as a sentence. */
  detail: string;
  /** Action that mends it; only if something is wrong. */
  action?: string;
}

/** Check of one thing. One that throws, or takes longer than `CHECK_MS`, counts as failed. */
export interface Checker {
  name: string;
  look(): Promise<Omit<Check, 'name'>> | Omit<Check, 'name'>;
}

/** Context of the checks that all processes share. */
export interface CheckContext {
  /** Sessions of the owner, or of another role that may read `schema_migrations`. */
  database: Pick<pg.Pool, 'query'>;
  config: Pick<ConnectedConfig, 'DATA_DIR'>;
}

/** Maximum time of one check, in ms. */
export const CHECK_MS = 2_000;

/** Whether the database answers, and takes writes. */
export const databaseCheck = ({ database }: Pick<CheckContext, 'database'>): Checker => ({
  name: 'database',
  async look() {
    const { rows } = await database.query<{ standby: boolean; read_only: boolean }>(
      `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only')::boolean AS read_only`,
    );
    const [found] = rows;
    if (!found?.standby && !found?.read_only) return { ok: true, detail: 'The database answers and takes writes.' };
    return {
      ok: false,
      detail: `The database ${found.standby ? 'is a standby' : 'takes no writes'}.`,
      action: 'Set DATABASE_URL to the primary, or to all hosts with target_session_attrs=read-write.',
    };
  },
});

/** Checks whether commits end; they do not while a synchronous standby is gone. Writes nothing itself. */
export const commitsCheck = (
  { database }: Pick<CheckContext, 'database'>,
  watch: Pick<CommitWatch, 'stalled' | 'waitingMs'>,
): Checker => ({
  name: 'commits',
  async look() {
    if (!watch.stalled) return { ok: true, detail: 'Changes are confirmed as they are made.' };
    const standbys = await readSyncStandbys(database);
    const seconds = Math.round(watch.waitingMs / 1_000);
    return {
      ok: false,
      detail: `No commit has ended for ${seconds} s: PostgreSQL waits for a standby (${standbySentence(standbys)}).`,
      action: STANDBY_ACTION,
    };
  },
});

/** Whether the database has every migration of this program. */
export const migrationsCheck = ({ database }: Pick<CheckContext, 'database'>): Checker => ({
  name: 'migrations',
  async look() {
    const pending = await pendingMigrations(database);
    if (pending.length === 0) return { ok: true, detail: 'The database has all migrations.' };
    return { ok: false, detail: `The database lacks ${pending.join(', ')}.`, action: 'Run `npm run migrate`.' };
  },
});

/** Whether files can be written into the data folder. */
export const dataFolderCheck = ({ config }: Pick<CheckContext, 'config'>): Checker => ({
  name: 'data_folder',
  async look() {
    try {
      await access(config.DATA_DIR, constants.W_OK);
      return { ok: true, detail: 'Files can be written.' };
    } catch (error) {
      return {
        ok: false,
        detail: `DATA_DIR cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
        action: 'Mount the folder that DATA_DIR names, and let the user of this process write into it.',
      };
    }
  },
});

/** Checks whether repeated work was last done less than `within` ms ago. */
export const timelyCheck = (
  name: string,
  /** `last` answers on the clock of performance.now(); `what` fits before "was last done". */
  { last, within, what, action }: { last(): number; within: number; what: string; action: string },
): Checker => ({
  name,
  look: () => {
    const seconds = Math.round((performance.now() - last()) / 1_000);
    const detail = `${what} was last done ${seconds} s ago.`;
    return seconds * 1_000 < within ? { ok: true, detail } : { ok: false, detail, action };
  },
});

async function lookAt({ name, look }: Checker): Promise<Check> {
  try {
    const found = await Promise.race([
      Promise.resolve(look()),
      sleep(CHECK_MS, undefined, { ref: false }).then(() => undefined),
    ]);
    return { name, ...(found ?? wrong(`There was no answer within ${CHECK_MS / 1_000} s.`)) };
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    return { name, ...wrong(`It failed: ${code ?? message ?? 'unknown'}.`) };
  }
}

const wrong = (detail: string): Omit<Check, 'name'> => ({
  ok: false,
  detail,
  action: 'See the log of this process, and whether PostgreSQL runs and can be reached from here.',
});

/** Runs all checkers at the same time; the answers are in the order of the checkers. Never rejects. */
export const runChecks = (checkers: readonly Checker[]): Promise<Check[]> => Promise.all(checkers.map(lookAt));

/** Checks everything that each process needs; `heliograph doctor` runs the same checks. */
export const checks = (context: CheckContext): Promise<Check[]> =>
  runChecks([databaseCheck(context), migrationsCheck(context), dataFolderCheck(context)]);
