import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { lastFirst, type Scope } from '../template-database.ts';
import { dataFolder, READY, type Started, start, stopAfter } from './npm-start.ts';

// Tests the shortest way to an empty installation, as in docs/operate/install.md, from a folder as people have them.

const ROOT = resolve(import.meta.dirname, '../../../..');
const PASSWORD = 'Lighthouse#77';

/** Makes a checkout in a folder with spaces, an accent and a foreign letter in its name; libraries are linked. */
function checkout(t: Scope): string {
  const parent = mkdtempSync(join(tmpdir(), 'heliograph-checkout-'));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  const copy = join(parent, 'My Projects josé 漢');
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], options);
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  // `npm test` has built the console. If it has not, the start does.
  const built = join(ROOT, 'apps/console/dist');
  if (existsSync(built)) cpSync(built, join(copy, 'apps/console/dist'), { recursive: true });
  linkAll(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const workspace of ['apps/server', 'apps/console', 'packages/contract', 'packages/smpp'])
    if (existsSync(join(ROOT, workspace, 'node_modules')))
      linkAll(join(ROOT, workspace, 'node_modules'), join(copy, workspace, 'node_modules'));
  return copy;
}

/** Links each library of a folder; our own packages are those of the copy. */
function linkAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter((each) => each !== '@heliograph'))
    symlinkSync(join(from, name), join(to, name));
  if (existsSync(join(from, '@heliograph')))
    cpSync(join(from, '@heliograph'), join(to, '@heliograph'), { recursive: true, verbatimSymlinks: true });
}

describe('an empty installation of `npm start`, in a folder with spaces and accents', () => {
  const scope = lastFirst({ after });
  let place: string;
  let data: string;
  let house: Started;
  let address: string;

  const command = (name: string, args: readonly string[] = [], input = '') => {
    const run = spawnSync(process.execPath, [join(place, 'apps/server/src/processes', `${name}.ts`), ...args], {
      input,
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: '', DATA_DIR: data, LOG_LEVEL: 'warn' },
    });
    return { status: run.status, output: run.stdout + run.stderr };
  };

  before(async () => {
    place = checkout(scope);
    data = dataFolder(scope);
    house = await start(data, {}, join(place, 'apps/server/src/processes/all.ts'));
    stopAfter(scope, house);
    address = await house.line(READY);
  });

  it('serves the console', async () => {
    const answer = await fetch(new URL('/login', address));
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /<div id="root">/);
  });

  it('gets its first administrator by `npm run create-admin`', async () => {
    const made = command('create-admin', ['--email', 'ada@example.org', '--name', 'Ada'], `${PASSWORD}\n`);
    assert.deepEqual(made, { status: 0, output: 'ada@example.org can now sign in as super administrator.\n' });
    const signedIn = await fetch(new URL('/api/v1/oauth/token', address), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada@example.org', password: PASSWORD }),
    });
    assert.equal(signedIn.status, 200, await signedIn.text());
  });

  it('has commands that find the embedded database', () => {
    const verified = command('verify-log');
    assert.equal(verified.status, 0, verified.output);
    assert.match(verified.output, /^All \d+ entries of the activity log are whole/);
    const today = new Date().toISOString().slice(0, 10);
    const counted = command('rebuild-traffic', ['--from', today, '--to', today]);
    assert.equal(counted.status, 0, counted.output);
  });

  it('stops without a warning from Node', async () => {
    house.process.kill('SIGTERM');
    assert.equal(await house.exited, 0);
    assert.doesNotMatch(house.output(), /Warning/);
    const stopped = command('verify-log');
    assert.equal(stopped.status, 1);
    assert.match(stopped.output, /^The embedded database of [^\n]+ does not answer\. Run `npm start`[^\n]+\n$/);
    data = join(place, 'nothing');
    const nothing = command('create-admin', ['--email', 'ada@example.org', '--name', 'Ada'], `${PASSWORD}\n`);
    assert.equal(nothing.status, 2);
    assert.match(nothing.output, /holds no database, and DATABASE_URL is unset\. Run `npm start`[^\n]+\n$/);
  });
});
