import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const HERE = import.meta.dirname;
const READER = join(HERE, '../../apps/server/src/platform/table/workbook-process.ts');
/** Source names that TypeScript leaves in declarations; the sources are not published. */
const SOURCE = /(from '\.\/[\w/-]+)\.ts'/g;

/**
 * Writes JavaScript and declarations that need no other files: modules in `folder`, and the library for `require` in
 * its `cjs`. The command includes the reader of files that the console uses.
 */
export async function buildClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const compile = (project: string, outDir: string) =>
    execFileSync(process.execPath, [join(typescript, 'bin/tsc'), '-p', join(HERE, project), '--outDir', outDir], {
      stdio: 'inherit',
    });
  compile('tsconfig.build.json', folder);
  compile('tsconfig.cjs.json', join(folder, 'cjs'));
  writeFileSync(join(folder, 'cjs/package.json'), '{ "type": "commonjs" }\n');
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(SOURCE, "$1.js'"));
  }
  await build({
    input: { cli: join(HERE, 'src/cli.ts'), 'workbook-process': READER },
    platform: 'node',
    transform: { target: 'node20' },
    // Unused code is left out, with everything that it would load.
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
