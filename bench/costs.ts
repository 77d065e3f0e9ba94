import { CostTable, type Period } from '../apps/server/src/modules/carrier-costs/cost-table.ts';
import { RateIndex, type StoredRate } from '../apps/server/src/modules/carrier-costs/rate-index.ts';
import { report } from './harness/report.ts';

// Measures the costs of carriers in memory: 500,000 prefixes over the cards of five links, their octets, and how long it
// takes, in processor time, to find the cost of a number on one link, and the cheapest of all five.

const PREFIXES = 500_000;
const LINKS = 5;
const NUMBERS = 200_000;
const LOOKUPS = 5_000_000;

const prefixOf = (i: number) => String(10_000 + ((i * 7_919) % 90_000)) + String(i % 89).slice(0, i % 4);
const ratesOf = (link: number): StoredRate[] => {
  const rates = new Map<string, StoredRate>();
  for (let i = 0; rates.size < PREFIXES / LINKS; i++) {
    const prefix = i < 90_000 ? prefixOf(i + link) : `${prefixOf(i)}${i % 7_919}`.slice(0, 9);
    const any = { mcc: null, mnc: null, class: null, sender_kind: null, starts_on: null };
    rates.set(prefix, { prefix, ...any, amount: 1_000 + (i % 90_000) });
  }
  return [...rates.values()];
};

const memory = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const cards = Array.from({ length: LINKS }, (_, link) => ratesOf(link));
const before = memory();
const periods = cards.map(
  (rates, link): Period => ({
    card_id: link + 1,
    link_id: link + 1,
    version: 1,
    currency: 'EUR',
    on: 'submit',
    from: 0,
    until: Number.POSITIVE_INFINITY,
    day: '2026-01-01',
    rates: new RateIndex(rates),
  }),
);
const table = new CostTable(periods);
const octets = memory() - before;

const numbers = Array.from({ length: NUMBERS }, (_, i) => `${prefixOf(i * 31)}${String(1_000_000 + i)}`);
const asked = { network: '', class: 'bulk', sender_kind: 'alphanumeric', at: 1 } as const;
const nanoseconds = (lookups: number, find: (msisdn: string) => void) => {
  const began = process.cpuUsage();
  for (let i = 0; i < lookups; i++) find(numbers[i % NUMBERS]!);
  const { user, system } = process.cpuUsage(began);
  return ((user + system) * 1_000) / lookups;
};
let found = 0;
const one = (msisdn: string) => {
  if (table.unitCost({ ...asked, link_id: 1 + (msisdn.charCodeAt(2) % LINKS), msisdn })) found++;
};
const cheapest = (msisdn: string) => {
  let least = Number.POSITIVE_INFINITY;
  for (let link_id = 1; link_id <= LINKS; link_id++) {
    const cost = table.unitCost({ ...asked, link_id, msisdn });
    if (cost && cost.amount < least) least = cost.amount;
  }
  if (least < Number.POSITIVE_INFINITY) found++;
};
nanoseconds(LOOKUPS / 10, one);
nanoseconds(LOOKUPS / 10, cheapest);
if (found === 0) throw new Error('no number has a cost');
report('costs', [
  { figure: 'prefixes', value: PREFIXES, unit: '' },
  { figure: 'memory_mb', value: octets / 2 ** 20, unit: 'MB' },
  { figure: 'lookup_ns', value: nanoseconds(LOOKUPS, one), unit: 'ns' },
  { figure: 'cheapest_of_five_links_ns', value: nanoseconds(LOOKUPS / 5, cheapest), unit: 'ns' },
]);
