import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

// `npm run check`: format and lint, types, unused code and dependencies, boundaries, locales, style and unit tests.

const ROOT = resolve(import.meta.dirname, '..');
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);

/** Tests that need neither a database nor a browser. */
const UNIT_TESTS = [
  'packages/*/test/**/*.test.ts',
  'apps/console/test/**/*.test.{ts,tsx}',
  'apps/server/test/{boundaries,conformance,locales,lock-file,message-keys,style,style-texts}.test.ts',
];
/** The one of them that packs the client and installs it with npm takes as long as half of the others. */
const ONLY_IN_SUITE = ['packages/client/test/package.test.ts'];
/** Number of files that run together. Most of them wait for sockets and timers. */
const FILES_AT_ONCE = availableParallelism() + 2;

interface Check {
  name: string;
  program: string;
  args: string[];
}

const checks: Check[] = [
  { name: 'types', program: bin('tsc'), args: ['--noEmit'] },
  { name: 'format and lint', program: bin('biome'), args: ['check', '--error-on-warnings'] },
  { name: 'unused code', program: bin('knip'), args: ['--no-progress'] },
  {
    name: 'unit tests',
    program: process.execPath,
    args: [
      '--test',
      '--test-reporter=dot',
      `--test-concurrency=${FILES_AT_ONCE}`,
      ...globSync(UNIT_TESTS, { cwd: ROOT, exclude: ONLY_IN_SUITE }),
    ],
  },
];

function run({ name, program, args }: Check): Promise<boolean> {
  const started = performance.now();
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((done) => {
    child.once('close', (code) => {
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      process.stdout.write(`${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)\n${code === 0 ? '' : output}`);
      done(code === 0);
    });
  });
}

const waiting = [...checks];
let failed = false;
async function work(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) failed = !(await run(check)) || failed;
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = failed ? 1 : 0;
