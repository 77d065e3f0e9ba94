import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startSimulator } from '@heliograph/carrier-simulator';
import { alarms } from '@heliograph/contract/alarms/alarm';
import { linkHistory, linkPulses } from '@heliograph/contract/links/link-history';
import { until } from '@heliograph/fault-kit';
import { Sender } from '#modules/delivery';
import { startFanOut } from '#platform/fan-out/tell';
import { mailAlarm, mailAlarmJob, postAlarm, postAlarmJob } from '../../src/modules/alarms/tell-alarms.ts';
import { AlarmWatch } from '../../src/modules/alarms/watch-alarms.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { createLogger } from '../../src/platform/log.ts';
import { startTestApi } from '../test-api.ts';
import { TEST_KEY } from '../test-key.ts';

const api = await startTestApi({ after }, { settings: { PRIVATE_TARGETS: '127.0.0.0/8' } });
const owner = api.database.pool('owner');
const operator = await api.as('superadmin');
const { config, log } = api;
const worker = { database: api.database.db('worker'), config, log, clock: systemClock };
const watch = new AlarmWatch(worker);
const heard: { type?: string; condition?: string; name?: string }[] = [];
const fanOut = await startFanOut(config, 'owner', log);
await fanOut.subscribe('events', (text) => {
  const { data } = JSON.parse(text) as { data: (typeof heard)[number] };
  if (data.type?.startsWith('alarm.')) heard.push(data);
});
after(() => fanOut.stop());

const set = (key: string, value: string) =>
  owner.query('UPDATE global_configuration SET value = $2 WHERE key = $1', [key, value]);
const listed = async () => alarms.reply.parse((await operator('GET', '/api/v1/alarms')).body);
/** Looks again and again, as a worker does, until the list of alarms is as wanted. */
const looked = (what: string, is: (list: Awaited<ReturnType<typeof listed>>) => boolean) =>
  until(what, async () => {
    await watch.look();
    return is(await listed());
  });
interface Job<Data> {
  data: Data;
}
const jobs = async <Data>(name: string): Promise<Data[]> =>
  (await owner.query<Job<Data>>('SELECT data FROM jobs.job WHERE name = $1 ORDER BY created_on', [name])).rows.map(
    ({ data }) => data,
  );

await owner.query('UPDATE link SET enabled = false');
await owner.query('DELETE FROM node');
await set('alarm_link_seconds', '5');

test('a carrier that goes away is told once to operators, and so is its return', async (t) => {
  const first = await startSimulator({ smppPort: 0, httpPort: null });
  const port = first.smppPort;
  const { id } = (
    await owner.query<{ id: number }>(
      `INSERT INTO link (name, host, port, system_id) VALUES ('Comes and goes', '127.0.0.1', $1, 'heliograph') RETURNING id`,
      [port],
    )
  ).rows[0]!;
  const sender = new Sender(
    readConnectedConfig({ DATABASE_URL: api.database.url, SECRET_KEY: TEST_KEY, DATA_DIR: config.DATA_DIR }),
    createLogger({ LOG_LEVEL: 'silent' }, 'sender'),
  );
  await sender.start();
  t.after(() => sender.stop());
  const state = async () =>
    (await owner.query<{ state: string }>('SELECT state FROM link_now WHERE id = $1', [id])).rows[0]?.state;
  await until('it is up', async () => (await state()) === 'up');
  await watch.look();
  assert.deepEqual((await listed()).present, []);

  const posted: { type: string; data: { name: string } }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      posted.push(JSON.parse(body));
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  t.after(() => receiver.close());
  await set('alarm_url', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alarms`);
  await set('alarm_mail_to', 'night@example.com');

  await first.stop();
  await until('it is down', async () => (await state()) === 'down');
  await looked('the alarm is raised', ({ present }) => present.some(({ link_id }) => link_id === id));
  const {
    present: [alarm],
    links,
  } = await listed();
  assert.deepEqual(
    [alarm?.condition, alarm?.name, alarm?.link_id, alarm?.ended_at, links],
    ['link_down', 'Comes and goes', id, null, 1],
  );
  // The page of the link shows when the next try follows.
  const { body } = await operator('GET', `/api/v1/links/${id}`);
  assert.match((body as { data: { live: { next_try_at: string } } }).data.live.next_try_at, /^\d{4}-/);
  await watch.look();
  await watch.look();

  const again = await startSimulator({ smppPort: port, httpPort: null });
  t.after(() => again.stop());
  await until('it is up again', async () => (await state()) === 'up');
  await looked('the alarm is over', ({ present, past }) => present.length === 0 && past.length === 1);
  await watch.look();

  await until('the bell has both', async () => heard.length >= 4);
  const people = (await owner.query<{ n: number }>('SELECT count(*)::int AS n FROM user_account WHERE scope_level < 2'))
    .rows[0]!.n;
  assert.deepEqual(
    heard.map(({ type, name }) => `${type} ${name}`).sort(),
    [
      ...Array.from({ length: people }, () => 'alarm.ended Comes and goes'),
      ...Array.from({ length: people }, () => 'alarm.raised Comes and goes'),
    ],
    'each operator hears of each end once',
  );

  const mails = await jobs<Parameters<typeof mailAlarm>[1]>(mailAlarmJob.name);
  assert.deepEqual(
    mails.map(({ over, to }) => [over, to]),
    [
      [false, 'night@example.com'],
      [true, 'night@example.com'],
    ],
  );
  for (const mail of mails) await mailAlarm({ ...worker, config }, mail);
  const folder = join(config.DATA_DIR, 'mail');
  const subjects = readdirSync(folder)
    .sort()
    .map((file) => /^Subject: (.*)$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1]?.trim());
  assert.deepEqual(subjects.slice(-2), [
    'Heliograph: Comes and goes is down',
    'Heliograph: Comes and goes is up again',
  ]);

  for (const post of await jobs<Parameters<typeof postAlarm>[1]>(postAlarmJob.name)) await postAlarm(worker, post);
  assert.deepEqual(
    posted.map(({ type, data }) => [type, data.name]),
    [
      ['link.down', 'Comes and goes'],
      ['link.up', 'Comes and goes'],
    ],
  );
});

test('a link that flaps faster than the limit raises no alarm', async () => {
  await owner.query('UPDATE link SET enabled = false');
  await looked('nothing is left', ({ present }) => present.length === 0);
  const before = heard.length;
  const { rows } = await owner.query<{ id: number }>('SELECT min(id) AS id FROM link');
  for (let i = 0; i < 4; i++) {
    await owner.query('UPDATE link SET enabled = $2 WHERE id = $1', [rows[0]!.id, i % 2 === 0]);
    await watch.look();
    // It was seen a moment ago; the watch must miss it for a while to forget it.
    await owner.query("UPDATE alarm SET seen_at = seen_at - interval '1 hour' WHERE ended_at IS NULL");
  }
  await watch.look();
  assert.deepEqual((await listed()).present, []);
  assert.equal(heard.length, before);
  assert.equal((await owner.query('SELECT FROM alarm WHERE ended_at IS NULL')).rowCount, 0);
});

test('a process that is gone and not replaced is an alarm', async () => {
  await owner.query(
    "INSERT INTO node (name, kind, host, pid, version, seen_at) VALUES ('a:1:x', 'sender', 'a', 1, '0', now() - interval '1 minute')",
  );
  await watch.look();
  await owner.query("UPDATE alarm SET noticed_at = now() - interval '1 hour' WHERE condition = 'node_gone'");
  await looked('it is raised', ({ present }) => present.some(({ node_kind }) => node_kind === 'sender'));
  await owner.query("DELETE FROM node WHERE name = 'a:1:x'");
  await watch.look();
  assert.equal((await listed()).present.length, 1, 'the list of nodes forgets it, and nothing has replaced it');
  await owner.query(
    "INSERT INTO node (name, kind, host, pid, version, seen_at) VALUES ('b:1:x', 'sender', 'b', 1, '0', now() + interval '1 hour')",
  );
  await owner.query("UPDATE alarm SET seen_at = now() - interval '1 hour' WHERE condition = 'node_gone'");
  await looked('it is over', ({ present }) => present.length === 0);
});

test('tenants see neither alarms nor the traffic of links', async () => {
  const { rows } = await owner.query<{ id: number }>('SELECT min(id) AS id FROM link');
  for (const login of ['reseller', 'corporate'])
    for (const path of ['/api/v1/alarms', '/api/v1/links/pulses', `/api/v1/links/${rows[0]!.id}/history`])
      assert.equal((await (await api.as(login))('GET', path)).status, 403, `${login} ${path}`);
});

test('the charts of a link have a point for each minute, ten minutes or hour', async () => {
  const { rows } = await owner.query<{ id: number }>('SELECT min(id) AS id FROM link');
  const { id } = rows[0]!;
  await owner.query('DELETE FROM link_minute');
  await owner.query(
    `INSERT INTO link_minute (minute, link_id, submitted, accepted, throttled, answers, response_ms, delivered, undelivered, errors)
     SELECT date_trunc('minute', now()) - n * interval '1 minute', $1, 10, 8, 2, 10, 250, 6, 1, '{"ESME_RTHROTTLED": 2}'
     FROM generate_series(0, 30) n`,
    [id],
  );
  const sums = { hour: [60, 1], day: [144, 10], week: [168, 60] } as const;
  for (const [period, [points, minutes]] of Object.entries(sums)) {
    const { body } = await operator('GET', `/api/v1/links/${id}/history?period=${period}`);
    const { data } = linkHistory.reply.parse(body);
    assert.deepEqual([data.points.length, data.minutes], [points, minutes], period);
    assert.equal(
      data.points.reduce((sum, { submitted }) => sum + submitted, 0),
      310,
      period,
    );
    assert.equal(data.points.at(-1)!.response_ms, 25);
    assert.deepEqual(data.errors, [{ code: 'ESME_RTHROTTLED', count: 62 }]);
  }
  const { data } = linkPulses.reply.parse((await operator('GET', '/api/v1/links/pulses')).body);
  assert.deepEqual([data.map((each) => each.id), data[0]!.accepted.length], [[id], 60]);
  assert.equal(
    data[0]!.accepted.reduce((sum, count) => sum + count, 0),
    248,
  );
});
