import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { STATUS } from '@heliograph/smpp';
import { examine } from '#modules/operate';
import { noPrimary } from '#platform/database/hosts';
import { BusinessError } from '#platform/errors';
import type { Check } from '#platform/operate/checks';
import { statusOf } from '../../src/modules/smpp-server/status-of.ts';
import { untilServed } from '../patience.ts';
import { lastFirst } from '../template-database.ts';
import { DemoCluster } from './cluster-with-demo.ts';
import { SECRET_KEY } from './running.ts';

// Experience of those who submit messages while the primary is frozen and while its standby takes over. They are people
// and programs over HTTP, and a program that is bound by SMPP and never stops.

/** Maximum time to an answer, even if the primary stays frozen. */
const ANSWER_MS = 35_000;

/** Counts the sessions that wait for the standby, or behind sessions that do. */
async function commitsWaiting(cluster: DemoCluster['cluster']): Promise<number> {
  const { rows } = await cluster.primary.asAdmin((client) =>
    client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'SyncRep' OR wait_event_type = 'Lock'`,
    ),
  );
  return rows[0]!.count;
}

/** Returns the doctor's findings about the cluster, by the name of the line. */
async function doctorOf(cluster: DemoCluster['cluster']): Promise<Map<string, string>> {
  const free = {
    PORT: '0',
    SIMULATOR_SMPP_PORT: '0',
    SIMULATOR_HTTP_PORT: '0',
    PAYMENT_SIMULATOR_PORT: '0',
    SMPP_SERVER_PORT: '0',
  };
  const REPORTS_DATABASE_URL = cluster.urlOf(cluster.standby);
  const findings = await examine({ ...free, DATABASE_URL: cluster.url, REPORTS_DATABASE_URL, SECRET_KEY });
  return new Map(findings.map(({ name, state, detail }) => [name, `${state}: ${detail}`]));
}

let house: DemoCluster;
const scope = lastFirst({ after });
before(async () => {
  house = await DemoCluster.open(scope);
  await house.start(scope);
  await house.servesAll();
});

test('without a standby, callers are refused in seconds, and reads go on', async (t) => {
  const { cluster, api, smpp } = house;
  const well = await doctorOf(cluster);
  assert.match(well.get('standby') ?? '', /^ok: Commits wait for a connected standby/);
  assert.match(well.get('reports') ?? '', /^ok: The standby for reports is \d+\.\d s behind/);
  await cluster.kill(cluster.standby);
  // This call begins before the loss is noticed. Its commit waits and may still succeed.
  const unconfirmed = await house.quote();
  t.diagnostic(`a quote was answered after ${Math.round(unconfirmed.ms)} ms`);
  assert.deepEqual([unconfirmed.status, unconfirmed.answer['code']], [503, 'changes_unconfirmed']);
  assert.ok(unconfirmed.again > 0);
  assert.ok(unconfirmed.ms < ANSWER_MS);
  const begun = await commitsWaiting(cluster);
  for (const [name, call] of Object.entries({ 'a quote': house.quote, 'a sign-in': house.signIn })) {
    const refusal = await call.apply(house);
    assert.deepEqual([refusal.status, refusal.answer['code']], [503, 'changes_paused'], name);
    assert.ok(refusal.again > 0, name);
    t.diagnostic(`${name} was refused after ${Math.round(refusal.ms)} ms`);
  }
  assert.equal((await house.list()).status, 200, 'a list is read');
  for (const each of [api, smpp]) {
    const { status, body } = await each.ask('/readyz');
    const { checks } = JSON.parse(body) as { checks: Check[] };
    const wrong = checks.find(({ name }) => name === 'commits');
    assert.deepEqual([status, wrong?.ok], [503, false], body);
    assert.match(
      wrong?.detail ?? '',
      /waits for a standby \(synchronous_standby_names is "standby", connected: none\)/,
    );
  }
  const ill = await doctorOf(cluster);
  assert.match(
    ill.get('standby') ?? '',
    /^bad: No commit has finished for \d+ s: \d+ sessions wait for a synchronous standby/,
  );
  assert.match(ill.get('processes') ?? '', /^warn: Processes cannot send heartbeats/);
  assert.match(ill.get('reports') ?? '', /^warn: REPORTS_DATABASE_URL cannot be reached/);
  assert.match(ill.get('ports') ?? '', /^ok/);
  assert.ok((await commitsWaiting(cluster)) <= begun + 4, 'what waits does not pile up');
  await cluster.restartStandby();
  await house.servesAll();
});

test('while the primary is frozen, callers are told to retry soon', async (t) => {
  const { cluster, program, api, smpp } = house;
  const { told } = program;
  cluster.primary.freeze();
  try {
    const calls = { 'a list': house.list, 'a quote': house.quote, 'a sign-in': house.signIn };
    const refusals = Object.entries(calls).map(async ([name, call]) => {
      const refusal = await call.apply(house);
      t.diagnostic(`${name} was refused after ${Math.round(refusal.ms)} ms`);
      assert.deepEqual([refusal.status, refusal.answer['code']], [503, 'unavailable'], name);
      assert.ok(refusal.again > 0, `${name} is told when to come again`);
      assert.ok(refusal.ms < ANSWER_MS, `${name} waited ${refusal.ms} ms`);
    });
    await Promise.all(refusals);
    await untilServed('the program is told to send again', () => program.told > told);
    const looks = [api, smpp].map(async (each) => {
      const { status, body } = await each.ask('/readyz');
      const { checks } = JSON.parse(body) as { checks: { name: string; ok: boolean; detail: string }[] };
      const database = checks.find(({ name }) => name === 'database');
      assert.deepEqual([status, database?.ok], [503, false]);
      assert.match(database?.detail ?? '', /no answer within|failed/);
      assert.equal((await each.ask('/healthz')).status, 200, 'it is no reason to end the process');
    });
    await Promise.all(looks);
  } finally {
    cluster.primary.thaw();
  }
  await house.servesAll();
});

test('while the primary is dead, programs are told to retry', async () => {
  const { cluster, program } = house;
  // The standby is down in the last moment. Changes that it lacks must not have been acknowledged.
  await cluster.kill(cluster.standby);
  await house.list();
  await cluster.kill();
  await cluster.restartStandby();
  const { told } = program;
  await untilServed('the program is told to send again', () => program.told > told);
  await cluster.promote();
  await house.servesAll();
});

test('no change is half done, lost after its acknowledgment, or doubled', async (t) => {
  const { program, owner, quotes } = house;
  await program.stop();
  t.diagnostic(await program.assertTruth(owner));
  const { rows } = await owner.query<{ text: string; jobs: number }>(
    `SELECT q.content->>'content' AS text, count(j.id) AS jobs FROM quote q
     LEFT JOIN jobs.job j ON j.name LIKE '%quote%' AND (j.data->>'quote_id')::bigint = q.id GROUP BY q.id`,
  );
  const texts = rows.map(({ text }) => text);
  assert.equal(new Set(texts).size, texts.length, 'no quote is there twice');
  for (const text of quotes.taken) assert.ok(texts.includes(text), `${text} was taken`);
  for (const text of texts) assert.ok(quotes.asked.includes(text), `${text} was asked for`);
  for (const { text, jobs } of rows) assert.equal(jobs, 1, `${text} stands with its job`);
});

test('every answer to an outage is one after which programs send again', () => {
  const missed = [noPrimary('away'), new Error('Connection terminated unexpectedly'), new Error('timeout expired')];
  const told = [new BusinessError('unavailable', { cause: missed[0] }), new BusinessError('changes_paused')];
  for (const error of [...missed, ...told]) assert.equal(statusOf(error), STATUS.RMSGQFUL);
  assert.equal(statusOf(new TypeError('a fault of ours')), STATUS.RSYSERR);
});
