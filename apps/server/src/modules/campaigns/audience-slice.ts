import { hash } from 'node:crypto';
import { z } from 'zod';

/** Numbers that a campaign of an A/B test may send to: those whose place lies in `from` (included) to `to`. */
const audienceSlice = z.object({ test_id: z.int(), key: z.string(), from: z.number(), to: z.number() });
export type AudienceSlice = z.output<typeof audienceSlice>;

/** Hexadecimal digits of a hash that make a place; a double holds more bits than they have. */
const DIGITS = 12;
const PLACES = 16 ** DIGITS;

/** Returns the slice that a stored content keeps; null for a campaign outside tests. */
export const sliceOf = (content: unknown): AudienceSlice | null =>
  z.object({ slice: audienceSlice.nullable().default(null) }).parse(content).slice;

/** Returns the place of a number in a test, from 0 to below 1. It depends only on the number and the key of the test. */
export const placeIn = (key: string, number: string): number =>
  Number.parseInt(hash('sha256', `${key}:${number}`).slice(0, DIGITS), 16) / PLACES;

/** Tells if a number belongs to a slice. */
export function isInSlice({ key, from, to }: AudienceSlice, number: string): boolean {
  const place = placeIn(key, number);
  return place >= from && place < to;
}

/** Returns the slices of a test: one for each variant, of equal size, and the rest; null if the samples are everybody. */
export function slicesOf(test_id: number, key: string, variants: number, sharePercent: number) {
  const bounds = Array.from({ length: variants + 1 }, (_, at) => (sharePercent * at) / (100 * variants));
  const between = (from: number, to: number): AudienceSlice => ({ test_id, key, from, to });
  return {
    samples: bounds.slice(1).map((to, at) => between(bounds[at]!, to)),
    rest: sharePercent >= 100 ? null : between(bounds.at(-1)!, 1),
  };
}
