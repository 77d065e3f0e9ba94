import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of a stored file with a canary in it, in the folder of files. */
export const CANARY_FILE = 'rejects/00000000-0000-4000-8000-000000000000.csv';

/** Writes that file into a data folder. */
export function writeCanaryFile(dataDir: string): void {
  mkdirSync(join(dataDir, 'files', 'rejects'), { recursive: true });
  writeFileSync(join(dataDir, 'files', CANARY_FILE), 'line,number,reason\n1,cnryFF,x\n');
}
