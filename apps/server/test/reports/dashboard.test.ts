import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dashboard } from '@heliograph/contract/dashboard/dashboard';
import { summaryReports } from '@heliograph/contract/reports/summary-report';
import { startTestApi } from '../test-api.ts';

const NOW = new Date('2026-03-20T17:30:00Z'); // 01:30 of the 21st in Manila, 13:30 of the 20th in New York
const api = await startTestApi({ after }, { clock: { now: () => NOW } });
const owner = api.database.pool('owner');

async function see(login: string) {
  const { status, body } = await (await api.as(login))('GET', '/api/v1/dashboard');
  assert.equal(status, 200, JSON.stringify(body));
  return dashboard.reply.parse(body);
}

async function traffic(hour: string, corporation: string, messages: number) {
  await owner.query(
    `INSERT INTO traffic_quarter (quarter, corporation_id, department_id, messages, parts, delivered, failed, expired, spend)
     SELECT $1, id, coalesce((SELECT min(d.id) FROM department d WHERE d.corporation_id = c.id), 0), n, 2 * n, n, 0, 0, 500 * n
     FROM corporation c, (VALUES ($3::bigint)) AS v(n) WHERE name = $2`,
    [hour, corporation, messages],
  );
}

test('the last seven days are those of the caller’s time zone, and today is the last', async () => {
  await owner.query('DELETE FROM traffic_quarter');
  await traffic('2026-03-14T15:00:00Z', 'Acme Retail', 1); // the 14th in Manila: too old
  await traffic('2026-03-14T16:00:00Z', 'Acme Retail', 2); // the 15th
  await traffic('2026-03-20T15:00:00Z', 'Acme Retail', 3); // the 20th
  await traffic('2026-03-20T16:00:00Z', 'Acme Retail', 4); // the 21st: today
  await traffic('2026-03-20T17:00:00Z', 'Acme Retail', 5);
  await traffic('2026-03-20T17:00:00Z', 'Blue Harbor Bank', 100);
  const { days, today, currency } = await see('corporate');
  assert.deepEqual(
    days.map(({ date, messages }) => [date, messages]),
    [
      ['2026-03-15', 2],
      ['2026-03-16', 0],
      ['2026-03-17', 0],
      ['2026-03-18', 0],
      ['2026-03-19', 0],
      ['2026-03-20', 3],
      ['2026-03-21', 9],
    ],
  );
  const fates = { delivered: 9, failed: 0, blocked: 0, expired: 0 };
  assert.deepEqual(today, { messages: 9, parts: 18, ...fates, replies: 0, spend: '4.500' });
  assert.equal(currency, 'PHP');

  await owner.query("UPDATE corporation SET timezone = 'America/New_York' WHERE name = 'Acme Retail'");
  const elsewhere = await see('corporate');
  assert.equal(elsewhere.days.at(-1)?.date, '2026-03-20');
  assert.equal(elsewhere.today.messages, 12);
});

test('spend is shown in each currency there is', async () => {
  await owner.query('DELETE FROM traffic_quarter');
  await owner.query(
    "INSERT INTO corporation (name, currency, timezone) VALUES ('Lisboa Pharmacy', 'EUR', 'Europe/Lisbon')",
  );
  await traffic('2026-03-20T16:00:00Z', 'Acme Retail', 4);
  await traffic('2026-03-20T16:00:00Z', 'Lisboa Pharmacy', 10);
  const { totals, other_spend } = await see('superadmin');
  assert.deepEqual([totals.spend, other_spend], ['2.000', [{ currency: 'EUR', amount: '5.000' }]]);
  assert.deepEqual((await see('corporate')).other_spend, []);
});

test('a sum of several currencies names its rates, their days, and what it lacks', async () => {
  await owner.query(
    "INSERT INTO corporation (name, currency, timezone) VALUES ('Helvetia Lab', 'CHF', 'Europe/Zurich')",
  );
  await traffic('2026-03-20T16:00:00Z', 'Helvetia Lab', 6);
  const rate = (day: string, digits: number) =>
    owner.query(
      `INSERT INTO exchange_rate (from_currency, to_currency, day, digits, scale) VALUES ('EUR', 'PHP', $1, $2, 3)`,
      [day, digits],
    );
  assert.deepEqual((await see('superadmin')).all_spend, {
    currency: 'PHP',
    amount: '2.000',
    rates: [],
    missing: ['CHF', 'EUR'],
  });
  await rate('2026-03-10', 60_001);
  await rate('2026-03-22', 99_000);
  const all = {
    currency: 'PHP',
    amount: '302.005',
    rates: [{ currency: 'EUR', rate: '60.001', day: '2026-03-10' }],
    missing: ['CHF'],
  };
  assert.deepEqual((await see('superadmin')).all_spend, all);
  const days = 'period=daily&type=corporation&from=2026-03-15&to=2026-03-21';
  const report = await (await api.as('superadmin'))('GET', `/api/v1/summary-reports?limit=10&${days}`);
  assert.equal(report.status, 200, JSON.stringify(report.body));
  const { spend, all_spend } = summaryReports.reply.parse(report.body);
  assert.deepEqual([spend.map(({ currency }) => currency).sort(), all_spend], [['CHF', 'EUR', 'PHP'], all]);
  for (const login of ['reseller', 'corporate'])
    assert.equal((await see(login)).all_spend, null, 'rates are the platform’s');
  await owner.query("DELETE FROM exchange_rate WHERE from_currency = 'EUR'");
});

test('a dashboard counts only what its caller may see', async () => {
  await owner.query('DELETE FROM traffic_quarter');
  await traffic('2026-03-20T16:00:00Z', 'Acme Retail', 4);
  await traffic('2026-03-20T16:00:00Z', 'Northwind Telecom', 10);
  await traffic('2026-03-20T16:00:00Z', 'Blue Harbor Bank', 100);
  for (const [login, messages] of [
    ['superadmin', 114],
    ['reseller', 14],
    ['department', 4],
    ['user', 0],
    ['corporate@harbor.test', 100],
    ['corporate@valley.test', 0],
  ] as const)
    assert.equal((await see(login)).today.messages, messages, login);

  await owner.query("UPDATE campaign SET state = 'running' WHERE name IN ('Survey', 'Card notice')");
  await owner.query("UPDATE campaign SET state = 'pending' WHERE name = 'Payday'");
  const acme = await see('corporate');
  assert.deepEqual([acme.running_campaigns, acme.pending_campaigns, acme.number_lists], [1, 1, 1]);
  const names = new Set(acme.recent_campaigns.map(({ name }) => name));
  assert.ok(names.has('Survey') && !names.has('Card notice'));
  assert.equal((await see('admin')).running_campaigns, 2);
});
