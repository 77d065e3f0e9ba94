import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Simulator } from '@heliograph/carrier-simulator';
import { listBackups } from '@heliograph/installation/backup/backup-folder';
import { makeBackup } from '@heliograph/installation/backup/make-backup';
import { pay, reconcile, reserve } from '#modules/billing';
import { openChunkWriter } from '#modules/delivery';
import { holdOf, releaseHold, restoreInstallation } from '#modules/operate';
import { logOf, numbers, type Stage, UNIT_PRICE, until } from '../delivery/stage.ts';
import { Installation, newFolder, silent } from './installation.ts';
import { queueUnderStolenName } from './stolen-name.ts';

const PROCESSES = join(import.meta.dirname, '../../src/processes');

const home = newFolder();
const backups = join(home, 'backups');
/** Copy of the backups at the time the machine was lost, because a restore adds to their archive. */
const kept = join(home, 'kept');
const first = new Installation(join(home, 'first'), backups);
let stage: Stage;
/** Keys of the payments made up to the restored second, and those of later ones. */
const before_it: string[] = [];
const after_it: string[] = [];
let second: string;
let segments: string[];
const QUEUED = 40;
/** Messages that somebody queues in a restored installation under a name that was suspended in the first. */
const STOLEN = 5;
const closing: (() => Promise<unknown>)[] = [];

const backUp = (to: string, tell: (line: string) => void = () => undefined) =>
  makeBackup({ dataDir: first.dataDir, to, version: '1.2.3', withKey: false, tell });
const restore = (from: string, dataDir: string, toTime?: string) =>
  restoreInstallation(
    {
      from,
      dataDir,
      toTime,
      log: silent,
      tell: () => undefined,
    },
    ['send-otp'],
  );

async function payments(into: string[], name: string): Promise<void> {
  for (let i = 0; i < 10; i++) {
    const key = `pay ${name} ${i}`;
    await stage.transaction((client) =>
      pay(client, { key, billing_account_id: stage.accountId, corporation_id: stage.corporationId, amount: 1_000 }),
    );
    into.push(key);
  }
}

/** Waits for the next whole second of the database, with room on both sides. */
async function secondOfQuiet(): Promise<string> {
  await sleep(1_100 - (Date.now() % 1_000));
  const at = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
  return at;
}

/** Queues a running campaign and messages without one. None has left, and all numbers differ. */
async function queueMessages() {
  const simulator = await stage.simulator();
  await stage.addLink({ port: simulator.smppPort });
  const campaign = await stage.campaign(numbers(QUEUED, '001'));
  await stage.transaction(async (client) => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const writer = openChunkWriter(client, stage.shared({ class: 'transactional', expires_at }));
    for (const { msisdn } of numbers(QUEUED, '002')) {
      await writer.add({ msisdn, name: null, text: null, unicode: false, parts: 1, unit_price: UNIT_PRICE });
    }
    const { amount } = await writer.flush();
    const account = { billing_account_id: stage.accountId, corporation_id: stage.corporationId };
    await reserve(client, { key: 'loose', ...account, campaign_id: null, amount });
  });
  return { simulator, campaign };
}

/** Lets a sender work on a restored database, before the hold ends and after it. */
async function sendsNothingAgain(restored: Installation, simulator: Simulator): Promise<void> {
  const pool = restored.pool('owner');
  const sender = await restored.stage(closing).sender();
  const seconds = (count: number) => sleep(count * 1_000);
  await seconds(1.5);
  assert.deepEqual(await holdOf(pool).then((hold) => hold?.messages), QUEUED);
  await releaseHold(pool, false);
  const left = async () =>
    (await pool.query("SELECT FROM chunk WHERE campaign_id IS NULL AND state <> 'expired'")).rowCount;
  await until('what was held has expired', async () => (await left()) === 0);
  await until(
    'the sender has its link',
    async () => (await pool.query('SELECT FROM lane WHERE holder IS NOT NULL')).rowCount === 3,
  );
  const stopped = await queueUnderStolenName(pool, stage, STOLEN);
  await until('what has a stolen name is stopped', async () => (await stopped()) === STOLEN);
  await seconds(0.5);
  assert.equal(logOf(simulator).length, 2 * QUEUED, 'each message has left once');
  assert.deepEqual((await pool.query('SELECT state, pause_reason FROM campaign')).rows, [
    { state: 'paused', pause_reason: 'person' },
  ]);
  assert.equal(await holdOf(pool), undefined);
  await sender.stop();
}

before(async () => {
  await first.start();
  await first.prepare();
  stage = first.stage(closing);
  await stage.build(false);
  mkdirSync(join(first.dataDir, 'files/uploads'), { recursive: true });
  writeFileSync(join(first.dataDir, 'files/uploads/a.bin'), 'an upload');
  writeFileSync(join(first.dataDir, 'secret.key'), 'a key');
});
after(async () => {
  for (const close of closing.reverse()) await close();
  await first.stop();
  rmSync(home, { recursive: true, force: true });
});

test('an interrupted backup does not count, and the next one removes its remains', async () => {
  const to = join(home, 'cut-short');
  const environment = { ...process.env, DATA_DIR: first.dataDir, LOG_LEVEL: 'silent', DATABASE_URL: '' };
  const child = spawn(process.execPath, [join(PROCESSES, 'backup.ts'), '--to', to], {
    env: environment,
    stdio: 'ignore',
  });
  const ended = new Promise((done) => child.once('exit', done));
  await until(
    'something is copied',
    () => existsSync(to) && readdirSync(to).some((name) => name.startsWith('unfinished-')),
  );
  child.kill('SIGKILL');
  await ended;
  assert.ok(readdirSync(to).some((name) => name.startsWith('unfinished-')));
  assert.deepEqual(listBackups(to).backups, []);
  await assert.rejects(restore(to, join(home, 'nothing')), /holds no backup/);
  const made = await backUp(to);
  assert.deepEqual(readdirSync(to), [made.name]);
  rmSync(to, { recursive: true });
});

test('a disk that fills up during a backup leaves no valid backup', async (t) => {
  const to = join(home, 'small');
  mkdirSync(to);
  const small = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', to]).status === 0;
  t.after(() => (small ? spawnSync('umount', [to]) : undefined));
  const fill = () => {
    // Without permission to mount a small disk, a file that blocks the path has the same effect.
    const draft = readdirSync(to).find((name) => name.startsWith('unfinished-'))!;
    if (!small) writeFileSync(join(to, draft, 'postgres'), '');
    else spawnSync('dd', ['if=/dev/zero', `of=${join(to, 'filler')}`, 'bs=1M']);
  };
  await assert.rejects(
    backUp(to, (line) => (line.startsWith('Copying') ? fill() : undefined)),
    small ? /^StartError: The disk of .* is full: this backup was removed\.$/ : /./,
  );
  assert.deepEqual(
    readdirSync(to).filter((name) => name !== 'filler'),
    [],
  );
  if (small) await assert.rejects(backUp(to), /MiB free, and \d+ MiB are needed/);
});

test('a lost machine is restored exactly as it was at the chosen second', async () => {
  await payments(before_it, 'before the backup');
  const backup = await backUp(backups);
  assert.equal(backup.manifest.archived, true);
  await payments(before_it, 'after the backup');
  await first.archiveNow();
  await payments(before_it, 'in another segment');
  await first.archiveNow();
  const { campaign, simulator } = await queueMessages();
  await first
    .pool('owner')
    .query(`INSERT INTO sender_id (corporation_id, sender_id, state) VALUES ($1, 'Stolen', 'suspended')`, [
      stage.corporationId,
    ]);
  await first.archiveNow();
  second = await secondOfQuiet();
  await sleep(50);
  const sender = await stage.sender();
  await until('all have left', () => logOf(simulator).length === 2 * QUEUED);
  await sender.stop();
  await payments(after_it, 'later');
  segments = [await first.archiveNow()];
  await payments(after_it, 'much later');
  segments.push(await first.archiveNow());
  await first.lose();
  cpSync(backups, kept, { recursive: true });

  const target = join(home, 'restored');
  const started = performance.now();
  const { until: at, books, held } = await restore(backups, target, second);
  const seconds = (performance.now() - started) / 1_000;
  assert.deepEqual([books.contradictions, books.activity_fault], [0, null]);
  assert.deepEqual([held.paused, held.messages], [[campaign.id], QUEUED]);
  assert.ok(at <= second, `${at} is not after ${second} (${seconds} s)`);
  assert.equal(readFileSync(join(target, 'files/uploads/a.bin'), 'utf8'), 'an upload');
  assert.ok(!existsSync(join(target, 'secret.key')), 'the key is in a backup only where it is asked for');

  const restored = new Installation(target, backups);
  await restored.start();
  try {
    const { rows } = await restored.pool('owner').query<{ key: string }>('SELECT key FROM ledger_transfer ORDER BY id');
    assert.deepEqual(
      rows.map(({ key }) => key).filter((key) => key.startsWith('pay')),
      before_it,
    );
    assert.deepEqual(await reconcile(restored.pool('owner')), []);
    await sendsNothingAgain(restored, simulator);
    // It continues on its own timeline, and its log goes to the same archive.
    assert.match(await restored.archiveNow(), /^00000002/);
  } finally {
    await restored.stop();
  }
});

test('a missing or damaged file is named, and nothing is restored', async (t) => {
  const { name, folder } = listBackups(kept).backups[0]!;
  const copy = join(home, 'copy');
  const target = join(home, 'never');
  const check = async (what: RegExp, damage: () => void, toTime?: string) => {
    cpSync(kept, copy, { recursive: true });
    damage();
    await assert.rejects(restore(copy, target, toTime), { name: 'StartError', message: what });
    assert.ok(!existsSync(target) && !existsSync(`${target}.restoring`));
    rmSync(copy, { recursive: true });
  };
  const [later = '', last = ''] = segments;
  const spoil = (path: string, at: number) => {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(64, 0x5a), 0, 64, at);
    closeSync(file);
  };
  await t.test('a file of the database that was changed', () =>
    check(/The backup is damaged: .*global\/pg_control was changed/, () =>
      spoil(join(copy, name, 'postgres/global/pg_control'), 100),
    ),
  );
  await t.test('a missing file', () =>
    check(/The backup is damaged: .*PG_VERSION is missing/, () => rmSync(join(copy, name, 'postgres/PG_VERSION'))),
  );
  await t.test('a changed manifest', () =>
    check(/manifest\.json of .* was changed after the backup/, () => spoil(join(copy, name, 'manifest.json'), 10)),
  );
  await t.test('a missing segment in the middle of the log', async () => {
    await check(new RegExp(`The segment ${later} of the write-ahead log is missing`), () =>
      rmSync(join(copy, 'wal', later)),
    );
  });
  await t.test('a damaged segment', () =>
    check(new RegExp(`the segment ${later} of the write-ahead log is damaged`), () => {
      const path = join(copy, 'wal', later);
      for (let at = 200; at < 60_000; at += 1_000) spoil(path, at);
    }),
  );
  await t.test('a time that the log does not reach', () =>
    check(
      /could not be recovered to .*: the archive ends with what was done by/,
      () => rmSync(join(copy, 'wal', last)),
      new Date().toISOString(),
    ),
  );
  await t.test('a time before the backup was complete', () =>
    check(/holds no backup from before/, () => undefined, '2026-01-01T00:00:00Z'),
  );
  await t.test('a folder that is not empty', async () => {
    await assert.rejects(restore(folder, home), /is not empty: a backup is restored into an empty folder/);
  });
});
