import { languageTag } from '../../platform/language.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Units with the times in ms from which they are used: a unit begins when the one before would show 120. */
const UNITS = [
  { unit: 'second', ms: 1_000, below: 2 * MINUTE_MS },
  { unit: 'minute', ms: MINUTE_MS, below: 2 * HOUR_MS },
  { unit: 'hour', ms: HOUR_MS, below: Number.POSITIVE_INFINITY },
] as const;

/** Writes a time from submit to receipt with one unit, such as 12.5 sec; a dash for none. */
export function latencyText(ms: number | null): string {
  if (ms === null) return '–';
  const { unit, ms: one } = UNITS.find(({ below }) => ms < below)!;
  const value = ms / one;
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0 } as const;
  return new Intl.NumberFormat(languageTag(), style).format(value);
}
