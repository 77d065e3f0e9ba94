import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { peakRate, rateAt, SECONDS } from '../../../../scripts/capacity/day.ts';
import { FIGURES } from '../../../../scripts/capacity/figures.ts';
import { type Demand, type Plan, planFor, USUAL } from '../../../../scripts/capacity/plan.ts';
import { seeded, simulateDay, simulateWindow } from '../../../../scripts/capacity/simulate.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const SEEDS = [1, 2];
const TOLERANCE = 0.15;

/** Makes a plan with links exactly as fast together as it needs, not rounded up to whole links. */
function exact(change: Partial<Demand>): { demand: Demand; plan: Plan } {
  const demand = { ...USUAL, ...change };
  const plan = planFor(demand);
  return { plan, demand: { ...demand, link_rate: (plan.needed * demand.parts) / plan.links } };
}
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test('every figure used for planning is in the results, digit for digit', () => {
  const results =
    readFileSync(join(ROOT, 'bench/HISTORY.md'), 'utf8') + readFileSync(join(ROOT, 'docs/operate/capacity.md'), 'utf8');
  assert.match(results, /41,055\*\* +\| 16 +\| 15 /, 'the line of the pipeline');
  for (const [name, { value, quoted }] of Object.entries(FIGURES)) {
    assert.ok(results.includes(quoted), `${name}: ${quoted}`);
    assert.ok(quoted.replaceAll(',', '').includes(String(value)), name);
  }
});

test('the disk has open days, closed days and the ledger of small campaigns', () => {
  const disk = (change: Partial<Demand>) => planFor({ ...USUAL, messages_a_day: 1_000, small_share: 0, ...change });
  const { open_octets, closed_octets, small_octets, ledger_octets } = FIGURES;
  assert.equal(disk({}).disk_a_day, 1_000 * open_octets.value);
  assert.equal(disk({ kept_days: 3 }).disk_kept, 3_000 * open_octets.value);
  assert.equal(disk({ kept_days: 10 }).disk_kept, 4_000 * open_octets.value + 6_000 * closed_octets.value);
  const small = disk({ small_share: 1, kept_days: 10 });
  assert.equal(small.disk_kept, 10_000 * small_octets.value);
  assert.equal(small.ledger_a_year, 365_000 * ledger_octets.value);
  assert.equal(disk({}).ledger_a_year, 0);
});

test('the hours of a day add up to its messages, and the peak is the highest', () => {
  let [sum, most] = [0, 0];
  for (let second = 0; second < SECONDS; second++) {
    sum += rateAt(second, 1_000_000);
    most = Math.max(most, rateAt(second, 1_000_000));
  }
  assert.ok(Math.abs(sum - 1_000_000) < 1_000, `${sum}`);
  assert.ok(Math.abs(most / peakRate(1_000_000) - 1) < 0.001);
});

for (const messages_a_day of [100_000_000, 1_000_000_000])
  test(`${messages_a_day / 1e6} million messages a day wait as planned, and all leave`, () => {
    const { demand, plan } = exact({ messages_a_day });
    const days = SEEDS.map((seed) => simulateDay(demand, plan, seed));
    const usual = mean(days.map((day) => day.most_waiting));
    // Chance also raises the usual day, by less than the deviation. The plan allows twice that deviation.
    assert.ok(usual > plan.usually_waiting * (1 - TOLERANCE), `${usual} of ${plan.usually_waiting}`);
    assert.ok(usual < plan.most_waiting * (1 + TOLERANCE), `${usual} of ${plan.most_waiting}`);
    for (const day of days) {
      assert.ok(day.longest_wait < demand.wait * (1 + TOLERANCE), `${day.longest_wait} s`);
      assert.ok(day.longest_urgent_wait < 10, `${day.longest_urgent_wait} s`);
      assert.ok(day.left < 1, `${day.left}`);
      assert.ok(Math.abs(day.sent / messages_a_day - 1) < 0.1, `${day.sent}`);
      assert.ok(day.busiest_sender <= 1);
    }
  });

test('a tenth less than the plan says is not enough', () => {
  const { demand, plan } = exact({ messages_a_day: 1_000_000_000 });
  const slower = { ...demand, link_rate: demand.link_rate * 0.9 };
  for (const seed of SEEDS) assert.ok(simulateDay(slower, plan, seed).longest_wait > demand.wait * (1 + TOLERANCE));
});

test('a sender that dies at the peak is missed if there is no spare one', () => {
  const { demand, plan } = exact({ messages_a_day: 1_000_000_000 });
  assert.ok(plan.senders > 2);
  const fewer = { ...plan, senders: plan.senders - 1 };
  assert.ok(simulateDay(demand, fewer, 1).longest_wait > demand.wait * (1 + TOLERANCE));
});

test('windows answer at the rate of Little’s law, and one bind less is too slow', () => {
  for (const [slots, latency] of [
    [10, 0.05],
    [50, 0.08],
    [1_000, 0.3],
  ] as const) {
    const answered = simulateWindow(slots, latency, seeded(7));
    assert.ok(Math.abs(answered / (slots / latency) - 1) < 0.03, `${answered} of ${slots / latency}`);
  }
  const { binds } = planFor({ ...USUAL, link_rate: 2_000, latency_ms: 120, window: 50 });
  assert.equal(binds, 5);
  assert.ok(simulateWindow(binds * 50, 0.12, seeded(7)) >= 2_000);
  assert.ok(simulateWindow((binds - 1) * 50, 0.12, seeded(7)) < 2_000);
});

test('a larger demand never needs fewer resources', () => {
  const sizes = [1e5, 1e6, 1e7, 1e8, 1e9].map((messages_a_day) => planFor({ ...USUAL, messages_a_day }));
  for (const [at, plan] of sizes.slice(1).entries())
    for (const key of ['needed', 'links', 'senders', 'clusters', 'wal_a_second', 'disk_kept'] as const)
      assert.ok(plan[key] >= sizes[at]![key], key);
});

test('the command prints a plan, and refuses a value that is not a number', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts/capacity.ts'), ...args], { encoding: 'utf8' });
  const { stdout, status } = run('--messages-a-day', '1000000000');
  assert.equal(status, 0);
  assert.match(stdout, /^PostgreSQL clusters +2$/m);
  const wrong = run('--messages-a-day', 'many');
  assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /^--messages-a-day must be a number above 0/);
});
