import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { createPool } from '#platform/database/db';
import { createLogger } from '#platform/log';
import { Collector } from '../../src/modules/monitoring/collector.ts';
import { figure, gauge } from '../../src/modules/monitoring/figure.ts';
import { numbers, type Stage, stage, until } from '../delivery/stage.ts';
import { lintMetrics } from './metrics-lint.ts';
import { type Sample, samplesOf, sumOf } from './metrics-text.ts';
import { alertsOf, dashboardQueries, metricsOf, type Query } from './queries.ts';
import { type ProcessName, type RunningProcess, startProcess } from './running.ts';

// A small working installation: four processes, a link, one campaign that is sent and one that is paused.
const SENT = 300;
const PAUSED = 40;
const NAMES: readonly ProcessName[] = ['api', 'worker', 'sender', 'smpp-server'];

const s: Stage = await stage({ after } as unknown as TestContext);
// Processes end before the database is dropped.
const scope = { after: (action: () => Promise<void> | void) => void s.closing.push(async () => action()) };
const simulator = await s.simulator();
await s.addLink({ port: simulator.smppPort, rate: 500 });
// Created before any sender exists, so none of its messages leave.
const paused = await s.campaign(numbers(PAUSED));
await s.owner.query(`UPDATE campaign SET state = 'paused' WHERE id = $1`, [paused.id]);
await s.campaign(numbers(SENT));
const running = Object.fromEntries(
  await Promise.all(NAMES.map(async (name) => [name, await startProcess(scope, name, s.database.url)])),
) as Record<ProcessName, RunningProcess>;
const scrape = async (name: ProcessName) => {
  const { status, body } = await running[name].ask('/metrics');
  assert.equal(status, 200, running[name].output());
  return samplesOf(body);
};
/** Repeats the request until the samples match. Global figures follow within their interval. */
const seen = async (name: ProcessName, what: string, look: (samples: Sample[]) => boolean) => {
  let samples: Sample[] = [];
  await until(what, async () => {
    samples = await scrape(name);
    return look(samples);
  });
  return samples;
};

test('the sender counts sent messages, and the global figures agree with the tables', async () => {
  await until('all are delivered', async () => (await s.states())['delivered'] === SENT);
  // The sender counts after it learns that its batch is committed; the tables show it slightly earlier.
  const counted = (samples: Sample[], state: string) =>
    sumOf(samples, 'heliograph_messages_total', { class: 'bulk', state });
  const sender = await seen('sender', 'what the sender has recorded', (samples) =>
    ['submitted', 'delivered'].every((state) => counted(samples, state) === SENT),
  );
  assert.equal(counted(sender, 'failed'), 0);
  const worker = await seen('worker', 'the figures of the link', (samples) => {
    const accepted = sumOf(samples, 'heliograph_link_segments_total', { link: 'Carrier', result: 'accepted' });
    // The link's holder reports both every two seconds, even between the last answer and the last receipt.
    return accepted === SENT && sumOf(samples, 'heliograph_link_receipts_total', { link: 'Carrier' }) === SENT;
  });
  const lane = { link: 'Carrier', class: 'bulk' };
  assert.equal(sumOf(worker, 'heliograph_link_state', { link: 'Carrier', state: 'up' }), 1);
  assert.equal(sumOf(worker, 'heliograph_link_rate_limit', { link: 'Carrier' }), 500);
  assert.equal(sumOf(worker, 'heliograph_lane_held', lane), 1);
  assert.equal(sumOf(worker, 'heliograph_lane_messages', { ...lane, state: 'waiting' }), 0);
  assert.equal(sumOf(worker, 'heliograph_lane_messages', { ...lane, state: 'paused' }), PAUSED);
  assert.equal(sumOf(worker, 'heliograph_figures_failures_total'), undefined, 'every question could be asked');
  assert.ok(sumOf(worker, 'heliograph_postgres_connections')! > 4);
  assert.ok(sumOf(worker, 'heliograph_postgres_database_bytes')! > 1_000_000);
});

test('frequent requests get the same figures: one query every ten seconds', async () => {
  const times: (number | undefined)[] = [];
  const began = performance.now();
  for (let i = 0; i < 5; i++)
    times.push(sumOf(await scrape('worker'), 'heliograph_figures_seconds', { figure: 'lanes' }));
  const rounds = 2 + Math.floor((performance.now() - began) / 10_000);
  assert.ok(new Set(times).size <= rounds, `${times}`);
});

test('metrics of every process follow the exposition format and the naming rules', async () => {
  const found: string[] = [];
  for (const name of NAMES) {
    const { body } = await running[name].ask('/metrics');
    found.push(...lintMetrics(body));
  }
  assert.deepEqual(found, []);
  assert.ok(lintMetrics('# HELP a_ms Wait.\n# TYPE a_ms counter\na_ms 1\nb 2\na_ms 1\n').length > 4);
});

test('requests are counted by route template, and unknown paths under one name', async () => {
  const url = running.api.url!;
  for (const path of ['/api/v1/campaigns/7', '/api/v1/campaigns/8', '/api/none/1', '/api/none/2'])
    await fetch(new URL(path, url));
  const count = 'heliograph_http_request_duration_seconds_count';
  // A request is counted when its answer has left, possibly just after the answer arrives.
  const samples = await seen('api', 'both are counted', (all) => {
    const known = sumOf(all, count, { route: '/api/v1/campaigns/:id', status: '401', method: 'GET' });
    return known === 2 && sumOf(all, count, { status: '404' }) === 2;
  });
  const routes = samples.filter(({ name, labels }) => name === count && labels['status'] === '404');
  assert.equal(routes.length, 1);
  assert.equal(sumOf(samples, 'heliograph_websocket_connections'), 0);
});

test('no label shows the recipient or the text of a message', async () => {
  for (const name of NAMES) {
    for (const { labels } of await scrape(name)) {
      for (const [label, value] of Object.entries(labels)) {
        assert.ok(!/\d{7}/.test(value) && value.length <= 120, `${name}: ${label}="${value}"`);
      }
    }
  }
});

test('a figure that cannot be read is missing, not outdated', async (t) => {
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const failing = gauge('test_failing', 'A figure that fails at its second asking.');
  let asked = 0;
  let slow = 0;
  const figures = [
    figure('slow', 'SELECT pg_sleep(0.2)', [], () => slow++, 0),
    {
      name: 'failing',
      everyMs: 0,
      metrics: [failing],
      ask: async (client: { query(text: string): Promise<unknown> }) => {
        await client.query(asked++ === 0 ? 'SELECT 1' : 'SELECT FROM nothing_at_all');
        return [];
      },
      tell: () => failing.set(7),
    },
  ];
  const collector = new Collector(s.owner, figures as never, log);
  await collector.refresh();
  assert.match(await failing.get().then(({ values }) => JSON.stringify(values)), /"value":7/);
  await until('it was asked again', async () => {
    await collector.refresh();
    return asked > 1;
  });
  assert.deepEqual((await failing.get()).values, []);
  assert.equal(slow, 1);

  const nowhere = createPool({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }, 'owner', { max: 1 });
  t.after(() => nowhere.end());
  failing.set(7);
  await new Collector(nowhere, figures as never, log).refresh();
  assert.deepEqual((await failing.get()).values, []);
});

/** Metrics without a value until a standby exists. */
const ONLY_WITH_STANDBYS = ['heliograph_postgres_replication_lag_bytes', 'heliograph_postgres_replication_lag_seconds'];
/** Metrics that exist only after a failure. */
const ONLY_AFTER_FAILURES = ['heliograph_figures_failures_total'];
/** Metrics that Prometheus itself adds. */
const OF_PROMETHEUS = ['up', 'ALERTS'];

test('our processes export every metric and label that alerts and dashboard use', async () => {
  const samples = (await Promise.all(NAMES.map(scrape))).flat();
  const told = new Map<string, Set<string>>();
  for (const { name, labels } of samples) {
    const known = told.get(name) ?? new Set(['job', 'instance']);
    for (const label of Object.keys(labels)) known.add(label);
    told.set(name, known);
  }
  const queries: Query[] = [...alertsOf().map(({ alert, expr }) => ({ where: alert, expr })), ...dashboardQueries()];
  assert.ok(queries.length > 40, `${queries.length} queries`);
  const missing: string[] = [];
  for (const { where, expr } of queries) {
    for (const { metric, labels } of metricsOf(expr)) {
      if ([...OF_PROMETHEUS, ...ONLY_WITH_STANDBYS, ...ONLY_AFTER_FAILURES].includes(metric)) continue;
      const known = told.get(metric);
      if (!known) missing.push(`${where}: ${metric}`);
      for (const label of labels) if (known && !known.has(label)) missing.push(`${where}: ${metric}{${label}}`);
    }
  }
  assert.deepEqual(missing, []);
  const declared = (await Promise.all(NAMES.map(async (name) => (await running[name].ask('/metrics')).body))).join(
    '\n',
  );
  for (const metric of [...ONLY_WITH_STANDBYS, ...ONLY_AFTER_FAILURES])
    assert.match(declared, new RegExp(`^# TYPE ${metric} `, 'm'));
});
