import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dashboard } from '@heliograph/contract/dashboard/dashboard';
import { resale } from '@heliograph/contract/dashboard/resale';
import { deliveryRate, END_FIGURES, onTheirWay } from '@heliograph/contract/kernel/figures';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { summaryReports } from '@heliograph/contract/reports/summary-report';
import { startFanOut } from '#platform/fan-out/tell';
import { tellings } from '../../src/modules/callbacks/bodies.ts';
import { rebuildTraffic } from '../../src/modules/reports/rebuild-traffic.ts';
import { apiStage } from '../api/stage.ts';
import { countFigures, lastDays, type Truth, traffic } from './counted-figures.ts';
import { makeEveryOutcome, setCurrency } from './every-outcome.ts';
import { readerOf } from './report-reader.ts';

const t = await apiStage({ after });
const { api, one } = t;
const owner = api.database.pool('owner');
const closing: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});
/** The last live figures of each campaign. */
const news = new Map<number, Record<string, number>>();
const fanOut = await startFanOut(api.config, 'sender', api.log);
closing.push(() => fanOut.stop());
await fanOut.subscribe('events', (payload) => {
  const { event, data } = JSON.parse(payload) as { event: string; data: Record<string, number> };
  if (event === 'campaign.progress' && data['processed'] !== undefined) news.set(data['id']!, data);
});
const batch = await makeEveryOutcome(t, closing);

const truth = (where: string, values?: unknown[]) => countFigures(owner, where, values);
const MANILA = 'Asia/Manila';
// The demo's first campaign is a week old by UTC, and a day older in zones where tomorrow has begun.
const PERIOD = lastDays(MANILA, 8);
/** Counts the messages of corporations in the last days of a time zone. */
const ofCorporations = (ids: readonly number[], zone = MANILA) =>
  truth(`(r.created_at AT TIME ZONE '${zone}')::date BETWEEN $2 AND $3 AND r.corporation_id = ANY ($1::bigint[])`, [
    ids,
    ...Object.values(lastDays(zone)),
  ]);
const ends = (row: Truth | Record<string, number>) =>
  Object.fromEntries(END_FIGURES.map((figure) => [figure, (row as Record<string, number>)[figure]]));
const add = (rows: readonly Record<string, unknown>[], column: string) =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0);
const thousandths = (rows: readonly Record<string, unknown>[], column: string) => Math.round(add(rows, column) * 1_000);

const { rows: corporations } = await owner.query<{ id: number; name: string; currency: string }>(
  'SELECT id, name, currency FROM corporation',
);
const idOf = (name: string) => corporations.find((each) => each.name === name)!.id;
const VIEWERS = [
  // The platform's own messages are those of corporation 0.
  ['superadmin', [0, ...corporations.map(({ id }) => id)], MANILA],
  ['admin', [0, ...corporations.map(({ id }) => id)], 'America/New_York'],
  ['reseller', [idOf('Northwind Telecom'), idOf('Acme Retail')], 'Australia/Lord_Howe'],
  ['corporate', [idOf('Acme Retail')], 'Asia/Kathmandu'],
] as const;
for (const [login, , timezone] of VIEWERS) {
  const { status } = await (await api.as(login))('PATCH', '/api/v1/profiles', { preferences: { timezone } });
  assert.equal(status, 200);
}

const { get, all, fileOf } = readerOf(api);

test('the traffic has every outcome; some of it waits, and some is on its way', async () => {
  const { states } = await truth('true');
  const made = MESSAGE_STATES.filter((state) => state !== 'failed_internal' && state !== 'failed_billing');
  assert.deepEqual(
    made.filter((state) => states[state] === 0),
    [],
  );
  assert.ok((await one<{ n: number }>('SELECT count(*)::int AS n FROM retry')).n > 0);
});

test('summaries, their files and the dashboard agree with the messages', async () => {
  for (const [login, ids, zone] of VIEWERS) {
    const period = lastDays(zone);
    const expected = await ofCorporations(ids, zone);
    for (const type of ['corporation', 'sender']) {
      const summary = summaryReports.reply.parse(
        await get(login, '/api/v1/summary-reports', { ...period, type, limit: 200 }),
      );
      assert.deepEqual(summary.totals, traffic(expected), `${login} ${type}`);
      for (const column of Object.keys(summary.totals) as (keyof typeof summary.totals)[]) {
        assert.equal(add(summary.data, column), summary.totals[column], column);
        assert.equal(add(summary.series, column), summary.totals[column], column);
      }
      for (const row of summary.data) assert.equal(row.delivery_rate, deliveryRate(row));
      assert.equal(thousandths(summary.data, 'spend'), expected.spend);
      assert.equal(thousandths(summary.spend, 'amount'), expected.spend);
      for (const { currency, amount } of summary.spend) {
        const own = await ofCorporations(
          ids.filter((id) => (corporations.find((each) => each.id === id)?.currency ?? 'PHP') === currency),
          zone,
        );
        assert.equal(Math.round(Number(amount) * 1_000), own.spend, currency);
      }
    }
    const seen = dashboard.reply.parse(await get(login, '/api/v1/dashboard', { days: 7 }));
    const { replies: _, spend, ...totals } = seen.totals;
    assert.deepEqual(totals, traffic(expected), `dashboard of ${login}`);
    assert.equal(Math.round((Number(spend) + add(seen.other_spend, 'amount')) * 1_000), expected.spend);
    const { messages } = totals;
    assert.deepEqual(
      [seen.days, seen.hours, seen.destinations, seen.customers, seen.links?.map(({ days }) => days)].map(
        (rows) => rows && add(rows, 'messages'),
      ),
      [messages, messages, messages, seen.customers && messages, seen.links ? messages : undefined],
      login,
    );
    for (const column of ['delivered', 'failed', 'blocked', 'expired'] as const) {
      assert.equal(add(seen.destinations, column), totals[column], `destinations ${column}`);
      if (seen.customers) assert.equal(add(seen.customers, column), totals[column], `customers ${column}`);
      if (seen.links)
        assert.equal(
          add(
            seen.links.map(({ days }) => days),
            column,
          ),
          totals[column],
          `links ${column}`,
        );
    }
    const waiting = await truth(`r.corporation_id = ANY ($1::bigint[]) AND r.state = 'pending'`, [ids]);
    assert.equal(seen.waiting, waiting.pending, `waiting of ${login}`);
    for (const format of ['csv', 'xlsx']) {
      const rows = await fileOf(login, '/api/v1/summary-reports', { ...period, format });
      const counted = ['Accepted', 'Parts', 'Delivered', 'Failed', 'Blocked', 'Expired'].map((head) => add(rows, head));
      assert.deepEqual(counted, Object.values(traffic(expected)), `${format} of ${login}`);
      assert.equal(thousandths(rows, 'Spend'), expected.spend);
    }
  }
});

test('messages of the platform itself are shown to its people under its name', async () => {
  const own = await ofCorporations([0]);
  assert.deepEqual([own.delivered, own.failed, own.spend], [1, 1, 0]);
  for (const [login, wanted] of [
    ['superadmin', 2],
    ['reseller', 0],
    ['corporate', 0],
  ] as const) {
    const period = lastDays(VIEWERS.find(([viewer]) => viewer === login)![2]);
    const rows = await all(login, '/api/v1/transactions', { ...period, sender_id: 'Heliograph' });
    assert.equal(rows.length, wanted, login);
    for (const row of rows) assert.deepEqual([row['corporation_name'], row['text']], ['Heliograph', null]);
    const summary = await all(login, '/api/v1/summary-reports', { ...period, corporation_id: 0 });
    assert.equal(add(summary, 'delivered') + add(summary, 'failed'), wanted, login);
    assert.equal((await all(login, '/api/v1/transactions', { ...period, corporation_id: 0 })).length, wanted);
  }
});

test('transactions have each message in one state, by list and by filter', async () => {
  for (const [login, ids, zone] of [VIEWERS[0], VIEWERS[3]]) {
    const { states } = await ofCorporations(ids, zone);
    for (const state of MESSAGE_STATES)
      assert.equal(
        (await all(login, '/api/v1/transactions', { ...lastDays(zone), state })).length,
        states[state],
        `${login} ${state}`,
      );
  }
});

test('a campaign has the same figures on screens, live, in files and in callbacks', async () => {
  const { data } = await get<{ data: Record<string, number>[] }>('superadmin', '/api/v1/campaigns', { per_page: 200 });
  const live = await get<{ data: Record<string, number>[] }>('superadmin', '/api/v1/running-campaigns', {});
  const history = await all('superadmin', '/api/v1/campaign-history', PERIOD);
  const statuses = await all('superadmin', '/api/v1/campaign-history/statuses', PERIOD);
  assert.ok(data.length > 12);
  for (const row of data) {
    const id = row['id']!;
    const expected = await truth('r.campaign_id = $1', [id]);
    const written =
      expected.pending + expected.submitted + END_FIGURES.reduce((sum, figure) => sum + expected[figure], 0);
    if (written === 0) continue;
    const figures = (from: Record<string, unknown>) => [
      from['processed'],
      from['submitted'],
      ...END_FIGURES.map((figure) => from[figure]),
    ];
    const wanted = [written - expected.pending, expected.accepted, ...END_FIGURES.map((figure) => expected[figure])];
    const name = String(row['name']);
    assert.deepEqual(figures(row), wanted, `list: ${name}`);
    assert.equal(onTheirWay(row as never), expected.submitted, name);
    assert.equal(Math.round(Number(row['charged']) * 1_000), expected.spend, name);
    const page = await get<{ data: Record<string, unknown> & { failures: Record<string, unknown>[] } }>(
      'superadmin',
      `/api/v1/campaigns/${id}`,
    );
    assert.deepEqual(figures(page.data), wanted, `page: ${name}`);
    assert.equal(add(page.data.failures, 'count'), expected.failed + expected.expired + expected.blocked, name);
    const shown = live.data.find((each) => each['id'] === id);
    if (shown) assert.deepEqual(figures(shown), wanted, `running: ${name}`);
    if (news.has(id)) assert.deepEqual(figures(news.get(id)!), wanted, `live: ${name}`);
    const past = history.find((each) => each['id'] === id)!;
    assert.deepEqual([past['processed'], ends(past as never)], [wanted[0], ends(expected)], `history: ${name}`);
    const status = statuses.find((each) => each['id'] === id)!;
    assert.deepEqual(
      Object.fromEntries(MESSAGE_STATES.map((state) => [state, status[state]])),
      expected.states,
      `status: ${name}`,
    );
    const event = {
      id: 'e',
      type: 'campaign.finished',
      message_id: null,
      data: { campaign_id: id, state: 'completed' },
    };
    const told = (await tellings(api.database.pool('worker'), [event as never])).get('e' as never)!.data;
    assert.deepEqual(
      [told['submitted'], ends(told as never)],
      [expected.accepted, ends(expected)],
      `callback: ${name}`,
    );
  }
  assert.ok(news.size >= 3);
  for (const format of ['csv', 'xlsx']) {
    const detail = await fileOf('superadmin', '/api/v1/campaign-history', { ...PERIOD, view: 'detail', format });
    for (const [head, field] of [
      ['Processed', 'processed'],
      ['Delivered', 'delivered'],
      ['Failed', 'failed'],
      ['Blocked', 'blocked'],
      ['Cancelled', 'cancelled'],
      ['Charged', 'charged'],
    ] as const)
      assert.equal(thousandths(detail, head), thousandths(history, field), `${format}: ${head}`);
    const status = await fileOf('superadmin', '/api/v1/campaign-history', { ...PERIOD, view: 'status', format });
    for (const [head, state] of [
      ['Pending', 'pending'],
      ['Submitted', 'submitted'],
      ['Failed (submit)', 'failed_submit'],
      ['Failed (other)', 'failed_other'],
      ['Blocked', 'blocked'],
    ] as const)
      assert.equal(add(status, head), add(statuses, state), `${format}: ${head}`);
  }
});

test('a reseller’s revenue, cost and margin are those of the reports and of the ledger', async () => {
  const [northwind, acme] = [idOf('Northwind Telecom'), idOf('Acme Retail')];
  for (const name of ['Northwind Telecom', 'Acme Retail']) await setCurrency(owner, name, 'PHP');
  const shown = resale.reply.parse(await get('reseller', '/api/v1/dashboard/resale'));
  const { totals, days, customers } = shown;
  const [from, to] = [days[0]!.date, days.at(-1)!.date];
  const summary = await get<{ spend: unknown }>('reseller', '/api/v1/summary-reports', {
    from,
    to,
    corporation_id: acme,
  });
  assert.deepEqual(summary.spend, [{ currency: 'PHP', amount: totals.revenue }]);
  assert.deepEqual([customers.length, customers[0]?.revenue, customers[0]?.cost], [1, totals.revenue, totals.cost]);
  for (const each of [totals, ...days, ...customers])
    assert.equal(thousandths([each], 'revenue') - thousandths([each], 'cost'), thousandths([each], 'margin'));
  assert.equal(thousandths(days, 'cost'), thousandths([totals], 'cost'));
  // The reseller's accounts ever paid for its own traffic and for that of its customers.
  const { paid, own, cost } = await one<Record<'paid' | 'own' | 'cost', number>>(
    `SELECT (SELECT -sum(amount) FROM ledger_transfer WHERE corporation_id = ${northwind}
        AND kind IN ('charge', 'correction'))::bigint AS paid,
      (SELECT coalesce(sum(spend), 0) FROM traffic_quarter WHERE corporation_id = ${northwind})::bigint AS own,
      (SELECT sum(cost) FROM traffic_quarter WHERE corporation_id = ${acme})::bigint AS cost`,
  );
  assert.ok(cost > 0 && thousandths([totals], 'cost') > 0);
  assert.equal(cost, paid - own);
  assert.equal((await (await api.as('corporate'))('GET', '/api/v1/dashboard/resale')).status, 403);
});

test('a program gets the same figures for its batch and for each message', async () => {
  const by = t.by((await t.makeKey()).key);
  const { states } = (await by('GET', `/v1/batches/${batch}`)).body as { states: Record<string, number> };
  const expected = await truth('r.id IN (SELECT message_id FROM program_message WHERE batch_id = $1)', [batch]);
  const there = Object.entries(expected.states).filter(([, n]) => n > 0);
  assert.deepEqual(states, Object.fromEntries(there));
  assert.ok(states['pending'], 'what the carrier refuses for now has not left');
  const { data } = (await by('GET', `/v1/messages?batch_id=${batch}`)).body as { data: { state: string }[] };
  for (const [state, n] of there) assert.equal(data.filter((each) => each.state === state).length, n, state);
  const feed = (await by('GET', '/v1/events?limit=1000')).body as {
    data: { type: string; data: { batch_id: string; state: string } }[];
  };
  const told = feed.data.filter(({ data: event }) => event.batch_id === batch).map(({ data: event }) => event.state);
  for (const figure of ['delivered', 'failed_other', 'expired'])
    assert.equal(told.filter((state) => state === figure).length, expected.states[figure], figure);
});

test('recounted statistics equal the stored ones', async () => {
  const sums = () =>
    owner.query(`SELECT quarter, corporation_id, campaign_id, sum(messages) AS messages, sum(parts) AS parts, sum(delivered) AS delivered,
      sum(failed) AS failed, sum(failed_submit) AS failed_submit, sum(blocked) AS blocked, sum(expired) AS expired, sum(spend) AS spend, sum(cost) AS cost
      FROM traffic_quarter GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`);
  const { rows: kept } = await sums();
  const client = await owner.connect();
  const { oldest } = await one<{ oldest: string }>('SELECT min(d)::text AS oldest FROM partitioned_days() AS d');
  await rebuildTraffic(client, { from: oldest, to: new Date().toISOString().slice(0, 10) }).finally(() =>
    client.release(),
  );
  assert.deepEqual((await sums()).rows, kept);
});
