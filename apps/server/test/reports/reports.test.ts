import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dashboard } from '@heliograph/contract/dashboard/dashboard';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { MESSAGE_STATES, type MessageState } from '@heliograph/contract/kernel/states';
import type { campaignStatuses } from '@heliograph/contract/reports/campaign-history';
import { summaryReports } from '@heliograph/contract/reports/summary-report';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { exportTransactions } from '../../src/modules/reports/export-transactions.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readFile } from '../../src/platform/files/files.ts';
import { dateIn } from '../../src/platform/records/period.ts';
import { startTestApi } from '../test-api.ts';
import { query, readerOf } from './report-reader.ts';
import { CORPORATIONS, failedOf, makeThreeWeeks, NOW, naive, ofCampaigns, SENDERS } from './three-weeks.ts';

const api = await startTestApi({ after }, { clock: { now: () => NOW } });
const owner = api.database.pool('owner');
const DAY = 86_400_000;
await makeThreeWeeks(api.database, NOW);
const { all } = readerOf(api);

const moved = (date: string, days: number) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

type Statuses = ReplyOf<typeof campaignStatuses>['data'][number];

/** Returns the lines of a person's file for a selection of transactions. */
async function fileOf(login: string, filters: object): Promise<Record<string, string>[]> {
  const { status, body } = await (await api.as(login))('POST', '/api/v1/transactions/exports', filters);
  assert.equal(status, 202, JSON.stringify(body));
  const { id } = (body as { data: { id: number } }).data;
  const database = api.database.db('worker');
  const worker = { database, pool: api.database.pool('worker'), config: api.config, clock: systemClock, log: api.log };
  await exportTransactions(worker, (user) => loadCaller(database, user), id, new AbortController().signal);
  const { rows } = await owner.query('SELECT file_path FROM download WHERE id = $1', [id]);
  let text = '';
  for await (const piece of await readFile(api.config, rows[0].file_path)) text += piece;
  return parse(text, { columns: true, bom: true });
}

/** Sets the time zone in which a person sees times. */
async function preferZone(login: string, timezone: string) {
  const { status } = await (await api.as(login))('PATCH', '/api/v1/profiles', { preferences: { timezone } });
  assert.equal(status, 200);
}

const dateBefore = (days: number) => new Date(Date.parse('2026-03-21') - days * DAY).toISOString().slice(0, 10);

test('all reports, files and a naive count agree to the last message', async () => {
  const { rows } = await owner.query('SELECT id, name FROM corporation');
  const idOf = (name: string) => rows.find((row) => row.name === name)!.id as number;
  const filters = fc.record({
    oldest: fc.nat(20),
    days: fc.nat(20),
    period: fc.constantFrom('daily', 'weekly', 'monthly', 'annually'),
    type: fc.constantFrom('corporation', 'sender', 'network'),
    corporation: fc.option(fc.constantFrom(...CORPORATIONS), { nil: undefined }),
    sender_id: fc.option(fc.constantFrom(...SENDERS), { nil: undefined }),
    who: fc.constantFrom('superadmin', 'corporate', 'reseller'),
    short: fc.boolean(),
    zone: fc.constantFrom('Asia/Manila', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'),
  });
  await fc.assert(
    fc.asyncProperty(
      filters,
      async ({ oldest, days, period: unit, type, corporation, sender_id, who, short, zone }) => {
        await preferZone(who, zone);
        const dateBefore = (count: number) => moved(dateIn(zone, NOW), -count);
        const from = dateBefore(oldest);
        const to = dateBefore(Math.max(0, oldest - days));
        const sees = {
          superadmin: rows.map((row) => row.id),
          corporate: [idOf('Acme Retail')],
          reseller: [idOf('Acme Retail'), idOf('Northwind Telecom')],
        }[who] as number[];
        const corporations = corporation ? sees.filter((id) => id === idOf(corporation)) : sees;
        const truth = await naive(owner, { from, to, corporations, sender_id, zone });
        const chosen = {
          from,
          to,
          ...(corporation && { corporation_id: idOf(corporation) }),
          ...(sender_id && { sender_id }),
        };

        const call = await api.as(who);
        const { status, body } = await call(
          'GET',
          `/api/v1/summary-reports?${query({ ...chosen, period: unit, type, limit: 200 })}`,
        );
        assert.equal(status, 200, JSON.stringify(body));
        const summary = summaryReports.reply.parse(body);
        const expected = {
          messages: truth.messages,
          parts: truth.parts,
          delivered: truth.states.delivered,
          failed: failedOf(truth),
          blocked: truth.states.blocked,
          expired: truth.states.expired,
        };
        assert.deepEqual(summary.totals, expected);
        const sum = (of: (row: (typeof summary.data)[number]) => number) =>
          summary.data.reduce((n, row) => n + of(row), 0);
        assert.equal(
          sum((row) => row.messages),
          truth.messages,
        );
        assert.equal(Math.round(sum((row) => Number(row.spend) * 1_000)), truth.charge);

        const messages = await all<{ state: MessageState; charge: string }>(who, '/api/v1/transactions', chosen);
        const byState = Object.fromEntries(
          MESSAGE_STATES.map((state) => [state, messages.filter((m) => m.state === state).length]),
        );
        assert.deepEqual(byState, truth.states);
        assert.equal(Math.round(messages.reduce((n, m) => n + Number(m.charge) * 1_000, 0)), truth.charge);

        const lines = await fileOf(who, chosen);
        assert.equal(lines.length, messages.length);
        assert.equal(Math.round(lines.reduce((n, line) => n + Number(line['Charge']) * 1_000, 0)), truth.charge);

        const states = Object.fromEntries(MESSAGE_STATES.map((state) => [state, 0]));
        for (const row of await all<Statuses>(who, '/api/v1/campaign-history/statuses', chosen))
          for (const state of MESSAGE_STATES) states[state]! += row[state];
        assert.deepEqual(states, await ofCampaigns(owner, { from, to, corporations, sender_id, zone }));

        const seen = dashboard.reply.parse((await call('GET', `/api/v1/dashboard?days=${short ? 7 : 30}`)).body);
        const period = { from: dateBefore(short ? 6 : 29), to: dateBefore(0) };
        const inAll = await naive(owner, { ...period, corporations: sees, zone });
        assert.deepEqual([seen.totals.messages, seen.totals.delivered], [inAll.messages, inAll.states.delivered]);
        const found = seen.days.filter(({ date }) => date >= from && date <= to);
        if (!corporation && !sender_id && from >= period.from)
          assert.equal(
            found.reduce((n, each) => n + each.messages, 0),
            truth.messages,
          );
      },
    ),
    { numRuns: Number(process.env['AGREEMENT_RUNS'] ?? 25) },
  );
  await owner.query('DELETE FROM user_preference');
});

test('days of reports and files follow the time zone of the viewer’s screen', async () => {
  const day = async (zone: string, date: string) => {
    await preferZone('corporate@valley.test', zone);
    await owner.query(
      `INSERT INTO traffic_quarter (quarter, corporation_id, department_id, messages)
       SELECT q, (SELECT id FROM corporation WHERE name = 'Green Valley Clinic'), 0, 1
       FROM generate_series($1::date - interval '2 days', $1::date + interval '3 days', '15 minutes') AS q`,
      [date],
    );
    const call = await api.as('corporate@valley.test');
    const asked = { from: date, to: date };
    const { body } = await call('GET', `/api/v1/summary-reports?${query(asked)}`);
    await owner.query("DELETE FROM traffic_quarter WHERE quarter >= '2025-09-01' AND quarter < '2025-12-01'");
    const file = await call('POST', '/api/v1/summary-reports/exports', { ...asked, format: 'csv' });
    const { download_file } = (file.body as { data: { download_file: string } }).data;
    return [summaryReports.reply.parse(body).totals.messages / 4, download_file];
  };
  const named = (date: string, zone: string) => `summary-reports_Green-Valley-Clinic_${date}_${date}_${zone}.csv`;
  for (const [zone, date, hours] of [
    ['Europe/Berlin', '2025-10-26', 25],
    ['America/New_York', '2025-11-02', 25],
    ['Australia/Lord_Howe', '2025-10-05', 23.5],
    ['Asia/Kathmandu', '2025-10-26', 24],
  ] as const)
    assert.deepEqual(await day(zone, date), [hours, named(date, zone.replace(/[/_]/g, '-'))], zone);
  const call = await api.as('corporate@valley.test');
  const { body } = await call('POST', '/api/v1/summary-reports/exports', { from: '2026-03-20', to: '2026-03-20' });
  await preferZone('corporate@valley.test', 'Europe/Berlin');
  const { rows } = await owner.query("SELECT parameters ->> 'timezone' AS zone FROM download WHERE id = $1", [
    (body as { data: { id: number } }).data.id,
  ]);
  assert.equal(rows[0].zone, 'Asia/Kathmandu', 'a file keeps the zone it was asked for in');
  await owner.query('DELETE FROM user_preference');
});

test('the dashboard agrees with a naive count of its days, for every viewer', async () => {
  const { rows } = await owner.query('SELECT id, name, currency FROM corporation');
  const idOf = (name: string) => rows.find((row) => row.name === name)!.id as number;
  for (const [who, corporations] of [
    ['superadmin', rows.map((row) => row.id as number)],
    ['corporate', [idOf('Acme Retail')]],
    ['reseller', [idOf('Acme Retail'), idOf('Northwind Telecom')]],
  ] as const)
    for (const days of [7, 30]) {
      const { status, body } = await (await api.as(who))('GET', `/api/v1/dashboard?days=${days}`);
      assert.equal(status, 200, JSON.stringify(body));
      const seen = dashboard.reply.parse(body);
      const truth = await naive(owner, { from: dateBefore(days - 1), to: dateBefore(0), corporations });
      const { messages, parts, delivered, failed, blocked, expired } = seen.totals;
      assert.deepEqual(
        { messages, parts, delivered, failed, blocked, expired },
        {
          messages: truth.messages,
          parts: truth.parts,
          delivered: truth.states.delivered,
          failed: failedOf(truth),
          blocked: truth.states.blocked,
          expired: truth.states.expired,
        },
        `${who}, ${days} days`,
      );
      const total = (of: readonly { messages: number }[]) => of.reduce((n, each) => n + each.messages, 0);
      assert.equal(total(seen.hours), messages);
      assert.equal(total(seen.days), messages);
      assert.equal(total(seen.destinations), messages);
      if (seen.links) assert.equal(total(seen.links.map((link) => link.days)), messages);
      assert.equal(seen.customers === null, who === 'corporate');
      assert.equal(seen.links === null, who !== 'superadmin');
    }
});

test('a report by day covers at most a month, others any dates of twelve months', async () => {
  const call = await api.as('corporate');
  const ask = async (period: string, from: string, to: string) =>
    (await call('GET', `/api/v1/summary-reports?${query({ period, from, to })}`)).status;
  assert.equal(await ask('daily', '2026-02-21', '2026-03-21'), 200);
  assert.equal(await ask('daily', '2026-02-01', '2026-03-21'), 422);
  for (const period of ['weekly', 'monthly', 'annually'])
    assert.equal(await ask(period, '2025-03-21', '2026-03-21'), 200);
  assert.equal(await ask('monthly', '2025-03-20', '2026-03-21'), 422);
  assert.equal(await ask('monthly', '2026-03-01', '2026-03-22'), 422);
  const history = async (from: string) =>
    (await call('GET', `/api/v1/campaign-history?${query({ from, to: '2026-03-21' })}`)).status;
  assert.equal(await history('2026-02-21'), 200);
  assert.equal(await history('2026-01-21'), 422);
});
