import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { DEPLOY, leastGrace, PROCESSES, ports, read, root, SETTINGS } from './packaging.ts';

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
