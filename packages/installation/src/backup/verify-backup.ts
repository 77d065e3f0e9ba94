import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../start-error.ts';
import { ARCHIVE, type Backup } from './backup-folder.ts';
import type { CopiedFile } from './copy-tree.ts';
import { firstMissing, neededFiles, segmentsFrom } from './wal.ts';

/** Throws a StartError that names the first file of a backup that is missing or has changed. */
export function checkFiles(folder: string, expected: readonly CopiedFile[], found: readonly CopiedFile[]): void {
  const byPath = new Map(found.map((file) => [file.path, file]));
  for (const { path, size, sha256 } of expected) {
    const file = byPath.get(path);
    const place = join(folder, path);
    if (!file) throw new StartError(`The backup is damaged: ${place} is missing. Use another backup.`);
    if (file.size !== size || file.sha256 !== sha256) {
      throw new StartError(`The backup is damaged: ${place} was changed. Use another backup.`);
    }
  }
}

/**
 * Reads every file of a backup, compares it with the manifest, and checks that the archive continues from it without a
 * gap. Throws a StartError that names the fault; answers how many segments of the archive follow.
 */
export async function verifyBackup({ folder, manifest }: Backup, home: string): Promise<{ segments: number }> {
  const found: CopiedFile[] = [];
  for (const { path, size } of manifest.files) {
    if (!existsSync(join(folder, path))) continue;
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, path)), hash);
    found.push({ path, size, sha256: hash.digest('hex') });
  }
  checkFiles(folder, manifest.files, found);
  const archive = join(home, ARCHIVE);
  if (!existsSync(archive)) return { segments: 0 };
  const files = neededFiles(archive, manifest.first_segment);
  const { first_segment, last_segment } = manifest;
  const missing = firstMissing([...files, ...segmentsFrom(first_segment, last_segment)], first_segment);
  if (missing) {
    throw new StartError(
      `The files of the backup are complete, but the segment ${missing} is missing in ${archive}: a restore ends before it. Create a new backup now.`,
    );
  }
  return { segments: files.filter((name) => !name.endsWith('.history')).length };
}
