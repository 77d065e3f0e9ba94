import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Does the work of pg_verifybackup for a backup of base-backup.ts: every file of the manifest must exist with its size
// and checksum.

interface Manifest {
  Files: { Path: string; Size: number; Checksum: string }[];
}

const [folder = ''] = process.argv.slice(2);
const { Files } = JSON.parse(readFileSync(join(folder, 'backup_manifest'), 'utf8')) as Manifest;
for (const { Path, Size, Checksum } of Files) {
  const path = join(folder, Path);
  if (statSync(path).size !== Size) throw new Error(`${Path} has another size`);
  if (createHash('sha256').update(readFileSync(path)).digest('hex') !== Checksum)
    throw new Error(`${Path} has another checksum`);
}
if (Files.length < 500) throw new Error(`only ${Files.length} files`);
process.stdout.write('backup successfully verified\n');
