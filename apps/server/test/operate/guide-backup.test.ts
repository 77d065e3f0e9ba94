import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#platform/config/config';
import { secretKey } from '#platform/process/seal';
import { ownPort } from '../own-port.ts';
import { lastFirst, testClusterHome } from '../template-database.ts';
import { GuideMachine, PASSWORD, withoutPsql } from './guide-machine.ts';
import { blocksOf, commandsIn } from './guide-text.ts';
import { Installation } from './installation.ts';

// The commands of docs/operate/backup.md, exactly as written: the nightly backup of one's own PostgreSQL and the way
// back to a moment. Also the embedded database's backup, list, verification and restore.

const PAGE = 'backup.md';
const OWN = "A PostgreSQL of one's own (`DATABASE_URL`)";
const BY_HAND = 'Back to a moment by hand';
/** Day and time that the guide uses as an example. */
const DAY = '2026-01-31';
const MOMENT = '08:00:00';
const ADD_LINK = "INSERT INTO link (name, host, port, system_id) VALUES ('Carrier', '127.0.0.1', 1, 'x')";

describe('docs/operate/backup.md', { skip: withoutPsql }, () => {
  const scope = lastFirst({ after });
  let machine: GuideMachine;
  let environment: { DATABASE_URL: string };
  const sql = (statement: string) => machine.run(`psql heliograph -Atc "${statement}"`);
  const names = async () =>
    (await sql("SELECT string_agg(name, ',' ORDER BY id) FROM corporation WHERE name LIKE 'Lamp%'")).trim();
  /** Waits for a whole second of the database without any other change near it. */
  const quietMoment = async () => {
    await sleep(1_100);
    const moment = (await sql("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')")).trim();
    await sleep(1_100);
    return moment.split(' ') as [day: string, time: string];
  };

  it('backs up a PostgreSQL of one’s own', async () => {
    const folder = mkdtempSync(join(testClusterHome(), 'heliograph-guide-'));
    scope.after(() => rmSync(folder, { recursive: true, force: true }));
    spawnSync('chmod', ['755', folder]);
    const network = { port: await ownPort(), poolerPort: await ownPort() };
    machine = await GuideMachine.install(scope, folder, '127.0.57.3', network);
    const [, , owner] = blocksOf('database.md', 'Settings of PostgreSQL', 3);
    await machine.run(owner!);
    environment = { DATABASE_URL: `postgres://heliograph:${PASSWORD}@127.0.57.3:${network.port}/heliograph` };
    await machine.run('npm run migrate', environment);
    const [prepare, archive, nightly] = blocksOf(PAGE, OWN, 7);
    await machine.run(prepare!);
    machine.write('etc/postgresql/18/main/conf.d/archive.conf', archive!);
    await machine.run('systemctl restart postgresql@18-main');
    assert.match(await machine.run(nightly!), /successfully verified/);
  });

  it('goes back to a moment by hand, and holds messages that may have left', async () => {
    await sql(ADD_LINK);
    await sql("INSERT INTO corporation (name) VALUES ('Lamp before')");
    // An installation with a standby has this setting in its copy.
    await machine.run(`psql -c "ALTER SYSTEM SET synchronous_standby_names = 'db2'"`);
    await machine.run('rm -rf /backup/$(date -u +%F)');
    const [, , nightly] = blocksOf(PAGE, OWN, 7);
    await machine.run(nightly!);
    const [day, time] = await quietMoment();
    await sql("INSERT INTO corporation (name) VALUES ('Lamp after')");
    const segment = (await sql('SELECT pg_walfile_name(pg_switch_wal())')).trim();
    await machine.until(`ls /backup/wal/${segment}`, new RegExp(`${segment}\n`));
    assert.equal(await names(), 'Lamp before,Lamp after');
    const steps = blocksOf(PAGE, BY_HAND, 4).map((block) =>
      block
        .replaceAll(DAY, day)
        .replaceAll(MOMENT, time)
        .replace(/\s+# without the launcher.*/, ''),
    );
    const [restore, look, finish, hold] = steps;
    await machine.run(restore!);
    await machine.until(look!, /^ f$/m);
    await machine.run(finish!);
    assert.equal(await names(), 'Lamp before');
    assert.match(await sql('SHOW synchronous_standby_names'), /^\s*$/);
    await machine.run(hold!, environment);
    assert.match(await machine.run('heliograph restore status', environment), /hold|held/i);
    await machine.run('heliograph restore release', environment);
  });

  it('backs up the embedded database, lists, verifies and restores it', async () => {
    const data = machine.path('srv/heliograph/data');
    const backups = machine.path('backup/heliograph');
    for (const path of [data, backups, machine.path('safe')]) mkdirSync(path, { recursive: true });
    const installation = new Installation(data, backups);
    await installation.start();
    scope.after(() => installation.stop());
    await installation.prepare();
    await installation.pool('owner').query(ADD_LINK);
    const [nightly] = blocksOf(PAGE, 'The embedded database (`npm start`)', 1);
    const told = await machine.run(nightly!);
    const at = { DATA_DIR: data, BACKUP_DIR: backups };
    const name = /\b(\d{8}T\d{6}Z?|\d{4}-\d\d-\d\dT[\w-]+)\b/.exec(told)?.[0];
    assert.ok(name, told);
    const commands = commandsIn(PAGE, 'The embedded database (`npm start`)', ['npm']).filter((text) =>
      /^npm run backup -- (list|verify)/.test(text),
    );
    assert.equal(commands.length, 3, commands.join('\n'));
    for (const command of commands) await machine.run(command.replace('NAME', name), at);
    // The first of our processes makes the key.
    secretKey(readConfig({ DATA_DIR: data }));
    cpSync(join(data, 'secret.key'), machine.path('safe/secret.key'));
    const moment = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString().replace('.000', '');
    await sleep(1_100);
    await installation.archiveNow();
    await installation.stop();
    const [restores] = blocksOf(PAGE, 'Restore', 1);
    const [, toMoment] = restores!.trim().split('\n');
    const then = machine.path('srv/heliograph/new');
    assert.match(await machine.run(toMoment!.replace(`${DAY}T${MOMENT}Z`, moment)), /ledger/i);
    const restored = new Installation(then);
    await restored.start();
    scope.after(() => restored.stop());
    const [release] = commandsIn(PAGE, 'Restore', ['npm']).filter((text) => text === 'npm run restore -- release');
    await machine.run(release!, { DATA_DIR: then });
  });
});
