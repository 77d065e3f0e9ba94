/** Order of day and month in a date of three numbers. */
export type DayOrder = 'day_first' | 'month_first';

/** A calendar date such as 2026-01-31, or why a text is none; `order` fits two dates. */
export type ReadDate = { day: string } | { day?: never; fault: 'date' | 'order' };

const NUMERIC = /^(\d{1,2})\s*[./-]\s*(\d{1,2})\s*[./-]\s*(\d{4}|\d{2})(?:\s.*)?$/;
const YEAR_FIRST = /^(\d{4})\s*[-./]\s*(\d{1,2})\s*[-./]\s*(\d{1,2})(?:[T\s].*)?$/;
const CHINESE = /^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日?$/;
const NAMED_SECOND = /^(\d{1,2})(?:st|nd|rd|th)?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4}|\d{2})$/i;
const NAMED_FIRST = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4}|\d{2})$/i;
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/** First year of two digits that belongs to the last century, as in spreadsheets. */
const LAST_CENTURY = 30;
const NO_DATE = { fault: 'date' } as const;

/** Reads a date as people and spreadsheets write it. Of 03/04/2026 the order says which number is the day. */
export function readDate(text: string, order?: DayOrder): ReadDate {
  const numeric = NUMERIC.exec(text);
  if (numeric) {
    const [first, second, year] = [Number(numeric[1]), Number(numeric[2]), yearOf(numeric[3]!)];
    const [dayFirst, monthFirst] = [dayOf(year, second, first), dayOf(year, first, second)];
    if (dayFirst && monthFirst && first !== second) {
      if (order === undefined) return { fault: 'order' };
      return { day: order === 'day_first' ? dayFirst : monthFirst };
    }
    const day = dayFirst ?? monthFirst;
    return day === undefined ? NO_DATE : { day };
  }
  const written = YEAR_FIRST.exec(text) ?? CHINESE.exec(text);
  if (written) return found(dayOf(Number(written[1]), Number(written[2]), Number(written[3])));
  const second = NAMED_SECOND.exec(text);
  if (second) return found(dayOf(yearOf(second[3]!), monthOf(second[2]!), Number(second[1])));
  const first = NAMED_FIRST.exec(text);
  return first ? found(dayOf(yearOf(first[3]!), monthOf(first[1]!), Number(first[2]))) : NO_DATE;
}

/**
 * Tells the order of day and month in the dates of a column: `clear` if none has two meanings, the order that other
 * rows show, or `unclear`. Returns null if at least a fifth of the texts are no dates.
 */
export function orderOfDates(texts: readonly string[]): 'clear' | 'unclear' | DayOrder | null {
  const filled = texts.map((text) => text.trim()).filter(Boolean);
  const read = filled.map((text) => readDate(text));
  const others = read.filter((each) => each.day === undefined && each.fault === 'date').length;
  if (filled.length === 0 || others * 5 >= filled.length) return null;
  if (read.every((each) => each.day !== undefined || each.fault !== 'order')) return 'clear';
  const shown = new Set<DayOrder>();
  for (const text of filled) {
    const [, first, second] = NUMERIC.exec(text) ?? [];
    if (Number(first) > 12) shown.add('day_first');
    if (Number(second) > 12) shown.add('month_first');
  }
  const [only] = shown;
  return shown.size === 1 ? only! : 'unclear';
}

/** Returns the date that a workbook stores as this number of days, for a cell that lost its format. */
export function dateOfSerial(text: string): string | null {
  const days = Number(text);
  if (!/^\d{5}$/.test(text) || days < 10_000 || days > 60_000) return null;
  return new Date(Date.UTC(1899, 11, 30) + days * 86_400_000).toISOString().slice(0, 10);
}

const found = (day: string | undefined): ReadDate => (day === undefined ? NO_DATE : { day });

function yearOf(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < LAST_CENTURY ? 2000 + year : 1900 + year;
}

const monthOf = (name: string) => MONTHS.findIndex((month) => month.startsWith(name.toLowerCase())) + 1;

function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const fits = year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return fits ? date.toISOString().slice(0, 10) : undefined;
}
