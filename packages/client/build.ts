import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const HERE = import.meta.dirname;
const READER = join(HERE, '../../apps/server/src/platform/table/workbook-process.ts');

/** Writes JavaScript and declarations that stand alone. The command brings the reader of files that the console uses. */
export async function buildClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const options = ['-p', join(HERE, 'tsconfig.build.json'), '--outDir', folder];
  execFileSync(process.execPath, [join(typescript, 'bin/tsc'), ...options], { stdio: 'inherit' });
  await build({
    input: { cli: join(HERE, 'src/cli.ts'), 'workbook-process': READER },
    platform: 'node',
    transform: { target: 'node20' },
    // What is not called is left out, with what it would load.
    treeshake: { moduleSideEffects: false },
    logLevel: 'warn',
    output: {
      dir: folder,
      entryFileNames: ({ name }) => (name === 'cli' ? '[name].js' : 'cli/[name].js'),
      chunkFileNames: 'cli/[name].js',
    },
  });
}

if (import.meta.main) await buildClient(join(HERE, 'dist'));
