import { type Recovered, restoreBackup } from '@heliograph/installation/backup/restore-backup';
import type pg from 'pg';
import { forgetAnchorsAfter, readAnchors, verifyActivity } from '#modules/audit';
import { reconcile } from '#modules/billing';
import type { ConnectedConfig } from '#platform/config/config';
import { createClient, createPool } from '#platform/database/db';
import { migrationNames } from '#platform/database/migrate';
import type { Logger } from '#platform/log';
import { type Held, holdAfterRestore } from './hold.ts';

/** Result of the checks of a database's ledger and activity log. */
interface Books {
  /** Contradictions in the ledger; none if it is correct. */
  contradictions: number;
  activity_entries: number;
  /** Fault of the activity log, in words; null if it is complete. */
  activity_fault: string | null;
}

/** Reconciles the ledger and checks the activity log. */
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
  /** Backup, or folder of backups. */
  from: string;
  dataDir: string;
  /** Last second to restore, RFC 3339; undefined restores everything. */
  toTime?: string | undefined;
  log: Logger;
  tell(line: string): void;
}

export interface Restored {
  /** Time of the restored database, RFC 3339. */
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
 * Restores a backup into an empty folder, to a second if one is given. Checks its ledger and activity log, and holds
 * everything that might be sent a second time. `jobs` names the queues that send. Throws a StartError, with nothing
 * restored, if it cannot be done.
 */
export async function restoreInstallation(request: RestoreRequest, jobs: readonly string[]): Promise<Restored> {
  const options = { ...request, migrations: migrationNames() };
  return restoreBackup(options, true, async (recovered) => {
    const until = lastMoment(recovered);
    // Links of the activity log that were recorded after that moment refer to entries that are gone.
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

/**
 * Restores a backup with all of the archive after it, checks its ledger and activity log, and leaves the copy to be
 * removed.
 */
export async function tryBackup(request: RestoreRequest): Promise<Books> {
  const options = { ...request, migrations: migrationNames() };
  return restoreBackup(options, false, async (recovered) => {
    await forgetAnchorsAfter({ DATA_DIR: recovered.dataDir }, lastMoment(recovered));
    return lookAtBooks(recovered, recovered.dataDir);
  });
}

/** Writes the results of the checks as lines for people. */
export function bookLines({ contradictions, activity_entries, activity_fault }: Books): string[] {
  return [
    contradictions === 0 ? '✔ The ledger reconciles.' : `✖ The ledger has ${contradictions} contradictions.`,
    activity_fault === null
      ? `✔ All ${activity_entries} entries of the activity log are whole.`
      : `✖ The activity log is not whole: ${activity_fault}.`,
  ];
}
