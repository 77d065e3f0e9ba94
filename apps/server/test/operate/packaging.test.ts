import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { DockerfileParser } from 'dockerfile-ast';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, settingNotes } from '../../src/platform/config.ts';
import { PROCESS_STOP_MS } from '../../src/platform/shutdown.ts';

// Consistency of deploy/ with settings, ports, files and times that are defined elsewhere.

const ROOT = resolve(import.meta.dirname, '../../../..');
const DEPLOY = join(ROOT, 'deploy');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const LAUNCHER = join(DEPLOY, 'heliograph');
const PROCESSES = ['api', 'worker', 'sender', 'smpp-server'];
const SETTINGS = new Set(settingNotes.map(({ name }) => name));
const config = readConfig({});
const ports = { api: config.PORT, 'smpp-server': config.SMPP_SERVER_PORT };
const operationsPort = (name: string) => config.OPERATIONS_PORT + PROCESSES.indexOf(name);
/** Returns the seconds for an orderly stop and the notice before it, with a few for the system. */
const leastGrace = (notice: number) => PROCESS_STOP_MS / 1_000 + notice + 3;

interface Package {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
}
const root = JSON.parse(read('package.json')) as Package;

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

test('a process is healthy while it answers, in a container under any name', async () => {
  const server = createServer((request, reply) => reply.writeHead(request.url === '/healthz' ? 200 : 404).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const health = async (...args: string[]) => {
    const env = { ...process.env, OPERATIONS_PORT: String(port - PROCESSES.indexOf('sender')) };
    const [code] = await once(spawn(LAUNCHER, ['health', ...args], { env, stdio: 'ignore' }), 'exit');
    return code as number;
  };
  assert.deepEqual([await health('sender'), await health(), await health('api')], [0, 0, 1]);
  server.closeAllConnections();
  server.close();
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

interface Compose {
  services: Record<string, Record<string, unknown> & { command: string[]; environment: Record<string, string> }>;
  volumes: Record<string, unknown>;
}
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose;
const own = Object.entries(compose.services).filter(([, { image }]) => image === 'heliograph:local');

test('compose runs every process by its name, with existing settings', () => {
  assert.deepEqual(own.map(([name]) => name).sort(), ['migrate', ...PROCESSES].sort());
  for (const [name, service] of own) {
    assert.deepEqual(service.command, [name]);
    for (const setting of Object.keys(service.environment)) assert.ok(SETTINGS.has(setting), setting);
    const grace = Number.parseInt(service['stop_grace_period'] as string, 10);
    assert.ok(grace >= leastGrace(Number(service.environment['STOP_NOTICE_SECONDS'])), name);
    assert.equal(service['read_only'], true);
    assert.deepEqual(service['cap_drop'], ['ALL']);
    for (const volume of (service['volumes'] as string[] | undefined) ?? [])
      assert.ok(volume.split(':')[0]! in compose.volumes, volume);
    for (const other of Object.keys(service['depends_on'] as object)) assert.ok(other in compose.services, other);
    const check = service['healthcheck'] as { test?: string[]; disable?: boolean };
    if (name === 'migrate') assert.equal(check.disable, true);
    else assert.deepEqual(check.test, ['CMD', 'heliograph', 'health', name]);
  }
  const published = (name: string) => (compose.services[name]!['ports'] as string[])[0]!.split(':').at(-1);
  assert.deepEqual([published('api'), published('smpp-server')], Object.values(ports).map(String));
  for (const [, name = ''] of read('deploy/heliograph.env.example').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm))
    assert.ok(SETTINGS.has(name), name);
});

test('compose gives NATS a password, and lets other images be named by digest', () => {
  const { nats, postgres, migrate } = compose.services;
  assert.match(nats!.command.join(' '), /^--user heliograph --pass \$\{NATS_PASSWORD:\?/);
  for (const [, { environment }] of own)
    assert.match(environment['NATS_URL']!, /^nats:\/\/heliograph:\$\{NATS_PASSWORD:\?[^}]+\}@nats:4222$/);
  assert.match(String(postgres!['image']), /^\$\{POSTGRES_IMAGE:-postgres:18\}$/);
  assert.match(String(nats!['image']), /^\$\{NATS_IMAGE:-nats:[\d.]+-alpine\}$/);
  const { args } = migrate!['build'] as { args: Record<string, string> };
  assert.equal(args['NODE_IMAGE'], `\${NODE_IMAGE:-node:${root.dependencies['node']}-trixie-slim}`);
});

/** Returns a function that gives all values of a name in a unit, each as often as it occurs. */
const unitOf = (name: string) => {
  const lines = [...read(`deploy/systemd/${name}`).matchAll(/^([A-Za-z]+)=(.*)$/gm)];
  return (key: string) => lines.filter(([, found]) => found === key).map(([, , value]) => value!);
};

test('systemd has a restricted unit with time to stop for every process', () => {
  const units = readdirSync(join(DEPLOY, 'systemd')).filter((file) => file.endsWith('.service'));
  assert.deepEqual(units.sort(), ['migrate', ...PROCESSES].map((name) => `heliograph-${name}.service`).sort());
  for (const file of units) {
    const name = file.slice('heliograph-'.length, -'.service'.length);
    const unit = unitOf(file);
    assert.deepEqual(unit('ExecStart'), [`/opt/heliograph/deploy/heliograph ${name}`]);
    const settings = unit('Environment').flatMap((line) =>
      line.split(' ').map((pair) => pair.split('=') as [string, string]),
    );
    for (const [setting] of settings) assert.ok(setting === 'NODE_ENV' || SETTINGS.has(setting), setting);
    const expected = {
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      User: 'heliograph',
      CapabilityBoundingSet: '',
    };
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(unit(key), [value], `${file} ${key}`);
    if (name === 'migrate') continue;
    assert.deepEqual([unit('Restart'), unit('WantedBy')], [['always'], ['heliograph.target']]);
    const notice = Number(Object.fromEntries(settings)['STOP_NOTICE_SECONDS'] ?? 0);
    assert.ok(Number(unit('TimeoutStopSec')[0]) >= leastGrace(notice), file);
  }
});

const noSystemd = existsSync('/usr/bin/systemd-analyze') ? false : 'systemd-analyze is not installed';
test('systemd itself finds no fault in the units', { skip: noSystemd }, () => {
  const units = globSync('*.{service,target}', { cwd: join(DEPLOY, 'systemd') });
  const { output } = spawnSync('systemd-analyze', ['verify', ...units], {
    cwd: join(DEPLOY, 'systemd'),
    encoding: 'utf8',
  });
  // The program is not installed in its place on this machine.
  const faults = output
    .join('')
    .split('\n')
    .filter((line) => /heliograph/.test(line) && !/deploy\/heliograph is not executable/.test(line));
  assert.deepEqual(faults, []);
  const rated = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--threshold=20', 'heliograph-api.service'],
    {
      cwd: join(DEPLOY, 'systemd'),
      env: { ...process.env, SYSTEMD_UNIT_PATH: join(DEPLOY, 'systemd') },
      encoding: 'utf8',
    },
  );
  assert.equal(rated.status, 0, rated.stdout + rated.stderr);
});

const CHART = join(DEPLOY, 'helm/heliograph');
const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Record<string, Record<string, unknown>>;

test('the chart names existing settings and ports, and gives pods time to stop', () => {
  const settings = values['settings'] as Record<string, string>;
  for (const name of Object.keys(settings)) assert.ok(SETTINGS.has(name), name);
  assert.ok(Number(values['terminationGracePeriodSeconds']) >= leastGrace(Number(settings['STOP_NOTICE_SECONDS'])));
  const processes = values['processes'] as Record<string, { port?: number; operationsPort: number }>;
  assert.deepEqual(Object.keys(processes), PROCESSES);
  for (const [name, { port, operationsPort: operations }] of Object.entries(processes))
    assert.deepEqual([port, operations], [ports[name as keyof typeof ports] ?? 0, operationsPort(name)], name);
});

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
  data?: Record<string, string>;
}

/** Renders the resources of the chart, with some of its values replaced. */
function render(change: Record<string, Record<string, unknown>>): Resource[] {
  const merged = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, key in change ? { ...value, ...change[key] } : value]),
  );
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as { name: string; appVersion: string };
  const files = Object.fromEntries(
    readdirSync(join(CHART, 'templates')).map((name) => [name, readFileSync(join(CHART, 'templates', name), 'utf8')]),
  );
  const scope = {
    Values: merged,
    Release: { Name: 'sms', Service: 'Helm' },
    Chart: { Name: chart.name, AppVersion: chart.appVersion },
  };
  const engine = spawnSync('go', ['run', join(import.meta.dirname, 'chart/render.go')], {
    input: JSON.stringify({ Files: files, Scope: scope }),
    encoding: 'utf8',
    env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '' },
  });
  assert.equal(engine.status, 0, engine.stderr);
  return Object.values(JSON.parse(engine.stdout) as Record<string, string>).flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => {
      assert.deepEqual(document.errors, [], text);
      const resource = document.toJS() as Resource | null;
      return resource ? [resource] : [];
    }),
  );
}

const go = spawnSync('go', ['version']).status === 0;
const noGo = go || process.env['CI'] ? false : 'Go, whose templates charts are, is not installed';

test('the chart renders a deployment with probes for each process', { skip: noGo }, () => {
  const resources = render({});
  const of = (kind: string) => resources.filter((resource) => resource.kind === kind);
  assert.deepEqual(
    of('Deployment')
      .map(({ metadata }) => metadata.name)
      .sort(),
    PROCESSES.map((name) => `sms-${name}`).sort(),
  );
  assert.deepEqual(of('PodDisruptionBudget').length, PROCESSES.length);
  assert.deepEqual(
    [of('Job').length, of('ConfigMap').length, of('Ingress').length, of('PersistentVolumeClaim').length],
    [1, 1, 0, 1],
  );
  for (const name of Object.keys(of('ConfigMap')[0]!.data!)) assert.ok(SETTINGS.has(name), name);
  for (const { metadata, spec } of of('Deployment')) {
    const name = metadata.name.slice('sms-'.length);
    const pod = (spec as { template: { spec: Pod } }).template.spec;
    const [container] = pod.containers;
    assert.deepEqual(container!.args, [name]);
    assert.equal(container!.securityContext.readOnlyRootFilesystem, true);
    assert.equal(container!.readinessProbe.httpGet.path, '/readyz');
    assert.equal(container!.livenessProbe.httpGet.path, '/healthz');
    assert.equal(container!.ports.find((port) => port.name === 'operations')!.containerPort, operationsPort(name));
    const mounted = container!.volumeMounts.map((mount) => mount.name).sort();
    assert.deepEqual(mounted, pod.volumes.map((volume) => volume.name).sort());
    assert.equal(mounted.includes('files'), name === 'api' || name === 'worker');
  }
});

interface Pod {
  containers: {
    args: string[];
    securityContext: { readOnlyRootFilesystem: boolean };
    readinessProbe: { httpGet: { path: string } };
    livenessProbe: { httpGet: { path: string } };
    ports: { name: string; containerPort: number }[];
    volumeMounts: { name: string }[];
  }[];
  volumes: { name: string }[];
}

test('every optional part of the chart renders, and disabled parts are gone', { skip: noGo }, () => {
  const on = { enabled: true };
  const all = render({
    ingress: { ...on, className: 'nginx' },
    autoscaling: on,
    podMonitor: { ...on, labels: { team: 'sms' } },
  });
  for (const kind of ['Ingress', 'HorizontalPodAutoscaler', 'PodMonitor'])
    assert.equal(all.filter((resource) => resource.kind === kind).length, 1, kind);
  const api = all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'sms-api');
  assert.equal('replicas' in api!.spec, false, 'the autoscaler alone says how many');
  const digest = `sha256:${'ab'.repeat(32)}`;
  const pinned = render({ image: { digest } }).filter(({ kind }) => kind === 'Deployment');
  for (const { spec } of pinned) {
    const [container] = (spec as { template: { spec: { containers: { image: string }[] } } }).template.spec.containers;
    assert.equal(container!.image, `heliograph@${digest}`);
  }
  const off = { enabled: false };
  const few = render({ files: off, podDisruptionBudget: off, migrate: off });
  assert.deepEqual([...new Set(few.map(({ kind }) => kind))].sort(), ['ConfigMap', 'Deployment', 'Service']);
});
