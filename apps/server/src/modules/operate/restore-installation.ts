import type pg from 'pg';
import { forgetAnchorsAfter, readAnchors, verifyActivity } from '#modules/audit';
import { reconcile } from '#modules/billing';
import { type Recovered, restoreBackup } from '#platform/backup/restore-backup';
import type { ConnectedConfig } from '#platform/config';
import { createClient, createPool } from '#platform/db';
import type { Logger } from '#platform/log';
import { migrationNames } from '#platform/migrate';
import { type Held, holdAfterRestore } from './hold.ts';

/** What the books of a database say of themselves. */
interface Books {
  /** Contradictions in the ledger; none where it is sound. */
  contradictions: number;
  activity_entries: number;
  /** What is wrong with the activity log, in words; null where it is whole. */
  activity_fault: string | null;
}

/** Reconciles the ledger and walks the activity log. */
async function checkBooks(client: pg.ClientBase, config: Pick<ConnectedConfig, 'DATA_DIR'>): Promise<Books> {
  const findings = await reconcile(client);
  const { checked, fault } = await verifyActivity(client as pg.Client, await readAnchors(config));
  return {
    contradictions: findings.length,
    activity_entries: checked,
    activity_fault: fault ? `entry ${fault.position} is ${fault.what}` : null,
  };
}

export interface RestoreRequest {
  /** A backup, or a folder of backups. */
  from: string;
  dataDir: string;
  /** The last second that is to be there, RFC 3339; undefined restores all there is. */
  toTime?: string | undefined;
  log: Logger;
  tell(line: string): void;
}

export interface Restored {
  /** The time that the database is at, RFC 3339. */
  until: string;
  books: Books;
  held: Held;
  with_key: boolean;
}

async function lookAtBooks({ url }: Recovered, dataDir: string): Promise<Books> {
  const client = createClient({ DATABASE_URL: url }, 'owner');
  await client.connect();
  try {
    return await checkBooks(client, { DATA_DIR: dataDir });
  } finally {
    await client.end();
  }
}

const lastMoment = ({ recovered_to, backup }: Recovered) => recovered_to ?? backup.manifest.finished_at;

/**
 * Restores a backup into an empty folder, to a second where one is asked for, looks through its books, and holds everything
 * that might leave a second time. `jobs` names the queues that send. Throws a StartError, with nothing restored, where it
 * cannot be done.
 */
export async function restoreInstallation(request: RestoreRequest, jobs: readonly string[]): Promise<Restored> {
  const options = { ...request, migrations: migrationNames() };
  return restoreBackup(options, true, async (recovered) => {
    const until = lastMoment(recovered);
    // What was written down of the log after that moment speaks of entries that are gone.
    await forgetAnchorsAfter({ DATA_DIR: recovered.dataDir }, until);
    const pool = createPool({ DATABASE_URL: recovered.url }, 'owner', { max: 1 });
    try {
      const books = await lookAtBooks(recovered, recovered.dataDir);
      const held = await holdAfterRestore(pool, { until, now: new Date(), jobs });
      return { until, books, held, with_key: recovered.backup.manifest.with_key };
    } finally {
      await pool.end();
    }
  });
}

/** Restores a backup with all of the archive behind it, looks through its books, and leaves the copy to be removed. */
export async function tryBackup(request: RestoreRequest): Promise<Books> {
  const options = { ...request, migrations: migrationNames() };
  return restoreBackup(options, false, async (recovered) => {
    await forgetAnchorsAfter({ DATA_DIR: recovered.dataDir }, lastMoment(recovered));
    return lookAtBooks(recovered, recovered.dataDir);
  });
}

/** What the books say, in lines for people. */
export function bookLines({ contradictions, activity_entries, activity_fault }: Books): string[] {
  return [
    contradictions === 0 ? '✔ The ledger reconciles.' : `✖ The ledger has ${contradictions} contradictions.`,
    activity_fault === null
      ? `✔ All ${activity_entries} entries of the activity log are whole.`
      : `✖ The activity log is not whole: ${activity_fault}.`,
  ];
}
