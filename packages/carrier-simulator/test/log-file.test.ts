import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { link, message } from './link.ts';

test('the log file has every segment and every acknowledged receipt', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'carrier-'));
  t.after(() => rm(folder, { recursive: true }));
  const logFile = join(folder, 'log.ndjson');
  const { session, simulator } = await link(t, { logFile, keep: 10 });
  for (let i = 0; i < 100; i++) session.submit(message(`6391700${3000 + i}`, `text ${i}`), 'm');
  await until('receipts', () => simulator.counts().receipts_acknowledged === 100);
  assert.equal((await stat(logFile)).mode & 0o077, 0);
  const written = async () => (await readFile(logFile, 'utf8')).split('\n').slice(0, -1);
  await until('the log file has them', async () => (await written()).length >= 200);
  const lines = (await written()).map((line) => JSON.parse(line) as { kind: string; text?: string });
  assert.deepEqual(
    lines.filter((l) => l.kind === 'segment').map((l) => l.text),
    Array.from({ length: 100 }, (_, i) => `text ${i}`),
  );
  assert.equal(lines.filter((l) => l.kind === 'acknowledged').length, 100);
});

test('a full log file starts again, and the one before is kept', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'carrier-'));
  t.after(() => rm(folder, { recursive: true }));
  const logFile = join(folder, 'log.ndjson');
  const logBytes = 20_000;
  const { session, simulator } = await link(t, { logFile, logBytes });
  for (let sent = 0; sent < 300; ) {
    for (let i = 0; i < 20; i++) session.submit(message(`6391700${3000 + sent++}`, 'text'), 'm');
    await until('receipts', () => simulator.counts().receipts_acknowledged === sent);
  }
  assert.deepEqual((await readdir(folder)).sort(), ['log.ndjson', 'log.ndjson.1']);
  for (const name of await readdir(folder)) {
    const { size, mode } = await stat(join(folder, name));
    assert.ok(size <= 2 * logBytes, `${name}: ${size}`);
    assert.equal(mode & 0o077, 0);
  }
});
