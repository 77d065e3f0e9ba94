import { NetworkTable } from '../apps/server/src/modules/networks/network-table.ts';
import { shippedNetworks } from '../apps/server/src/seed/networks.ts';
import { report } from './harness/report.ts';

// Measures the network of a number in memory, over the table that ships: numbers of all its prefixes, in a random order.

const LOOKUPS = 20_000_000;
const NUMBERS = 100_000;

const networks = shippedNetworks().map((each, id) => ({ ...each, id, enabled: true }));
const before = process.memoryUsage();
const began = performance.now();
const table = new NetworkTable(1, networks);
const made = performance.now() - began;
const after = process.memoryUsage();

const prefixes = networks.flatMap((network) => network.prefixes);
const numbers = Array.from({ length: NUMBERS }, (_, i) => {
  const prefix = prefixes[Math.floor(Math.random() * prefixes.length)]!;
  return `${prefix}${String(i).padStart(7, '0')}`.slice(0, 15);
});
let found = 0;
const since = performance.now();
const cpu = process.cpuUsage();
for (let i = 0; i < LOOKUPS; i++) if (table.networkOf(numbers[i % NUMBERS]!)) found++;
const { user } = process.cpuUsage(cpu);
const elapsed = performance.now() - since;
if (found !== LOOKUPS) throw new Error(`${found} of ${LOOKUPS} numbers have a network`);

report('networks', [
  { figure: 'prefixes of the table that ships', value: prefixes.length, unit: 'prefixes' },
  { figure: 'table from its rows', value: made, unit: 'ms' },
  { figure: 'memory of the table', value: (after.arrayBuffers - before.arrayBuffers) / 1e6, unit: 'MB' },
  { figure: 'network of a number, elapsed', value: (elapsed * 1e6) / LOOKUPS, unit: 'ns' },
  { figure: 'network of a number, processor', value: (user * 1e3) / LOOKUPS, unit: 'ns' },
]);
