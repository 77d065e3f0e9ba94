import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import { syncFolder, writeNew } from './copy-tree.ts';
import { isOlder } from './wal.ts';

// A folder of backups:
//   wal/                       the archive of the write-ahead log
//   2026-01-31T08-00-00Z/      a backup: postgres/, data/, manifest.json, manifest.sha256
//   unfinished-2026-…/         one that was cut short; the next backup removes it

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
const UNFINISHED = /^unfinished-/;

/** Folder of the cluster in a backup, and the one of everything else in the data folder. */
export const CLUSTER = 'postgres';
export const DATA = 'data';
/** Subfolder of the archive of the write-ahead log, in a folder of backups. */
export const ARCHIVE = 'wal';

const manifestSchema = z.object({
  format: z.literal(1),
  /** Version of the program that made it. */
  version: z.string(),
  postgres: z.int(),
  /** Kind of machine, such as linux-x64; only the same kind can read the files of its database. */
  machine: z.string(),
  /** Newest migration of its database. */
  migration: z.string(),
  started_at: z.iso.datetime(),
  /** Earliest time to which it can be recovered. */
  finished_at: z.iso.datetime(),
  timeline: z.int(),
  /** First and last segment of the write-ahead log that it needs, and contains. */
  first_segment: z.string(),
  last_segment: z.string(),
  /** Whether the log was archived, so that any later second can be recovered to. */
  archived: z.boolean(),
  with_key: z.boolean(),
  bytes: z.int(),
  /** Folders end with a slash. */
  folders: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), size: z.int(), sha256: z.string() })),
});

/** Description of a backup; written last. */
export type Manifest = z.output<typeof manifestSchema>;

export interface Backup {
  name: string;
  folder: string;
  manifest: Manifest;
}

/** The name of a backup begun at a time. */
export const backupName = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
/** Answers the name of a backup until it is complete. */
export const unfinishedName = (name: string): string => `unfinished-${name}`;

/** Writes the manifest and gives the backup its name: only from now on it counts. */
export async function finishBackup(home: string, name: string, manifest: Manifest): Promise<Backup> {
  const draft = join(home, unfinishedName(name));
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const { sha256 } = await writeNew(draft, 'manifest.json', text);
  await writeNew(draft, 'manifest.sha256', `${sha256}\n`);
  await syncFolder(draft);
  const folder = join(home, name);
  await rename(draft, folder);
  await syncFolder(home);
  return { name, folder, manifest };
}

/** Reads the manifest of a backup. Throws a StartError that names the fault. */
export function readBackup(folder: string): Backup {
  const name = folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder;
  if (!existsSync(join(folder, 'manifest.json'))) {
    throw new StartError(`${folder} is no finished backup: it has no manifest.json.`);
  }
  const text = readFileSync(join(folder, 'manifest.json'), 'utf8');
  const digest = existsSync(join(folder, 'manifest.sha256'))
    ? readFileSync(join(folder, 'manifest.sha256'), 'utf8').trim()
    : undefined;
  if (digest !== createHash('sha256').update(text).digest('hex')) {
    throw new StartError(`The manifest.json of ${folder} was changed after the backup: use another backup.`);
  }
  const format = z.object({ format: z.number() }).safeParse(JSON.parse(text));
  if (format.data && format.data.format > 1) {
    throw new StartError(`${folder} was made by a later version of Heliograph: restore it with that version.`);
  }
  return { name, folder, manifest: manifestSchema.parse(JSON.parse(text)) };
}

/** Lists the backups of a folder, the oldest first. Folders that cannot be read as a backup come with the reason. */
export function listBackups(home: string): { backups: Backup[]; faults: string[] } {
  const backups: Backup[] = [];
  const faults: string[] = [];
  const names = existsSync(home) ? readdirSync(home).filter((each) => NAME.test(each)) : [];
  for (const name of names.sort()) {
    try {
      backups.push(readBackup(join(home, name)));
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  return { backups, faults };
}

/** Removes the unfinished remains of earlier backups. The caller holds the folder's lock. */
export async function removeUnfinished(home: string): Promise<string[]> {
  const names = readdirSync(home).filter((each) => UNFINISHED.test(each));
  for (const name of names) await rm(join(home, name), { recursive: true, force: true });
  return names;
}

/** Removes all but the newest `keep` backups, and the files of the archive that the oldest of those does not need. */
export async function removeOld(home: string, keep: number): Promise<{ backups: string[]; segments: number }> {
  const { backups } = listBackups(home);
  const old = backups.slice(0, Math.max(0, backups.length - keep));
  for (const { folder, name } of old) {
    // One step ends it as a backup; its remains are removed like any unfinished backup.
    const condemned = join(home, unfinishedName(name));
    await rename(folder, condemned);
    await rm(condemned, { recursive: true, force: true });
  }
  const oldest = backups.at(-Math.min(keep, backups.length));
  const archive = join(home, ARCHIVE);
  if (!oldest || !existsSync(archive)) return { backups: old.map(({ name }) => name), segments: 0 };
  const unneeded = readdirSync(archive).filter((file) => isOlder(file, oldest.manifest.first_segment));
  for (const file of unneeded) await rm(join(archive, file));
  return { backups: old.map(({ name }) => name), segments: unneeded.length };
}
