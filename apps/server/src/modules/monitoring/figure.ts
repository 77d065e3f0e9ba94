import type pg from 'pg';
import { Counter, Gauge } from 'prom-client';

/** Metrics read by one query, at most every `everyMs` regardless of the scrape frequency. */
export interface Figure<Row = Record<string, unknown>> {
  name: string;
  everyMs: number;
  /** Every metric that `tell` sets: they are emptied before, and stay empty if the query failed. */
  metrics: (Gauge | Counter)[];
  ask(client: Pick<pg.ClientBase, 'query'>): Promise<Row[]>;
  tell(rows: Row[]): void;
}

/** Usual time between two queries, in ms. */
export const USUAL_MS = 10_000;

/** Makes a figure that is read by one statement. */
export function figure<Row>(
  name: string,
  text: string,
  metrics: (Gauge | Counter)[],
  tell: (rows: Row[]) => void,
  everyMs = USUAL_MS,
): Figure {
  const ask = async (client: Pick<pg.ClientBase, 'query'>) => (await client.query(text)).rows as Row[];
  return { name, everyMs, metrics, ask, tell } as Figure<Row> as unknown as Figure;
}

/** Metrics without labels, which report 0 after a reset. */
const plain = new WeakSet<Gauge | Counter>();

/** Removes all numbers of a figure. */
export function empty({ metrics }: Figure): void {
  for (const metric of metrics) {
    metric.reset();
    if (plain.has(metric)) metric.remove();
  }
}

const told = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) => ({
  name: `heliograph_${name}`,
  help,
  labelNames: [...labelNames],
  registers: [],
});

/** Makes a gauge of the whole installation; `name` comes after `heliograph_`. */
export function gauge<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) {
  const made = new Gauge(told(name, help, labelNames));
  if (labelNames.length === 0) plain.add(made);
  return made;
}

/** Makes a counter with a sum that is stored in the database. */
export const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
  new Counter(told(name, help, labelNames));
