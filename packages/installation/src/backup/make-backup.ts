import { existsSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { embeddedAddress } from '../address.ts';
import { lockDataFolder } from '../data-folder.ts';
import { StartError } from '../start-error.ts';
import {
  ARCHIVE,
  type Backup,
  backupName,
  CLUSTER,
  DATA,
  finishBackup,
  type Manifest,
  removeUnfinished,
  unfinishedName,
} from './backup-folder.ts';
import { type CopiedFile, copyTree, listTree, mebibytes, requireRoom, type TreeFile, writeNew } from './copy-tree.ts';
import { segmentBefore, segmentOf, segmentsFrom } from './wal.ts';

/** Maximum time, in ms, in which the last segment of the log must be archived. */
const ARCHIVE_LIMIT_MS = 120_000;

export interface BackupOptions {
  dataDir: string;
  /** The folder of backups. */
  to: string;
  /** Version of this program. */
  version: string;
  /** Whether the copy holds secret.key, without which passwords of carriers cannot be read. */
  withKey: boolean;
  /** Prints a line of progress. */
  tell(line: string): void;
}

/**
 * Tells whether a file of a running cluster is left out of the copy, because PostgreSQL makes it again (its manual,
 * "Continuous Archiving").
 */
function isRemade(path: string): boolean {
  return (
    /^postmaster\.(pid|opts)$/.test(path) ||
    /^pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\//.test(path) ||
    /(^|\/)(pgsql_tmp|pg_internal\.init)/.test(path) ||
    /^(backup_label|tablespace_map|recovery\.signal|standby\.signal)/.test(path)
  );
}

/**
 * Tells whether a file of a data folder is no part of a backup. These are the cluster, which is copied separately, and
 * the files that each start makes again.
 */
function isPassing(path: string): boolean {
  return /^(postgres|postgres\.new.*|run|lock\.sock|postgres\.log(\.1)?|simulator\.ndjson(\.1)?|secret\.key)$/.test(
    path,
  );
}

async function connect(dataDir: string): Promise<pg.Client> {
  const address = embeddedAddress(dataDir);
  if (!address) throw new StartError(`${dataDir} holds no embedded database: set DATA_DIR to the folder that does.`);
  const client = new pg.Client({ connectionString: address.adminUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new StartError(
      `The database of ${dataDir} does not answer (${(error as Error).message}). Start Heliograph: backups are made while it runs.`,
    );
  }
  return client;
}

async function settingOf(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ value: string }>('SELECT current_setting($1, true) AS value', [name]);
  return rows[0]?.value ?? '';
}

/** Waits until a segment is in the archive. Throws a StartError with PostgreSQL's last failure. */
async function waitForArchive(client: pg.Client, archive: string, segment: string): Promise<void> {
  const deadline = Date.now() + ARCHIVE_LIMIT_MS;
  while (!existsSync(join(archive, segment))) {
    const { rows } = await client.query<{ failed: string | null }>(
      `SELECT last_failed_wal AS failed FROM pg_stat_archiver
       WHERE last_failed_time > coalesce(last_archived_time, '-infinity')`,
    );
    if (Date.now() > deadline || (rows[0] && Date.now() > deadline - ARCHIVE_LIMIT_MS + 10_000)) {
      const about = rows[0]?.failed
        ? `it fails at ${rows[0].failed}; the reason is in postgres.log`
        : 'it is far behind';
      throw new StartError(`The write-ahead log does not reach its archive ${archive}: ${about}.`);
    }
    await sleep(200);
  }
}

/** Answers of PostgreSQL at the beginning and at the end of a backup. */
interface Taken {
  started_at: string;
  finished_at: string;
  timeline: number;
  first: string;
  last: string;
}

/**
 * Copies the cluster between PostgreSQL's calls that begin and end a backup, with the segments of the log that the copy
 * needs.
 */
async function copyCluster(
  client: pg.Client,
  cluster: string,
  tree: readonly TreeFile[],
  target: string,
): Promise<{ files: CopiedFile[]; taken: Taken }> {
  // The slot keeps the segments until they are copied; it is dropped with the session.
  await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [`heliograph_${process.pid}`]);
  const { rows: starts } = await client.query<{ lsn: string; at: string; timeline: number }>(
    `SELECT pg_backup_start('heliograph', true) AS lsn, to_json(now()) #>> '{}' AS at,
       (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline`,
  );
  const { lsn, at, timeline } = starts[0]!;
  const files = await copyTree(cluster, target, tree);
  const { rows: stops } = await client.query<{ lsn: string; label: string; at: string }>(
    `SELECT lsn, labelfile AS label, to_json(date_trunc('second', clock_timestamp()) + interval '1 second') #>> '{}' AS at
     FROM pg_backup_stop(false)`,
  );
  const stop = stops[0]!;
  const label = await writeNew(target, 'backup_label', stop.label);
  const [first, last] = [segmentOf(timeline, lsn), segmentBefore(timeline, stop.lsn)];
  const log = segmentsFrom(first, last);
  const segments = await listTree(
    join(cluster, 'pg_wal'),
    (path) => !log.includes(path) && !path.endsWith('.history'),
    refuseLink,
  );
  const copied = await copyTree(join(cluster, 'pg_wal'), join(target, 'pg_wal'), segments);
  const absent = log.find((name) => !copied.some(({ path }) => path === name));
  if (absent) throw new StartError(`The segment ${absent} of the write-ahead log was already removed: try again.`);
  return {
    files: [...files, label, ...copied.map((file) => ({ ...file, path: `pg_wal/${file.path}` }))],
    taken: { started_at: isoTime(at), finished_at: isoTime(stop.at), timeline, first, last },
  };
}

const isoTime = (text: string) => new Date(text).toISOString();

function refuseLink(path: string): never {
  throw new StartError(`${path} of the database is a link to another place. Back up this database with its own tools.`);
}

/**
 * Makes a backup of a running embedded installation in a folder of backups: the cluster, the other files of the data
 * folder, and a manifest. It has another name until it is complete. Throws a StartError if it cannot be made.
 */
export async function makeBackup(options: BackupOptions): Promise<Backup> {
  const { dataDir, to, tell } = options;
  await mkdir(to, { recursive: true, mode: 0o711 }).catch((error: Error) => {
    throw new StartError(`The folder ${to} cannot be created: ${error.message}.`);
  });
  const lock = await lockDataFolder(to, `a backup, process ${process.pid}`);
  try {
    for (const name of await removeUnfinished(to)) tell(`Removed ${name}: it was interrupted.`);
    const client = await connect(dataDir);
    try {
      return await backUp(client, options);
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (error) {
    await removeUnfinished(to).catch(() => undefined);
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw new StartError(`The disk of ${to} is full: this backup was removed.`);
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
      throw new StartError(
        `${path} cannot be read or written: run the backup as the user who runs Heliograph, or as root.`,
      );
    }
    throw error;
  } finally {
    await lock.release();
  }
}

async function backUp(client: pg.Client, { dataDir, to, version, withKey, tell }: BackupOptions): Promise<Backup> {
  await client.query("SET TimeZone = 'UTC'");
  const cluster = join(dataDir, 'postgres');
  const inside = relative(dataDir, to);
  const data = await listTree(
    dataDir,
    (path) => path === inside || (isPassing(path) && !(withKey && path === 'secret.key')),
    (path) => tell(`${join(dataDir, path)} is a link to another place: it is not in the backup.`),
  );
  const tree = await listTree(cluster, isRemade, refuseLink);
  const bytes = [...tree, ...data].reduce((sum, { size }) => sum + size, 0);
  await requireRoom(to, bytes);
  const { rows } = await client.query<{ migration: string }>(
    'SELECT name AS migration FROM schema_migrations ORDER BY version DESC LIMIT 1',
  );
  const postgres = Math.floor(Number(await settingOf(client, 'server_version_num')) / 10_000);
  const archive = join(to, ARCHIVE);
  const archived =
    (await settingOf(client, 'archive_mode')) === 'on' &&
    existsSync(archive) &&
    (await settingOf(client, 'basic_archive.archive_directory')) === realpathSync(archive);
  const name = backupName(new Date());
  const draft = join(to, unfinishedName(name));
  await mkdir(draft, { mode: 0o700 });
  tell(`Copying ${mebibytes(bytes)} to ${join(to, name)}.`);
  const { files, taken } = await copyCluster(client, cluster, tree, join(draft, CLUSTER));
  // The files are copied after the database: a file that a row names is there, unless it was removed since.
  const dataFiles = await copyTree(dataDir, join(draft, DATA), data);
  if (archived) await waitForArchive(client, archive, taken.last);
  const under = (folder: string, each: readonly CopiedFile[]) =>
    each.map((file) => ({ ...file, path: `${folder}/${file.path}` }));
  const all = [...under(CLUSTER, files), ...under(DATA, dataFiles)];
  const folders = [
    ...tree.map(({ path }) => `${CLUSTER}/${path}`),
    ...data.map(({ path }) => `${DATA}/${path}`),
  ].filter((path) => path.endsWith('/'));
  const manifest: Manifest = {
    format: 1,
    version,
    postgres,
    machine: `${process.platform}-${process.arch}`,
    migration: rows[0]?.migration ?? '',
    started_at: taken.started_at,
    finished_at: taken.finished_at,
    timeline: taken.timeline,
    first_segment: taken.first,
    last_segment: taken.last,
    archived,
    with_key: all.some(({ path }) => path === `${DATA}/secret.key`),
    bytes: all.reduce((sum, { size }) => sum + size, 0),
    folders: [`${CLUSTER}/`, `${DATA}/`, ...folders],
    files: all,
  };
  return finishBackup(to, name, manifest);
}
