import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { CLUSTER_VARIABLE, DEMO_VARIABLE, testClusterHome } from '../apps/server/test/template-database.ts';
import { buildConsole } from './build-console.ts';
import { CHROMIUM_VARIABLE, ensureChromium } from './chromium.ts';
import { joinTests } from './join-tests.ts';

// `npm test`: runs everything, on its own database and ports. `npm test -- <files>` runs only those files.

const ROOT = resolve(import.meta.dirname, '..');
const TEST_FILES = ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.{ts,tsx}', 'e2e/**/*.test.ts'];
/** Number of files that run together. It is more than the machine has processors, because tests mostly wait. */
const FILES_AT_ONCE = Math.min(8, availableParallelism() + 2);
/** The longest files, which begin first, beside others: at the end all would wait for them. */
const FIRST = [
  'e2e/screens-superadmin.test.ts',
  'e2e/screens-corporate.test.ts',
  'e2e/configuration.test.ts',
  'apps/server/test/faults/kills.test.ts',
  'apps/server/test/nodes/chaos.test.ts',
  'e2e/roles-and-access.test.ts',
  'e2e/lifecycle.test.ts',
];

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interruption.abort());

/** Runs the files in their order and returns the exit code. */
async function runTests(files: readonly string[], environment: Record<string, string>): Promise<number> {
  let failed = false;
  const tests = run({
    files: [...files],
    cwd: ROOT,
    concurrency: FILES_AT_ONCE,
    env: { ...process.env, ...environment },
    signal: interruption.signal,
  });
  tests.on('test:fail', ({ todo }) => {
    failed ||= todo === undefined || todo === false;
  });
  await pipeline(tests, new spec(), process.stdout, { end: false });
  return failed || interruption.signal.aborted ? 1 : 0;
}

/** Returns the requested files, or all of them, and joins small ones into programs in a folder. */
function filesOf(asked: readonly string[], folder: string): string[] {
  const patterns = asked.length > 0 ? asked : TEST_FILES;
  const files = globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  const rest = files.filter((file) => !FIRST.includes(file));
  const isBrowsers = (file: string) => file.startsWith('e2e/');
  const paths = (some: readonly string[]) => some.map((file) => resolve(ROOT, file));
  return [
    ...paths(FIRST.filter((file) => files.includes(file))),
    ...spread(
      paths(rest.filter(isBrowsers)),
      joinTests(
        ROOT,
        rest.filter((file) => !isBrowsers(file)),
        folder,
      ),
    ),
  ];
}

/** Distributes the few evenly among the many, starting with one of them: a browser works while other tests wait. */
function spread(few: readonly string[], many: readonly string[]): string[] {
  const step = Math.ceil((many.length + 1) / (few.length + 1));
  return [...few, ...many]
    .map((file, place) => ({ file, at: place < few.length ? place * step - 0.5 : place - few.length }))
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file);
}

async function main(): Promise<number> {
  const chromium = ensureChromium();
  const folder = mkdtempSync(join(testClusterHome(), 'heliograph-test-'));
  const compiled = join(folder, 'compiled');
  try {
    const files = filesOf(process.argv.slice(2), folder);
    if (files.length === 0) throw new Error('No test files were found.');
    // Several hundred processes load the same modules, and those that tests kill could not keep what they compiled.
    enableCompileCache(compiled);
    await import('../apps/server/src/processes/api.ts');
    const { addDemoTemplate, startTestCluster } = await import('../apps/server/test/test-cluster.ts');
    flushCompileCache();
    const [cluster] = await Promise.all([
      startTestCluster(folder),
      buildConsole({ info: (text) => void process.stderr.write(`${text}\n`) }),
    ]);
    try {
      if (interruption.signal.aborted) return 130;
      const { adminUrl, ownerUrl } = cluster;
      const demo = join(folder, 'demo');
      await addDemoTemplate(cluster, demo);
      return await runTests(files, {
        [CLUSTER_VARIABLE]: JSON.stringify({ adminUrl, ownerUrl }),
        [DEMO_VARIABLE]: demo,
        [CHROMIUM_VARIABLE]: chromium,
        NODE_COMPILE_CACHE: compiled,
      });
    } finally {
      await cluster.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
