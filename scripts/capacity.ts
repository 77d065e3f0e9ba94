import { parseArgs } from 'node:util';
import { linesOf } from './capacity/lines.ts';
import { type Demand, USUAL } from './capacity/plan.ts';

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

function print(demand: Demand): void {
  const lines = linesOf(demand);
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
