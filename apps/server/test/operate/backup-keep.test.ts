import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { finishBackup, listBackups, type Manifest, removeOld } from '@heliograph/installation/backup/backup-folder';
import { chooseBackup } from '@heliograph/installation/backup/restore-backup';
import { firstMissing, segmentBefore, segmentOf, segmentsFrom } from '@heliograph/installation/backup/wal';

const segment = (number: number, timeline = 1) =>
  `${String(timeline).padStart(8, '0')}00000000${number.toString(16).toUpperCase().padStart(8, '0')}`;

function manifest(day: number, first: number): Manifest {
  const at = `2026-01-0${day}T08:00:00.000Z`;
  return {
    format: 1,
    version: '0.1.0',
    postgres: 18,
    machine: 'linux-x64',
    migration: '0027_routing_calls.sql',
    started_at: at,
    finished_at: at,
    timeline: 1,
    first_segment: segment(first),
    last_segment: segment(first),
    archived: true,
    with_key: false,
    bytes: 0,
    folders: [],
    files: [],
  };
}

test('only segments of the log that no kept backup needs are removed', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'heliograph-keep-'));
  t.after(() => rmSync(home, { recursive: true }));
  for (const [day, first] of [
    [1, 3],
    [2, 8],
    [3, 12],
  ] as const) {
    const name = `2026-01-0${day}T08-00-00Z`;
    mkdirSync(join(home, `unfinished-${name}`));
    await finishBackup(home, name, manifest(day, first));
  }
  const archive = join(home, 'wal');
  mkdirSync(archive);
  const others = ['00000002.history', 'archtemp'];
  const log = [3, 4, 7, 8, 9, 12, 13].map((number) => segment(number));
  const marker = `${segment(3)}.00000028.backup`;
  for (const name of [...log, segment(7, 2), segment(13, 2), marker, ...others]) writeFileSync(join(archive, name), '');

  assert.equal(chooseBackup(home, '2026-01-02T09:00:00Z').name, '2026-01-02T08-00-00Z');
  assert.throws(() => chooseBackup(home, '2026-01-01T07:59:59Z'), /holds no backup from before/);
  assert.deepEqual(await removeOld(home, 5), { backups: [], segments: 0 });
  assert.deepEqual(await removeOld(home, 2), { backups: ['2026-01-01T08-00-00Z'], segments: 5 });
  assert.deepEqual(
    listBackups(home).backups.map(({ name }) => name),
    ['2026-01-02T08-00-00Z', '2026-01-03T08-00-00Z'],
  );
  const kept = [segment(8), segment(9), segment(12), segment(13), segment(13, 2), ...others];
  assert.deepEqual(readdirSync(archive).sort(), kept.sort());
});

test('segments are numbered as PostgreSQL numbers them', () => {
  assert.equal(segmentOf(1, '0/3000028'), '000000010000000000000003');
  assert.equal(segmentBefore(1, '0/4000000'), '000000010000000000000003');
  assert.equal(segmentOf(10, '1A/FF000000'), '0000000A0000001A000000FF');
  assert.deepEqual(segmentsFrom('0000000100000000000000FE', '000000010000000100000000'), [
    '0000000100000000000000FE',
    '0000000100000000000000FF',
    '000000010000000100000000',
  ]);
  const files = [segment(3), segment(4), segment(5, 2), '00000002.history', segment(7)];
  assert.equal(firstMissing(files, segment(3)), segment(6));
  assert.equal(firstMissing(files.slice(0, 4), segment(3)), undefined);
});
