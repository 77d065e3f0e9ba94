import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { peakRate, rateAt, SECONDS } from '../../../../scripts/capacity/day.ts';
import { simulateDisk } from '../../../../scripts/capacity/disk.ts';
import { FIGURES, ROWS, readResults } from '../../../../scripts/capacity/figures.ts';
import { installationOf } from '../../../../scripts/capacity/installation.ts';
import { CAPACITY_PAGE, THOUSAND_MILLION, withCapacityTables } from '../../../../scripts/capacity/page.ts';
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

test('every figure used for planning is a row of the results', () => {
  const results = readFileSync(join(ROOT, 'bench/RESULTS.md'), 'utf8');
  const lines = results.split('\n');
  for (const [key, name] of Object.entries(ROWS)) {
    const [row, part] = name.split(': ');
    const above = lines.findIndex((line) => line.startsWith(`| ${row} `));
    assert.ok(above >= 0, name);
    const below = part ? lines.findIndex((line, at) => at > above && line.startsWith(`| the same, ${part} `)) : above;
    assert.ok(below >= above, name);
    for (const line of lines.slice(above + 1, below + 1))
      assert.match(line, /^\| the same, /, `${name} is one table row`);
    const value = FIGURES[key as keyof typeof FIGURES].toLocaleString('en');
    assert.equal(lines[below]!.split('|')[2]!.trim().split(' ')[0], value, name);
  }
  // A figure that is not there is an error, and never 0.
  assert.equal(readResults('| pipeline | – | 7 |').size, 0);
});

test('the page shows what the model says of the present results', () => {
  const page = readFileSync(CAPACITY_PAGE, 'utf8');
  assert.equal(withCapacityTables(page), page, 'npm run docs');
  const options = [...page.matchAll(/^\| `--([a-z-]+)` /gm)].map(([, name]) => name!.replaceAll('-', '_'));
  assert.deepEqual(options.sort(), Object.keys(USUAL).sort());
});

test('the disk has open days, closed days and what stays of small campaigns', () => {
  const disk = (change: Partial<Demand>) => planFor({ ...USUAL, messages_a_day: 1_000, small_share: 0, ...change });
  const { open_octets, closed_octets, small_open_octets, small_closed_octets } = FIGURES;
  assert.equal(disk({}).disk_a_day, 1_000 * open_octets);
  assert.equal(disk({ kept_days: 3 }).disk_kept, 3_000 * open_octets);
  assert.equal(disk({ kept_days: 10 }).disk_kept, 4_000 * open_octets + 6_000 * closed_octets);
  const small = disk({ small_share: 1, kept_days: 10 });
  assert.equal(small.disk_kept, 4_000 * small_open_octets + 6_000 * small_closed_octets);
  assert.equal(small.staying_a_year, 365_000 * (small_open_octets - open_octets));
  assert.equal(disk({}).staying_a_year, 0);
});

test('a simulated year never needs more disk than planned, and nearly as much', () => {
  for (const kept_days of [7, 30, 90, 365])
    for (const small_share of [0, 0.1, 1]) {
      const demand = { ...USUAL, messages_a_day: 1_000_000_000, kept_days, small_share };
      const share = simulateDisk(demand) / planFor(demand).disk_most;
      assert.ok(share <= 1 && share > 0.95, `${kept_days} days, ${small_share} small: ${share}`);
    }
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
  const { demand, plan } = exact({ messages_a_day: 2_000_000_000 });
  assert.ok(plan.senders > 2);
  const fewer = { ...plan, senders: plan.senders - 1 };
  assert.ok(simulateDay(demand, fewer, 1).longest_wait > demand.wait * (1 + TOLERANCE));
});

test('the worked plan carries its day, also with a primary that is away for a minute', () => {
  const { demand, plan } = exact(THOUSAND_MILLION);
  for (const seed of SEEDS) {
    const day = simulateDay(demand, plan, seed, 60);
    assert.ok(day.longest_wait < demand.wait * (1 + TOLERANCE) + 60, `${day.longest_wait} s`);
    assert.ok(day.longest_wait > simulateDay(demand, plan, seed).longest_wait, 'the simulation notices it');
    assert.ok(day.left < 1, `${day.left}`);
  }
  const { database, process, ...all } = installationOf(demand, plan);
  assert.equal(database.hosts, 3 * plan.clusters);
  assert.ok(database.disk * 0.8 * plan.clusters >= simulateDisk(demand), 'a drive is never fuller than planned');
  assert.ok(database.cores * plan.clusters >= 2 * plan.cores.postgres);
  const { sender, worker, api, smpp } = plan.cores;
  assert.ok((process.hosts - 1) * process.cores >= sender + worker + api + smpp, 'one host is to spare');
  assert.equal(all.partitions, 6 * (30 + 7));
  const doubled = installationOf(
    { ...demand, core_month: 2 * demand.core_month, terabyte_month: 2 * demand.terabyte_month },
    plan,
  );
  assert.ok(Math.abs(doubled.cost_a_month / all.cost_a_month - 2) < 1e-9);
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
    for (const key of ['needed', 'links', 'senders', 'clusters', 'wal_a_second', 'disk_most'] as const)
      assert.ok(plan[key] >= sizes[at]![key], key);
});

test('the command prints a plan, and refuses a value that is not a number', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts/capacity.ts'), ...args], { encoding: 'utf8' });
  const { stdout, status } = run('--messages-a-day', '1000000000');
  assert.equal(status, 0);
  assert.match(stdout, /^PostgreSQL clusters +\d+$/m);
  const wrong = run('--messages-a-day', 'many');
  assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /^--messages-a-day must be a number above 0/);
});
