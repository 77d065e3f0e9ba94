import { simulateDisk } from './disk.ts';
import { installationOf } from './installation.ts';
import { type Demand, planFor } from './plan.ts';
import { simulateDay } from './simulate.ts';

/** Writes a number with separators. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en');

const withoutTail = (value: number) => (value < 10 ? value.toFixed(1) : whole(value));

/** Writes a number of cores. */
export const cores = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(1));

/** Writes a number of octets with its unit. */
export function octets(value: number): string {
  const power = Math.min(4, Math.floor(Math.log10(Math.max(1, value)) / 3));
  return `${withoutTail(value / 1_000 ** power)} ${['octets', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

/** Returns what an installation of this demand needs, what it is made of, and what a simulated day of it shows. */
export function linesOf(demand: Demand): [string, string][] {
  const plan = planFor(demand);
  const day = simulateDay(demand, plan, 1);
  const { database, process, ...all } = installationOf(demand, plan);
  return [
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
      'cores: PostgreSQL / senders / workers / api / SMPP server',
      [plan.cores.postgres, plan.cores.sender, plan.cores.worker, plan.cores.api, plan.cores.smpp]
        .map(cores)
        .join(' / '),
    ],
    ['WAL a second at the peak', octets(plan.wal_a_second)],
    [`disk a day / for ${demand.kept_days} days`, `${octets(plan.disk_a_day)} / ${octets(plan.disk_kept)}`],
    ['ledger, campaigns and reports, which stay, a year', octets(plan.staying_a_year)],
    ['most disk in a year, planned / simulated', `${octets(plan.disk_most)} / ${octets(simulateDisk(demand))}`],
    [
      'hosts of PostgreSQL (a primary and two standbys for each cluster)',
      `${database.hosts} with ${database.cores} cores, ${database.memory_gb} GB, ${database.drives} × 7.68 TB NVMe`,
    ],
    ['hosts of processes, one to spare', `${process.hosts} with ${process.cores} cores, ${process.memory_gb} GB`],
    ['partitions', whole(all.partitions)],
    ['to both standbys a second at the peak', octets(all.replication_a_second)],
    ['archive: WAL of a week and two base backups', octets(all.archive)],
    ['cost a month / of a million messages', `${whole(all.cost_a_month)} / ${all.cost_a_million.toFixed(2)}`],
    ['simulated day: most that wait, longest wait', `${whole(day.most_waiting)}, ${whole(day.longest_wait)} s`],
    [
      'simulated day: urgent ones wait, left at midnight',
      `${day.longest_urgent_wait.toFixed(1)} s, ${whole(day.left)}`,
    ],
  ];
}
