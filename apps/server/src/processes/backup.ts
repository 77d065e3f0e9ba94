import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Backup, listBackups, readBackup, removeOld } from '@heliograph/installation/backup/backup-folder';
import { mebibytes } from '@heliograph/installation/backup/copy-tree';
import { makeBackup } from '@heliograph/installation/backup/make-backup';
import { verifyBackup } from '@heliograph/installation/backup/verify-backup';
import { StartError } from '@heliograph/installation/start-error';
import { bookLines, tryBackup } from '#modules/operate';
import { type Config, readConfig } from '../platform/config/config.ts';
import { createLogger } from '../platform/log.ts';
import { failStart } from '../platform/process/shutdown.ts';

/** Answers the version of this program. */
function programVersion(): string {
  const path = join(import.meta.dirname, '../../../../package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

// `npm run backup [-- --to folder --keep 7 --with-key]` makes a backup of the running installation. `npm run backup --
// list` lists the backups; `npm run backup -- verify [name] [--start]` proves that one can be restored.

const USAGE = 'Usage: npm run backup [-- list | verify [name]] [--to folder] [--keep 7] [--with-key] [--start]';

const say = (line: string) => void process.stdout.write(`${line}\n`);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        keep: { type: 'string' },
        'with-key': { type: 'boolean', default: false },
        start: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new StartError(`${(error as Error).message} ${USAGE}`, 2);
  }
}

async function make(config: Config, to: string, keep: number | undefined, withKey: boolean): Promise<void> {
  if (config.DATABASE_URL !== undefined) {
    throw new StartError(
      'DATABASE_URL names your own PostgreSQL. Back it up with pgBackRest, or with pg_basebackup and an archive of its write-ahead log. Also copy the files of DATA_DIR (docs/operate/backup.md).',
      2,
    );
  }
  const started = performance.now();
  const { folder, manifest } = await makeBackup({
    dataDir: config.DATA_DIR,
    to,
    version: programVersion(),
    withKey,
    tell: say,
  });
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  say(`Created ${folder}: ${manifest.files.length} files, ${mebibytes(manifest.bytes)}, in ${seconds} s.`);
  say(
    manifest.archived
      ? `You can restore it to any second after ${manifest.finished_at}, while ${join(to, 'wal')} is kept.`
      : `You can restore it only to ${manifest.finished_at}. For any second after that, set BACKUP_DIR=${to} and start again.`,
  );
  const elsewhere =
    config.S3_BUCKET !== undefined ? 'S3_BUCKET' : config.FILES_DIR !== undefined ? 'FILES_DIR' : undefined;
  if (elsewhere) say(`Uploads and exports are in ${elsewhere}, not in the backup: back them up there.`);
  if (!manifest.with_key) {
    say('The backup does NOT contain the secret key. Without SECRET_KEY, or DATA_DIR/secret.key, nobody can read its');
    say('passwords of carriers and mail servers. Keep a copy of the key apart from the backups.');
  }
  if (keep === undefined) return;
  const removed = await removeOld(to, keep);
  for (const name of removed.backups) say(`Removed the old backup ${name}.`);
  if (removed.segments > 0) say(`Removed ${removed.segments} files of the write-ahead log that no backup needs.`);
}

function list(to: string): void {
  const { backups, faults } = listBackups(to);
  for (const { name, manifest } of backups) {
    const reach = manifest.archived ? 'to any second after it' : 'only to its end';
    const key = manifest.with_key ? ', with the key' : '';
    say(`${name}  ${mebibytes(manifest.bytes)}, version ${manifest.version}, ${reach}${key}`);
  }
  for (const fault of faults) say(`✖ ${fault}`);
  if (backups.length === 0) say(`${to} holds no backup.`);
  if (faults.length > 0) process.exitCode = 1;
}

function chosen(to: string, name: string | undefined): Backup {
  if (name !== undefined) return readBackup(join(to, name));
  const newest = listBackups(to).backups.at(-1);
  if (!newest) throw new StartError(`${to} holds no backup.`);
  return newest;
}

async function verify(config: Config, to: string, name: string | undefined, start: boolean): Promise<void> {
  const backup = chosen(to, name);
  const { segments } = await verifyBackup(backup, to);
  say(
    `All ${backup.manifest.files.length} files of ${backup.name} are unchanged; ${segments} segments of the write-ahead log follow.`,
  );
  if (!start) return;
  const folder = mkdtempSync(join(to, 'verify-'));
  try {
    const books = await tryBackup({
      from: backup.folder,
      dataDir: join(folder, 'data'),
      log: createLogger(config, 'backup'),
      tell: say,
    });
    for (const line of bookLines(books)) say(line);
    if (books.contradictions > 0 || books.activity_fault !== null) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  const config = readConfig();
  const { values, positionals } = readArguments();
  const [what = 'make', name] = positionals;
  const folder = values.to === undefined ? config.BACKUP_DIR : resolve(values.to);
  if (folder === undefined) throw new StartError(`No folder: use --to folder, or set BACKUP_DIR. ${USAGE}`, 2);
  const keep = values.keep === undefined ? undefined : Number(values.keep);
  if (keep !== undefined && !(Number.isInteger(keep) && keep > 0)) {
    throw new StartError(`--keep must be the number of backups to keep, 1 or more. ${USAGE}`, 2);
  }
  if (what === 'make') await make(config, folder, keep, values['with-key']);
  else if (what === 'list') list(folder);
  else if (what === 'verify') await verify(config, folder, name, values.start);
  else throw new StartError(USAGE, 2);
} catch (error) {
  failStart(error);
}
