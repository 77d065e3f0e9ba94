import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

// `npm run bench [-- name … [--option value …]]`: runs each benchmark in its own process, one after another, and gives
// the options to each. Tables go to stderr, one JSON line per figure to stdout. Comparisons with another gateway run
// only when they are named, because they install it.

const FOLDER = resolve(import.meta.dirname, '../bench');
const own = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .sort();
const files = new Map(own.map((name) => [name, join(FOLDER, `${name}.ts`)]));
for (const peer of readdirSync(join(FOLDER, 'peers'))) files.set(peer, join(FOLDER, 'peers', peer, 'compare.ts'));

const given = process.argv.slice(2);
const firstOption = given.findIndex((word) => word.startsWith('--'));
const wanted = firstOption < 0 ? given : given.slice(0, firstOption);
const options = firstOption < 0 ? [] : given.slice(firstOption);
const unknown = wanted.filter((name) => !files.has(name));
if (unknown.length > 0) {
  process.stderr.write(`No benchmark is named ${unknown.join(', ')}. Benchmarks: ${[...files.keys()].join(', ')}.\n`);
  process.exit(2);
}

// Ctrl-C reaches the benchmark directly, and it cleans up. The benchmarks after it do not start.
process.on('SIGINT', () => undefined);
for (const name of wanted.length > 0 ? wanted : own) {
  const { status, signal } = spawnSync(process.execPath, [files.get(name)!, ...options], { stdio: 'inherit' });
  if (status === 130 || signal === 'SIGINT') process.exit(130);
  if (status !== 0) process.exitCode = 1;
}
