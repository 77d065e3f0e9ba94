import type pg from 'pg';
import { Counter, Gauge } from 'prom-client';

/** What one question to the database tells. It is asked at most every `everyMs`, whoever asks for metrics how often. */
export interface Figure<Row = Record<string, unknown>> {
  name: string;
  everyMs: number;
  /** Every metric that `tell` sets: they are emptied before, and stay empty where the question failed. */
  metrics: (Gauge | Counter)[];
  ask(client: Pick<pg.ClientBase, 'query'>): Promise<Row[]>;
  tell(rows: Row[]): void;
}

/** The usual time between two askings, in ms. */
export const USUAL_MS = 10_000;

/** A figure whose question is one statement. */
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

/** Those without labels, which say 0 when they are reset. */
const plain = new WeakSet<Gauge | Counter>();

/** Takes every number of a figure away. */
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

/** A gauge of the whole installation; `name` comes after `heliograph_`. */
export function gauge<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) {
  const made = new Gauge(told(name, help, labelNames));
  if (labelNames.length === 0) plain.add(made);
  return made;
}

/** A counter whose sum stands in the database. */
export const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
  new Counter(told(name, help, labelNames));
