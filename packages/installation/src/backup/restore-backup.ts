import { chownSync, existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { chown, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresAccount } from '../account.ts';
import { binaries } from '../cluster.ts';
import { lockHolder, lockPath } from '../data-folder.ts';
import type { Log } from '../log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres.ts';
import { StartError } from '../start-error.ts';
import { ARCHIVE, type Backup, CLUSTER, DATA, listBackups, readBackup } from './backup-folder.ts';
import { copyFile, copyTree, mebibytes, requireRoom, syncFolder, writeNew } from './copy-tree.ts';
import { checkFiles } from './verify-backup.ts';
import { firstMissing, neededFiles, segmentsFrom } from './wal.ts';

/** The major version of the PostgreSQL that comes with this program. */
const POSTGRES = 18;

export interface RestoreOptions {
  /** A backup, or a folder of backups. */
  from: string;
  /** Last second to restore, RFC 3339; undefined restores everything. */
  toTime?: string | undefined;
  /** Folder to create: absent, or empty. */
  dataDir: string;
  /** Names of this program's migrations; a backup that has another was made by a later version. */
  migrations: readonly string[];
  log: Log;
  tell(line: string): void;
}

/** A recovered database, before anything else runs on it. */
export interface Recovered {
  backup: Backup;
  /** Time of the last recovered commit, RFC 3339; null if the log had none after the backup. */
  recovered_to: string | null;
  /** Connects as the owner. */
  url: string;
  /** Folder in which it lies until the restore is done. */
  dataDir: string;
}

/** Chooses the backup for a time: the named one, or the newest one of a folder that was complete by then. */
export function chooseBackup(from: string, toTime: string | undefined): Backup {
  const target = toTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(toTime);
  if (existsSync(join(from, 'manifest.json'))) {
    const backup = readBackup(from);
    if (Date.parse(backup.manifest.finished_at) > target) {
      throw new StartError(
        `${from} was finished at ${backup.manifest.finished_at}, later than ${toTime}: only a backup from before a time leads to it.`,
      );
    }
    return backup;
  }
  const { backups, faults } = listBackups(from);
  const chosen = backups.findLast(({ manifest }) => Date.parse(manifest.finished_at) <= target);
  if (chosen) return chosen;
  const about = faults[0] ?? (backups[0] ? `the oldest was finished at ${backups[0].manifest.finished_at}` : '');
  throw new StartError(
    `${from} holds no backup${backups.length > 0 ? ` from before ${toTime}` : ''}${about ? ` (${about})` : ''}.`,
  );
}

async function requireEmpty(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  if ((await lockHolder(lockPath(dataDir))) !== undefined) {
    throw new StartError(`Heliograph runs in ${dataDir}: choose an empty folder for the restore.`);
  }
  if (readdirSync(dataDir).length > 0) {
    throw new StartError(
      `${dataDir} is not empty: a backup is restored into an empty folder, and nothing is overwritten.`,
    );
  }
}

function requireSameKind({ manifest, folder }: Backup, migrations: readonly string[]): void {
  const machine = `${process.platform}-${process.arch}`;
  if (manifest.postgres !== POSTGRES) {
    throw new StartError(`${folder} is of PostgreSQL ${manifest.postgres}, and this version brings ${POSTGRES}.`);
  }
  if (manifest.machine !== machine) {
    throw new StartError(`${folder} was made on ${manifest.machine}, and its files cannot be read on ${machine}.`);
  }
  if (!migrations.includes(manifest.migration)) {
    throw new StartError(
      `${folder} has the migration ${manifest.migration}, which this version of Heliograph (${manifest.version} made it) lacks: restore it with that version, or a later one.`,
    );
  }
}

/**
 * Copies the files of the archive that the recovery may ask for. It then works the same for every owner of the archive.
 */
async function fetchLog(backup: Backup, archive: string, target: string, wanted: boolean): Promise<string[]> {
  await mkdir(target, { mode: 0o700 });
  if (!existsSync(archive)) {
    if (wanted)
      throw new StartError(
        `There is no archive of the write-ahead log at ${archive}: without it a restore ends with the backup.`,
      );
    return [];
  }
  const files = neededFiles(archive, backup.manifest.first_segment);
  for (const name of files) await copyFile(join(archive, name), join(target, name));
  return files;
}

async function giveTo(folder: string, owner: { uid: number; gid: number }): Promise<void> {
  chownSync(folder, owner.uid, owner.gid);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await chown(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
}

/** Finds in the log why PostgreSQL ended, with the segment that it had reached. */
function causeOf(log: string, missing: string | undefined): string {
  const last = [...log.matchAll(/restored log file "([^"]+)"/g)]
    .map((found) => found[1]!)
    .filter((name) => !name.endsWith('.history'))
    .at(-1);
  const damage = [
    ...log.matchAll(
      /LOG: {2}(incorrect resource manager data checksum[^\n]*|invalid (?:record|magic|info|resource)[^\n]*|unexpected pageaddr[^\n]*|record with incorrect prev-link[^\n]*|[^\n]*contrecord[^\n]*)/g,
    ),
  ].at(-1)?.[1];
  if (missing) return `the segment ${missing} of the write-ahead log is missing in the archive`;
  if (damage && last) return `the segment ${last} of the write-ahead log is damaged (${damage})`;
  const end = /last completed transaction was at log time (\S+ [\d:]+)/.exec(log)?.[1];
  return `the archive ends ${end ? `with what was done by ${end} UTC` : 'before it'}; without --to-time all of it is restored`;
}

async function recoveredTo(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ at: string | null }>(
    `SELECT to_char(pg_last_xact_replay_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
  );
  return rows[0]?.at ?? null;
}

/** Waits until the server has recovered and takes writes. Answers undefined if it ended instead. */
async function waitForPromotion(
  server: EmbeddedPostgres,
  tell: (line: string) => void,
): Promise<{ at: string | null } | undefined> {
  let gone = false;
  void server.exited.then(() => {
    gone = true;
  });
  let told = Date.now();
  while (!gone) {
    const client = new pg.Client({ connectionString: server.adminUrl, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
      const at = await recoveredTo(client);
      if (!rows[0]!.recovering) return { at };
      if (Date.now() - told > 10_000) {
        tell(`Recovering; now at ${at ?? 'the backup'}.`);
        told = Date.now();
      }
    } catch {
      // The server ends, or is just about to answer: the next look shows which.
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(100);
  }
  return undefined;
}

/**
 * Restores a backup into an empty folder and recovers it to the requested second. `work` runs on the database before
 * anything else can reach it; then the folder gets its name. A failure leaves no folder behind. With `branch` the
 * archive records the new timeline: segments archived from now on never mix with earlier ones.
 */
export async function restoreBackup<Result>(
  options: RestoreOptions,
  branch: boolean,
  work: (recovered: Recovered) => Promise<Result>,
): Promise<Result> {
  const { toTime, tell } = options;
  const dataDir = resolve(options.dataDir);
  await requireEmpty(dataDir);
  const backup = chooseBackup(options.from, toTime);
  requireSameKind(backup, options.migrations);
  const archive = join(dirname(resolve(backup.folder)), ARCHIVE);
  const draft = `${dataDir}.restoring`;
  if (existsSync(draft)) throw new StartError(`${draft} is left of a restore that was cut short: remove it first.`);
  await mkdir(draft, { recursive: true, mode: 0o755 });
  try {
    await requireRoom(draft, backup.manifest.bytes);
    tell(
      `Restoring ${backup.folder}, ${mebibytes(backup.manifest.bytes)}, finished at ${backup.manifest.finished_at}.`,
    );
    const trees = { [CLUSTER]: join(draft, CLUSTER), [DATA]: draft };
    for (const [name, target] of Object.entries(trees)) await copyPart(backup, name, target);
    const log = await fetchLog(backup, archive, join(draft, ARCHIVE), toTime !== undefined);
    const { first_segment, last_segment } = backup.manifest;
    const missing = firstMissing([...log, ...segmentsFrom(first_segment, last_segment)], first_segment);
    if (missing && toTime === undefined) {
      throw new StartError(
        `The segment ${missing} of the write-ahead log is missing in ${archive}: a restore can only reach a time before it. Set it with --to-time.`,
      );
    }
    const result = await recover(options, { backup, draft, missing, archive, branch }, work);
    if (existsSync(dataDir)) rmdirSync(dataDir);
    await rename(draft, dataDir);
    await syncFolder(dirname(dataDir));
    return result;
  } catch (error) {
    const [log, kept] = [join(draft, 'postgres.log'), `${dataDir}.restore.log`];
    if (existsSync(log)) {
      await rename(log, kept);
      tell(`The log of PostgreSQL is in ${kept}.`);
    }
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function copyPart({ folder, manifest }: Backup, part: string, target: string): Promise<void> {
  const of = (path: string) => path.startsWith(`${part}/`) && path !== `${part}/`;
  const inPart = (path: string) => path.slice(part.length + 1);
  const files = manifest.files.filter(({ path }) => of(path)).map((file) => ({ ...file, path: inPart(file.path) }));
  const tree = [...manifest.folders.filter(of).map((path) => ({ path: inPart(path), size: 0 })), ...files];
  const copied = await copyTree(join(folder, part), target, tree);
  checkFiles(join(folder, part), files, copied);
}

interface Draft {
  backup: Backup;
  draft: string;
  missing: string | undefined;
  archive: string;
  branch: boolean;
}

async function recover<Result>(
  { toTime, log, tell }: RestoreOptions,
  { backup, draft, missing, archive, branch }: Draft,
  work: (recovered: Recovered) => Promise<Result>,
): Promise<Result> {
  const cluster = join(draft, CLUSTER);
  await writeNew(cluster, 'recovery.signal', '');
  const { owner } = postgresAccount(draft, cluster, (await binaries()).postgres);
  if (owner) for (const folder of [cluster, join(draft, ARCHIVE)]) await giveTo(folder, owner);
  const copy = process.platform === 'win32' ? 'copy' : 'cp';
  const failed = (reason: string) =>
    new StartError(
      `The database could not be recovered${toTime === undefined ? '' : ` to ${toTime}`}: ${reason}. Nothing was restored.`,
    );
  const readLog = () =>
    existsSync(join(draft, 'postgres.log')) ? readFileSync(join(draft, 'postgres.log'), 'utf8') : '';
  let server: EmbeddedPostgres;
  try {
    server = await startEmbeddedPostgres({
      dataDir: draft,
      log,
      settings: {
        restore_command: `${copy} "${join(draft, ARCHIVE, '%f')}" "%p"`,
        recovery_target_timeline: 'latest',
        recovery_target_action: 'promote',
        // PostgreSQL accepts no time zone name here, not even Z.
        ...(toTime !== undefined && { recovery_target_time: new Date(toTime).toISOString().replace('Z', '+00') }),
      },
    });
  } catch (error) {
    if (/requested timeline|before configured recovery target|FATAL/.test(readLog()))
      throw failed(causeOf(readLog(), missing));
    throw error;
  }
  try {
    const promoted = await waitForPromotion(server, tell);
    if (!promoted) throw failed(causeOf(readLog(), missing));
    const damage = causeOf(readLog(), undefined);
    if (toTime === undefined && damage.includes('damaged')) {
      throw failed(`${damage}; a time before it can be reached with --to-time`);
    }
    const result = await work({ backup, recovered_to: promoted.at, url: server.url, dataDir: draft });
    if (branch && existsSync(archive)) await keepHistories(join(cluster, 'pg_wal'), archive);
    return result;
  } finally {
    await server.stop();
    await rm(join(draft, ARCHIVE), { recursive: true, force: true });
  }
}

/** Puts the histories of timelines into the archive: the next recovery then sees that this one has used the number. */
async function keepHistories(log: string, archive: string): Promise<void> {
  for (const name of readdirSync(log).filter((each) => /^[0-9A-F]{8}\.history$/.test(each))) {
    if (existsSync(join(archive, name))) continue;
    await copyFile(join(log, name), join(archive, name));
  }
  await syncFolder(archive);
}
