import type { z } from 'zod';
import { markOf } from './personal.ts';

/** Character that stands for a hidden digit. */
export const HIDDEN_DIGIT = '•';

/** Fewest digits of a person's number. Shorter ones are short codes, which stay as they are. */
const FEWEST = 7;
/** Digits that are shown at the beginning, at most, and at the end; at least `HIDDEN` between them are hidden. */
const FIRST = 5;
const LAST = 2;
const HIDDEN = 5;

const masked = (digits: string): string => {
  const first = Math.min(FIRST, digits.length - LAST - HIDDEN);
  const hidden = HIDDEN_DIGIT.repeat(digits.length - LAST - first);
  return digits.slice(0, first) + hidden + digits.slice(-LAST);
};

/**
 * Returns a person's number (MSISDN, digits with or without a plus) with its middle hidden, such as `63917•••••67`. It
 * has the length of the number. Names and numbers of fewer than 7 digits are nobody's phone: they stay.
 */
export function maskNumber(number: string): string {
  const [, plus, digits] = /^(\+?)(\d{7,})$/.exec(number) ?? [];
  return digits === undefined ? number : plus + masked(digits);
}

/** Numbers in a text: 10 to 15 digits in a row, or 7 to 15 after a plus, with blanks, dots, dashes and brackets. */
const IN_TEXT = /(?<![\p{L}\d_])(?:\+\d(?:[ .()-]{0,2}\d){6,14}|\d{10,15})(?![\p{L}\d_])/gu;

/** Returns a text with the numbers in it masked. It has the length of the text. */
export const maskText = (text: string): string => (/\d{4}|\+\d/.test(text) ? text.replace(IN_TEXT, maskIn) : text);

/** Masks a number as it is written in a text: only its digits are replaced. */
function maskIn(written: string): string {
  const digits = masked(written.replace(/\D/g, ''));
  let at = 0;
  return written.replace(/\d/g, () => digits[at++]!);
}

/** Steps that mask a value: they change it in place where it is a list or a record, and return it. */
type Plan = (value: unknown, seen: Set<string>) => unknown;

const plans = new WeakMap<z.ZodType, Plan | null>();

/** Names of fields in a document without a schema that hold one number. */
const NUMBER_FIELDS = new Set(['number', 'msisdn', 'oa', 'phone']);

const ofNumber: Plan = (value, seen) => {
  if (typeof value !== 'string') return value;
  const hidden = maskNumber(value);
  if (hidden !== value) seen.add(value.replace('+', ''));
  return hidden;
};

const ofDocument: Plan = (value, seen) => {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map((each) => ofDocument(each, seen));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isNumber = typeof each === 'string' && NUMBER_FIELDS.has(name);
      return [name, ofDocument(isNumber ? ofNumber(each, seen) : each, seen)];
    }),
  );
};

interface Def {
  innerType?: z.ZodType;
  element?: z.ZodType;
  options?: readonly z.ZodType[];
  shape?: Record<string, z.ZodType>;
  valueType?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
  out?: z.ZodType;
}

/** Returns how values of a schema are masked; null if they have no numbers. */
function planOf(schema: z.ZodType): Plan | null {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  // A schema within itself has no plan while it is made.
  plans.set(schema, null);
  const plan = makePlan(schema);
  plans.set(schema, plan);
  return plan;
}

function makePlan(schema: z.ZodType): Plan | null {
  const mark = markOf(schema);
  if (mark === 'text') return ofDocument;
  const def = schema._zod.def as Def;
  if (mark === 'number' && !def.innerType) return ofNumber;
  const inner = def.innerType ?? def.out;
  if (inner) return planOf(inner);
  const parts = [...(def.options ?? []), def.left, def.right].filter((each) => each !== undefined);
  const ways = parts.map(planOf).filter((each) => each !== null);
  if (ways.length > 0) return (value, seen) => ways.reduce((now, way) => way(now, seen), value);
  const ofEach = def.element && planOf(def.element);
  if (ofEach) return (value, seen) => (Array.isArray(value) ? value.map((each) => ofEach(each, seen)) : value);
  const ofValue = def.valueType && planOf(def.valueType);
  if (ofValue) return (value, seen) => changed(value, () => ofValue, seen);
  const fields = new Map(Object.entries(def.shape ?? {}).map(([name, each]) => [name, planOf(each)]));
  if ([...fields.values()].every((each) => each === null)) return null;
  return (value, seen) => changed(value, (name) => fields.get(name) ?? null, seen);
}

function changed(value: unknown, of: (name: string) => Plan | null, seen: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, of(name)?.(each, seen) ?? each]));
}

/** Masks the numbers of an answer wherever else they are in it, such as in a title or a sentence. */
function maskAgain(value: unknown, numbers: RegExp): unknown {
  if (typeof value === 'string')
    return value.length < FEWEST ? value : value.replace(numbers, (number) => masked(number));
  if (Array.isArray(value)) return value.map((each) => maskAgain(each, numbers));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskAgain(each, numbers)]));
}

/**
 * Returns a value of a schema for a person who may not see numbers: marked fields are masked, and their numbers wherever
 * else they are in it.
 */
export function maskReply<T>(schema: z.ZodType, value: T): T {
  const seen = new Set<string>();
  const hidden = planOf(schema)?.(value, seen) ?? value;
  // A longer number is replaced before one that is a part of it.
  const numbers = [...seen].sort((a, b) => b.length - a.length);
  return (numbers.length === 0 ? hidden : maskAgain(hidden, new RegExp(numbers.join('|'), 'g'))) as T;
}

/** Returns whether a text is a number as this masks it: a form must not save one. */
export const isMask = (text: string): boolean => /^\+?\d{0,5}•{5,}\d{2}$/.test(text.trim());

/** Returns whether a masked number is in a text. */
export const hasMask = (text: string): boolean => /•{5,}\d{2}/.test(text);

/** Returns the path of the first text in a body that is, or has, a mask, such as `number` or `to.3`; undefined for none. */
export function findMask(value: unknown, fits: (text: string) => boolean, path = ''): string | undefined {
  if (typeof value === 'string') return fits(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const found = findMask(each, fits, path === '' ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
