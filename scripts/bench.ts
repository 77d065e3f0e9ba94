import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

// `npm run bench [-- name …]`: each benchmark in a process of its own, one after another. Tables go to stderr, one JSON
// line a figure to stdout.

const FOLDER = resolve(import.meta.dirname, '../bench');
const known = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .sort();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark named ${unknown.join(', ')}. There are: ${known.join(', ')}.\n`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : known) {
  const { status } = spawnSync(process.execPath, [join(FOLDER, `${name}.ts`)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
