import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CLUSTER_VARIABLE, startTestCluster, testClusterHome } from '../apps/server/test/template-database.ts';
import { buildConsole } from './build-console.ts';
import { CHROMIUM_VARIABLE, ensureChromium } from './chromium.ts';

// `npm test`: everything, on a database and ports of its own. `npm test -- <files>` runs only those.

const ROOT = resolve(import.meta.dirname, '..');
const TEST_FILES = ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.{ts,tsx}', 'e2e/**/*.test.ts'];
const FILES_AT_ONCE = 2;

let runner: ChildProcess | undefined;
let interrupted = false;

// Ctrl-C reaches the test runner by itself, which then ends; SIGTERM has to be handed on.
process.on('SIGINT', () => {
  interrupted = true;
});
process.on('SIGTERM', () => {
  interrupted = true;
  runner?.kill('SIGTERM');
});

function runTests(files: readonly string[], environment: Record<string, string>): Promise<number> {
  return new Promise((ended) => {
    runner = spawn(process.execPath, ['--test', `--test-concurrency=${FILES_AT_ONCE}`, ...files], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    });
    runner.once('exit', (code) => ended(code ?? 1));
  });
}

async function main(): Promise<number> {
  const asked = process.argv.slice(2);
  const files = asked.length > 0 ? asked : globSync(TEST_FILES, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  if (files.length === 0) throw new Error('No test files were found.');
  const chromium = ensureChromium();
  const folder = mkdtempSync(join(testClusterHome(), 'heliograph-test-'));
  try {
    const [cluster] = await Promise.all([
      startTestCluster(folder),
      buildConsole({ info: (text) => void process.stderr.write(`${text}\n`) }),
    ]);
    try {
      if (interrupted) return 130;
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
