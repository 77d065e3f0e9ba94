import { parseArgs } from 'node:util';
import { type Demand, planFor, USUAL } from './capacity/plan.ts';
import { simulateDay } from './capacity/simulate.ts';

// `npm run capacity -- --messages-a-day 1000000000`: prints the needs of an installation of that size, and a simulated
// day of it. docs/operate/capacity.md explains the output and lists the options.

const optionOf = (name: string) => name.replaceAll('_', '-');
const names = Object.keys(USUAL) as (keyof Demand)[];

function demandOf(): Demand {
  const options = Object.fromEntries(names.map((name) => [optionOf(name), { type: 'string' as const }]));
  const { values } = parseArgs({ options });
  const demand = { ...USUAL };
  for (const name of names) {
    const given = values[optionOf(name)];
    if (given === undefined) continue;
    const value = Number(given);
    if (!(value > 0)) throw new Error(`--${optionOf(name)} must be a number above 0, but is "${given}"`);
    demand[name] = value;
  }
  return demand;
}

const whole = (value: number) => Math.round(value).toLocaleString('en');
const some = (value: number) => (value < 10 ? value.toFixed(1) : whole(value));
const octets = (value: number) => {
  const power = Math.min(4, Math.floor(Math.log10(value) / 3));
  return `${some(value / 1_000 ** power)} ${['octets', 'kB', 'MB', 'GB', 'TB'][power]}`;
};

function print(demand: Demand): void {
  const plan = planFor(demand);
  const day = simulateDay(demand, plan, 1);
  const { cores } = plan;
  const lines: [string, string][] = [
    ['messages a day', whole(demand.messages_a_day)],
    ['a second, mean / peak', `${whole(plan.mean)} / ${whole(plan.peak)}`],
    [`must leave a second (bulk waits up to ${whole(demand.wait)} s)`, whole(plan.needed)],
    [
      'wait at the peak: usually, on the worst of 20 days',
      `${whole(plan.usually_waiting)}, ${whole(plan.most_waiting)}`,
    ],
    [`links of ${whole(demand.link_rate)} parts/s`, whole(plan.links)],
    [
      `binds of each (${demand.latency_ms} ms, window ${demand.window})`,
      `${plan.binds}, ${whole(plan.in_flight)} under way`,
    ],
    ['sender processes, one to spare', whole(plan.senders)],
    ['PostgreSQL clusters', whole(plan.clusters)],
    [
      'cores: PostgreSQL / senders / workers / api',
      [cores.postgres, cores.sender, cores.worker, cores.api].map(some).join(' / '),
    ],
    ['WAL a second at the peak', octets(plan.wal_a_second)],
    [`disk a day / for ${demand.kept_days} days`, `${octets(plan.disk_a_day)} / ${octets(plan.disk_kept)}`],
    ['ledger, which stays, a year', octets(plan.ledger_a_year)],
    ['simulated day: most that wait, longest wait', `${whole(day.most_waiting)}, ${whole(day.longest_wait)} s`],
    [
      'simulated day: urgent ones wait, left at midnight',
      `${day.longest_urgent_wait.toFixed(1)} s, ${whole(day.left)}`,
    ],
  ];
  const width = Math.max(...lines.map(([label]) => label.length));
  for (const [label, value] of lines) process.stdout.write(`${label.padEnd(width)}  ${value}\n`);
}

if (import.meta.main) {
  try {
    print(demandOf());
  } catch (error) {
    process.stderr.write(`${(error as Error).message}.\n`);
    process.exitCode = 2;
  }
}
