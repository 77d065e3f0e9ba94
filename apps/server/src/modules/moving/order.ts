import type { Catalog } from './catalog.ts';
import { KINDS } from './kinds.ts';
import type { Step } from './plan.ts';
import { type Declared, Reference } from './read-document.ts';

/** The corporation of a record, by which the names in its fields are looked up. */
export function scopeOf(declared: Declared, catalog: Catalog): string | null {
  const own = declared.fields.get('corporation_id');
  if (!(own instanceof Reference)) return null;
  const found = catalog.resolve(own, null);
  return typeof found === 'string' ? null : found.key;
}

/** Sorts records by their kind, and those that belong to a record of their own kind last. */
export function inKindOrder(records: readonly Declared[]): Declared[] {
  const nested = ({ kind, fields }: Declared) =>
    kind.key.some((field) => {
      const value = fields.get(field);
      return value instanceof Reference && value.to === kind.resource.name;
    });
  return records
    .map((record, at) => ({ record, at }))
    .sort(
      (a, b) =>
        KINDS.indexOf(a.record.kind) - KINDS.indexOf(b.record.kind) ||
        Number(nested(a.record)) - Number(nested(b.record)) ||
        a.at - b.at,
    )
    .map(({ record }) => record);
}

/** Sorts steps so that each comes after the records that it refers to. */
export function inOrder(steps: readonly Step[]): Step[] {
  const done = new Set<Step>();
  const take = (step: Step): void => {
    if (done.has(step)) return;
    done.add(step);
    for (const before of step.after) take(before);
    ordered.push(step);
  };
  const ordered: Step[] = [];
  for (const step of steps) take(step);
  return ordered;
}
