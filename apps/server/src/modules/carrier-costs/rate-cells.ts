import { SENDER_KINDS, type SenderKind } from '@heliograph/contract/senders/sender-id';
import type { MessageClass } from '#platform/database/schema';

/** Prefix or network of a rate. */
export interface Place {
  prefix: string | null;
  mcc: string | null;
  mnc: string | null;
}

/** Maximum prefixes of a range such as 639170-639179. */
const MOST_OF_RANGE = 1_000;
const MILLION = 1_000_000n;
/** Largest cost that is stored: below a billion units. */
const MOST = 10n ** 15n;

/**
 * Reads a cost as carriers write it: "0.0125", "0,0125", "€ 0.0125", "1.25E-2". Returns millionths, rounded half up, or
 * undefined.
 */
export function readCost(text: string): number | undefined {
  const bare = text
    .replace(/[\s\p{Sc}]/gu, '')
    .replace(/^[A-Za-z]{3}/, '')
    .replace(/[A-Za-z]{3}$/, '');
  const match = /^\+?([\d.,']+)(?:[eE]([+-]?\d{1,3}))?$/.exec(bare);
  if (!match) return undefined;
  let digits = match[1]!.replaceAll("'", '');
  const point = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const whole = point < 0 ? digits : digits.slice(0, point);
  const fraction = point < 0 ? '' : digits.slice(point + 1);
  // Marks before the decimal one group thousands: they are all the same, and another one.
  const marks = whole.replace(/\d/g, '');
  if (marks !== '' && (new Set(marks).size > 1 || marks[0] === digits[point] || !/^\d{1,3}([.,]\d{3})+$/.test(whole)))
    return undefined;
  digits = whole.replace(/[.,]/g, '') + fraction;
  if (!/^\d{1,40}$/.test(digits)) return undefined;
  const shift = 6 - fraction.length + Number(match[2] ?? 0);
  if (Math.abs(shift) > 60) return undefined;
  const scale = 10n ** BigInt(Math.abs(shift));
  const value = shift >= 0 ? BigInt(digits) * scale : (BigInt(digits) + scale / 2n) / scale;
  return value < MOST * MILLION ? Number(value) : undefined;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Reads a day as carriers write it: 2026-01-31, 31.01.2026, 31/01/2026, 31-Jan-2026 or Jan 31, 2026, also with a time
 * behind it. Returns null for a day that can be read in two ways, such as 01/02/2026, and undefined for anything else.
 */
export function readDay(text: string): string | null | undefined {
  const day = text.trim().replace(/[T ]\d{1,2}:\d\d.*$/, '');
  let match = /^(\d{4})[-./]?(\d\d)[-./]?(\d\d)$/.exec(day);
  if (match) return dayOf(match[1]!, Number(match[2]), match[3]!);
  match = /^(\d\d?)([-./])(\d\d?)\2(\d{4})$/.exec(day);
  if (match) {
    const [first, second] = [Number(match[1]), Number(match[3])];
    if (match[2] === '.' || first > 12 || first === second) return dayOf(match[4]!, second, match[1]!);
    return second > 12 ? dayOf(match[4]!, first, match[3]!) : null;
  }
  match = /^(\d\d?)[-\s./]+([A-Za-z]{3})[a-z]*[-\s./,]+(\d{4})$/.exec(day);
  if (match) return dayOf(match[3]!, MONTHS.indexOf(match[2]!.toLowerCase()) + 1, match[1]!);
  match = /^([A-Za-z]{3})[a-z]*[-\s.]+(\d\d?)[,\s]+(\d{4})$/.exec(day);
  return match ? dayOf(match[3]!, MONTHS.indexOf(match[1]!.toLowerCase()) + 1, match[2]!) : undefined;
}

function dayOf(year: string, month: number, day: string): string | undefined {
  const iso = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  try {
    return Temporal.PlainDate.from(iso).toString();
  } catch {
    return undefined;
  }
}

const listed = (text: string) =>
  text
    .split(/[,;|/\n]/)
    .map((each) => each.replace(/[\s+*.()]/g, ''))
    .filter((each) => each !== '');

/** Reads prefixes: one, a list, or ranges such as 63917-63919, behind a country code if there is one. */
export function readPrefixes(text: string, countryCode = ''): string[] | undefined {
  const found: string[] = [];
  const code = countryCode.replace(/[\s+]/g, '').replace(/^00/, '');
  for (const each of listed(text)) {
    const [from = '', to = from, more] = each.split('-');
    if (more !== undefined || !/^\d{1,15}$/.test(from) || !/^\d{1,15}$/.test(to) || from.length !== to.length)
      return undefined;
    const count = Number(to) - Number(from);
    if (count < 0 || count >= MOST_OF_RANGE) return undefined;
    for (let n = 0; n <= count; n++) found.push(code + String(Number(from) + n).padStart(from.length, '0'));
  }
  if (text.trim() === '' && code !== '') found.push(code);
  const bare = found.map((prefix) => (code === '' ? prefix.replace(/^00/, '') : prefix));
  return bare.length > 0 && bare.every((prefix) => /^\d{1,15}$/.test(prefix)) ? bare : undefined;
}

/** Reads networks: both codes together (51503, 515-03), or the MCC with a list of MNCs; "all" is the whole country. */
export function readNetworks(
  mccmnc: string,
  mcc: string,
  mnc: string,
): { mcc: string; mnc: string | null }[] | undefined {
  const country = mcc.replace(/\D/g, '');
  if (mcc.trim() !== '') {
    if (country.length !== 3) return undefined;
    if (/^\W*(all|any|other|others|default)?\W*$/i.test(mnc)) return [{ mcc: country, mnc: null }];
    const codes = listed(mnc).map((each) => (/^\d$/.test(each) ? `0${each}` : each));
    return codes.every((each) => /^\d{2,3}$/.test(each))
      ? codes.map((each) => ({ mcc: country, mnc: each }))
      : undefined;
  }
  const found = mccmnc.split(/[,;|\n]/).flatMap((each) => {
    const digits = each.replace(/[\s/_-]/g, '');
    const match = /^(\d{3})(\d{0,3})$/.exec(digits);
    if (!match) return [];
    // A workbook drops the zero of 51503 when both codes have a mark between them: 515-3.
    return [{ mcc: match[1]!, mnc: match[2] === '' ? null : match[2]!.padStart(2, '0') }];
  });
  return found.length > 0 && found.length === mccmnc.split(/[,;|\n]/).length ? found : undefined;
}

const EVERY = /^\W*(all|any|every|both|default|-)?\W*$/i;
const CLASS_WORDS: readonly (readonly [RegExp, MessageClass])[] = [
  [/^(otp|2fa|two.?factor|authentication|verification|pin)/i, 'otp'],
  [/^(transact|trx|txn|service|informational|notification)/i, 'transactional'],
  [/^(bulk|promo|market|wholesale|advert)/i, 'bulk'],
];
const KIND_WORDS: readonly (readonly [RegExp, SenderKind])[] = [
  [/^(alpha|name|dynamic|text)/i, SENDER_KINDS[0]],
  [/^short/i, SENDER_KINDS[1]],
  [/^(num|long|virtual|msisdn|vln|vmn|dedicated)/i, SENDER_KINDS[2]],
];

const wordOf =
  <Value>(words: readonly (readonly [RegExp, Value])[]) =>
  (text: string): Value | null | undefined =>
    EVERY.test(text) ? null : words.find(([pattern]) => pattern.test(text.trim()))?.[1];

/** Reads the class of a message; null for every class, undefined for a word that is not known. */
export const readClass = wordOf(CLASS_WORDS);
/** Reads the kind of a sender; null for every kind, undefined for a word that is not known. */
export const readSenderKind = wordOf(KIND_WORDS);
