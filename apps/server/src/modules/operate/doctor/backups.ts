import { listBackups } from '@heliograph/installation/backup/backup-folder';
import type pg from 'pg';
import type { Config } from '#platform/config/config';
import { bad, type Found, type Look, ok, warn } from './finding.ts';

const HOUR_MS = 3_600_000;
/** Maximum age of the newest backup: a night, and two hours for a slower one. */
const STALE_HOURS = 26;

function newest({ BACKUP_DIR, DATABASE_URL }: Config): Found[] | undefined {
  if (DATABASE_URL !== undefined) return undefined;
  if (BACKUP_DIR === undefined) {
    return [
      warn(
        'There are no backups: BACKUP_DIR is not set.',
        'Set it to a folder on another disk, restart, and run `npm run backup` every night.',
      ),
    ];
  }
  const { backups, faults } = listBackups(BACKUP_DIR);
  const found = faults.map((fault) => bad(fault, 'Delete it, and create another: `npm run backup`.'));
  const last = backups.at(-1);
  if (!last) return [...found, warn(`${BACKUP_DIR} holds no backup.`, 'Run `npm run backup`.')];
  const hours = (Date.now() - Date.parse(last.manifest.finished_at)) / HOUR_MS;
  const detail = `The newest of ${backups.length} backups is ${hours < 1 ? 'less than an hour' : `${Math.round(hours)} hours`} old.`;
  found.push(hours > STALE_HOURS ? warn(detail, 'Find out why the nightly `npm run backup` did not run.') : ok(detail));
  return found;
}

interface Archiver {
  mode: string;
  failing: string | null;
  archived: string | null;
  behind: number;
}

async function archive(pool: pg.Pool, { DATABASE_URL }: Config): Promise<Found> {
  const { rows } = await pool.query<Archiver>(
    `SELECT current_setting('archive_mode') AS mode, last_archived_wal AS archived,
       CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN last_failed_wal END AS failing,
       coalesce(extract(epoch FROM now() - last_archived_time), 0)::int AS behind
     FROM pg_stat_archiver`,
  );
  const { mode, failing, archived, behind } = rows[0]!;
  if (mode === 'off') {
    const how =
      DATABASE_URL === undefined
        ? 'Set BACKUP_DIR and start again.'
        : 'Set archive_mode and archive_command (docs/operate/backup.md).';
    return warn('The write-ahead log is not archived: changes after the last backup would be lost.', how);
  }
  if (failing !== null) {
    return bad(
      `Archiving of the write-ahead log fails at ${failing}.`,
      'Read the log of PostgreSQL. Until archiving works, the write-ahead log fills the disk.',
    );
  }
  return ok(
    archived === null
      ? 'The write-ahead log is archived; nothing was due yet.'
      : `The write-ahead log is archived, last ${behind} s ago.`,
  );
}

/** Lists the checks of backups and of the archive. */
export function backupLooks(pool: pg.Pool | undefined, config: Config): Look[] {
  return [
    { name: 'backups', look: () => newest(config) },
    ...(pool ? [{ name: 'archive', look: () => archive(pool, config) }] : []),
  ];
}
