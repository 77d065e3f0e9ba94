import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const HERE = import.meta.dirname;

/** Writes JavaScript and declarations that stand alone. */
export function buildClient(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const options = ['-p', join(HERE, 'tsconfig.build.json'), '--outDir', folder];
  execFileSync(process.execPath, [join(typescript, 'bin/tsc'), ...options], { stdio: 'inherit' });
}

if (import.meta.main) buildClient(join(HERE, 'dist'));
