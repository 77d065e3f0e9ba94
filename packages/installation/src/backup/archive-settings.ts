import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresAccount } from '../account.ts';
import { StartError } from '../start-error.ts';
import { ARCHIVE } from './backup-folder.ts';

/** Maximum seconds until a moment of the past can be recovered: a segment that is not full is archived then. */
const ARCHIVE_TIMEOUT_S = 60;

/**
 * Settings by which the embedded PostgreSQL keeps an archive of its write-ahead log in the folder of backups, so that a
 * restore may stop at any second. PostgreSQL's own basic_archive writes it: whole, on the disk, and never over another file.
 * `account` is the one the server runs under. Throws a StartError if the folder cannot be used.
 */
export function archiveSettings(
  backupDir: string | undefined,
  account: PostgresAccount,
): Record<string, string | number> {
  if (backupDir === undefined) return {};
  const archive = join(backupDir, ARCHIVE);
  try {
    // The server's account may pass through the folder of backups, but not read its contents.
    mkdirSync(backupDir, { recursive: true, mode: 0o711 });
    mkdirSync(archive, { recursive: true, mode: 0o700 });
    const { owner } = account;
    if (owner && statSync(archive).uid !== owner.uid) chownSync(archive, owner.uid, owner.gid);
  } catch (error) {
    throw new StartError(`The folder ${archive} of BACKUP_DIR cannot be used: ${(error as Error).message}.`);
  }
  if (account.owner) {
    const { program, args, ...ids } = account.launch('/bin/sh', ['-c', 'cd "$0"', archive]);
    if (spawnSync(program, args, { ...ids, stdio: 'ignore' }).status !== 0) {
      throw new StartError(
        `The account of PostgreSQL cannot enter ${archive}: put BACKUP_DIR below folders that all users can enter.`,
      );
    }
  }
  return {
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': realpathSync(archive),
    archive_timeout: ARCHIVE_TIMEOUT_S,
  };
}
