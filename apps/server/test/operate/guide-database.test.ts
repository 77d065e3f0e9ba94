import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createPool } from '#platform/database/db';
import { ownPort } from '../own-port.ts';
import { lastFirst, testClusterHome } from '../template-database.ts';
import { GuideMachine, PASSWORD, withoutPsql } from './guide-machine.ts';
import { blocksOf, commandsIn } from './guide-text.ts';
import { pgbouncer } from './pooler.ts';

// The commands of docs/operate/database.md, exactly as written, on two machines: settings, a standby, the night in
// which the primary dies, the day after, and PgBouncer.

const PAGE = 'database.md';
const PATIENCE_MS = 60_000;

describe('docs/operate/database.md', { skip: withoutPsql }, () => {
  const scope = lastFirst({ after });
  let db1: GuideMachine;
  let db2: GuideMachine;
  let url: string;

  it('sets up two machines and the owner of the database', async () => {
    const folder = mkdtempSync(join(testClusterHome(), 'heliograph-guide-'));
    scope.after(() => rmSync(folder, { recursive: true, force: true }));
    spawnSync('chmod', ['755', folder]);
    const network = { port: await ownPort(), poolerPort: await ownPort() };
    [db1, db2] = await Promise.all([
      GuideMachine.install(scope, folder, '127.0.57.1', network),
      GuideMachine.install(scope, folder, '127.0.57.2', network),
    ]);
    const [settings, access, owner] = blocksOf(PAGE, 'Settings of PostgreSQL', 3);
    for (const machine of [db1, db2]) {
      machine.write('etc/postgresql/18/main/conf.d/heliograph.conf', settings!);
      machine.write('etc/postgresql/18/main/pg_hba.conf', access!);
      await machine.run('systemctl restart postgresql@18-main');
    }
    await db1.run(owner!);
    const [own] = blocksOf(PAGE, 'Add a standby', 4).slice(3);
    url = db1
      .here(own!)
      .trim()
      .replace(/^DATABASE_URL=/, '');
    await db1.run('npm run migrate', {
      DATABASE_URL: `postgres://heliograph:${PASSWORD}@127.0.57.1:${network.port}/heliograph`,
    });
  });

  it('adds a synchronous standby', async () => {
    const [onDb1, onDb2, atLast] = blocksOf(PAGE, 'Add a standby', 4);
    await db1.run(onDb1!);
    assert.match(await db2.run(onDb2!), /100%/);
    const [look] = commandsIn(PAGE, 'Add a standby', ['psql']);
    await db1.until(look!, /db2 +\| streaming/);
    await db1.run(atLast!);
    await db1.until(atLast!.trim().split('\n').at(-1)!, /\| sync /);
  });

  it('lets the standby take over, and clients that name both machines write again', async (t) => {
    const pool = createPool({ DATABASE_URL: url }, 'owner', { max: 1 });
    t.after(() => pool.end());
    let made = 0;
    const write = async () =>
      (await pool.query('INSERT INTO corporation (name) VALUES ($1)', [`Written ${++made}`])).rowCount;
    assert.equal(await write(), 1);
    // The machine is gone; later a person reaches it and makes sure that it stays down.
    await db1.run('systemctl stop postgresql@18-main');
    const steps = commandsIn(PAGE, 'When the primary is gone (at night)', ['psql', 'systemctl']);
    const [stop, , isStandby, alone, promote, done] = steps;
    assert.match(stop!, /^systemctl stop .*echo disabled/);
    await db1.run(stop!);
    await assert.rejects(db1.run('systemctl start postgresql@18-main'), 'it stays down');
    assert.match(await db2.run(isStandby!), /^ t /m);
    await db2.run(alone!);
    assert.match(await db2.run(promote!), /^ t$/m);
    assert.match(await db2.until(done!, /^ f /m), / f +\| 00000002/);
    const end = performance.now() + PATIENCE_MS;
    while ((await write().catch(() => 0)) !== 1) assert.ok(performance.now() < end, 'it writes again');
    const { rowCount } = await pool.query("SELECT FROM corporation WHERE name IN ('Written 1', $1)", [
      `Written ${made}`,
    ]);
    assert.equal(rowCount, 2, 'what was acknowledged before is there');
  });

  it('makes the old primary a standby the next day', async () => {
    const [onDb1, onDb2, atLast] = blocksOf(PAGE, 'Add a standby', 4).map((block) =>
      block.replaceAll(/db2|10\.0\.0\.1/g, (name) => (name === 'db2' ? 'db1' : '10.0.0.2')),
    );
    const start = commandsIn(PAGE, 'When the primary is gone (at night)', ['echo']);
    await db1.run(start[0]!);
    // The role exists already.
    await db2.run(onDb1!.split('\n').slice(1).join('\n'));
    await db1.run(onDb2!);
    const [look] = commandsIn(PAGE, 'Add a standby', ['psql']);
    await db2.until(look!, /db1 +\| streaming/);
    await db2.run(atLast!);
    await db2.until(atLast!.trim().split('\n').at(-1)!, /\| sync /);
  });

  it('lets the primary continue alone if its standby is gone', async () => {
    await db1.run('systemctl stop postgresql@18-main');
    const waiting = db2.run(`psql heliograph -c "UPDATE corporation SET sales_code = 'waits'"`);
    const [look] = blocksOf('at-night.md', 'No commit ends', 1);
    await db2.until(look!, /^ +1 \| /m);
    const [alone] = commandsIn('at-night.md', 'No commit ends', ['sudo']);
    assert.match(alone!, /synchronous_standby_names = ''/);
    await db2.run(alone!);
    assert.match(await waiting, /UPDATE/);
    assert.equal(
      commandsIn(PAGE, 'When the primary is gone (at night)', ['psql']).at(-1),
      alone!.slice('sudo -u postgres '.length),
    );
  });

  it('puts PgBouncer before the primary', {
    skip: !pgbouncer && !process.env['CI'] && 'PgBouncer is not installed',
  }, async () => {
    const [install, move] = blocksOf(PAGE, 'PgBouncer', 2);
    const told = await db2.run(install!.replaceAll('10.0.0.1', '10.0.0.2'));
    assert.match(told, /^ heliograph_api +\| UTC$/m);
    assert.match(await db2.run(move!), /127\.0\.57\.2/);
    const [reload] = commandsIn(PAGE, 'PgBouncer', ['psql']);
    assert.match(await db2.run(reload!), /RELOAD/);
  });

  it('finds old snapshots and slots', async () => {
    const [look] = blocksOf(PAGE, 'Vacuum and old snapshots', 1);
    assert.match(await db2.run(look!), /xmin_age[\s\S]+slot_name[\s\S]+datname/);
  });
});
