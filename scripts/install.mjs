// Brings node_modules in line with package-lock.json before anything else runs. It has no dependencies and no
// TypeScript, because it runs on the machine's own Node, 20 or later, before ours is there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '..'));
const marker = join(root, 'node_modules/.heliograph-install');
const digest = (text) => createHash('sha256').update(text).digest('hex');
const state = `${digest(readFileSync(join(root, 'package-lock.json')))} ${process.platform} ${process.arch}\n`;

/** Checks that the installed packages are those of the lock file; packages for other systems may be missing. */
function isInstalled() {
  const [wanted, present] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
    (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages,
  );
  return Object.entries(wanted).every(
    ([path, entry]) =>
      !path.includes('node_modules/') ||
      present[path]?.version === entry.version ||
      (entry.optional === true && !present[path]),
  );
}

/** Returns the reason to install, in words, or undefined if there is none. */
function staleness() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return 'first start';
  if (existsSync(marker) && readFileSync(marker, 'utf8') === state) return undefined;
  if (!isInstalled()) return 'they have changed';
  // A developer has run npm install directly.
  writeFileSync(marker, state);
  return undefined;
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Takes the lock of this folder. If two commands start at the same time, the second waits for the first. */
function lock() {
  const path = join(tmpdir(), `heliograph-install-${digest(root).slice(0, 16)}.lock`);
  for (;;) {
    try {
      const file = openSync(path, 'wx');
      writeFileSync(file, String(process.pid));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    let holder = 0;
    try {
      holder = Number(readFileSync(path, 'utf8'));
    } catch {
      continue; // gone in between
    }
    if (holder > 0 && !isAlive(holder)) rmSync(path, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

function install(reason) {
  process.stdout.write(`Installing the dependencies (${reason}); this takes a minute or two.\n`);
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [program, args] = npm ? [process.execPath, [npm, ...options]] : ['npm', options];
  const result = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: !npm && process.platform === 'win32',
  });
  if (result.status !== 0)
    fail('The dependencies could not be installed: npm says why above. Mend that and start again.');
}

function requireRuntime() {
  const binary = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.node;
  const { status, stdout, stderr } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  if (status === 0 && stdout.trim() === `v${wanted}`) return;
  rmSync(marker, { force: true });
  // Small systems lack a library that this Node is linked with.
  const library = /loading shared libraries: (\S+?):/.exec(stderr ?? '')?.[1];
  if (library)
    fail(
      `Node ${wanted}, which the project brings along, needs ${library}, which this system lacks: install it (Debian and Ubuntu: apt-get install libatomic1 libstdc++6) and start again.`,
    );
  fail(
    `Node ${wanted}, which the project brings along, is not there: npm did not run the install script of the package "node". Allow install scripts (npm config set ignore-scripts false) and start again.`,
  );
}

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Heliograph needs Node 20 or later to install itself; this is ${process.version}.`);
}
if (staleness()) {
  const release = lock();
  process.on('exit', release);
  process.on('SIGINT', () => process.exit(130));
  // The check runs again, because another command may have installed while this one waited.
  const reason = staleness();
  if (reason) {
    install(reason);
    requireRuntime();
    writeFileSync(marker, state);
  }
}
