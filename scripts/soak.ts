import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SOAKS, type Soak } from './soaks.ts';

// `npm run soak [-- name … --minutes 60 --seed 7]`: the long versions of tests that `npm test` runs briefly. Each round
// prints its own seed. The same name with that seed and --rounds 1 repeats the run.

const ROOT = resolve(import.meta.dirname, '..');
const DEFAULT_MINUTES = 180;
const MINUTE_MS = 60_000;

const KNOWN = SOAKS.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n');

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        minutes: { type: 'string', default: String(DEFAULT_MINUTES) },
        seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 1_000_000)) },
        rounds: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return refuse(`${(error as Error).message.split('. ')[0]}.`);
  }
}

/** Prints the usage and exits. */
function refuse(reason?: string): never {
  const usage = `npm run soak [-- name … --minutes 60 --seed 7 --rounds 1], where a name is one of:\n${KNOWN}\n`;
  process[reason === undefined ? 'stdout' : 'stderr'].write(reason === undefined ? usage : `${reason}\n${usage}`);
  process.exit(reason === undefined ? 0 : 2);
}

const { values, positionals } = readArguments();
if (values.help) refuse();
const unknown = positionals.filter((name) => !SOAKS.some((soak) => soak.name === name));
if (unknown.length > 0) refuse(`There is no soak named ${unknown.join(', ')}.`);

const deadline = performance.now() + Number(values.minutes) * MINUTE_MS;
const firstSeed = Number(values.seed);
const wanted = SOAKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const results = wanted.map(run);
for (const { name, passed, rounds, failed } of results) {
  const seeds = failed.length > 0 ? `; failed with seeds ${failed.join(', ')}` : '';
  process.stdout.write(`${failed.length === 0 ? '✔' : '✖'} ${name}: ${passed} of ${rounds} rounds passed${seeds}\n`);
}
process.exitCode = results.some(({ failed }) => failed.length > 0) ? 1 : 0;

/** Runs the rounds of one soak, until they are done or the time is over. */
function run({ name, files, rounds, minutesARound, environment }: Soak) {
  const result = { name, rounds: Number(values.rounds ?? rounds), passed: 0, failed: [] as number[] };
  for (let round = 0; round < result.rounds; round++) {
    const left = deadline - performance.now();
    if (left <= 0) {
      process.stdout.write(`Time limit reached: ${name} ends after ${round} rounds.\n`);
      break;
    }
    const seed = firstSeed + round;
    process.stdout.write(
      `\n${name}, round ${round + 1} of ${result.rounds}: npm run soak -- ${name} --rounds 1 --seed ${seed}\n`,
    );
    const { status } = spawnSync(process.execPath, ['--test', ...files], {
      cwd: ROOT,
      stdio: 'inherit',
      timeout: Math.ceil(Math.min(left, minutesARound * MINUTE_MS)),
      env: { ...process.env, ...environment, FAULT_SEED: String(seed) },
    });
    if (status === 0) result.passed++;
    else result.failed.push(seed);
  }
  return result;
}
