import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { DockerfileParser } from 'dockerfile-ast';
import { ownPort } from '../own-port.ts';
import { LAUNCHER, operationsPort, PROCESSES, ports, ROOT, read, root, SETTINGS } from './packaging.ts';

const launched = (/^ {2}(api \|[^)]+)\)$/m.exec(readFileSync(LAUNCHER, 'utf8'))?.[1] ?? '').split(' | ');

test('the launcher starts exactly the processes and commands that npm starts', () => {
  const byNpm = Object.entries(root.scripts)
    .filter(([name, script]) => script.includes('src/processes/') && name !== 'start')
    .map(([name]) => name);
  assert.deepEqual([...launched].sort(), byNpm.sort());
  for (const name of launched) {
    assert.ok(existsSync(join(ROOT, `apps/server/src/processes/${name}.ts`)), name);
    assert.match(read('deploy/heliograph'), new RegExp(`^ {2}${name} `, 'm'), `the usage tells of ${name}`);
  }
});

test('the launcher gives Node the same options as npm does', () => {
  const withOptions = Object.entries(root.scripts).flatMap(([name, script]) => {
    const options = /node (--\S.*) apps\/server\/src\/processes/.exec(script)?.[1];
    return options === undefined ? [] : [`[ "$command" != ${name} ] || options=${options}`];
  });
  const launcher = readFileSync(LAUNCHER, 'utf8');
  assert.deepEqual(launcher.match(/\[ "\$command" != .*/g) ?? [], withOptions);
});

test('the launcher runs from any folder and through a link, and shows its usage', () => {
  accessSync(LAUNCHER, constants.X_OK);
  assert.equal(spawnSync('sh', ['-n', LAUNCHER]).status, 0);
  const run = (...args: string[]) => spawnSync(LAUNCHER, args, { cwd: '/', encoding: 'utf8' });
  assert.match(run('help').stdout, /^Usage: heliograph COMMAND/);
  assert.equal(run('--version').stdout, `${(JSON.parse(read('package.json')) as { version: string }).version}\n`);
  const wrong = run('smpp');
  assert.deepEqual([wrong.status, wrong.stdout, /^Usage/.test(wrong.stderr)], [2, '', true]);
  assert.equal(run().status, 2);
  const migrate = spawnSync(LAUNCHER, ['migrate'], { cwd: '/', encoding: 'utf8', env: { PATH: process.env['PATH'] } });
  assert.match(migrate.stderr, /^The setting DATABASE_URL is unset/);
  assert.equal(migrate.status, 2);
});

test('a process is healthy while it answers, in a container under any name', async (t) => {
  const server = createServer((request, reply) => reply.writeHead(request.url === '/healthz' ? 200 : 404).end());
  // The ports of the other processes belong to this test too, so that nobody else answers there.
  const [first = 0] = await Promise.all(PROCESSES.map(() => ownPort()));
  const port = first + PROCESSES.indexOf('sender');
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  t.after(close);
  const health = async (...args: string[]) => {
    const env = { ...process.env, OPERATIONS_PORT: String(first) };
    const [code] = await once(spawn(LAUNCHER, ['health', ...args], { env, stdio: 'ignore' }), 'exit');
    return code as number;
  };
  assert.deepEqual([await health('sender'), await health(), await health('api')], [0, 0, 1]);
  close();
  assert.equal(await health(), 1);
});

const docker = DockerfileParser.parse(read('deploy/Dockerfile'));
const instructions = docker.getInstructions().map((each) => ({
  word: each.getKeyword(),
  text: each.getArgumentsContent() ?? '',
  args: each.getArguments().map((argument) => argument.getValue()),
}));

test('every file that the image copies exists, and so do the packages for npm ci', () => {
  const stages = instructions.filter(({ word }) => word === 'FROM').map(({ args }) => args.at(-1));
  let copied = 0;
  for (const copy of docker.getCOPYs()) {
    const from = copy.getFlags().find((flag) => flag.getName() === 'from');
    if (from) {
      assert.ok(stages.includes(from.getValue()!), `stage ${from.getValue()}`);
      continue;
    }
    for (const source of copy.getArguments().slice(0, -1)) {
      copied++;
      assert.ok(existsSync(join(ROOT, source.getValue())), source.getValue());
    }
  }
  assert.ok(copied > 20);
  const packages = globSync('{apps,packages}/*/package.json', { cwd: ROOT });
  const ci = instructions.filter(({ word, text }) => word === 'RUN' && text.includes('npm ci'));
  assert.equal(ci.length, 2);
  for (const path of packages)
    assert.equal(instructions.filter(({ word, args }) => word === 'COPY' && args[0] === path).length >= 2, true, path);
});

test('a slim installation has the libraries of the image, and also Node', () => {
  const flags = (command: string) => command.match(/--(?:omit|workspace|include-workspace-root)\S*/g)!.sort();
  const image = instructions.find(({ word, text }) => word === 'RUN' && text.includes('npm ci --omit'))!.text;
  assert.deepEqual(flags(root.scripts['slim']!), flags(image));
  // The package "node" downloads its program by an install script.
  assert.doesNotMatch(root.scripts['slim']!, /ignore-scripts/);
});

test('the image has the Node of package.json, no rights, and a health check', () => {
  const image = instructions.find(({ word }) => word === 'ARG')!.text;
  assert.equal(image, `NODE_IMAGE=node:${root.dependencies['node']}-trixie-slim`);
  const last = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'));
  const of = (word: string) => last.filter((each) => each.word === word);
  assert.match(of('USER')[0]!.text, /^[1-9]\d+:[1-9]\d+$/);
  assert.match(of('HEALTHCHECK')[0]!.text, /CMD \["heliograph", "health"\]/);
  assert.match(of('ENTRYPOINT')[0]!.text, /tini.*"heliograph"/);
  assert.ok(!of('RUN').some(({ text }) => /npm (ci|install)|build-essential|python|g\+\+/.test(text)));
  assert.deepEqual(of('EXPOSE')[0]!.args.map(Number), [...Object.values(ports), ...PROCESSES.map(operationsPort)]);
  for (const [, name = ''] of of('ENV')[0]!.text.matchAll(/([A-Z_]+)=/g))
    assert.ok(name === 'NODE_ENV' || SETTINGS.has(name), name);
});
