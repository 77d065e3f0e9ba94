import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

// Builds the console into apps/console/dist, from where the API serves it.

const ROOT = resolve(import.meta.dirname, '..');
const CONSOLE = join(ROOT, 'apps/console');
const DIST = join(CONSOLE, 'dist');
const HASH_FILE = join(DIST, '.sources');

/** All sources of the bundle; the lock file stands for the libraries. */
const SOURCES = [
  'package-lock.json',
  'apps/console/{index.html,package.json,vite.config.ts}',
  'apps/console/{src,build,public}/**',
  'packages/contract/{src,messages}/**',
];

function sourcesHash(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => statSync(join(ROOT, file)).isFile());
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  return hash.digest('hex');
}

function isFresh(hash: string): boolean {
  return existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash;
}

/**
 * Runs Vite into `folder` and returns its output. If it fails, throws an Error with the output. With `told`, it writes
 * the output into that file and the Error names only the file, because the output can be hundreds of lines.
 */
export async function runVite(folder: string, told?: string): Promise<string> {
  const vite = join(dirname(createRequire(join(CONSOLE, 'package.json')).resolve('vite/package.json')), 'bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: CONSOLE,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const code = await new Promise((done) => child.once('close', done));
  if (code === 0) return output;
  if (told === undefined) throw new Error(`The console could not be built:\n${output.trim()}`);
  mkdirSync(dirname(told), { recursive: true });
  writeFileSync(told, output);
  throw new Error(`The console could not be built. The output of Vite is in ${told}.`);
}

/**
 * Builds the console if its sources have changed since the last build. Writes to `log` before a build begins; throws as
 * `runVite` does.
 */
export async function buildConsole(log: { info(text: string): void }, told?: string): Promise<void> {
  const hash = sourcesHash();
  if (isFresh(hash)) return;
  log.info('building the console');
  // The build goes to another folder and is then moved into place, because a server may be serving the old one.
  const [draft, old] = [`${DIST}.${process.pid}`, `${DIST}.${process.pid}.old`];
  try {
    await runVite(draft, told);
    writeFileSync(join(draft, '.sources'), hash);
    if (existsSync(DIST)) renameSync(DIST, old);
    renameSync(draft, DIST);
  } finally {
    for (const folder of [draft, old]) rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  await buildConsole({ info: (text) => void process.stdout.write(`${text}\n`) }).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
