import { kindOf as fieldKind } from '@heliograph/contract/kernel/fields';
import type { z } from 'zod';
import { elementOf, referredBy, shapeOf, typeOf } from './schemas.ts';

type Naming = (to: string, value: unknown) => string;

/**
 * Returns a value in the one form in which values are compared: amounts without trailing zeros, references by the key of
 * their record, nothing for null, and lists without an order sorted.
 */
export function normal(schema: z.ZodType, value: unknown, naming: Naming, unordered = false): unknown {
  if (value === null || value === undefined) return null;
  const to = referredBy(schema);
  if (to !== undefined) return naming(to, value);
  if (Array.isArray(value)) {
    const element = elementOf(schema);
    const each = value.map((item) => (element ? normal(element, item, naming) : plain(item)));
    return unordered ? each.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : each;
  }
  if (typeof value === 'object') {
    const shape = shapeOf(schema);
    if (!shape) return plain(value);
    const fields = Object.entries(shape).flatMap(([name, inner]) => {
      const read = normal(inner, (value as Record<string, unknown>)[name], naming);
      return read === null ? [] : [[name, read] as const];
    });
    return Object.fromEntries(fields);
  }
  const kind = typeOf(schema) === 'array' ? undefined : fieldKind(schema);
  if ((kind === 'money' || kind === 'cost') && typeof value === 'string')
    return value.includes('.') ? value.replace(/\.?0+$/, '') : value;
  return value;
}

/** Returns a value with the fields of objects in one order, and without those that are null. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null && each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, plain(each)]),
  );
}

/** Returns a value with each reference replaced. */
export function mapReferences(
  schema: z.ZodType,
  value: unknown,
  replace: (to: string, value: unknown) => unknown,
): unknown {
  if (value === null || value === undefined) return value;
  const to = referredBy(schema);
  if (to !== undefined) return replace(to, value);
  if (Array.isArray(value)) {
    const element = elementOf(schema);
    return element ? value.map((item) => mapReferences(element, item, replace)) : value;
  }
  const shape = typeof value === 'object' ? shapeOf(schema) : undefined;
  if (!shape) return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, each]) => [
      name,
      shape[name] ? mapReferences(shape[name], each, replace) : each,
    ]),
  );
}
