import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildClient } from '../build.ts';

const PACKAGE = resolve(import.meta.dirname, '..');

/** Builds the client and installs it in `folder` as npm would, with only its published files. */
export async function installClient(folder: string): Promise<void> {
  const place = join(folder, 'node_modules/@heliograph/client');
  mkdirSync(place, { recursive: true });
  copyFileSync(join(PACKAGE, 'package.json'), join(place, 'package.json'));
  await buildClient(join(place, 'dist'));
}

/** Calls TypeScript's compiler in a folder. Returns its output if it finds an error, else ''. */
export function typeErrors(folder: string, ...options: string[]): string {
  try {
    execFileSync(process.execPath, [resolve(PACKAGE, '../../node_modules/typescript/bin/tsc'), ...options], {
      cwd: folder,
      stdio: 'pipe',
    });
    return '';
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
}
