import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { passwordContext } from '#modules/delivery';
import { examine, type Finding, holdAfterRestore } from '#modules/operate';
import { seal } from '#platform/process/seal';
import { type Stage, stage } from '../delivery/stage.ts';
import { listenOn, ownPort } from '../own-port.ts';
import { authority } from '../smpp-server/certificates.ts';
import { emptyDatabase, ROLE_PASSWORD, testDatabase } from '../template-database.ts';
import { startProcess } from './running.ts';

const KEY = randomBytes(32);
const DOCTOR = join(import.meta.dirname, '../../src/processes/doctor.ts');

function settingsFor(t: TestContext, url: string | undefined): Record<string, string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-doctor-'));
  t.after(() => rmSync(folder, { recursive: true }));
  // No process of an installation on this machine answers for these.
  const none = { OPERATIONS_PORT: '0', PORT: '0', SMPP_SERVER_PORT: '0' };
  const ports = { ...none, SIMULATOR_SMPP_PORT: '0', SIMULATOR_HTTP_PORT: '0', PAYMENT_SIMULATOR_PORT: '0' };
  const secrets = { DATABASE_ROLE_PASSWORD: ROLE_PASSWORD, SECRET_KEY: KEY.toString('base64') };
  return { ...ports, ...secrets, DATABASE_URL: url, DATA_DIR: folder };
}

/** Returns the findings that are not ok; `found` returns those of one name as text. */
const ills = (findings: readonly Finding[]) => findings.filter(({ state }) => state !== 'ok');
const found = (findings: readonly Finding[], name: string) =>
  ills(findings)
    .filter((each) => each.name === name)
    .map(({ state, detail }) => `${state}: ${detail}`)
    .join('\n');

async function linkWithPassword(on: Stage, key: Buffer, name: string): Promise<void> {
  const id = await on.addLink({ port: 1, name });
  await on.owner.query('UPDATE link SET password_sealed = $1 WHERE id = $2', [
    seal(key, 'secret', passwordContext(id)),
    id,
  ]);
}

test('each fault is named with its remedy, and parts in order are not mentioned', async (t) => {
  const on = await stage(t);
  await linkWithPassword(on, KEY, 'Carrier');
  const settings = settingsFor(t, on.database.url);
  const look = () => examine(settings);
  // The test cluster is not durable on purpose, keeps no archive, and runs no process.
  const usual = new Set(['database', 'archive', 'processes', 'disk', 'ages']);
  const well = await look();
  assert.deepEqual(
    ills(well).filter(({ name }) => !usual.has(name)),
    [],
  );
  assert.match(found(well, 'database'), /^bad: fsync is off: acknowledged messages can be lost/m);
  assert.match(found(well, 'archive'), /warn: The write-ahead log is not archived/);
  assert.match(found(well, 'processes'), /missing: api, worker, sender/);
  for (const { name, action } of ills(well)) assert.ok(action, `${name} says what to do`);

  await linkWithPassword(on, randomBytes(32), 'Locked');
  await on.owner.query("INSERT INTO schema_migrations VALUES (9999, '9999_later.sql', '')");
  await on.owner.query('UPDATE billing_account SET credit_balance = credit_balance + 1');
  await on.owner.query('UPDATE link SET enabled = false');
  await on.owner.query(
    `DO $$ DECLARE t text; BEGIN FOR t IN SELECT relname FROM pg_class WHERE relispartition AND relname ~ '^outcome_\\d+$'
       AND to_date(right(relname, 8), 'YYYYMMDD') > (now() AT TIME ZONE 'UTC')::date LOOP EXECUTE 'DROP TABLE ' || t; END LOOP; END $$`,
  );
  await on.owner.query(
    `INSERT INTO global_configuration (key, name, value, description) VALUES ('texts_kept_days', '', '7', '') ON CONFLICT (key) DO UPDATE SET value = '7', enabled = true`,
  );
  await on.owner.query(
    "SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 11, (now() AT TIME ZONE 'UTC')::date - 9)",
  );
  await holdAfterRestore(on.owner, { until: '2026-01-31T08:00:00Z', now: new Date(), jobs: [] });
  const ill = await look();
  assert.match(found(ill, 'secret_key'), /bad: The key does not open the passwords of Locked\./);
  assert.match(found(ill, 'migrations'), /warn: The database has 9999_later\.sql of a later release/);
  assert.match(found(ill, 'ledger'), /bad: The ledger has \d+ contradictions/);
  assert.match(found(ill, 'links'), /warn: No link is enabled/);
  assert.match(found(ill, 'partitions'), /bad: Partitions exist for the next 0 days/);
  assert.match(found(ill, 'retention'), /warn: texts_kept_days is 7, but 1 older days still exist/);
  assert.match(
    found(ill, 'hold'),
    /warn: Sending is on hold because the database was restored to 2026-01-31T08:00:00Z/,
  );
  await on.owner.query('DELETE FROM schema_migrations WHERE version > 27');
  assert.match(found(await look(), 'migrations'), /bad: The database lacks 0028_/);
});

test('all unusable settings are named together, and nothing is created', async (t) => {
  const settings = settingsFor(t, undefined);
  const faults = await examine({ ...settings, PORT: '99999', LOG_LEVEL: 'loud', MAIL_URL: 'secret://x' });
  assert.deepEqual(
    faults.map(({ detail }) => detail.split(':')[0]),
    ['The setting PORT is "99999"', 'The setting LOG_LEVEL is "loud"', 'The setting MAIL_URL has an invalid value'],
  );
  const none = await examine({ ...settings, SECRET_KEY: undefined });
  assert.match(found(none, 'database'), /holds no database yet/);
  assert.match(found(none, 'backups'), /BACKUP_DIR is not set/);
});

test('an unreachable server, a taken port and a bad backup are found', async (t) => {
  const port = await listenOn(createServer(), t);
  const settings = settingsFor(t, undefined);
  const backups = join(settings['DATA_DIR']!, 'backups');
  mkdirSync(join(backups, '2026-01-31T08-00-00Z'), { recursive: true });
  writeFileSync(join(backups, '2026-01-31T08-00-00Z/manifest.json'), '{}');
  const findings = await examine({
    ...settings,
    PORT: String(port),
    NATS_URL: 'nats://127.0.0.1:1',
    MAIL_URL: 'smtp://127.0.0.1:1',
    BACKUP_DIR: backups,
  });
  assert.match(
    found(findings, 'ports'),
    new RegExp(`warn: PORT ${port} on 127\\.0\\.0\\.1 is in use by another program`),
  );
  assert.match(found(findings, 'nats'), /warn: NATS at 127\.0\.0\.1:1 cannot be reached: /);
  assert.match(found(findings, 'mail'), /warn: The mail server 127\.0\.0\.1 refuses us: ECONNREFUSED\./);
  assert.match(found(findings, 'backups'), /bad: The manifest\.json of .* was changed after the backup/);
});

test('a port that our own process holds is no fault, also without the database', async (t) => {
  const database = await testDatabase(t);
  const [smpp, operations] = [await ownPort(), await ownPort()];
  const own = { SMPP_SERVER_PORT: String(smpp), OPERATIONS_PORT: String(operations - 3) };
  await startProcess(t, 'smpp-server', database.url, own);
  for (const url of [database.url, 'postgres://nobody:nothing@127.0.0.1:1/none']) {
    const findings = await examine({ ...settingsFor(t, url), ...own });
    assert.equal(found(findings, 'ports'), '');
    assert.match(findings.find(({ name }) => name === 'ports')!.detail, /is in use by Heliograph/);
  }
});

test('a public address without a mail server leads to a warning', async (t) => {
  const settings = settingsFor(t, undefined);
  assert.equal(found(await examine(settings), 'mail'), '');
  const findings = await examine({ ...settings, PUBLIC_URL: 'https://sms.example.com' });
  assert.match(found(findings, 'mail'), /^warn: MAIL_URL is not set: emails are written to DATA_DIR\/mail/);
});

test('a database without tables is named once, with the remedy', async (t) => {
  const database = await emptyDatabase(t);
  const findings = await examine(settingsFor(t, database.url));
  assert.match(found(findings, 'migrations'), /^bad: The database has no tables yet\.$/);
  assert.equal(JSON.stringify(findings).includes('does not exist'), false);
});

test('an unusable standby for reports and an unusable pooler are found', async (t) => {
  const [database, other] = [await testDatabase(t), await testDatabase(t)];
  const settings = settingsFor(t, database.url);
  const away = 'postgres://nobody:nothing@127.0.0.1:1/none';
  const broken = await examine({ ...settings, REPORTS_DATABASE_URL: away, POOLER_URL: away });
  assert.match(found(broken, 'reports'), /^warn: REPORTS_DATABASE_URL cannot be reached: .*ECONNREFUSED/);
  assert.match(found(broken, 'pooler'), /^bad: POOLER_URL does not serve the role heliograph_api: .*ECONNREFUSED/);
  const wrong = await examine({ ...settings, REPORTS_DATABASE_URL: other.url });
  assert.match(found(wrong, 'reports'), /^bad: REPORTS_DATABASE_URL is not a copy of this database/);
  const promoted = await examine({ ...settings, REPORTS_DATABASE_URL: database.url });
  assert.equal(found(promoted, 'reports'), '');
});

test('a certificate of the SMPP server that expires or does not fit is found', async (t) => {
  const house = authority(t, 'House');
  const [own, other, old, soon] = [
    house.sign('smpp.example.com'),
    house.sign('other.example.com'),
    house.sign('smpp.example.com', -1),
    house.sign('smpp.example.com', 5),
  ];
  const told = async (cert: string, key: string) => {
    const settings = settingsFor(t, undefined);
    const findings = await examine({ ...settings, SMPP_SERVER_TLS_CERT: cert, SMPP_SERVER_TLS_KEY: key });
    return findings.filter(({ name }) => name === 'certificate').map(({ state, detail }) => `${state}: ${detail}`)[0]!;
  };
  assert.match(await told(own.cert, own.key), /^ok: .*\(DNS:smpp\.example\.com\) is valid for (29|30) more days/);
  assert.match(await told(soon.cert, soon.key), /^warn: .* is valid for [45] more days/);
  assert.match(await told(old.cert, old.key), /^bad: .* has expired/);
  assert.match(await told(own.cert, other.key), /^bad: SMPP_SERVER_TLS_KEY is not the key of SMPP_SERVER_TLS_CERT/);
  assert.match(await told(own.cert, '/nowhere.key'), /^bad: SMPP_SERVER_TLS_KEY \/nowhere\.key cannot be read: ENOENT/);
});

test('the exit code shows whether it can wait until the morning', async (t) => {
  const run = (settings: Record<string, string | undefined>, ...args: string[]) =>
    new Promise<{ code: number | null; text: string }>((done) => {
      const environment = { ...process.env, ...settings } as Record<string, string>;
      const child = spawn(process.execPath, [DOCTOR, ...args], {
        env: environment,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      child.once('close', (code) => done({ code, text }));
    });
  const settings = settingsFor(t, '');
  const [warned, broken] = await Promise.all([
    run(settings),
    run({ ...settings, DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:1/none' }, '--json'),
  ]);
  assert.equal(warned.code, 1);
  assert.match(warned.text, /^✔ configuration {2}All settings are valid\.$/m);
  assert.match(warned.text, /^! database .*\n +→ Run `npm start`/m);
  assert.equal(broken.code, 2);
  const bad = (JSON.parse(broken.text) as Finding[]).filter(({ state }) => state === 'bad');
  assert.deepEqual(
    bad.map(({ name }) => name),
    ['database'],
  );
});
