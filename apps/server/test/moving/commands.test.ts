import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConnectedConfig } from '#platform/config/config';
import { createLogger } from '#platform/log';
import { startWorker } from '../../src/processes/worker.ts';
import { createAdmin } from '../../src/seed/create-admin.ts';
import { testDatabase } from '../template-database.ts';
import { TEST_KEY } from '../test-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-moving-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const { url, pool } = await testDatabase({ after });
const ADMIN = 'ada@lumen.example';
await createAdmin({ url, email: ADMIN, name: 'Ada', password: 'Lighthouse#7' });
const owner = pool('owner');
const SETTINGS = { DATABASE_URL: url, SECRET_KEY: TEST_KEY, DATA_DIR: folder, LOG_LEVEL: 'warn' };
const config = readConnectedConfig({ ...SETTINGS, LOG_LEVEL: 'silent' });
const worker = await startWorker({ config, log: createLogger(config, 'test') });
after(() => worker.stop());

/** Runs a command of the server; answers its exit code and what it wrote. */
function run(command: string, args: readonly string[], variables: Record<string, string> = {}) {
  const file = join(import.meta.dirname, `../../src/processes/${command}.ts`);
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: folder,
      env: { ...process.env, ...SETTINGS, ...variables },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stderr.on('data', (text) => {
      err += text;
    });
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const CONFIG = `heliograph: 1
corporations:
  - name: Lumen
links:
  - { name: Globe, host: smsc.example, port: 2775, system_id: lumen, password: "\${GLOBE}", enabled: false }
service-accounts:
  - { corporation: Lumen, name: Shop, contact_email: it@lumen.example }
service-account-keys:
  - { service_account: Shop, name: First }
opt-out-files:
  - { corporation: Lumen, file: stopped.csv }
`;

test('a plan changes nothing, applying it twice changes once, and the exit codes tell', async () => {
  const config = file('config.yaml', CONFIG);
  file('stopped.csv', 'number\n639170000001\n');
  const secrets = file('secrets', '# carriers\nGLOBE=first\n');
  const args = [config, '--as', ADMIN, '--secrets', secrets];

  const plan = await run('apply', args);
  assert.equal(plan.code, 3, plan.err);
  assert.match(plan.out, /^\+ links "Globe"$/m);
  assert.match(plan.out, /^ {4}password: \(set\)$/m);
  assert.match(plan.out, /4 to create, 0 to change, 0 as they are, 1 files and payments to add/);
  assert.equal((await owner.query('SELECT FROM link')).rowCount, 0);

  const keys = join(folder, 'keys');
  const done = await run('apply', [...args, '--yes', '--keys', keys]);
  assert.equal(done.code, 0, done.err);
  assert.match(
    readFileSync(keys, 'utf8'),
    /^service-account-keys "Lumen \/ Shop \/ First": user name hk_live_\S+, key hk_live_/,
  );
  assert.equal(statSync(keys).mode & 0o777, 0o600);
  assert.ok(!done.out.includes('first') && !done.out.includes(readFileSync(keys, 'utf8').split(' key ')[1]!.trim()));
  assert.match(done.out, /opt-outs from stopped\.csv: 1 added, 0 there already, 0 refused/);
  assert.equal((await owner.query("SELECT FROM opt_out WHERE number = '639170000001'")).rowCount, 1);
  const { rows } = await owner.query<{ name: string; email: string }>(
    `SELECT a.name, u.email FROM activity_log a JOIN user_account u ON u.id = a.causer_id WHERE a.name = 'links'`,
  );
  assert.deepEqual(rows, [{ name: 'links', email: ADMIN }]);

  const again = await run('apply', args);
  assert.deepEqual([again.code, again.err], [0, '']);
  assert.match(again.out, /Nothing to do: 4 records are as .* says\./);
});

test('an export has no secret, and describes the installation that it comes from', async () => {
  const exported = await run('export', ['--as', ADMIN]);
  assert.equal(exported.code, 0, exported.err);
  assert.match(exported.out, /password: \$\{GLOBE_PASSWORD\}/);
  assert.ok(!exported.out.includes('hk_live'));
  const same = await run('apply', [file('exported.yaml', exported.out), '--as', ADMIN]);
  assert.deepEqual([same.code, same.err], [0, ''], same.out);
});

test('each mistake is named with its line, and nobody but an administrator applies', async () => {
  const bad = file('bad.yaml', 'heliograph: 1\nlinks:\n  - name: Globe\n    hosst: a\nlinkz: []\n');
  const { code, err } = await run('apply', [bad, '--as', ADMIN]);
  assert.equal(code, 1);
  assert.match(err, /bad\.yaml:4: links\[1\]\.hosst: There is no field "hosst"\. Do you mean "host"\?/);
  assert.match(err, /bad\.yaml:5: linkz: There is no section "linkz"\. Do you mean "links"\?/);
  assert.match((await run('apply', [file('c.yaml', CONFIG), '--as', 'nobody@lumen.example'])).err, /No administrator/);
  assert.equal((await run('apply', [file('c.yaml', CONFIG)])).code, 2);
  assert.equal((await run('move-in', ['telex', 'x', '--contact', ADMIN])).code, 2);
});

test('an apply that is killed half-way continues with the same command', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `Kill ${at}`);
  const config = file(
    'many.yaml',
    `heliograph: 1\nlinks:\n${names.map((name) => `  - { name: ${name}, host: a.example, port: 1, system_id: a, enabled: false }\n`).join('')}`,
  );
  const args = [config, '--as', ADMIN, '--yes'];
  const program = join(import.meta.dirname, '../../src/processes/apply.ts');
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: { ...process.env, ...SETTINGS } });
  child.stdout.on('data', (text) => {
    if (String(text).includes('✔')) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  const count = async () => (await owner.query("SELECT FROM link WHERE name LIKE 'Kill %'")).rowCount!;
  const before = await count();
  assert.ok(before > 0 && before < names.length, `${before} links`);
  const again = await run('apply', args);
  assert.deepEqual([again.code, again.err], [0, '']);
  assert.match(again.out, new RegExp(`${names.length - before} to create, 0 to change, ${before} as they are`));
  assert.equal(await count(), names.length);
});
