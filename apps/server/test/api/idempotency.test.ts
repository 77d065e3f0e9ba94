import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { ownPort } from '../own-port.ts';
import { apiStage } from './stage.ts';

/** Numbers of keys and of posts for each key; `npm run soak` sets larger ones. */
const KEYS = Number(process.env['IDEMPOTENCY_KEYS'] ?? 2);
const POSTS = Number(process.env['IDEMPOTENCY_POSTS'] ?? 200);
const AT_ONCE = 200;
const API = join(import.meta.dirname, '../../src/processes/api.ts');

const stage = await apiStage({ after });
const { key } = await stage.makeKey();
const port = await ownPort();
const url = `http://127.0.0.1:${port}/v1`;

/** Starts the API as a separate process over the same database, and waits until it answers. */
async function startProcess() {
  const { DATABASE_URL, DATA_DIR } = stage.api.config;
  const child = spawn(process.execPath, [API], {
    env: { ...process.env, DATABASE_URL, DATA_DIR, PORT: String(port), OPERATIONS_PORT: '0', LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await until('the API answers', async () => {
    if (child.exitCode !== null) throw new Error('the API did not start');
    return (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok;
  });
  return {
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

let answers = 0;

/** Posts until the message is accepted, as a careful program does. */
async function post(name: string, body: object): Promise<string> {
  for (;;) {
    const response = await fetch(`${url}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (response?.status === 202 && text !== undefined) {
      answers++;
      return text;
    }
    if (response && ![409, 503].includes(response.status)) throw new Error(`${response.status} ${text}`);
    await sleep(20 + Math.random() * 80);
  }
}

test('each idempotency key gets one message and one answer, even across kills', async () => {
  let running = await startProcess();
  after(() => running.kill());
  const names = Array.from({ length: KEYS }, (_, index) => `key-${index}`);
  const bodyOf = (index: number) => ({ from: stage.acme.sender, to: stage.number(index), text: 'Hello' });
  const seen = new Map(names.map((name) => [name, new Set<string>()]));
  const jobs = names.flatMap((name, index) =>
    Array.from({ length: POSTS }, () => async () => void seen.get(name)!.add(await post(name, bodyOf(index)))),
  );
  let done = false;
  const work = Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let job = jobs.pop(); job; job = jobs.pop()) await job();
    }),
  ).finally(() => {
    done = true;
  });
  const kills = Math.max(1, Math.round(KEYS / 50));
  for (let killed = 0; killed < kills && !done; killed++) {
    const due = answers + Math.round((KEYS * POSTS) / (kills + 2));
    while (!done && answers < due) await sleep(2);
    await running.kill();
    running = await startProcess();
  }
  await work;
  assert.deepEqual(new Set([...seen.values()].map(({ size }) => size)), new Set([1]));
  const rows = await stage.one<{ messages: number; reserved: number; keys: number }>(
    `SELECT (SELECT count(*) FROM program_message) AS messages, (SELECT count(*) FROM idempotency_key) AS keys,
       (SELECT count(*) FROM ledger_transfer t WHERE t.kind = 'reservation' AND EXISTS (
         SELECT FROM program_message p WHERE t.key = 'chunk:' || (p.message_id >> 10) || ':reserve')) AS reserved`,
  );
  assert.deepEqual([rows.messages, rows.keys], [KEYS, KEYS]);
  assert.ok(rows.reserved >= 1 && rows.reserved <= KEYS);
  const ids = [...seen.values()].map((texts) => (JSON.parse([...texts][0]!) as { id: string }).id);
  assert.equal(new Set(ids).size, KEYS);
});
