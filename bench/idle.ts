import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@heliograph/installation/postgres';
import pg from 'pg';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { readOptions } from './harness/options.ts';
import { statOf, TICKS_A_SECOND } from './harness/process-time.ts';
import { report } from './harness/report.ts';

// Measures what the whole product costs while nobody uses it: all processes of `npm start` with the demo in it, and
// their PostgreSQL. Names on stderr the statements that run most often, and the processes with the most memory.

const { seconds, settle } = readOptions({ seconds: 60, settle: 40 });
const ALL = resolve(import.meta.dirname, '../apps/server/src/processes/all.ts');

const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
const postgres = await startEmbeddedPostgres({
  dataDir: folder,
  log,
  settings: { shared_preload_libraries: 'pg_stat_statements' },
});
const product = spawn(process.execPath, [ALL], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    SEED_DEMO: 'true',
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    DATABASE_ROLE_PASSWORD: postgres.rolePassword,
    LOG_LEVEL: 'warn',
    ...Object.fromEntries(
      ['PORT', 'SIMULATOR_HTTP_PORT', 'PAYMENT_SIMULATOR_PORT', 'SMPP_SERVER_PORT', 'OPERATIONS_PORT'].map((key) => [
        key,
        '0',
      ]),
    ),
    SIMULATOR_SMPP_PORT: '0',
  },
});
const gone = new Promise((resolve) => product.once('exit', resolve));

/** Returns the processes below this one, with PostgreSQL's. */
function processes(): string[] {
  const parents = new Map<string, string>();
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const fields = statOf(pid);
    if (fields) parents.set(pid, fields[1]!);
  }
  const below = (pid: string): string[] => {
    const children = [...parents].filter(([, parent]) => parent === pid).map(([child]) => child);
    return [...children, ...children.flatMap(below)];
  };
  return below(String(process.pid));
}

/** Returns the processor seconds of each process, with those of its ended children. */
const processorSeconds = (): Map<string, number> =>
  new Map(
    processes().map((pid) => {
      const ticks = statOf(pid)?.slice(11, 15) ?? [];
      return [pid, ticks.reduce((sum, each) => sum + Number(each) / TICKS_A_SECOND, 0)];
    }),
  );

/** Returns the memory of a process in MB; what several share is divided among them. */
function memoryOf(pid: string): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Returns the name of a process: its file, or what PostgreSQL calls it. */
function nameOf(pid: string): string {
  const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  return /(\w[\w-]*)\.ts/.exec(line)?.[1] ?? line.replace(/ \S*\[local\].*| -D .*/, '').slice(0, 60);
}

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, each) => sum + each, 0);

try {
  await new Promise<void>((ready, failed) => {
    product.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Press Ctrl-C to stop')) ready();
    });
    void gone.then(() => failed(new Error('the product did not start')));
  });
  const client = new pg.Client(postgres.adminUrl);
  await client.connect();
  await client.query('CREATE EXTENSION pg_stat_statements');
  await sleep(settle * 1_000);
  await client.query('SELECT pg_stat_statements_reset()');
  const before = processorSeconds();
  await sleep(seconds * 1_000);
  const after = processorSeconds();
  const spent = sumOf(after.values()) - sumOf(before.values());
  const { rows } = await client.query<{ calls: string; query: string }>(
    `SELECT calls, regexp_replace(query, '\\s+', ' ', 'g') AS query FROM pg_stat_statements
     WHERE query !~ 'pg_stat_statements' ORDER BY calls DESC`,
  );
  for (const { calls, query } of rows.slice(0, 60))
    process.stderr.write(`${(Number(calls) / seconds).toFixed(2).padStart(8)}/s  ${query.slice(0, 130)}\n`);
  await client.end();
  const memory = new Map(processes().map((pid) => [pid, memoryOf(pid)]));
  for (const [pid, size] of [...memory].sort(([, a], [, b]) => b - a).slice(0, 30)) {
    const share = (100 * ((after.get(pid) ?? 0) - (before.get(pid) ?? 0))) / seconds;
    process.stderr.write(`${size.toFixed(0).padStart(5)} MB ${share.toFixed(2).padStart(6)} %  ${nameOf(pid)}\n`);
  }
  report('idle', [
    { figure: 'processor_percent', value: (100 * spent) / seconds, unit: '% of one core' },
    {
      figure: 'statements_per_second',
      value: rows.reduce((sum, { calls }) => sum + Number(calls), 0) / seconds,
      unit: '/s',
    },
    { figure: 'memory_mb', value: sumOf(memory.values()), unit: 'MB' },
  ]);
} finally {
  product.kill('SIGTERM');
  await gone;
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
