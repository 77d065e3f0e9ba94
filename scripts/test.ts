import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { CLUSTER_VARIABLE, startTestCluster, testClusterHome } from '../apps/server/test/template-database.ts';
import { buildConsole } from './build-console.ts';
import { CHROMIUM_VARIABLE, ensureChromium } from './chromium.ts';

// `npm test`: everything, on a database and ports of its own. `npm test -- <files>` runs only those.

const ROOT = resolve(import.meta.dirname, '..');
const TEST_FILES = ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.{ts,tsx}', 'e2e/**/*.test.ts'];
const FILES_AT_ONCE = 2;
/** The longest of all begins first, beside others: at the end all would wait for it. */
const FIRST = 'e2e/screens-superadmin.test.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interruption.abort());

/** Runs the files in their order, and answers the exit code. */
async function runTests(files: readonly string[], environment: Record<string, string>): Promise<number> {
  let failed = false;
  const tests = run({
    files: files.map((file) => resolve(ROOT, file)),
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

/** The files that were asked for, else all of them. */
function filesOf(asked: readonly string[]): string[] {
  const patterns = asked.length > 0 ? asked : TEST_FILES;
  const files = globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  return [...files.filter((file) => file === FIRST), ...files.filter((file) => file !== FIRST)];
}

async function main(): Promise<number> {
  const files = filesOf(process.argv.slice(2));
  if (files.length === 0) throw new Error('No test files were found.');
  const chromium = ensureChromium();
  const folder = mkdtempSync(join(testClusterHome(), 'heliograph-test-'));
  try {
    const [cluster] = await Promise.all([
      startTestCluster(folder),
      buildConsole({ info: (text) => void process.stderr.write(`${text}\n`) }),
    ]);
    try {
      if (interruption.signal.aborted) return 130;
      const { adminUrl, ownerUrl } = cluster;
      return await runTests(files, {
        [CLUSTER_VARIABLE]: JSON.stringify({ adminUrl, ownerUrl }),
        [CHROMIUM_VARIABLE]: chromium,
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
